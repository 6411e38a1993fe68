// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catch2's macros as far as parity tests use them, for programs that nvcc compiles: it takes a quarter of the time.
// Random seeds come from TERN_TEST_SEED, or are 1.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace tern::test {

/// The counts of checks, and the subject of a failure.
struct plain_checks {
  static inline int checks = 0, failures = 0;
  static inline std::vector<std::string> context;

  static void check(bool right, const char* what, const char* file, int line) {
    ++checks;
    if (right || ++failures > 20) return;
    std::printf("FAILED %s:%d: %s\n", file, line, what);
    for (const std::string& text : context) std::printf("  %s\n", text.c_str());
  }
  struct scope {
    explicit scope(std::string text) { context.push_back(std::move(text)); }
    ~scope() { context.pop_back(); }
  };
  /// Prints the result. Returns the exit status for main.
  static int end() {
    std::printf("%d of %d checks passed\n", checks - failures, checks);
    return failures == 0 && checks > 0 ? 0 : 1;
  }
};

}  // namespace tern::test

namespace Catch {
inline unsigned rngSeed() {
  const char* const seed = std::getenv("TERN_TEST_SEED");
  return seed ? static_cast<unsigned>(std::strtoul(seed, nullptr, 10)) : 1;
}
}  // namespace Catch

#define CHECK(...) ::tern::test::plain_checks::check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define REQUIRE(...) CHECK(__VA_ARGS__)
#define TERN_PASTE_LINE_(line) info_of_line_##line
#define TERN_PASTE_LINE(line) TERN_PASTE_LINE_(line)
#define INFO(...) \
  const ::tern::test::plain_checks::scope TERN_PASTE_LINE(__LINE__)((std::ostringstream() << __VA_ARGS__).str())
