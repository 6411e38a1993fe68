// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "tern/exec/cpu/dispatch.hpp"

namespace demo {

/// f(tag) for the best instruction set, or for the best that is no better than `at_most` where that is not empty. Those
/// to choose from are in examples/CMakeLists.txt.
template <class F>
auto dispatch(F f, const std::string& at_most) {
  return tern::dispatch<DEMO_ISAS>(f, at_most.empty() ? nullptr : at_most.c_str());
}

}  // namespace demo
