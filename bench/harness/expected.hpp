// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of reductions and maps by definition: kernel<op, reference>, in float and in double.
#pragma once

#include <vector>

#include "bench/harness/operands.hpp"
#include "bench/harness/problem.hpp"

namespace tern::bench {

struct expected_result {
  std::vector<float> canonical;
  std::vector<double> precise;  ///< of the same inputs
};

/// Keeps the results of the latest problem, which determines its operands.
const expected_result& expected_of(const problem&, const operands&);

}  // namespace tern::bench
