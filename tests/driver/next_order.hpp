// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/simt.hpp"

namespace tern::test {

/// Orders that take turns from call to call.
inline const auto next_order = [](const auto&) {
  static bool turn = false;
  turn = !turn;
  return simt_host{.reverse = turn};
};

}  // namespace tern::test
