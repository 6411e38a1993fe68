// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain loops over rows and features, for references.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/order.hpp"
#include "tern/family/reduction/row_program.hpp"

namespace tern::inline TERN_ISA::impl {

/// A sum over features (docs/numerics.md, rule 5): lane = f(feature, lane).
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

/// Calls f(n, z, y, x) for every row.
template <class F>
void each_feature_row(const row_shape& s, F f) {
  for (index_t n = 0; n < s.batch; ++n)
    for (index_t z = 0; z < s.extent[0]; ++z)
      for (index_t y = 0; y < s.extent[1]; ++y)
        for (index_t x = 0; x < s.extent[2]; ++x) f(n, z, y, x);
}

}  // namespace tern::inline TERN_ISA::impl
