// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "tern/exec/cpu/dispatch.hpp"

namespace demo {

/// Calls f(tag) for the best instruction set, or, unless `at_most` is empty, the best that is no better than that.
/// examples/CMakeLists.txt lists the candidates.
template <class F>
auto dispatch(F f, const std::string& at_most) {
  return tern::dispatch<DEMO_ISAS>(f, at_most.empty() ? nullptr : at_most.c_str());
}

}  // namespace demo
