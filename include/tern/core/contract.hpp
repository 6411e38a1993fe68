// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run-time contracts: a caller's error, in one sentence.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "tern/core/config.hpp"

#if defined(__cpp_exceptions)
#include <stdexcept>
#endif

namespace tern::inline TERN_ISA {

/// Reports a broken contract: throws std::invalid_argument with the formatted sentence, or without exceptions prints it
/// to stderr and aborts. Kernels call it before they touch an output, so no output is left half-written.
/// \param format  printf format; %td for index_t
[[noreturn]] TERN_COLD __attribute__((flatten, format(printf, 1, 2))) inline void violation(const char* format, ...) {
  char text[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
#if defined(__cpp_exceptions)
  // Flattened, as libc++ defines this constructor in a header: an out-of-line copy would be shared by the instruction
  // sets of a program.
  throw std::invalid_argument(text);
#else
  std::fprintf(stderr, "tern: %s\n", text);
  std::abort();
#endif
}

namespace impl {

/// A shape as text, for messages: "3x4".
struct shape_text {
  char text[64];
};
template <class Shape>
TERN_COLD shape_text text_of(const Shape& shape) {
  shape_text s{};
  int used = 0;
  for (int r = 0; r < Shape::rank && used < 60; ++r)
    used += std::snprintf(s.text + used, sizeof s.text - static_cast<std::size_t>(used), r ? "x%td" : "%td",
                          shape.extent(r));
  return s;
}

}  // namespace impl
}  // namespace tern::inline TERN_ISA
