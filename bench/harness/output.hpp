// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What people and programs read of the results.
#pragma once

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

}  // namespace tern::bench
