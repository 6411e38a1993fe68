// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses on SIMT machines: a block per sample or row, whose threads are the lanes of sums.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/collectives.hpp"
#include "tern/exec/simt/simt_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/family/reduction/simt/feature_lanes.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// One sample, or one row.
template <class Call, int Threads>
struct loss_block {
  using T = typename Call::value_type;
  static constexpr int threads = Threads;
  static constexpr int resident_blocks = 1;  // as many registers as a thread needs

  struct shared {};
  struct problem {
    Call q;
    index_t blocks() const { return q.parts(); }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared&, const problem& p) {
    part(block, p.q, block.index());
  }

 private:
  template <class Block>
  using number = typename Block::template per_thread<T>;

  template <class Block, class F>
  static TERN_FN void part(Block& block, const element_sums<T, F>& q, index_t n) {
    number<Block> total;
    sum_of_features(block, q.of_sample(), total, [&](int, index_t e, T lane) {
      T in[F::inputs];
      TERN_UNROLL
      for (int i = 0; i < F::inputs; ++i) in[i] = *q.at(i, n, e);
      return q.f(in, lane);
    });
    block.step([&](int t) {
      if (t == 0) *q.y.at(n, 0) = total[t];
    });
  }

  struct place {
    index_t n, z, y, x;
  };
  static TERN_FN place place_of(const row_shape& s, index_t i) {
    return {i / s.extent[2] / s.extent[1] / s.extent[0], i / s.extent[2] / s.extent[1] % s.extent[0],
            i / s.extent[2] % s.extent[1], i % s.extent[2]};
  }
  template <class U>
  static TERN_FN U* at(const scattered_image<U>& i, const place& p, index_t feature) {
    return i.at(p.n, feature, p.z, p.y, p.x);
  }

  /// What is subtracted from the elements of a row, and the sum of the exponentials of the differences.
  template <class Block>
  static TERN_FN void find_sum(Block& block, const Call& q, const place& p, number<Block>& origin, number<Block>& sum) {
    const index_t features = q.shape.features;
    block.step([&](int t) {
      T largest = tile::minus_infinity<T>();
      for (index_t i = t; i < features; i += Threads) {
        const T v = *at(q.x, p, i);
        largest = v > largest ? v : largest;
      }
      origin[t] = largest;
    });
    block_max(block, origin);
    block.step([&](int t) { origin[t] = tile::softmax_origin(origin[t]); });
    sum_of_features(block, features, sum,
                    [&](int t, index_t i, T lane) { return lane + math::exp(*at(q.x, p, i) - origin[t]); });
  }

  template <class Block, bool Smooth>
  static TERN_FN void part(Block& block, const cross_entropy_values<T, Smooth>& q, index_t i) {
    const place p = place_of(q.shape, i);
    number<Block> origin, sum, all;
    find_sum(block, q, p, origin, sum);
    if constexpr (Smooth)
      sum_of_features(block, q.shape.features, all,
                      [&](int t, index_t k, T lane) { return lane + (*at(q.x, p, k) - origin[t]); });
    block.step([&](int t) {
      if (t != 0) return;
      const std::int32_t target = *at(q.target, p, 0);
      const tile::target_kind kind = tile::kind_of_target(target, q.shape.features);
      T loss = kind == tile::target_kind::none ? T(0) : tile::not_a_number<T>();
      if (kind == tile::target_kind::one)
        loss = tile::cross_entropy_of<Smooth>(sum[t], *at(q.x, p, target) - origin[t], Smooth ? all[t] : T(0), q.keep,
                                              q.share);
      *at(q.y, p, 0) = loss;
    });
  }

  template <class Block, bool Each, bool Accumulate>
  static TERN_FN void part(Block& block, const cross_entropy_gradient<T, Each, Accumulate>& q, index_t i) {
    const place p = place_of(q.shape, i);
    number<Block> origin, sum;
    find_sum(block, q, p, origin, sum);
    block.step([&](int t) {
      const std::int32_t target = *at(q.target, p, 0);
      const tile::target_kind kind = tile::kind_of_target(target, q.shape.features);
      const T by = tile::softmax_divisor<false>(sum[t]);
      T weight = q.weight;
      if constexpr (Each) weight = math::product(weight, *at(q.dy, p, 0));
      for (index_t k = t; k < q.shape.features; k += Threads) {
        const T probability = math::product(math::exp(*at(q.x, p, k) - origin[t]), by);
        T d = tile::cross_entropy_gradient_of(probability, k == target ? q.keep + q.share : q.share, weight);
        if (kind == tile::target_kind::none) d = 0;
        if (kind == tile::target_kind::wrong) d = tile::not_a_number<T>();
        T* to = at(q.dx, p, k);
        *to = Accumulate ? *to + d : d;
      }
    });
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct loss_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// \param state  where to run: simt_host, simt_threads or simt_stream
  /// \param call   element_sums, cross_entropy_values or cross_entropy_gradient
  template <class State, class Call>
  static void run(const State& state, const Call& call) {
    using T = typename Call::value_type;
    if constexpr (common::template runs_on<State, T>()) {
      using block = impl::loss_block<Call, impl::threads_for_lanes(common::template threads<T>)>;
      common::template start<block>(state, typename block::problem{call});
    }
  }
};

}  // namespace tern::inline TERN_ISA
