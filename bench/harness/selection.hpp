// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows and variants that the options select.
#pragma once

#include <stdexcept>
#include <vector>

#include "bench/harness/measure.hpp"
#include "bench/harness/options.hpp"

namespace tern::bench {

/// The rows, in the order of the tables. Throws std::invalid_argument if --repro names none.
std::vector<problem> wanted_rows(const options&);

/// The cases of a row on `threads` threads, among the variants of this program.
std::vector<benchmark_case> wanted_cases(const options&, const problem&, int threads);

/// --list: one line per case. Returns how many there are.
int print_list(const options&);

/// Throws std::invalid_argument if results could not be written.
void check_json(const options&);

/// The error if no row has a case.
std::invalid_argument nothing_to_measure(const options&);

}  // namespace tern::bench
