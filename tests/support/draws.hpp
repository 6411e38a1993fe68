// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <random>

#include "tern/core/config.hpp"

namespace tern::test {

/// A number from 0 to n - 1.
inline index_t below(std::mt19937& engine, index_t n) {
  return static_cast<index_t>(engine() % static_cast<unsigned>(n));
}
inline index_t one_of(std::mt19937& engine, std::initializer_list<index_t> v) {
  return v.begin()[below(engine, static_cast<index_t>(v.size()))];
}

}  // namespace tern::test
