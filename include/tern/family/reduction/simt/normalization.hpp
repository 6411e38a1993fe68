// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms on SIMT machines: a block per group of a sample, whose threads are the lanes of sums over features; for batch
// norms a block per channel, whose threads take chunks in turn.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/chunks.hpp"
#include "tern/exec/simt/simt_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/normalization.hpp"
#include "tern/family/reduction/simt/feature_lanes.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// One group of one sample, or one channel of a batch norm. Cost: x is read four times, three of them from caches;
/// channels of a group with many positions are summed by one thread each.
template <class Call, int Threads>
struct norm_block {
  using T = typename Call::value_type;
  static constexpr norm_steps S = Call::steps;
  static constexpr int threads = Threads;
  static constexpr int resident_blocks = 1;  // lets a thread use all registers it needs

  struct shared {};
  struct problem {
    Call q;
    index_t blocks() const { return q.shape.sets(S.batch) * q.shape.groups; }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared&, const problem& p) {
    const norm_shape& s = p.q.shape;
    group(block, p.q, block.index() / s.groups, block.index() % s.groups);
  }

  template <class Block>
  using number = typename Block::template per_thread<T>;

  /// The results of a group from its statistics, and the gradients from its shares.
  template <class Block>
  static TERN_FN void normalize(Block& block, const Call& q, index_t set, index_t g, number<Block>& mean,
                                number<Block>& rstd) {
    block.step([&](int t) {
      each_element(q.shape, set, g, t, [&](index_t n, index_t c, index_t z, index_t y, index_t x) {
        const T factor = S.scale ? math::product(*q.scale.at(c, 0), rstd[t]) : rstd[t];
        const T shift = S.shift ? *q.shift.at(c, 0) : T(0);
        const T rest = S.residual ? *q.residual.at(n, c, z, y, x) : T(0);
        *q.y.at(n, c, z, y, x) = tile::normalized<S>(*q.x.at(n, c, z, y, x), mean[t], factor, shift, rest);
      });
    });
  }
  template <class Block>
  static TERN_FN void differentiate(Block& block, const Call& q, index_t set, index_t g, number<Block>& a,
                                    number<Block>& b) {
    block.step([&](int t) {
      const T m = S.center ? *q.mean.at(set, g) : T(0), rstd = *q.rstd.at(set, g);
      each_element(q.shape, set, g, t, [&](index_t n, index_t c, index_t z, index_t y, index_t x) {
        const T scale = S.scale ? *q.scale.at(c, 0) : T(1);
        const T d =
            tile::norm_gradient_of<S>(*q.dy.at(n, c, z, y, x), *q.x.at(n, c, z, y, x), m, scale, rstd, a[t], b[t]);
        T* to = q.dx.at(n, c, z, y, x);
        *to = Call::accumulate ? *to + d : d;
      });
    });
  }

 private:
  /// Calls f(sample, channel, z, y, x) for a thread's elements of a group.
  template <class F>
  static TERN_FN void each_element(const norm_shape& s, index_t set, index_t g, int t, F f) {
    const index_t members = s.group_channels(), of_sample = members * s.positions(), first = S.batch ? 0 : set;
    for (index_t n = first; n < first + s.samples(S.batch); ++n)
      for (index_t e = t; e < of_sample; e += Threads) {
        const index_t p = e / members;
        f(n, g * members + e % members, p / s.extent[2] / s.extent[1], p / s.extent[2] % s.extent[1], p % s.extent[2]);
      }
  }

  template <class Block, class Q>
    requires requires(Q q) { q.eps; }
  static TERN_FN void group(Block& block, const Q& q, index_t set, index_t g) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels(), c0 = g * members;
    number<Block> mean, rstd;
    if constexpr (S.center) {
      sum_of_features(block, members, mean, [&](int, index_t i, T lane) {
        return lane + tile::channel_moments<S>(s, q.x, set, c0 + i).mean;
      });
      block.step([&](int t) { mean[t] = mean[t] / static_cast<T>(members); });
    } else {
      block.step([&](int t) { mean[t] = T(0); });
    }
    sum_of_features(block, members, rstd, [&](int t, index_t i, T lane) {
      const tile::moments<T> m = tile::channel_moments<S>(s, q.x, set, c0 + i);
      if constexpr (!S.center) return lane + m.squares;
      const T d = m.mean - mean[t];
      return math::fma(math::product(static_cast<T>(s.positions() * s.samples(S.batch)), d), d, lane + m.squares);
    });
    block.step([&](int t) {
      const T variance = rstd[t] / static_cast<T>(s.values(S.batch));
      rstd[t] = tile::reciprocal_deviation(variance, q.eps);
      if (t > 0) return;
      if (S.center && q.mean.p != nullptr) *q.mean.at(set, g) = mean[t];
      if (q.rstd.p != nullptr) *q.rstd.at(set, g) = rstd[t];
      if (q.variance.p != nullptr) *q.variance.at(set, g) = variance;
    });
    normalize(block, q, set, g, mean, rstd);
  }

  template <class Block, class Q>
    requires requires(Q q) { q.dx; }
  static TERN_FN void group(Block& block, const Q& q, index_t set, index_t g) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels(), c0 = g * members;
    number<Block> first, second;
    const auto add = [&](index_t c, T term, T lane) {
      return S.scale ? math::fma(*q.scale.at(c, 0), term, lane) : lane + term;
    };
    const auto mean = [&] { return S.center ? *q.mean.at(set, g) : T(0); };
    if constexpr (S.center)
      sum_of_features(block, members, first, [&](int, index_t i, T lane) {
        return add(c0 + i, tile::sum_of_channel<S>(s, q.dy, set, c0 + i), lane);
      });
    else
      block.step([&](int t) { first[t] = T(0); });
    sum_of_features(block, members, second, [&](int, index_t i, T lane) {
      return add(c0 + i, tile::sum_of_products<S>(s, q.dy, q.x, set, c0 + i, mean(), T(1)), lane);
    });
    block.step([&](int t) {
      const T values = static_cast<T>(s.values(S.batch));
      first[t] = first[t] / values, second[t] = tile::share_of_products(second[t], *q.rstd.at(set, g), values);
    });
    differentiate(block, q, set, g, first, second);
  }
};

