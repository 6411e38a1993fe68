// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copies of the host contexts, in place of a GPU's asynchronous ones.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"

namespace tern::inline TERN_ISA::impl {

/// The `copy` of a pipeline's producer: copies at once, and checks rules that a GPU does not: a copy stays within its
/// slot, and addresses have the hardware's alignment.
class host_copy {
 public:
  template <class Slot>
  TERN_FN explicit host_copy(Slot& slot)
      : first_(reinterpret_cast<std::uintptr_t>(&slot)), last_(first_ + sizeof(Slot)) {}

  template <int Count, class T>
  TERN_FN void run(T* to, const T* from, int valid) const {
    constexpr std::size_t bytes = Count * sizeof(T);
    static_assert(bytes == 4 || bytes == 8 || bytes == 16, "pipeline: a copy moves 4, 8 or 16 bytes");
    check(to, valid > 0 ? from : nullptr, bytes);
    for (int i = 0; i < Count; ++i) to[i] = i < valid ? from[i] : T(0);
  }
  template <class T>
  TERN_FN void fill(T* to, T value) const {
    check(to, nullptr, sizeof(T));
    *to = value;
  }

 private:
  TERN_FN void check(const void* to, const void* from, std::size_t bytes) const {
#if !defined(__CUDA_ARCH__)
    const auto at = reinterpret_cast<std::uintptr_t>(to);
    if (at < first_ || at + bytes > last_)
      violation("pipeline: a copy starts at byte %td of its slot, which has %td",
                static_cast<index_t>(at) - static_cast<index_t>(first_), static_cast<index_t>(last_ - first_));
    if (at % bytes != 0 || reinterpret_cast<std::uintptr_t>(from) % bytes != 0)
      violation("pipeline: a copy of %zu bytes has an address that is not a multiple of that", bytes);
#endif
  }

  std::uintptr_t first_, last_;
};

/// Fills memory with bytes that are NaN in every floating-point format: possible contents of a GPU's shared memory
/// before it is written, and of a slot between its uses.
template <class T>
TERN_FN void poison(T& x) {
  static_assert(std::is_trivially_copyable_v<T>, "simt: shared memory holds trivially copyable types only");
  std::memset(static_cast<void*>(&x), 0xff, sizeof x);
}

}  // namespace tern::inline TERN_ISA::impl
