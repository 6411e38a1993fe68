// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cache lines: 64 bytes on every processor for which tern has vectors.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA {

inline constexpr index_t line_bytes = 64;

TERN_INLINE bool begins_line(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % line_bytes == 0; }

/// The number of elements from p to the next cache line.
template <class T>
TERN_INLINE index_t elements_before_line(const T* p) {
  return static_cast<index_t>((0 - reinterpret_cast<std::uintptr_t>(p)) % line_bytes / sizeof(T));
}

}  // namespace tern::inline TERN_ISA
