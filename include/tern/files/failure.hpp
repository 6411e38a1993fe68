// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of files, in one line that names the call and the file.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "tern/core/config.hpp"

#if defined(__cpp_exceptions)
#include <stdexcept>
#endif

namespace tern::inline TERN_ISA::impl {

/// The length of the UTF-8 sequence at the start of a text, by Unicode's table 3-7; 0 if there is none.
inline std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (text.empty() || first < 0x80) return text.empty() ? 0 : 1;
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  // Rejects overlong forms, surrogates, and code points above U+10FFFF.
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (length == 0 || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  return length;
}

inline bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// A text from a file or a caller as part of one line: escapes control characters and invalid UTF-8 as \xNN, and keeps
/// at most the first `most` bytes.
inline std::string printable(std::string_view text, std::size_t most = 100) {
  std::string result;
  while (!text.empty()) {
    std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (result.size() + length > most) return result + "...";
    if (length == 0 || first < 0x20 || first == 0x7f) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", first);
      result += escaped;
      length = 1;
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result;
}

inline std::string in_quotes(std::string_view name) { return "'" + printable(name) + "'"; }

/// A shape in JSON and Python notation.
inline std::string written_shape(const std::vector<index_t>& shape) {
  std::string result = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (result.size() > 200) return result + ", ...]";
    result += (i ? ", " : "") + std::to_string(shape[i]);
  }
  return result + "]";
}

/// The call that reads or writes a file, and the file.
struct file_call {
  const char* name;
  std::string file;

  /// Throws std::runtime_error with "name: file: what", or without exceptions prints that to stderr and aborts.
  [[noreturn]] TERN_COLD void fail(const std::string& what) const {
    const std::string sentence = std::string(name) + ": " + printable(file, 4096) + ": " + what;
#if defined(__cpp_exceptions)
    throw std::runtime_error(sentence);
#else
    std::fprintf(stderr, "tern: %s\n", sentence.c_str());
    std::abort();
#endif
  }

  /// Appends the system's text for `error`, a value of errno.
  [[noreturn]] TERN_COLD void fail(const std::string& what, int error) const {
    fail(what + ": " + std::generic_category().message(error));
  }
};

}  // namespace tern::inline TERN_ISA::impl
