// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms on SIMT machines: a block per group of a sample, whose threads are the lanes of sums over features; gradients
// of scale and shift as other sums over samples.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/simt/conv_window.hpp"
#include "tern/kernel/simt/feature_lanes.hpp"
#include "tern/kernel/simt/kernels.hpp"
#include "tern/kernel/simt/row_block.hpp"
#include "tern/kernel/simt/sample_sums_block.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/policy/simt.hpp"
#include "tern/tile/normalization.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// One group of one sample. Cost: x is read four times, of which the caches see three; channels with many positions are
/// summed by one thread each.
template <class Call, int Threads>
struct norm_block {
  using T = typename Call::value_type;
  static constexpr norm_steps S = Call::steps;
  static constexpr int threads = Threads;
  static constexpr int resident_blocks = 1;  // as many registers as a thread needs

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

 private:
  template <class Block>
  using number = typename Block::template per_thread<T>;

  /// f(sample, channel, z, y, x) for the elements of a group that are a thread's.
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
    block.step([&](int t) {
      each_element(s, set, g, t, [&](index_t n, index_t c, index_t z, index_t y, index_t x) {
        const T factor = S.scale ? math::product(*q.scale.at(c, 0), rstd[t]) : rstd[t];
        const T shift = S.shift ? *q.shift.at(c, 0) : T(0);
        const T rest = S.residual ? *q.residual.at(n, c, z, y, x) : T(0);
        *q.y.at(n, c, z, y, x) = tile::normalized<S>(*q.x.at(n, c, z, y, x), mean[t], factor, shift, rest);
      });
    });
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
      return add(c0 + i, tile::sum_of_products<S>(s, q.dy, q.x, set, c0 + i, mean()), lane);
    });
    block.step([&](int t) {
      const T m = mean(), rstd = *q.rstd.at(set, g), values = static_cast<T>(s.values(S.batch));
      const T a = S.center ? first[t] / values : T(0), b = tile::share_of_products(second[t], rstd, values);
      each_element(s, set, g, t, [&](index_t n, index_t c, index_t z, index_t y, index_t x) {
        const T scale = S.scale ? *q.scale.at(c, 0) : T(1);
        const T d = tile::norm_gradient_of<S>(*q.dy.at(n, c, z, y, x), *q.x.at(n, c, z, y, x), m, scale, rstd, a, b);
        T* to = q.dx.at(n, c, z, y, x);
        *to = Q::accumulate ? *to + d : d;
      });
    });
  }
};

/// Statistics of channels, each by one thread.
template <class T, bool Join>
struct threads_of_statistics {
  norm_statistics<T, Join> q;

  index_t rows() const { return 1; }
  index_t row_elements() const { return q.shape.channels; }

  TERN_FN void elements(index_t, index_t first, index_t step) const {
    for (index_t c = first; c < q.shape.channels; c += step) tile::join_channel(q, c);
  }
};

/// The terms of gradients of scale (part 0) and shift (part 1).
template <class T, bool Center, bool Accumulate>
class norm_terms {
 public:
  using value_type = T;
  static constexpr bool accumulate = Accumulate;

  explicit norm_terms(const norm_weight_gradient<T, Center, Accumulate>& q)
      : channels_(static_cast<int>(q.shape.channels)),
        of_group_(static_cast<int>(q.shape.group_channels())),
        batch_(q.shape.batch),
        dy_(q.dy),
        x_(q.x),
        dy_channel_(q.dy),
        x_channel_(q.x),
        mean_(q.mean),
        rstd_(q.rstd),
        dscale_(q.dscale),
        dshift_(q.dshift) {
    for (int r = 0; r < 3; ++r) extent_[r] = static_cast<int>(q.shape.extent[r]);
  }

  TERN_FN int channels() const { return channels_; }
  TERN_FN int parts() const { return dshift_.p != nullptr ? 2 : 1; }
  index_t batch() const { return batch_; }
  index_t positions() const { return index_t{1} * extent_[0] * extent_[1] * extent_[2]; }
  TERN_FN T* to(int part, int channel) const { return part == 0 ? dscale_.at(channel, 0) : dshift_.at(channel, 0); }

  TERN_FN T sum(int part, int channel, index_t sample, int position, int count) const {
    const int g = channel / of_group_;
    T chain = 0;
    each_row(extent_, sample, position, count, [&](index_t n, int z, int y, int x, int size) {
      const T* const dy = dy_.p + offset(dy_, n, {z, y, x}) + dy_channel_(channel);
      if (part == 1) {
        for (int i = 0; i < size; ++i) chain = chain + dy[i * dy_.axis[2]];
        return;
      }
      const T* const from = x_.p + offset(x_, n, {z, y, x}) + x_channel_(channel);
      const T mean = Center ? *mean_.at(n, g) : T(0), rstd = *rstd_.at(n, g);
      for (int i = 0; i < size; ++i) {
        const T v = from[i * x_.axis[2]];
        chain = math::fma(dy[i * dy_.axis[2]], math::product(Center ? v - mean : v, rstd), chain);
      }
    });
    return chain;
  }

 private:
  int channels_, of_group_;
  int extent_[3];
  index_t batch_;
  image<const T> dy_, x_;
  channel_offset dy_channel_, x_channel_;
  operand<const T> mean_, rstd_;
  operand<T> dscale_, dshift_;
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct normalization_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// \param state  where to run: simt_host, simt_threads or simt_stream
  template <class State, class Call>
  static void run(const State& state, const Call& call) {
    using T = typename Call::value_type;
    if constexpr (common::template runs_on<State, T>()) {
      using block = impl::norm_block<Call, impl::threads_for_lanes(common::template threads<T>)>;
      common::template start<block>(state, typename block::problem{call});
    }
  }
  template <class State, class T, bool Join>
  static void run(const State& state, const norm_statistics<T, Join>& call) {
    if constexpr (common::template runs_on<State, T>()) {
      using block = impl::row_block<impl::threads_of_statistics<T, Join>, common::template threads<T>>;
      common::template start<block>(state, typename block::problem({call}));
    }
  }
  template <class State, class T, bool Center, bool Accumulate>
  static void run(const State& state, const norm_weight_gradient<T, Center, Accumulate>& call) {
    if constexpr (common::template runs_on<State, T>()) {
      using block = impl::sample_sums_block<impl::norm_terms<T, Center, Accumulate>, common::template threads<T>>;
      const norm_shape& s = call.shape;
      if (s.channels > impl::most_per_axis || s.positions() > impl::most_positions)
        violation("simt: a norm has %td channels and %td positions: at most %td and %td are possible", s.channels,
                  s.positions(), impl::most_per_axis, impl::most_positions);
      common::template start<block>(state, typename block::problem(impl::norm_terms<T, Center, Accumulate>(call)));
    }
  }
};

}  // namespace tern::inline TERN_ISA
