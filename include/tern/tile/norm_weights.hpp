// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one core with vector units does of the gradients of a norm's scale and shift. Lanes are channels.
#pragma once

#include "tern/core/config.hpp"
#include "tern/tile/epilogue.hpp"
#include "tern/tile/feature_sums.hpp"
#include "tern/tile/normalization.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct norm_weights_core {
  using T = typename V::value_type;

  /// Gradients of scale and shift for channels [first, last).
  template <bool Center, bool Accumulate>
  static void channels(const norm_weight_gradient<T, Center, Accumulate>& q, index_t first, index_t last) {
    for (index_t c = first, channels; c < last; c += channels) {
      channels = neighbours(q.x, c, last - c), channels = neighbours(q.dy, c, channels);
      index_t i = 0;
      for (; i + several * V::size <= channels; i += several * V::size) weight_sums<several>(q, c + i, all_lanes<V>());
      each_vector<V>(channels - i, [&](index_t v, auto n) { weight_sums<1>(q, c + i + v, n); });
    }
  }

 private:
  static constexpr int several = 4;  ///< vectors whose chains run side by side

  /// Numbers of channels from c on.
  template <class N>
  TERN_INLINE static V parameter(const operand<T>& p, index_t c, N some) {
    return load_strided<V>(static_cast<const T*>(p.at(c, 0)), p.row, some);
  }

  template <int N, bool Center, bool Accumulate, class Lanes>
  static void weight_sums(const norm_weight_gradient<T, Center, Accumulate>& q, index_t c, Lanes some) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels();
    V scale[N], shift[N], mean[N], rstd[N];
    for (int v = 0; v < N; ++v) {
      const index_t at = c + v * V::size;
      scale[v] = Accumulate ? parameter(q.dscale, at, some) : V(T(0));
      shift[v] = Accumulate && q.dshift.p != nullptr ? parameter(q.dshift, at, some) : V(T(0));
    }
    index_t sample = -1;
    const auto find_statistics = [&](index_t n) {
      if (n == sample) return;
      sample = n;
      for (int v = 0; v < N; ++v) {
        if (s.groups == 1) {
          mean[v] = V(Center ? *q.mean.at(n, 0) : T(0)), rstd[v] = V(*q.rstd.at(n, 0));
          continue;
        }
        T m[V::size] = {}, r[V::size] = {};
        for (index_t i = 0; i < some; ++i) {
          const index_t g = (c + v * V::size + i) / members;
          if constexpr (Center) m[i] = *q.mean.at(n, g);
          r[i] = *q.rstd.at(n, g);
        }
        mean[v] = V::load(m), rstd[v] = V::load(r);
      }
    };
    each_chunk(s.batch, s.extent, [&](index_t n0, index_t position, index_t count) {
      V of_scale[N], of_shift[N];
      for (int v = 0; v < N; ++v) of_scale[v] = of_shift[v] = V(T(0));
      each_row(s.extent, n0, position, count, [&](index_t n, index_t z, index_t y, index_t x, index_t width) {
        find_statistics(n);
        const T *p = q.x.at(n, c, z, y, x), *dy = q.dy.at(n, c, z, y, x);
        for (; width > 0; --width, p += q.x.axis[2], dy += q.dy.axis[2]) {
          TERN_UNROLL
          for (int v = 0; v < N; ++v) {
            const V g = load_lanes<V>(dy + v * V::size, some), from = load_lanes<V>(p + v * V::size, some);
            of_scale[v] = fma(g, product(Center ? from - mean[v] : from, rstd[v]), of_scale[v]);
            of_shift[v] = of_shift[v] + g;
          }
        }
      });
      for (int v = 0; v < N; ++v) scale[v] = scale[v] + of_scale[v], shift[v] = shift[v] + of_shift[v];
    });
    for (int v = 0; v < N; ++v) {
      const index_t at = c + v * V::size;
      store_strided(scale[v], q.dscale.at(at, 0), q.dscale.row, some);
      if (q.dshift.p != nullptr) store_strided(shift[v], q.dshift.at(at, 0), q.dshift.row, some);
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
