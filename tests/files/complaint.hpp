// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error message of a call about a file.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace tern::test {

/// The error message of the call, without the names of call and file; "no error" if it succeeds.
template <class F>
std::string complaint(const std::string& call, const std::filesystem::path& file, F&& f) {
  try {
    f();
  } catch (const std::runtime_error& e) {
    const std::string text = e.what(), head = call + ": " + file.string() + ": ";
    if (text.find('\n') != text.npos) return "more than one line: " + text;
    return text.starts_with(head) ? text.substr(head.size()) : "another beginning: " + text;
  }
  return "no error";
}

}  // namespace tern::test
