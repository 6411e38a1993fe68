// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers per group that a norm needs before it writes results: statistics, and for gradients the elements' shares
// of the sums. Lanes are channels.
#pragma once

#include <limits>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/cpu/non_temporal.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/feature_sums.hpp"
#include "tern/family/reduction/cpu/norm_rows.hpp"
#include "tern/family/reduction/cpu/place_sums_core.hpp"
#include "tern/family/reduction/normalization.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct norm_statistics {
  using T = typename V::value_type;
  using sums = feature_sums<V>;

  /// Limit of channels in groups that are processed together; a larger group is processed alone.
  static constexpr index_t piece = 512;

  /// Numbers per group, for vectors of channels.
  /// \tparam Repeated  true for several groups, whose numbers are repeated per channel
  template <bool Repeated>
  struct per_group {
    alignas(line_bytes) T of[Repeated ? piece : 1];

    void set(index_t first, index_t channels, T value) {
      for (index_t k = 0; Repeated && k < channels; ++k) of[first + k] = value;
      if constexpr (!Repeated) of[0] = value;
    }
    template <class N>
    TERN_INLINE V at(index_t k, N valid) const {
      if constexpr (Repeated)
        return load_lanes<V>(of + k, valid);
      else
        return V(of[0]);
    }
  };

  /// The numbers of groups for results.
  template <bool Repeated>
  struct of_values {
    static constexpr bool repeated = Repeated;
    per_group<Repeated> mean, rstd;
  };
  template <bool Repeated>
  struct of_gradient {
    static constexpr bool repeated = Repeated;
    per_group<Repeated> mean, rstd, first, second;
  };
  template <bool Repeated, class Call>
  using for_call = std::conditional_t<Call::is_gradient, of_gradient<Repeated>, of_values<Repeated>>;

  /// Computes the numbers of groups [first, last), counted from group g of a set, into `to`. Several groups have at
  /// most `piece` channels together.
  /// \param sum  sum(place_sums, first, last) computes totals of channels
  template <class Call, class Numbers, class Sum>
  static void find(const Call& q, index_t set, index_t g, index_t first, index_t last, Numbers& to, Sum& sum) {
    if constexpr (Numbers::repeated)
      if (q.shape.group_channels() == 1) return channels(q, set, g, first, last, to, sum);
    groups(q, set, g, first, last, to, sum);
  }
  template <class Call, class Numbers>
  static void find(const Call& q, index_t set, index_t g, index_t first, index_t last, Numbers& to) {
    const auto sum = [](const auto& p, index_t c, index_t end) { place_sums_core<V>::channels(p, c, end); };
    find(q, set, g, first, last, to, sum);
  }

  static void copy(const T* from, index_t step, index_t count, T* to) {
    each_vector<V>(count, [&](index_t k, auto valid) {
      store_lanes(load_strided<V>(from + k * step, step, valid), to + k, valid);
    });
  }

 private:
  /// Groups of one channel each: of batch and instance norms.
  template <norm_steps S, class Sum>
  static void channels(const norm_values<T, S>& q, index_t set, index_t g, index_t first, index_t last,
                       of_values<true>& to, Sum& sum) {
    const norm_shape& s = q.shape;
    const V of_channel(static_cast<T>(s.positions() * s.samples(S.batch)));
    T *mean = to.mean.of + first, *rstd = to.rstd.of + first;
    channel_statistics<S>(q, set, g + first, last - first, mean, rstd, sum);
    each_vector<V>(last - first, [&](index_t k, auto valid) {
      const auto d = deviation_of<S.center>(moments<V>{load_lanes<V>(mean + k, valid), load_lanes<V>(rstd + k, valid)},
                                            of_channel, V(q.eps));
      store_lanes(d.mean, mean + k, valid), store_lanes(d.rstd, rstd + k, valid);
      const auto keep = [&](const operand<T>& at, V v) {
        if (at.p != nullptr) store_strided(v, at.at(set, g + first + k), at.column, valid);
      };
      if constexpr (S.center) keep(q.mean, d.mean);
      keep(q.rstd, d.rstd), keep(q.variance, d.variance);
    });
  }
  template <norm_steps S, bool Accumulate, class Sum>
  static void channels(const norm_gradient<T, S, Accumulate>& q, index_t set, index_t g, index_t first, index_t last,
                       of_gradient<true>& to, Sum& sum) {
    const norm_shape& s = q.shape;
    const V values(static_cast<T>(s.values(S.batch)));
    T *a = to.first.of + first, *b = to.second.of + first;
    if constexpr (S.center) copy(q.mean.at(set, g + first), q.mean.column, last - first, to.mean.of + first);
    copy(q.rstd.at(set, g + first), q.rstd.column, last - first, to.rstd.of + first);
    sums_of_channels<S>(q, set, g, first, last - first, to.mean, to.rstd, a, b, sum);
    each_vector<V>(last - first, [&](index_t k, auto valid) {
      const V of_dy = S.center ? load_lanes<V>(a + k, valid) : V(T(0)), of_products = load_lanes<V>(b + k, valid);
      if constexpr (S.batch && !Accumulate) {
        const auto keep = [&](const operand<T>& at, V v) {
          if (at.p != nullptr) store_strided(v, at.at(g + first + k, 0), at.row, valid);
        };
        keep(q.dshift, of_dy), keep(q.dscale, of_products);
      }
      const V scale = S.scale ? norm_rows<V>::parameter(q.scale, g + first + k, valid) : V(T(1));
      const auto shares = shares_of<S>(of_dy, of_products, scale, load_lanes<V>(to.rstd.of + first + k, valid), values);
      store_lanes(S.center ? shares.a : V(T(0)), a + k, valid), store_lanes(shares.b, b + k, valid);
    });
  }

  template <bool Repeated, norm_steps S, class Sum>
  static void groups(const norm_values<T, S>& q, index_t set, index_t g, index_t first, index_t last,
                     of_values<Repeated>& to, Sum& sum) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels(), count = last - first, at = first * members, c0 = g * members + at;
    two_sums of(count * members);
    const auto statistics = [&](index_t k, index_t channels) {
      channel_statistics<S>(q, set, c0 + k, channels, of.a, of.b, sum);
    };
    const T of_channel = static_cast<T>(s.positions() * s.samples(S.batch));
    for (index_t i = 0; i < count; ++i) {
      T mean = 0;
      if constexpr (S.center)
        mean = of.total(i * members, members, statistics, [](const T* m, const T*, index_t, index_t size) {
          return block_sum(m, size);
        }) / static_cast<T>(members);
      const T squares =
          of.total(i * members, members, statistics, [&](const T* m, const T* squared, index_t, index_t size) {
            return S.center ? block_squares(m, squared, size, mean, of_channel) : block_sum(squared, size);
          });
      const T variance = squares / static_cast<T>(s.values(S.batch)), rstd = reciprocal_deviation(variance, q.eps);
      norm_rows<V>::keep_statistics(q, set, g + first + i, mean, rstd, variance);
      to.mean.set(at + i * members, members, mean), to.rstd.set(at + i * members, members, rstd);
    }
  }
  template <bool Repeated, norm_steps S, bool Accumulate, class Sum>
  static void groups(const norm_gradient<T, S, Accumulate>& q, index_t set, index_t g, index_t first, index_t last,
                     of_gradient<Repeated>& to, Sum& sum) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels(), count = last - first, at = first * members, c0 = g * members + at;
    const T values = static_cast<T>(s.values(S.batch));
    for (index_t i = 0; i < count; ++i) {
      to.mean.set(at + i * members, members, S.center ? *q.mean.at(set, g + first + i) : T(0));
      to.rstd.set(at + i * members, members, *q.rstd.at(set, g + first + i));
    }
    two_sums of(count * members);
    const auto channel_sums = [&](index_t k, index_t channels) {
      sums_of_channels<S>(q, set, c0 - at, at + k, channels, to.mean, to.rstd, of.a, of.b, sum);
    };
    for (index_t i = 0; i < count; ++i) {
      const auto total = [&](auto get) {
        return of.total(i * members, members, channel_sums, [&](const T* a, const T* b, index_t k, index_t size) {
          return S.scale ? block_sum(get(a, b), size, q.scale, c0 + k) : block_sum(get(a, b), size);
        });
      };
      const T rstd = *q.rstd.at(set, g + first + i);
      T of_dy = 0;
      if constexpr (S.center) of_dy = total([](const T* a, const T*) { return a; }) / values;
      const T of_products = share_of_products(total([](const T*, const T* b) { return b; }), rstd, values);
      to.first.set(at + i * members, members, of_dy), to.second.set(at + i * members, members, of_products);
    }
  }

  // Sums over a block of channels, each compiled once for all norms: of a number per channel; of that number times
  // `scale` from channel c on; of squared deviations from the mean of all channels.
  __attribute__((noinline)) static T block_sum(const T* x, index_t size) {
    return sums::of_block(size, [&](V lane, index_t j, auto valid)
                                    __attribute__((always_inline)) { return lane + load_lanes<V>(x + j, valid); });
  }
  __attribute__((noinline)) static T block_sum(const T* x, index_t size, const operand<const T>& scale, index_t c) {
    return sums::of_block(size, [&](V lane, index_t j, auto valid) __attribute__((always_inline)) {
      return fma(norm_rows<V>::parameter(scale, c + j, valid), load_lanes<V>(x + j, valid), lane);
    });
  }
  /// \param of_channel  number of values of a channel
  __attribute__((noinline)) static T block_squares(const T* means, const T* squares, index_t size, T mean,
                                                   T of_channel) {
    const V all(mean), values(of_channel);
    return sums::of_block(size, [&](V lane, index_t j, auto valid) __attribute__((always_inline)) {
      const V d = first_lanes(load_lanes<V>(means + j, valid) - all, valid);
      return fma(product(values, d), d, lane + load_lanes<V>(squares + j, valid));
    });
  }

  /// Two numbers per channel: of all channels if there are at most feature_block, else of a block at a time.
  struct two_sums {
    T a[feature_block], b[feature_block];
    index_t channels, known = -1;  ///< first channel of the block in a and b

    explicit two_sums(index_t all) : channels(all) {}
    /// Rule 5 over `count` channels from k on. compute(k, count) fills a and b; sum(a, b, k, size) adds up a block from
    /// channel k on.
    template <class Compute, class Sum>
    T total(index_t k, index_t count, Compute compute, Sum sum_of_block) {
      T sum = 0;
      for (index_t i = k; i < k + count; i += feature_block) {
        const index_t left = k + count - i, size = left < feature_block ? left : feature_block;
        const index_t begin = channels <= feature_block ? 0 : i;
        if (known != begin)
          compute(begin, channels - begin < feature_block ? channels - begin : feature_block), known = begin;
        sum = sum + sum_of_block(a + (i - begin), b + (i - begin), i, size);
      }
      return sum;
    }
  };

  /// The samples of a set, in the form of sums over places.
  template <norm_steps S>
  static place_box places_of(const norm_shape& s) {
    place_box b = s.places();
    b.batch = s.samples(S.batch);
    return b;
  }
  template <norm_steps S>
  static scattered_image<const T> samples_of(const image<const T>& x, index_t set) {
    scattered_image<const T> i = scattered(x);
    if (!S.batch) i.p += set * i.sample;
    return i;
  }
  /// Numbers of channels from c on.
  template <class U>
  static scattered_image<U> numbers_from(U* p, index_t c) {
    return {.p = p, .channel = 1, .block = std::numeric_limits<index_t>::max(), .skipped = c};
  }

  /// Statistics of `channels` channels from c on.
  template <norm_steps S, class Call, class Sum>
  static void channel_statistics(const Call& q, index_t set, index_t c, index_t channels, T* mean, T* squares,
                                 Sum& sum) {
    using terms = std::conditional_t<S.center, moment_terms<false>, product_terms<true>>;
    place_sums<T, terms> p;
    p.channels = q.shape.channels, p.summed = places_of<S>(q.shape);
    p.in[0] = samples_of<S>(q.x, set);
    if constexpr (S.center) p.out[0] = numbers_from(mean, c);
    p.out[S.center] = numbers_from(squares, c);
    sum(p, c, c + channels);
  }

  /// Sums of dy and of its products with deviations, in batch norms the gradients of shift and scale, of channels [k, k
  /// + channels) counted from c0 on. Numbers of groups are only read: g++ assumes that arrays behind references to
  /// const are read to their end, and warns.
  template <norm_steps S, bool Accumulate, bool Repeated, class Sum>
  static void sums_of_channels(const norm_gradient<T, S, Accumulate>& q, index_t set, index_t c0, index_t k,
                               index_t channels, per_group<Repeated>& means, per_group<Repeated>& rstds, T* a, T* b,
                               Sum& sum) {
    using plain = std::conditional_t<S.center, deviation_terms, product_terms<false>>;
    using terms = std::conditional_t<S.batch, norm_weight_terms<true, false>, plain>;
    constexpr int mean = S.batch ? 3 : 2, plain_sum = S.batch ? 1 : 0, products = S.center && !S.batch ? 1 : 0;
    const auto numbers = [&](per_group<Repeated>& v) {
      scattered_image<const T> i = numbers_from(static_cast<const T*>(v.of), c0);
      if constexpr (!Repeated) i.channel = 0, i.skipped = 0;
      return i;
    };
    place_sums<T, terms> p;
    p.channels = q.shape.channels, p.summed = places_of<S>(q.shape);
    p.in[0] = samples_of<S>(q.dy, set), p.in[1] = samples_of<S>(q.x, set);
    if constexpr (S.batch) p.in[2] = numbers(rstds);
    if constexpr (S.center) p.in[mean] = numbers(means), p.out[plain_sum] = numbers_from(a, c0 + k);
    p.out[products] = numbers_from(b, c0 + k);
    sum(p, c0 + k, c0 + k + channels);
  }
};

}  // namespace tern::tile::inline TERN_ISA