/// One channel of a batch norm.
/// \tparam F  the terms of its sums
template <class Call, class F, int Threads>
struct batch_norm_block {
  using T = typename Call::value_type;
  using whole = norm_block<Call, Threads>;
  static constexpr norm_steps S = Call::steps;
  static constexpr int threads = Threads;
  static constexpr int resident_blocks = 1;  // lets a thread use all registers it needs

  struct sums {
    T of[F::results];
  };
  struct shared {
    sums of[Threads];
  };
  struct problem {
    Call q;
    place_sums<T, F> terms;
    sample_slabs slabs;  ///< the chunks

    problem(const Call& call, const place_sums<T, F>& sums)
        : q(call), terms(sums), slabs(sums.summed.batch, sums.summed.positions(), static_cast<int>(dot_chunk)) {}
    index_t blocks() const { return q.shape.sets(true) * q.shape.channels; }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared& s, const problem& p) {
    const Call& q = p.q;
    const index_t c = block.index();
    const int chunks = static_cast<int>(p.slabs.count());
    typename Block::template per_thread<sums> total;
    typename Block::template per_thread<index_t> before;
    block.step([&](int t) {
      before[t] = 0;
      TERN_UNROLL
      for (int r = 0; r < F::results; ++r) total[t].of[r] = T(0);
    });
    for (int chunk = 0; chunk < chunks; chunk += Threads) {
      const int turns = chunks - chunk < Threads ? chunks - chunk : Threads;
      block.step([&](int t) {
        if (t >= turns) return;
        const sample_slab r = p.slabs[chunk + t];
        sums chain;
        p.terms.chunk(p.terms.origin_of(0, c), r.sample, r.position, r.steps, chain.of);
        s.of[t] = chain;
      });
      block.step([&](int t) {
        for (int turn = 0; turn < turns; ++turn) {  // by every thread: they all need it
          const int count = p.slabs[chunk + turn].steps;
          p.terms.f.join(total[t].of, s.of[turn].of, before[t], count);
          before[t] += count;
        }
      });
    }
    typename Block::template per_thread<T> first, second;
    const T values = static_cast<T>(q.shape.values(true));
    if constexpr (requires { q.eps; }) {
      block.step([&](int t) {
        const auto d = tile::deviation_of<true, T>({total[t].of[0], total[t].of[1]}, values, q.eps);
        first[t] = d.mean, second[t] = d.rstd;
        if (t > 0) return;
        if (q.mean.p != nullptr) *q.mean.at(0, c) = d.mean;
        if (q.rstd.p != nullptr) *q.rstd.at(0, c) = d.rstd;
        if (q.variance.p != nullptr) *q.variance.at(0, c) = d.variance;
      });
      whole::normalize(block, q, 0, c, first, second);
    } else {
      block.step([&](int t) {
        const T rstd = *q.rstd.at(0, c), dscale = total[t].of[0], dshift = total[t].of[1];
        const auto d = tile::shares_of<S, T>(dshift, dscale, S.scale ? *q.scale.at(c, 0) : T(1), rstd, values);
        first[t] = d.a, second[t] = d.b;
        if (t > 0) return;
        if (q.dscale.p != nullptr) *q.dscale.at(c, 0) = dscale;
        if (q.dshift.p != nullptr) *q.dshift.at(c, 0) = dshift;
      });
      whole::differentiate(block, q, 0, c, first, second);
    }
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct normalization_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// \param state  simt_host, simt_threads or simt_stream
  template <class State, class Call>
  static void run(const State& state, const Call& call) {
    using T = typename Call::value_type;
    if constexpr (common::template runs_on<State, T>()) {
      constexpr int threads = impl::threads_for_lanes(common::template threads<T>);
      if constexpr (Call::steps.batch) {
        const auto sums = channel_sums_of(call);
        if (sums.summed.positions() > impl::most_positions)
          violation("simt: a norm has %td positions: at most %td are possible", sums.summed.positions(),
                    impl::most_positions);
        using block = impl::batch_norm_block<Call, decltype(sums.f), threads>;
        common::template start<block>(state, typename block::problem(call, sums));
      } else {
        using block = impl::norm_block<Call, threads>;
        common::template start<block>(state, typename block::problem{call});
      }
    }
  }
};

}  // namespace tern::inline TERN_ISA
