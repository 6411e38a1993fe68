// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A resampling on one core with vector units: some rows of the result. Lanes are channels.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/order.hpp"
#include "tern/family/index/resampling.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct resample_core {
  using T = typename V::value_type;

  template <resample_pass P, class Axis, bool Accumulate>
  static void rows(const resampling<T, P, Axis, Accumulate>& q, index_t first, index_t last) {
    term terms[dot_chunk];
    if (first == last) return;
    row_cursor row(first, {q.extent(0), q.extent(1)});
    for (index_t r = first; r < last; ++r, row.next()) {
      for (index_t x = 0; x < q.extent(2); ++x) {
        index_t used = 0;
        bool add = Accumulate;
        const auto end_chunk = [&] {
          add_chunk(q, q.to.at(row.n, 0, row.z, row.y, x), terms, used, add), used = 0, add = true;
        };
        q.each_term(row.z, row.y, x, [&](index_t fz, index_t fy, index_t fx, T weight) {
          terms[used++] = {q.from.at(row.n, 0, fz, fy, fx), weight};
          if (used == dot_chunk) end_chunk();
        });
        if (used > 0 || !add) end_chunk();
      }
    }
  }

 private:
  static constexpr int unroll = 4;  ///< vectors with chains side by side

  struct term {
    const T* from;  ///< channel 0
    T weight;
  };

  /// to = the sums of all terms, channel by channel; or its old value plus these.
  template <class Q>
  static void add_chunk(const Q& q, T* to, const term* terms, index_t used, bool add) {
    for (index_t c = 0, size; c < q.channels; c += size) {
      size = neighbours(q.from, c, q.channels - c), size = neighbours(q.to, c, size);
      const index_t at = c / q.from.block * q.from.block_stride + c % q.from.block;
      T* p = to + c / q.to.block * q.to.block_stride + c % q.to.block;
      index_t i = 0;
      for (; i + unroll * V::size <= size; i += unroll * V::size) {
        V s[unroll];
        TERN_UNROLL
        for (int v = 0; v < unroll; ++v) s[v] = V(T(0));
        for (index_t t = 0; t < used; ++t) {
          const V w(terms[t].weight);
          TERN_UNROLL
          for (int v = 0; v < unroll; ++v) s[v] = fma(w, V::load(terms[t].from + at + i + v * V::size), s[v]);
        }
        TERN_UNROLL
        for (int v = 0; v < unroll; ++v) {
          T* out = p + i + v * V::size;
          ((add ? V::load(out) : V(T(0))) + s[v]).store(out);
        }
      }
      for (; i < size; i += V::size) {
        const index_t lanes = size - i < V::size ? size - i : V::size;
        V s(T(0));
        for (index_t t = 0; t < used; ++t) s = fma(V(terms[t].weight), V::load(terms[t].from + at + i, lanes), s);
        ((add ? V::load(p + i, lanes) : V(T(0))) + s).store(p + i, lanes);
      }
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
