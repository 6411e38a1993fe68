// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace tern::test {

/// The results of all passes of random graphs: results, gradients, statistics, inference.
using graph_results = std::vector<std::vector<float>>;

inline constexpr unsigned graphs_of_a_source = 40;

// Sources that CMake writes.
graph_results results_of_reference();
graph_results results_of_simd();
graph_results results_of_mimd();
graph_results results_of_simt();

}  // namespace tern::test
