// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error sentences, composed while compiling or at run time, and a type whose name makes compilers print one.
#pragma once

#include <concepts>

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA::declare {

/// A sentence composed of parts, also while compiling. Text beyond `room` is cut off.
class sentence {
 public:
  static constexpr int room = 384;  ///< includes the terminating zero

  TERN_COLD constexpr sentence& operator<<(const char* text) {
    for (; *text != '\0'; ++text) put(*text);
    return *this;
  }
  TERN_COLD constexpr sentence& operator<<(index_t number) {
    if (number == dynamic) return *this << "?";
    char digit[24] = {};
    int n = 0;
    const bool negative = number < 0;
    do digit[n++] = static_cast<char>('0' + (negative ? -(number % 10) : number % 10)), number /= 10;
    while (number != 0);
    if (negative) put('-');
    while (n > 0) put(digit[--n]);
    return *this;
  }
  /// A template, so that other integer types do not convert to char.
  template <std::same_as<char> Char>
  constexpr sentence& operator<<(Char c) {
    put(c);
    return *this;
  }
  constexpr void put(char c) {
    if (size_ + 1 < room) text_[size_++] = c;
  }
  constexpr int size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const char* text() const { return text_; }

 private:
  char text_[room] = {};
  int size_ = 0;
};

/// A sentence as a template argument.
struct text {
#if defined(__clang__)
  // Clang prints arrays of at most 32 characters as text: the sentence is cut at blanks, which also fill its pieces.
  char a[32] = {}, b[32] = {}, c[32] = {}, d[32] = {}, e[32] = {}, f[32] = {}, g[32] = {}, h[32] = {}, i[32] = {},
       j[32] = {}, k[32] = {}, l[32] = {};

  explicit constexpr text(const sentence& s) {
    char* const pieces[] = {a, b, c, d, e, f, g, h, i, j, k, l};
    int at = 0;
    for (char* const piece : pieces) {
      int length = s.size() - at < 31 ? s.size() - at : 31;
      if (at + length < s.size())
        for (int n = length; n > 0; --n)
          if (s.text()[at + n - 1] == ' ') {
            length = n;
            break;
          }
      if (length == 0) break;
      for (int n = 0; n < 31; ++n) piece[n] = n < length ? s.text()[at + n] : ' ';
      at += length;
    }
  }
#else
  char a[sentence::room] = {};

  explicit constexpr text(const sentence& s) {
    for (int i = 0; i < s.size(); ++i) a[i] = s.text()[i];
  }
#endif
  explicit constexpr text(const char* s) : text(sentence() << s) {}
  constexpr bool empty() const { return a[0] == '\0'; }
};

/// Complete for an empty text; otherwise an incomplete type, whose name shows the error of a call, or of a network.
template <text What>
struct wrong_call;
template <text What>
  requires(What.empty())
struct wrong_call<What> {};
/// True for an empty text; otherwise a compile error with the text.
template <text What>
constexpr bool no_error() {
  static_assert(sizeof(wrong_call<What>) == 1);
  return What.empty();
}
template <text What>
struct wrong_network;
template <text What>
  requires(What.empty())
struct wrong_network<What> {};

}  // namespace tern::inline TERN_ISA::declare
