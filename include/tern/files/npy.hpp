// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of a numpy array in a file: numpy's npy format, versions 1.0 to 3.0
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tern/core/config.hpp"
#include "tern/files/failure.hpp"
#include "tern/files/named_tensor.hpp"
#include "tern/files/request.hpp"

namespace tern::inline TERN_ISA::impl {

/// Magic string, version and length of the header: 10 bytes, 12 from version 2.0 on.
inline constexpr std::string_view npy_magic = "\x93NUMPY";
/// The largest accepted header. Numpy itself stops at 10,000 bytes.
inline constexpr std::uint64_t most_npy_header_bytes = 65'536;

/// The header in version 1.0. It ends at a multiple of 64, as numpy's does.
inline std::string write_npy_header(const named_const_tensor& tensor) {
  std::string shape = "(";
  for (const index_t extent : tensor.shape) shape += std::to_string(extent) + ", ";
  if (tensor.shape.size() > 1) shape.resize(shape.size() - 2);
  std::string header = std::string("{'descr': '") + detail::facts(tensor.type).npy +
                       "', 'fortran_order': False, 'shape': " + shape + "), }";
  const std::size_t before = npy_magic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string result(npy_magic);
  result += {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return result + header;
}

/// The contents of an array's header.
struct npy_array {
  stored_type type = stored_type::boolean;
  std::vector<index_t> shape;
};

/// Parses the header of an array, a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
/// Accepts only numpy's form, with spaces anywhere.
class npy_header {
 public:
  npy_header(const file_call& call, std::string array, std::string_view text)
      : call_(call), array_(std::move(array)), rest_(text) {}

  npy_array parse() {
    int fields = 0;
    expect('{');
    while (!next('}')) {
      const std::string key = quoted_text();
      expect(':');
      const int field = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
      if (field == 0 || fields & field) malformed();
      fields |= field;
      if (field == 1) type();
      if (field == 2) order();
      if (field == 4) shape();
      if (next('}')) break;
      expect(',');
    }
    if (fields != 7 || rest_.find_first_not_of(" \n") != rest_.npos) malformed();
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { call_.fail(array_ + " " + what); }
  [[noreturn]] void malformed() const { fail("has a header that numpy does not write"); }

  void skip_spaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool next(std::string_view word) {
    skip_spaces();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool next(char c) { return next(std::string_view(&c, 1)); }
  void expect(char c) {
    if (!next(c)) malformed();
  }

  std::string quoted_text() {
    skip_spaces();
    const char quote = rest_.empty() ? '\0' : rest_[0];
    if (quote != '\'' && quote != '"') malformed();
    rest_.remove_prefix(1);
    const std::size_t end = rest_.find(quote);
    if (end == rest_.npos) malformed();
    const std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }

  void type() {
    skip_spaces();
    if (rest_.starts_with('[')) fail("has elements of several fields, which tern does not read");
    const std::string text = quoted_text();
    for (std::size_t i = 0; i < std::size(detail::stored_types); ++i)
      if (const char* known = detail::stored_types[i].npy; known != nullptr && text == known) {
        result_.type = static_cast<stored_type>(i);
        return;
      }
    if (text.starts_with('>')) fail("is big-endian (" + in_quotes(text) + "), which tern does not read");
    fail("has the element type " + in_quotes(text) + ", which tern does not read");
  }

  void order() {
    if (next("True")) fail("is in Fortran's order, which tern does not read: save numpy.ascontiguousarray of it");
    if (!next("False")) malformed();
  }

  void shape() {
    expect('(');
    while (!next(')')) {
      skip_spaces();
      index_t extent = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error == std::errc::result_out_of_range) fail("has an extent that is larger than memory");
      if (error != std::errc() || extent < 0) malformed();
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      result_.shape.push_back(extent);
      if (next(',')) continue;
      if (result_.shape.size() == 1) malformed();  // (3) is a number in Python, (3,) a tuple
      expect(')');
      break;
    }
  }

  const file_call& call_;
  std::string array_;
  std::string_view rest_;
  npy_array result_;
};

}  // namespace tern::inline TERN_ISA::impl
