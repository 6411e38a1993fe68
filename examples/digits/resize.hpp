// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "dataset.hpp"

namespace digits {

/// The images of a dataset with `side` x `side` pixels instead of 8 x 8, bilinearly: pixels are squares with their
/// value in the middle, and the border goes on outside.
std::vector<float> resized(const dataset& from, index_t side);

}  // namespace digits
