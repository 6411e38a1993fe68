// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>

namespace tern::test {

#if defined(__cpp_exceptions)
/// The error message of a call.
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
