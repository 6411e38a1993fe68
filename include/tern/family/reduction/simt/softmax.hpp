// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax on SIMT machines: a block per row, whose threads are the lanes of sums over features.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/collectives.hpp"
#include "tern/exec/simt/simt_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/simt/feature_lanes.hpp"
#include "tern/family/reduction/softmax.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// One row. Cost: x is read three times, of which the caches see two, and exponentials are computed twice.
template <class Call, int Threads>
struct softmax_block {
  using T = typename Call::value_type;
  static constexpr int threads = Threads;
  static constexpr int resident_blocks = 1;  // as many registers as a thread needs

  struct shared {};
  struct problem {
    Call q;
    index_t blocks() const { return q.shape.features > 0 ? q.shape.rows() : 0; }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared&, const problem& p) {
    const softmax_shape& s = p.q.shape;
    const index_t i = block.index(), x = i % s.extent[2], y = i / s.extent[2] % s.extent[1],
                  z = i / s.extent[2] / s.extent[1] % s.extent[0], n = i / s.extent[2] / s.extent[1] / s.extent[0];
    row(block, p.q, n, z, y, x);
  }

 private:
  template <class Block>
  using number = typename Block::template per_thread<T>;

  template <class Block, class Q>
    requires requires(Q q) { q.x; }
  static TERN_FN void row(Block& block, const Q& q, index_t n, index_t z, index_t y, index_t x) {
    const index_t features = q.shape.features;
    const auto value = [&](index_t i) {
      const T v = *q.x.at(n, i, z, y, x);
      if constexpr (Q::masked) return *q.mask.at(n, i, z, y, x) == 0 ? tile::minus_infinity<T>() : v;
      return v;
    };
    number<Block> origin, divisor;
    block.step([&](int t) {
      T largest = tile::minus_infinity<T>();
      for (index_t i = t; i < features; i += Threads) {
        const T v = value(i);
        largest = v > largest ? v : largest;
      }
      origin[t] = largest;
    });
    block_max(block, origin);
    block.step([&](int t) { origin[t] = tile::softmax_origin(origin[t]); });
    sum_of_features(block, features, divisor,
                    [&](int t, index_t i, T lane) { return lane + math::exp(value(i) - origin[t]); });
    block.step([&](int t) {
      const T by = tile::softmax_divisor<Q::log>(divisor[t]);
      for (index_t i = t; i < features; i += Threads) {
        const T d = value(i) - origin[t];
        *q.y.at(n, i, z, y, x) = Q::log ? d - by : math::product(math::exp(d), by);
      }
    });
  }

  template <class Block, class Q>
    requires requires(Q q) { q.dx; }
  static TERN_FN void row(Block& block, const Q& q, index_t n, index_t z, index_t y, index_t x) {
    const index_t features = q.shape.features;
    number<Block> sum;
    sum_of_features(block, features, sum, [&](int, index_t i, T lane) {
      const T dy = *q.dy.at(n, i, z, y, x);
      return Q::log ? lane + dy : math::fma(dy, *q.y.at(n, i, z, y, x), lane);
    });
    block.step([&](int t) {
      for (index_t i = t; i < features; i += Threads) {
        const T d = tile::softmax_gradient_of<Q::log>(*q.dy.at(n, i, z, y, x), *q.y.at(n, i, z, y, x), sum[t]);
        T* to = q.dx.at(n, i, z, y, x);
        *to = Q::accumulate ? *to + d : d;
      }
    });
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct softmax_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// \param state  where to run: simt_host, simt_threads or simt_stream
  template <class State, class Call>
  static void run(const State& state, const Call& call) {
    using T = typename Call::value_type;
    if constexpr (common::template runs_on<State, T>()) {
      using block = impl::softmax_block<Call, impl::threads_for_lanes(common::template threads<T>)>;
      common::template start<block>(state, typename block::problem{call});
    }
  }
};

}  // namespace tern::inline TERN_ISA
