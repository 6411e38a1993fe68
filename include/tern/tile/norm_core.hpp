// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one core with vector units does of a norm: some groups of some sets. Lanes are channels.
#pragma once

#include <limits>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/tile/epilogue.hpp"
#include "tern/tile/feature_sums.hpp"
#include "tern/tile/norm_rows.hpp"
#include "tern/tile/normalization.hpp"
#include "tern/tile/place_sums_core.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct norm_core {
  using T = typename V::value_type;
  using sums = feature_sums<V>;

  /// Groups [first, last), counted over sets and groups.
  template <class Call>
  static void groups(const Call& call, index_t first, index_t last) {
    const Call q = with_long_lines(call);
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels();
    if (!Call::steps.batch && s.positions() == 1 && norm_rows<V>::channels_lie_together(q))
      return norm_rows<V>::groups(q, first, last);
    const index_t at_once = members < piece ? piece / members : 1;
    for (index_t i = first, count; i < last; i += count) {
      const index_t set = i / s.groups, g = i % s.groups;
      count = s.groups - g < last - i ? s.groups - g : last - i;
      if (count > at_once) count = at_once;
      if (count == 1)
        fields<false>(q, set, g, 1);
      else
        fields<true>(q, set, g, count);
    }
  }

 private:
  static constexpr int several = 4, many = V::size >= 16 ? 8 : 4;  ///< vectors that are worked on side by side

  /// Channels of groups that are worked on together, at most; a larger group alone.
  static constexpr index_t piece = 512;

  /// Numbers of groups, as vectors of channels see them.
  /// \tparam Several  groups; their numbers are written once per channel
  template <bool Several>
  struct per_group {
    T of[Several ? piece : 1];

    void set(index_t first, index_t channels, T value) {
      for (index_t k = 0; Several && k < channels; ++k) of[first + k] = value;
      if constexpr (!Several) of[0] = value;
    }
    template <class N>
    TERN_INLINE V at(index_t k, N some) const {
      if constexpr (Several)
        return load_lanes<V>(of + k, some);
      else
        return V(of[0]);
    }
  };

  /// `count` groups from g on of a set; several have at most `piece` channels together.
  template <bool Several, norm_steps S>
  static void fields(const norm_values<T, S>& q, index_t set, index_t g, index_t count) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels(), c0 = g * members;
    two_sums of(count * members);
    const auto statistics = [&](index_t k, index_t channels) {
      channel_statistics<S>(q, set, c0 + k, channels, of.a, of.b);
    };
    per_group<Several> means, rstds;
    const V of_channel(static_cast<T>(s.positions() * s.samples(S.batch)));
    if (Several && members == 1) {  // of batch and instance norms
      statistics(0, count);
      each_vector<V>(count, [&](index_t k, auto some) {
        const auto d = deviation_of<S.center>(moments<V>{load_lanes<V>(of.a + k, some), load_lanes<V>(of.b + k, some)},
                                              of_channel, V(q.eps));
        store_lanes(d.mean, means.of + k, some), store_lanes(d.rstd, rstds.of + k, some);
        T variance[V::size];
        d.variance.store(variance);
        for (index_t i = 0; i < some; ++i)
          norm_rows<V>::keep_statistics(q, set, g + k + i, means.of[k + i], rstds.of[k + i], variance[i]);
      });
    } else {
      for (index_t i = 0; i < count; ++i) {
        T mean = 0;
        if constexpr (S.center)
          mean = of.total(i * members, members, statistics,
                          [](V lane, const T* m, const T*, index_t, auto some)
                              __attribute__((always_inline)) { return lane + load_lanes<V>(m, some); }) /
                 static_cast<T>(members);
        const V all(mean);
        const T squares =
            of.total(i * members, members, statistics,
                     [&](V lane, const T* m, const T* squared, index_t, auto some) __attribute__((always_inline)) {
                       const V before = lane + load_lanes<V>(squared, some);
                       if constexpr (S.center) {
                         const V d = first_lanes(load_lanes<V>(m, some) - all, some);
                         return fma(product(of_channel, d), d, before);
                       } else {
                         return before;
                       }
                     });
        const T variance = squares / static_cast<T>(s.values(S.batch)), rstd = reciprocal_deviation(variance, q.eps);
        norm_rows<V>::keep_statistics(q, set, g + i, mean, rstd, variance);
        means.set(i * members, members, mean), rstds.set(i * members, members, rstd);
      }
    }
    each_piece(q, c0, count * members, [&](index_t first, index_t channels) {
      T factors[S.scale ? piece : 1], shifts[S.shift ? piece : 1];
      for (index_t k = 0; k < channels; ++k) {
        if constexpr (S.scale)
          factors[k] = math::product(*q.scale.at(c0 + first + k, 0), rstds.of[Several ? first + k : 0]);
        if constexpr (S.shift) shifts[k] = *q.shift.at(c0 + first + k, 0);
      }
      each_block<S>(
          s, set, channels,
          [&](index_t n, index_t z, index_t y, index_t x0, index_t width, index_t k0, auto vectors, auto some) {
            constexpr int N = decltype(vectors)::value;
            V mean[N], factor[N], shift[N];
            TERN_UNROLL
            for (int v = 0; v < N; ++v) {
              const index_t k = k0 + v * V::size;
              mean[v] = means.at(first + k, some);
              factor[v] = S.scale ? load_lanes<V>(factors + k, some) : rstds.at(first + k, some);
              shift[v] = S.shift ? load_lanes<V>(shifts + k, some) : factor[v];
            }
            const T *x = q.x.at(n, c0 + first + k0, z, y, x0), *rest = x;
            if constexpr (S.residual) rest = q.residual.at(n, c0 + first + k0, z, y, x0);
            T* to = q.y.at(n, c0 + first + k0, z, y, x0);
            for (; width > 0; --width) {
              TERN_UNROLL
              for (int v = 0; v < N; ++v) {
                const V residual = S.residual ? load_lanes<V>(rest + v * V::size, some) : factor[v];
                store_lanes(normalized<S>(load_lanes<V>(x + v * V::size, some), mean[v], factor[v], shift[v], residual),
                            to + v * V::size, some);
              }
              x += q.x.axis[2], to += q.y.axis[2];
              if constexpr (S.residual) rest += q.residual.axis[2];
            }
          });
    });
  }

  template <bool Several, norm_steps S, bool Accumulate>
  static void fields(const norm_gradient<T, S, Accumulate>& q, index_t set, index_t g, index_t count) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels(), c0 = g * members;
    const T values = static_cast<T>(s.values(S.batch));
    per_group<Several> means, rstds, firsts, seconds;
    for (index_t i = 0; i < count; ++i) {
      means.set(i * members, members, S.center ? *q.mean.at(set, g + i) : T(0));
      rstds.set(i * members, members, *q.rstd.at(set, g + i));
    }
    two_sums of(count * members);
    const auto channel_sums = [&](index_t k, index_t channels) {
      sums_of_channels<S>(q, set, c0, k, channels, means, of);
    };
    if (Several && members == 1) {
      channel_sums(0, count);
      each_vector<V>(count, [&](index_t k, auto some) {
        const V scale = S.scale ? norm_rows<V>::parameter(q.scale, c0 + k, some) : V(T(1));
        const auto shares = shares_of<S>(load_lanes<V>(of.a + k, some), load_lanes<V>(of.b + k, some), scale,
                                         load_lanes<V>(rstds.of + k, some), V(values));
        store_lanes(S.center ? shares.a : V(T(0)), firsts.of + k, some), store_lanes(shares.b, seconds.of + k, some);
      });
    } else {
      for (index_t i = 0; i < count; ++i) {
        const auto total = [&](auto get) {
          return of.total(i * members, members, channel_sums,
                          [&](V lane, const T* a, const T* b, index_t k, auto some) __attribute__((always_inline)) {
                            const V term = load_lanes<V>(get(a, b), some);
                            if constexpr (S.scale)
                              return fma(norm_rows<V>::parameter(q.scale, c0 + k, some), term, lane);
                            else
                              return lane + term;
                          });
        };
        const T rstd = *q.rstd.at(set, g + i);
        T first = 0;
        if constexpr (S.center) first = total([](const T* a, const T*) { return a; }) / values;
        const T second = share_of_products(total([](const T*, const T* b) { return b; }), rstd, values);
        firsts.set(i * members, members, first), seconds.set(i * members, members, second);
      }
    }
    each_piece(q, c0, count * members, [&](index_t from, index_t channels) {
      T scales[S.scale ? piece : 1];
      for (index_t k = 0; S.scale && k < channels; ++k) scales[k] = *q.scale.at(c0 + from + k, 0);
      each_block<S>(
          s, set, channels,
          [&](index_t n, index_t z, index_t y, index_t x0, index_t width, index_t k0, auto vectors, auto some) {
            constexpr int N = decltype(vectors)::value;
            V mean[N], rstd[N], scale[N], a[N], b[N];
            TERN_UNROLL
            for (int v = 0; v < N; ++v) {
              const index_t k = k0 + v * V::size;
              mean[v] = means.at(from + k, some), rstd[v] = rstds.at(from + k, some);
              scale[v] = S.scale ? load_lanes<V>(scales + k, some) : rstd[v];
              a[v] = firsts.at(from + k, some), b[v] = seconds.at(from + k, some);
            }
            const T *x = q.x.at(n, c0 + from + k0, z, y, x0), *dy = q.dy.at(n, c0 + from + k0, z, y, x0);
            T* dx = q.dx.at(n, c0 + from + k0, z, y, x0);
            for (; width > 0; --width) {
              TERN_UNROLL
              for (int v = 0; v < N; ++v) {
                const index_t k = v * V::size;
                const V d = norm_gradient_of<S>(load_lanes<V>(dy + k, some), load_lanes<V>(x + k, some), mean[v],
                                                scale[v], rstd[v], a[v], b[v]);
                store_lanes(Accumulate ? load_lanes<V>(dx + k, some) + d : d, dx + k, some);
              }
              x += q.x.axis[2], dy += q.dy.axis[2], dx += q.dx.axis[2];
            }
          });
    });
  }

  /// Two numbers per channel, of all channels where these are at most feature_block, else of a block at a time.
  struct two_sums {
    T a[feature_block], b[feature_block];
    index_t channels, known = -1;  ///< from which channel on a and b are those of a block

    explicit two_sums(index_t all) : channels(all) {}
    /// Rule 5 over `count` channels from k on; compute(k, count) fills a and b.
    template <class Compute, class Add>
    T total(index_t k, index_t count, Compute compute, Add add) {
      T sum = 0;
      for (index_t i = k; i < k + count; i += feature_block) {
        const index_t left = k + count - i, size = left < feature_block ? left : feature_block;
        const index_t begin = channels <= feature_block ? 0 : i;
        if (known != begin)
          compute(begin, channels - begin < feature_block ? channels - begin : feature_block), known = begin;
        const T *from_a = a + (i - begin), *from_b = b + (i - begin);
        sum = sum + sums::of_block(size, [&](V lane, index_t j, auto some) __attribute__((always_inline)) {
                return add(lane, from_a + j, from_b + j, i + j, some);
              });
      }
      return sum;
    }
  };

  /// Of a set the samples, as sums over places want them.
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
  template <norm_steps S, class Call>
  static void channel_statistics(const Call& q, index_t set, index_t c, index_t channels, T* mean, T* squares) {
    using terms = std::conditional_t<S.center, moment_terms<false>, product_terms<true>>;
    place_sums<T, terms> p;
    p.channels = q.shape.channels, p.summed = places_of<S>(q.shape);
    p.in[0] = samples_of<S>(q.x, set);
    if constexpr (S.center) p.out[0] = numbers_from(mean, c);
    p.out[S.center] = numbers_from(squares, c);
    place_sums_core<V>::channels(p, c, c + channels);
  }

  /// Sums of dy and of its products with deviations, of channels [k, k + channels) counted from c0 on.
  template <norm_steps S, bool Accumulate, bool Several>
  static void sums_of_channels(const norm_gradient<T, S, Accumulate>& q, index_t set, index_t c0, index_t k,
                               index_t channels, per_group<Several>& means, two_sums& to) {
    using terms = std::conditional_t<S.center, deviation_terms, product_terms<false>>;
    place_sums<T, terms> p;
    p.channels = q.shape.channels, p.summed = places_of<S>(q.shape);
    p.in[0] = samples_of<S>(q.dy, set), p.in[1] = samples_of<S>(q.x, set);
    if constexpr (S.center) {
      p.in[2] = numbers_from(static_cast<const T*>(means.of), c0);
      if constexpr (!Several) p.in[2].channel = 0, p.in[2].skipped = 0;
      p.out[0] = numbers_from(to.a, c0 + k);
    }
    p.out[S.center] = numbers_from(to.b, c0 + k);
    place_sums_core<V>::channels(p, c0 + k, c0 + k + channels);
  }

  /// How many channels from c on are next to each other in all images of a call.
  template <class Call>
  static index_t together(const Call& q, index_t c, index_t most) {
    each_image(q, [&](const auto& i) { most = neighbours(i, c, most); });
    return most;
  }
  /// f(k, vectors, lanes) for so many channels: many vectors at a time, or several, or one.
  template <class F>
  TERN_INLINE static void each_group(index_t channels, F f) {
    index_t k = 0;
    for (; k + many * V::size <= channels; k += many * V::size)
      f(k, std::integral_constant<int, many>(), all_lanes<V>());
    if constexpr (many > several)
      if (k + several * V::size <= channels) {
        f(k, std::integral_constant<int, several>(), all_lanes<V>());
        k += several * V::size;
      }
    each_vector<V>(channels - k, [&](index_t v, auto some) { f(k + v, std::integral_constant<int, 1>(), some); });
  }
  /// f(k, channels) for at most `piece` of the channels from c on that are next to each other, k counting from there.
  template <class Call, class F>
  static void each_piece(const Call& q, index_t c, index_t channels, F f) {
    for (index_t k = 0, size; k < channels; k += size) {
      size = together(q, c + k, channels - k < piece ? channels - k : piece);
      f(k, size);
    }
  }
  /// f(n, z, y, x, width, k, vectors, lanes) for blocks of a set: some positions of a line, and vectors of channels
  /// from k on, whose numbers stay in registers.
  template <norm_steps S, class F>
  static void each_block(const norm_shape& s, index_t set, index_t channels, F f) {
    constexpr index_t most = 32;  // positions: they are in the first cache for all channels
    const index_t first = S.batch ? 0 : set;
    for (index_t n = first; n < first + s.samples(S.batch); ++n)
      for (index_t z = 0; z < s.extent[0]; ++z)
        for (index_t y = 0; y < s.extent[1]; ++y)
          for (index_t x = 0, width; x < s.extent[2]; x += width) {
            width = s.extent[2] - x < most || channels <= many * V::size ? s.extent[2] - x : most;
            each_group(channels, [&](index_t k, auto vectors, auto some) { f(n, z, y, x, width, k, vectors, some); });
          }
  }

  /// The same call, rows of positions that follow each other in all images joined to one.
  template <class Call>
  static Call with_long_lines(Call q) {
    index_t(&e)[3] = q.shape.extent;
    for (int r = 1; r >= 0; --r) {
      bool goes_on = true;
      const auto ask = [&](const auto& i) {
        goes_on = goes_on && (e[r] == 1 || e[2] == 1 || i.axis[r] == e[2] * i.axis[2]);
      };
      each_image(q, ask);
      if (!goes_on) break;
      if (e[2] == 1) each_image(q, [r](auto& i) { i.axis[2] = i.axis[r]; });
      e[2] *= e[r], e[r] = 1;
    }
    return q;
  }
  template <class Call, class F>
  static void each_image(Call& q, F f) {
    f(q.x);
    if constexpr (requires { q.dy; }) f(q.dy);
    if constexpr (requires { q.dx; }) f(q.dx);
    if constexpr (requires { q.y; }) f(q.y);
    if constexpr (requires { q.residual; })
      if (Call::steps.residual) f(q.residual);
  }
};

}  // namespace tern::tile::inline TERN_ISA
