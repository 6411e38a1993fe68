// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints results as text and JSON.
#pragma once

#include <functional>
#include <iosfwd>
#include <vector>

#include "bench/harness/measure.hpp"

namespace tern::bench {

/// The cases of a row, fastest first.
void print_row(const row_result&);

/// The rows that speed is judged by: one line per row, then the geometric means, for every number of threads.
void print_summary(const std::vector<row_result>&);

/// Everything, in the format of Google Benchmark: one entry per case, with the median as its time.
void write_json(std::ostream&, const std::vector<row_result>&, const char* executable);

/// Further output of a program, after everything else.
struct ending {
  std::function<void(const std::vector<row_result>&)> print;
  std::function<void(std::ostream&)> write_json;  ///< further members of the outermost object, a comma before each
};
inline std::vector<ending>& endings() {
  static std::vector<ending> all;
  return all;
}

}  // namespace tern::bench
