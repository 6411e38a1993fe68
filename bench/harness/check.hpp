// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the result of a case with the expected one.
#pragma once

#include <cstdint>

#include "bench/harness/operands.hpp"
#include "bench/harness/problem.hpp"

namespace tern::bench {

/// The result of a check.
struct verdict {
  double error = 0;            ///< relative L2 distance from float64 arithmetic (double: from long double)
  double tolerance = 0;        ///< the largest acceptable error
  bool canonical = false;      ///< the bits are those of docs/numerics.md
  std::uint64_t checksum = 0;  ///< over the bits of all of it
};

/// Checks all elements of the output, or a fixed sample of at least 200 if all would take long; the checksum is always
/// over everything.
verdict check(const problem&, const operands&);

/// Only the checksum.
std::uint64_t checksum_of(const problem&, const operands&);

}  // namespace tern::bench
