// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tests/support/any_executor.hpp"

namespace tern::test {

/// The calling thread, or tasks one after the other, the last one first: what they write must not depend on it.
inline const auto some_executor = [](const auto&) {
  static bool turn = false;
  static serial one;
  static with_concurrency backwards{[](index_t n, task_ref f) {
                                      for (index_t i = n; i-- > 0;) f(i);
                                    },
                                    5};
  turn = !turn;
  return turn ? any_executor::of("serial", one) : any_executor::of("backwards", backwards);
};

}  // namespace tern::test
