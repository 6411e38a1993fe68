// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times cases of one row against each other: all of them, and the loops that measure the machine, in every round, in
// random order. docs/benchmarks.md says why.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/harness/problem.hpp"
#include "bench/harness/variant.hpp"
#include "bench/support/limits.hpp"
#include "bench/support/progress.hpp"

namespace tern::bench {

/// Times of one call, in seconds.
struct samples {
  std::vector<double> clean, all;  ///< clean: no thread of the process lost its CPU meanwhile

  const std::vector<double>& used() const { return clean.size() >= 5 ? clean : all; }
  double quantile(double q) const;
  double median() const { return quantile(0.5); }
};

/// A variant on a problem in a setting.
struct benchmark_case {
  problem what;
  const variant* how;
  setting where;

  /// Identifies this case, so that it can be run again.
  std::string descriptor() const { return what.text() + ":" + how->weights + ":" + how->policy + ":" + where.name; }
};

struct case_result {
  benchmark_case c;
  samples time;
  index_t workspace_bytes = 0;
  double allocations = 0;  ///< per call; -1: cannot be counted
  double error = 0;
  std::uint64_t checksum = 0;
  std::string failure;  ///< what is wrong with the result; empty: nothing
};

/// A row of the tables: one problem, one number of threads.
struct row_result {
  problem what;
  int threads = 1;
  double peak = 0;                 ///< operations per second
  level data = level::l1;          ///< the smallest level that holds the data
  double read = 0, copy = 0;       ///< of that level, in bytes per second; copy: with the faster kind of stores
  std::vector<case_result> cases;  ///< fastest first, wrong ones last

  double bandwidth() const { return read > copy ? read : copy; }
  /// The least time that a call can take.
  double bound() const;
  bool bound_by_memory() const;

  /// The fastest correct case of a kind, or null.
  const case_result* fastest(const std::function<bool(const case_result&)>& wanted) const;
  /// The fastest correct peer, or the fastest of those that take plain weights; null if there is none.
  const case_result* best_peer(bool plain) const;
  /// The fastest correct plain loop; null if there is none.
  const case_result* best_loop() const;
  /// The speedup over the best peer: over all peers, but a case with plain weights over peers with plain weights. 0: no
  /// peer.
  double against_peers(const case_result&) const;
};

/// Checks, then times, the cases of one row, which all have one problem. Leaves out cases that turn out not to take
/// part, and does not time those with a wrong result. Settings may differ; the machine is measured on `threads`.
row_result measure(const problem&, int threads, const std::vector<benchmark_case>&, int rounds, progress&);

}  // namespace tern::bench
