// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools in plain loops: the canonical order as code (docs/numerics.md).
#pragma once

#include <cstdint>
#include <limits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/order.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/window/pooling.hpp"
#include "tern/policy/reference.hpp"

namespace tern::inline TERN_ISA {

template <>
struct pooling_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  /// Cost: one comparison or addition per tap.
  template <class T, pool_kind K, bool Indices>
  static void run(const context&, const pool_values<T, K, Indices>& q) {
    const pool_shape& s = q.shape;
    for (index_t n = 0; n < s.batch; ++n)
      for (index_t z = 0; z < s.axis[0].out; ++z)
        for (index_t y = 0; y < s.axis[1].out; ++y)
          for (index_t x = 0; x < s.axis[2].out; ++x)
            for (index_t c = 0; c < s.channels; ++c)
              if constexpr (K == pool_kind::max) {
                const found<T> most = maximum(s, q.x, n, c, z, y, x);
                *q.y.at(n, c, z, y, x) = most.value;
                if constexpr (Indices) *q.indices.at(n, c, z, y, x) = static_cast<std::int32_t>(most.position);
              } else {
                const index_t divisor = s.divisor(z, y, x);
                *q.y.at(n, c, z, y, x) = divisor > 0 ? sum(s, q.x, n, c, z, y, x) / static_cast<T>(divisor) : T(0);
              }
  }

  /// Gradients. Cost: one addition per tap; for a search of maxima all comparisons of a window per tap.
  template <class T, pool_shares S, bool Accumulate>
  static void run(const context&, const pool_gradient<T, S, Accumulate>& q) {
    const pool_shape& s = q.shape;
    for (index_t n = 0; n < s.batch; ++n)
      for (index_t z = 0; z < s.axis[0].in; ++z)
        for (index_t y = 0; y < s.axis[1].in; ++y)
          for (index_t x = 0; x < s.axis[2].in; ++x)
            for (index_t c = 0; c < s.channels; ++c) {
              T* to = q.dx.at(n, c, z, y, x);
              *to = shares(q, n, c, z, y, x, Accumulate ? *to : T(0));
            }
  }

 private:
  template <class T>
  struct found {
    T value;
    index_t position;
  };
  /// The first maximum among the taps, or the first NaN.
  template <class T>
  static found<T> maximum(const pool_shape& s, const image<const T>& from, index_t n, index_t c, index_t oz, index_t oy,
                          index_t ox) {
    constexpr T nothing = -std::numeric_limits<T>::infinity();
    found<T> most{nothing, -1};
    each_tap(s, oz, oy, ox, [&](index_t, index_t z, index_t y, index_t x) {
      const T v = *from.at(n, c, z, y, x);
      const bool number = v == v, best_is_number = most.value == most.value;
      if (most.position < 0 || v > most.value || (!number && best_is_number)) most = {v, s.position(z, y, x)};
    });
    return most;
  }

  /// Chunk sums of 512 taps of the whole window, in ascending order, added to +0.
  template <class T>
  static T sum(const pool_shape& s, const image<const T>& from, index_t n, index_t c, index_t oz, index_t oy,
               index_t ox) {
    T total = 0, chain = 0;
    index_t chunk = 0;
    each_tap(s, oz, oy, ox, [&](index_t tap, index_t z, index_t y, index_t x) {
      if (tap / dot_chunk != chunk) total = total + chain, chain = 0, chunk = tap / dot_chunk;
      chain = chain + *from.at(n, c, z, y, x);
    });
    return total + chain;
  }

  /// Calls f(tap, z, y, x) for every tap of a window on an input, ascending.
  template <class F>
  static void each_tap(const pool_shape& s, index_t oz, index_t oy, index_t ox, F f) {
    const window_axis* a = s.axis;
    index_t tap = 0;
    for (index_t tz = 0; tz < a[0].kernel; ++tz)
      for (index_t ty = 0; ty < a[1].kernel; ++ty)
        for (index_t tx = 0; tx < a[2].kernel; ++tx, ++tap) {
          const index_t z = a[0].input(oz, tz), y = a[1].input(oy, ty), x = a[2].input(ox, tx);
          if (a[0].has(z) && a[1].has(y) && a[2].has(x)) f(tap, z, y, x);
        }
  }

  /// The chain over the windows that contain an input, in ascending order: its taps in descending order.
  template <class T, pool_shares S, bool Accumulate>
  static T shares(const pool_gradient<T, S, Accumulate>& q, index_t n, index_t c, index_t z, index_t y, index_t x,
                  T chain) {
    const pool_shape& s = q.shape;
    const window_axis* a = s.axis;
    for (index_t tz = a[0].kernel; tz-- > 0;)
      for (index_t ty = a[1].kernel; ty-- > 0;)
        for (index_t tx = a[2].kernel; tx-- > 0;) {
          const index_t oz = a[0].result(z, tz), oy = a[1].result(y, ty), ox = a[2].result(x, tx);
          if (oz < 0 || oy < 0 || ox < 0) continue;
          const T dy = *q.dy.at(n, c, oz, oy, ox);
          if constexpr (S == pool_shares::all) {
            chain = chain + dy / static_cast<T>(s.divisor(oz, oy, ox));
          } else {
            const index_t position =
                S == pool_shares::given ? *q.indices.at(n, c, oz, oy, ox) : maximum(s, q.x, n, c, oz, oy, ox).position;
            if (position == s.position(z, y, x)) chain = chain + dy;
          }
        }
    return chain;
  }
};

}  // namespace tern::inline TERN_ISA
