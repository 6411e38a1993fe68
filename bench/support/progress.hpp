// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress of a program on stderr: on a terminal one line, overwritten and erased at the end; elsewhere a line every
// five seconds. progress.py is the same for scripts.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#if defined(__unix__)
#include <unistd.h>
#endif

namespace tern::bench {

class progress {
 public:
  explicit progress(const char* program) : program_(program) {}
  progress(const progress&) = delete;
  ~progress() { erase(); }

  /// May be called often: most calls only look at the clock.
  void operator()(const std::string& text) {
    const clock::time_point now = clock::now();
    if (now < next_) return;
    next_ = now + (terminal_ ? std::chrono::milliseconds(500) : between_lines);
    std::fprintf(stderr, terminal_ ? "\r\033[K%s: %s" : "%s: %s\n", program_, text.c_str());
    std::fflush(stderr);
    shown_ = terminal_;
  }
  /// Before something else is printed.
  void erase() {
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds between_lines{5000};

  const char* program_;
#if defined(__unix__)
  bool terminal_ = isatty(STDERR_FILENO) == 1;
#else
  bool terminal_ = false;
#endif
  bool shown_ = false;
  clock::time_point next_ = terminal_ ? clock::now() : clock::now() + between_lines;
};

}  // namespace tern::bench
