// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>

namespace tern::test {

#if defined(__cpp_exceptions)
/// What a call says is wrong with it.
template <class F>
std::string message(F&& f) {
  try {
    f();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "no error";
}

#endif

}  // namespace tern::test
