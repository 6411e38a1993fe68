// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of tern_bench.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace tern::bench {

struct options {
  bool help = false;
  bool list = false;     ///< say what would be measured, and stop
  bool all = false;      ///< every row, not only those that speed is judged by
  bool peers = true;     ///< other libraries take part
  bool tunings = false;  ///< variants that differ in tuning take part
  int rounds = 15;
  std::vector<int> threads{1};  ///< one after the other
  std::string filter;           ///< as given; empty: none
  std::regex filter_expression;
  std::string json;   ///< file to write; empty: none
  std::string repro;  ///< row or descriptor to explain and run alone; empty: none
};

/// --help.
void print_usage(const char* program);

/// Throws std::invalid_argument with one sentence about the first wrong argument. The threads of a descriptor after
/// --repro are those of the options.
options parse(int count, const char* const* arguments);

/// The exit status of run(count, arguments). An exception is one line on stderr, and 2.
int guarded(const char* program, int (*run)(int, const char* const*), int count, const char* const* arguments);

}  // namespace tern::bench
