// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools on SIMT machines: a thread per result, or per input of a gradient. Canonical order: docs/numerics.md. Cost: one
// element read per tap, mostly from the first cache. A maximum's gradient reads one index per window or, without
// indices, all taps of every window that contains the input.
#pragma once

#include <cstdint>
#include <limits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/simt/row_block.hpp"
#include "tern/exec/simt/simt_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/window/pooling.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// The maximum of no taps. A constant, as nvcc accepts no call of std::numeric_limits in device code.
template <class T>
inline constexpr T nothing = -std::numeric_limits<T>::infinity();

/// One window of a channel of an image: the taps on inputs.
template <class T>
class pool_window {
 public:
  TERN_FN pool_window(const pool_shape& s, const image<const T>& x, index_t n, index_t c, index_t oz, index_t oy,
                      index_t ox)
      : shape_(s), image_(x), n_(n), c_(c), result_{oz, oy, ox} {
    for (int r = 0; r < 3; ++r) taps_[r] = s.axis[r].taps_inside(result_[r]);
  }

  /// Calls f(tap, position, value), ascending.
  template <class F>
  TERN_FN void each_tap(F f) const {
    const window_axis* a = shape_.axis;
    for (index_t tz = taps_[0].first; tz < taps_[0].last; ++tz)
      for (index_t ty = taps_[1].first; ty < taps_[1].last; ++ty) {
        const index_t z = a[0].input(result_[0], tz), y = a[1].input(result_[1], ty), x = a[2].input(result_[2], 0);
        const T* const row = image_.at(n_, c_, z, y, 0);
        for (index_t tx = taps_[2].first; tx < taps_[2].last; ++tx) {
          const index_t at = x + tx * a[2].dilation;
          f((tz * a[1].kernel + ty) * a[2].kernel + tx, shape_.position(z, y, at), row[at * image_.axis[2]]);
        }
      }
  }

  struct found {
    T value;
    index_t position;
  };
  /// The first maximum, or the first NaN.
  TERN_FN found maximum() const {
    found most{nothing<T>, -1};
    each_tap([&](index_t, index_t position, T v) {
      const bool number = v == v, best_is_number = most.value == most.value;
      if (most.position < 0 || v > most.value || (!number && best_is_number)) most = {v, position};
    });
    return most;
  }
  TERN_FN T sum() const {
    T total = 0, chain = 0;
    index_t chunk = 0;
    each_tap([&](index_t tap, index_t, T v) {
      if (tap / dot_chunk != chunk) total = total + chain, chain = 0, chunk = tap / dot_chunk;
      chain = chain + v;
    });
    return total + chain;
  }

 private:
  const pool_shape& shape_;
  const image<const T>& image_;
  index_t n_, c_;
  index_t result_[3];
  window_axis::range taps_[3];
};

template <class T, pool_kind K, bool Indices>
struct rows_of_pools {
  pool_values<T, K, Indices> q;

  index_t rows() const { return q.shape.batch * q.shape.axis[0].out * q.shape.axis[1].out; }
  index_t row_elements() const { return q.shape.axis[2].out * q.shape.channels; }

  TERN_FN void elements(index_t row, index_t first, index_t step) const {
    const pool_shape& s = q.shape;
    const row_cursor at(row, {s.axis[0].out, s.axis[1].out});
    const index_t n = at.n, z = at.z, y = at.y;
    for (index_t e = first; e < s.axis[2].out * s.channels; e += step) {
      const index_t x = e / s.channels, c = e % s.channels;
      const pool_window<T> window(s, q.x, n, c, z, y, x);
      if constexpr (K == pool_kind::max) {
        const auto most = window.maximum();
        *q.y.at(n, c, z, y, x) = most.value;
        if constexpr (Indices) *q.indices.at(n, c, z, y, x) = static_cast<std::int32_t>(most.position);
      } else {
        const index_t divisor = s.divisor(z, y, x);
        *q.y.at(n, c, z, y, x) = divisor > 0 ? window.sum() / static_cast<T>(divisor) : T(0);
      }
    }
  }
};

template <class T, pool_shares S, bool Accumulate>
struct rows_of_shares {
  pool_gradient<T, S, Accumulate> q;

  index_t rows() const { return q.shape.batch * q.shape.axis[0].in * q.shape.axis[1].in; }
  index_t row_elements() const { return q.shape.axis[2].in * q.shape.channels; }

  TERN_FN void elements(index_t row, index_t first, index_t step) const {
    const pool_shape& s = q.shape;
    const row_cursor at(row, {s.axis[0].in, s.axis[1].in});
    const index_t n = at.n, z = at.z, y = at.y;
    for (index_t e = first; e < s.axis[2].in * s.channels; e += step) {
      const index_t x = e / s.channels, c = e % s.channels;
      T* to = q.dx.at(n, c, z, y, x);
      *to = chain(n, c, z, y, x, Accumulate ? *to : T(0));
    }
  }

 private:
  /// The chain over the windows that contain an input, ascending.
  TERN_FN T chain(index_t n, index_t c, index_t z, index_t y, index_t x, T total) const {
    const pool_shape& s = q.shape;
    const window_axis::range zs = s.axis[0].results_over(z, z + 1), ys = s.axis[1].results_over(y, y + 1),
                             xs = s.axis[2].results_over(x, x + 1);
    const index_t position = s.position(z, y, x);
    for (index_t oz = zs.first; oz < zs.last; ++oz)
      for (index_t oy = ys.first; oy < ys.last; ++oy)
        for (index_t ox = xs.first; ox < xs.last; ++ox) {
          // Dilated windows span inputs that they do not contain.
          if (!holds(0, oz, z) || !holds(1, oy, y) || !holds(2, ox, x)) continue;
          const T dy = *q.dy.at(n, c, oz, oy, ox);
          if constexpr (S == pool_shares::all)
            total = total + dy / static_cast<T>(s.divisor(oz, oy, ox));
          else if (winner(n, c, oz, oy, ox) == position)
            total = total + dy;
        }
    return total;
  }
  TERN_FN bool holds(int r, index_t result, index_t input) const {
    const window_axis& a = q.shape.axis[r];
    return (input - a.input(result, 0)) % a.dilation == 0;
  }
  TERN_FN index_t winner(index_t n, index_t c, index_t oz, index_t oy, index_t ox) const {
    if constexpr (S == pool_shares::given)
      return *q.indices.at(n, c, oz, oy, ox);
    else
      return pool_window<T>(q.shape, q.x, n, c, oz, oy, ox).maximum().position;
  }
};

template <class T, pool_kind K, bool Indices>
rows_of_pools<T, K, Indices> rows_of(const pool_values<T, K, Indices>& q) {
  return {q};
}
template <class T, pool_shares S, bool Accumulate>
rows_of_shares<T, S, Accumulate> rows_of(const pool_gradient<T, S, Accumulate>& q) {
  return {q};
}

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct pooling_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// \param state  simt_host, simt_threads or simt_stream
  /// \param call   pool_values or pool_gradient
  template <class State, class Call>
  static void run(const State& state, const Call& call) {
    using T = typename Call::value_type;
    if constexpr (common::template runs_on<State, T>()) {
      using block = impl::row_block<decltype(impl::rows_of(call)), common::template threads<T>>;
      common::template start<block>(state, typename block::problem(impl::rows_of(call)));
    }
  }
};

}  // namespace tern::inline TERN_ISA
