// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/simt.hpp"

namespace tern::test {

/// Orders of threads and run-aheads that take turns from call to call.
inline const auto next_order = [](const auto&) {
  static int turn = 0;
  ++turn;
  return simt_host{.reverse = turn % 2 != 0, .run_ahead = turn / 2 % 5};
};

}  // namespace tern::test
