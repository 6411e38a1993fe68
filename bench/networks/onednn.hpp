// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>

namespace tern::bench {

/// BraggNN for one crop through primitives of oneDNN, with the parameters that `tensor` gives by their names in tern.
/// Every call computes y, 2 numbers, of x, 11 x 11.
std::function<void()> braggnn_of_onednn(const std::function<const float*(const std::string&)>& tensor, const float* x,
                                        float* y);

/// As in "oneDNN 3.7.3".
std::string onednn_version();

}  // namespace tern::bench
