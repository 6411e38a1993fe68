// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/order.hpp"

namespace tern::inline TERN_ISA::impl {

/// A sum over features in plain loops (docs/numerics.md, rule 5): lane = f(feature, lane).
template <class T, class F>
T sum_of_features(index_t features, F f) {
  T total = 0;
  for (index_t block = 0; block < features; block += feature_block) {
    T lane[feature_lanes] = {};
    for (index_t i = block; i < features && i < block + feature_block; ++i)
      lane[i % feature_lanes] = f(i, lane[i % feature_lanes]);
    for (index_t w = feature_lanes / 2; w > 0; w /= 2)
      for (index_t l = 0; l < w; ++l) lane[l] = lane[l] + lane[l + w];
    total = total + lane[0];
  }
  return total;
}

}  // namespace tern::inline TERN_ISA::impl
