// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weighted sums along axes: linear upsampling, and the gradients of upsampling and padding.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/op/resample.hpp"

namespace tern::inline TERN_ISA {

/// The direction: sums over the sources of every output, or over the outputs of every input.
enum class resample_pass { forward, data };

/// to = the sums, or its old value plus these. Canonical order: docs/numerics.md.
/// \tparam Axis  upsample_axis or pad_axis
template <class T, resample_pass P, class Axis, bool Accumulate>
struct resampling {
  using value_type = T;
  static constexpr bool accumulate = Accumulate;

  index_t batch = 0, channels = 0;
  Axis axis[3] = {{}, {}, {}};
  image<const T> from;
  image<T> to;

  TERN_FN constexpr index_t extent(int r) const { return P == resample_pass::forward ? axis[r].out() : axis[r].in; }
  TERN_FN constexpr index_t from_extent(int r) const {
    return P == resample_pass::forward ? axis[r].in : axis[r].out();
  }
  TERN_FN constexpr index_t rows() const { return extent(2) > 0 ? batch * extent(0) * extent(1) : 0; }

  TERN_FN constexpr index_t row_elements() const { return extent(2) * channels; }

  /// Calls f(z, y, x, weight) for every term of the sum at a position, in order.
  TERN_CALLS_BACK
  template <class F>
  TERN_HD void each_term(index_t z, index_t y, index_t x, F f) const {
    const index_t count[] = {candidates(0, z), candidates(1, y), candidates(2, x)};
    for (index_t i = 0; i < count[0]; ++i) {
      const term of_z = candidate(0, z, i);
      for (index_t j = 0; of_z.at >= 0 && j < count[1]; ++j) {
        const term of_y = candidate(1, y, j);
        const T weight = math::product(of_z.weight, of_y.weight);
        for (index_t k = 0; of_y.at >= 0 && k < count[2]; ++k)
          if (const term of_x = candidate(2, x, k); of_x.at >= 0)
            f(of_z.at, of_y.at, of_x.at, math::product(weight, of_x.weight));
      }
    }
  }

  /// Inputs that may have a term in a sum along axis r, ascending.
  TERN_FN constexpr index_t candidates(int r, index_t i) const {
    if constexpr (P == resample_pass::forward)
      return axis[r].sources(i).count();
    else
      return axis[r].results(i).count();
  }
  TERN_FN constexpr index_t candidate_at(int r, index_t i, index_t k) const {
    if constexpr (P == resample_pass::forward)
      return axis[r].sources(i).first + k;
    else
      return axis[r].results(i)[k];
  }

 private:
  /// A term along an axis.
  struct term {
    index_t at;  ///< index in from; -1: none
    T weight;
  };

  TERN_FN term candidate(int r, index_t i, index_t k) const {
    const index_t at = candidate_at(r, i, k);
    const axis_sources s = axis[r].sources(P == resample_pass::forward ? i : at);
    const index_t source = P == resample_pass::forward ? at : i;
    if (source < s.first || source >= s.first + s.count()) return {-1, T(0)};
    return {at, weight_of(s, source)};
  }
  TERN_FN static T weight_of(const axis_sources& s, index_t source) {
    const index_t n = source == s.first ? s.weight_of - s.second : s.second;
    return s.second == 0 ? T(1) : static_cast<T>(n) / static_cast<T>(s.weight_of);
  }
};

}  // namespace tern::inline TERN_ISA
