// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weighted sums along axes: linear upsampling, and the gradients of upsampling and padding.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/op/resample.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/tile/convolution.hpp"

namespace tern::inline TERN_ISA {

/// Which way: sums over the sources of every output, or over the outputs of every input.
enum class resample_pass { forward, data };

/// to = the sums, or what to holds plus these. Canonical order: docs/numerics.md.
/// \tparam Axis  upsample_axis or pad_axis
template <class T, resample_pass P, class Axis, bool Accumulate>
struct resampling {
  using value_type = T;
  static constexpr bool accumulate = Accumulate;

  index_t batch = 0, channels = 0;
  Axis axis[3];
  image<const T> from;
  image<T> to;

  TERN_FN constexpr index_t extent(int r) const { return P == resample_pass::forward ? axis[r].out() : axis[r].in; }
  TERN_FN constexpr index_t rows() const { return extent(2) > 0 ? batch * extent(0) * extent(1) : 0; }

  TERN_FN constexpr index_t row_elements() const { return extent(2) * channels; }

  /// f(z, y, x, weight) for every term of the sum at a position, in order.
  template <class F>
  void each_term(index_t z, index_t y, index_t x, F f) const {
    each_along(0, z, [&](index_t fz, T wz) {
      each_along(1, y, [&](index_t fy, T wy) {
        const T wzy = math::product(wz, wy);
        each_along(2, x, [&](index_t fx, T wx) { f(fz, fy, fx, math::product(wzy, wx)); });
      });
    });
  }

 private:
  /// f(index in from, weight) along an axis, ascending.
  template <class F>
  void each_along(int r, index_t i, F f) const {
    const Axis& a = axis[r];
    const auto weight = [](const axis_sources& s, index_t source) {
      const index_t n = source == s.first ? s.weight_of - s.second : s.second;
      return s.second == 0 ? T(1) : static_cast<T>(n) / static_cast<T>(s.weight_of);
    };
    if constexpr (P == resample_pass::forward) {
      const axis_sources s = a.sources(i);
      for (index_t k = 0; k < s.count(); ++k) f(s.first + k, weight(s, s.first + k));
    } else {
      a.each_result(i, [&](index_t o) {
        const axis_sources s = a.sources(o);
        if (i >= s.first && i < s.first + s.count()) f(o, weight(s, i));
      });
    }
  }
};

}  // namespace tern::inline TERN_ISA
