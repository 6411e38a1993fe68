// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one core with vector units does of a norm: some groups of some sets. Lanes are channels.
#pragma once

#include <limits>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/cpu/past_caches.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/tile/epilogue.hpp"
#include "tern/tile/feature_sums.hpp"
#include "tern/tile/norm_rows.hpp"
#include "tern/tile/normalization.hpp"
#include "tern/tile/place_sums_core.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V            vectors
/// \tparam MemoryBytes  results of more go past the caches
template <class V, index_t MemoryBytes = std::numeric_limits<index_t>::max()>
struct norm_core {
  using T = typename V::value_type;
  using sums = feature_sums<V>;

  /// Groups [first, last), counted over sets and groups.
  template <class Call>
  static void groups(const Call& call, index_t first, index_t last) {
    const Call q = with_long_lines(call);
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels();
    const bool past = goes_past_caches(q);
    if (!Call::steps.batch && s.positions() == 1 && norm_rows<V>::channels_lie_together(q))
      return norm_rows<V>::groups(q, first, last, past);
    const index_t at_once = members < piece ? piece / members : 1;
    for (index_t i = first, count; i < last; i += count) {
      const index_t set = i / s.groups, g = i % s.groups;
      count = s.groups - g < last - i ? s.groups - g : last - i;
      if (count > at_once) count = at_once;
      if (!Call::steps.batch && count == 1)
        fields<Call::steps.batch>(q, set, g, 1);
      else
        fields<true>(q, set, g, count);
    }
    if (past) end_stores_past_caches<V>();
  }

 private:
  static constexpr int several = 4;  ///< vectors that are worked on side by side

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

  static void copy(const T* from, index_t step, index_t count, T* to) {
    each_vector<V>(
        count, [&](index_t k, auto some) { store_lanes(load_strided<V>(from + k * step, step, some), to + k, some); });
  }

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
        const auto keep = [&](const operand<T>& to, V v) {
          if (to.p != nullptr) store_strided(v, to.at(set, g + k), to.column, some);
        };
        if constexpr (S.center) keep(q.mean, d.mean);
        keep(q.rstd, d.rstd), keep(q.variance, d.variance);
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
      if constexpr (S.scale)
        each_vector<V>(channels, [&](index_t k, auto some) {
          const V scale = norm_rows<V>::parameter(q.scale, c0 + first + k, some);
          store_lanes(product(scale, rstds.at(first + k, some)), factors + k, some);
        });
      if constexpr (S.shift) copy(q.shift.at(c0 + first, 0), q.shift.row, channels, shifts);
      struct numbers {
        V mean, factor, shift;
      };
      const auto of_channels = [&, first](index_t k, auto some) __attribute__((always_inline)) {
        const V factor = S.scale ? load_lanes<V>(factors + k, some) : rstds.at(first + k, some);
        return numbers{means.at(first + k, some), factor, S.shift ? load_lanes<V>(shifts + k, some) : factor};
      };
      with_stores(q.y, c0 + first, s, goes_past_caches(q), [&](auto past) {
        each_block<S>(s, set, channels, [&](index_t n, index_t z, index_t y, index_t x0, index_t width) {
          line<1 + S.residual> l{
              {q.x.at(n, c0 + first, z, y, x0)}, {q.x.axis[2]}, q.y.at(n, c0 + first, z, y, x0), q.y.axis[2]};
          if constexpr (S.residual) l.in[1] = q.residual.at(n, c0 + first, z, y, x0), l.step[1] = q.residual.axis[2];
          each_element(
              l, channels, width, of_channels,
              [&](const auto& in, T* to, index_t k, const numbers& c, auto some) __attribute__((always_inline)) {
                const V x = load_lanes<V>(in[0] + k, some), residual = load_lanes<V>(in[S.residual] + k, some);
                store_lanes(past, normalized<S>(x, c.mean, c.factor, c.shift, residual), to + k, some);
              });
        });
      });
    });
  }

  template <bool Several, norm_steps S, bool Accumulate>
  static void fields(const norm_gradient<T, S, Accumulate>& q, index_t set, index_t g, index_t count) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels(), c0 = g * members;
    const T values = static_cast<T>(s.values(S.batch));
    per_group<Several> means, rstds, firsts, seconds;
    if (Several && members == 1) {
      if constexpr (S.center) copy(q.mean.at(set, g), q.mean.column, count, means.of);
      copy(q.rstd.at(set, g), q.rstd.column, count, rstds.of);
    } else {
      for (index_t i = 0; i < count; ++i) {
        means.set(i * members, members, S.center ? *q.mean.at(set, g + i) : T(0));
        rstds.set(i * members, members, *q.rstd.at(set, g + i));
      }
    }
    two_sums of(count * members);
    const auto channel_sums = [&](index_t k, index_t channels) {
      sums_of_channels<S>(q, set, c0, k, channels, means, rstds, of);
    };
    if (Several && members == 1) {
      channel_sums(0, count);
      each_vector<V>(count, [&](index_t k, auto some) {
        const V scale = S.scale ? norm_rows<V>::parameter(q.scale, c0 + k, some) : V(T(1));
        const auto shares = shares_of<S>(load_lanes<V>(of.a + k, some), load_lanes<V>(of.b + k, some), scale,
                                         load_lanes<V>(rstds.of + k, some), V(values));
        store_lanes(S.center ? shares.a : V(T(0)), firsts.of + k, some), store_lanes(shares.b, seconds.of + k, some);
      });
      if constexpr (S.batch && !Accumulate)
        each_vector<V>(count, [&](index_t k, auto some) {
          const auto keep = [&](const operand<T>& to, const T* v) {
            if (to.p != nullptr) store_strided(load_lanes<V>(v + k, some), to.at(c0 + k, 0), to.row, some);
          };
          keep(q.dshift, of.a), keep(q.dscale, of.b);
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
      if constexpr (S.scale) copy(q.scale.at(c0 + from, 0), q.scale.row, channels, scales);
      struct numbers {
        V mean, scale, rstd, a, b;
      };
      const auto of_channels = [&, from](index_t k, auto some) __attribute__((always_inline)) {
        const V rstd = rstds.at(from + k, some);
        return numbers{means.at(from + k, some), S.scale ? load_lanes<V>(scales + k, some) : rstd, rstd,
                       firsts.at(from + k, some), seconds.at(from + k, some)};
      };
      with_stores(q.dx, c0 + from, s, goes_past_caches(q), [&](auto past) {
        each_block<S>(s, set, channels, [&](index_t n, index_t z, index_t y, index_t x0, index_t width) {
          const line<2> l{{q.dy.at(n, c0 + from, z, y, x0), q.x.at(n, c0 + from, z, y, x0)},
                          {q.dy.axis[2], q.x.axis[2]},
                          q.dx.at(n, c0 + from, z, y, x0),
                          q.dx.axis[2]};
          each_element(l, channels, width, of_channels,
                       [&](const auto& in, T* to, index_t k, const numbers& c, auto some)
                           __attribute__((always_inline)) {
                             const V dy = load_lanes<V>(in[0] + k, some), x = load_lanes<V>(in[1] + k, some),
                                     d = norm_gradient_of<S>(dy, x, c.mean, c.scale, c.rstd, c.a, c.b);
                             store_lanes(past, Accumulate ? load_lanes<V>(to + k, some) + d : d, to + k, some);
                           });
        });
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

  /// Sums of dy and of its products with deviations, of batch norms the gradients of shift and scale, of channels
  /// [k, k + channels) counted from c0 on. Numbers of groups are read only: g++ takes arrays behind references to const
  /// for read to their end, and warns.
  template <norm_steps S, bool Accumulate, bool Several>
  static void sums_of_channels(const norm_gradient<T, S, Accumulate>& q, index_t set, index_t c0, index_t k,
                               index_t channels, per_group<Several>& means, per_group<Several>& rstds, two_sums& to) {
    using plain = std::conditional_t<S.center, deviation_terms, product_terms<false>>;
    using terms = std::conditional_t<S.batch, norm_weight_terms<true, false>, plain>;
    constexpr int mean = S.batch ? 3 : 2, sum = S.batch ? 1 : 0, products = S.center && !S.batch ? 1 : 0;
    const auto numbers = [&](per_group<Several>& v) {
      scattered_image<const T> i = numbers_from(static_cast<const T*>(v.of), c0);
      if constexpr (!Several) i.channel = 0, i.skipped = 0;
      return i;
    };
    place_sums<T, terms> p;
    p.channels = q.shape.channels, p.summed = places_of<S>(q.shape);
    p.in[0] = samples_of<S>(q.dy, set), p.in[1] = samples_of<S>(q.x, set);
    if constexpr (S.batch) p.in[2] = numbers(rstds);
    if constexpr (S.center) p.in[mean] = numbers(means), p.out[sum] = numbers_from(to.a, c0 + k);
    p.out[products] = numbers_from(to.b, c0 + k);
    place_sums_core<V>::channels(p, c0 + k, c0 + k + channels);
  }

  /// How many channels from c on are next to each other in all images of a call.
  template <class Call>
  static index_t together(const Call& q, index_t c, index_t most) {
    each_image(q, [&](const auto& i) { most = neighbours(i, c, most); });
    return most;
  }
  /// f(k, channels) for at most `piece` of the channels from c on that are next to each other, k counting from there.
  template <class Call, class F>
  static void each_piece(const Call& q, index_t c, index_t channels, F f) {
    for (index_t k = 0, size; k < channels; k += size) {
      size = together(q, c + k, channels - k < piece ? channels - k : piece);
      f(k, size);
    }
  }
  /// f(n, z, y, x, width) for blocks of a set: some positions of a line. The last come first, as sums have just left
  /// them in a cache; inside of a block all goes in the order of memory.
  template <norm_steps S, class F>
  static void each_block(const norm_shape& s, index_t set, index_t channels, F f) {
    constexpr index_t block_bytes = 128 * 1024;
    const index_t most = block_bytes / index_t(sizeof(T)) / channels + 1, first = S.batch ? 0 : set;
    for (index_t n = first + s.samples(S.batch); n-- > first;)
      for (index_t z = s.extent[0]; z-- > 0;)
        for (index_t y = s.extent[1]; y-- > 0;)
          for (index_t end = s.extent[2], x; end > 0; end = x) {
            x = (end - 1) / most * most;
            f(n, z, y, x, end - x);
          }
  }
  /// Some positions of tensors.
  template <int Inputs>
  struct line {
    const T* in[Inputs];
    index_t step[Inputs];  ///< to the next position
    T* out;
    index_t out_step;
  };
  /// f(in, out, k, numbers(k, lanes), lanes) for vectors of channels from k on at all positions, in their order. Few
  /// numbers stay in registers.
  template <int Inputs, class Numbers, class F>
  TERN_INLINE static void each_element(line<Inputs> l, index_t channels, index_t positions, Numbers numbers, F f) {
    using type = decltype(numbers(0, all_lanes<V>()));
    const auto each_position = [&](auto at) __attribute__((always_inline)) {
      for (; positions > 0; --positions) {
        at();
        each_constant<Inputs>([&](auto i) __attribute__((always_inline)) { l.in[i] += l.step[i]; });
        l.out += l.out_step;
      }
    };
    const auto few = [&]<int N>(std::integral_constant<int, N>) __attribute__((always_inline)) {
      type of[N];
      each_constant<N>([&](auto v) { of[v] = numbers(v * V::size, all_lanes<V>()); });
      each_position([&]() __attribute__((always_inline)) {
        each_constant<N>([&](auto v)
                             __attribute__((always_inline)) { f(l.in, l.out, v * V::size, of[v], all_lanes<V>()); });
      });
    };
    if (channels == several * V::size) {
      few(std::integral_constant<int, several>());
    } else if (channels == 2 * V::size) {
      few(std::integral_constant<int, 2>());
    } else if (channels <= V::size) {
      const type of = numbers(0, channels);
      each_position([&]() __attribute__((always_inline)) { f(l.in, l.out, 0, of, channels); });
    } else {
      each_position([&]() __attribute__((always_inline)) {
        index_t k = 0;
        for (; k + several * V::size <= channels; k += several * V::size)
          each_constant<several>([&](auto v) __attribute__((always_inline)) {
            f(l.in, l.out, k + v * V::size, numbers(k + v * V::size, all_lanes<V>()), all_lanes<V>());
          });
        each_vector<V>(channels - k, [&](index_t v, auto some) __attribute__((always_inline)) {
          f(l.in, l.out, k + v, numbers(k + v, some), some);
        });
      });
    }
  }

  /// Whether results are so large that they are stored past the caches.
  template <class Call>
  static bool goes_past_caches(const Call& q) {
    if constexpr (!has_stores_past_caches<V> || MemoryBytes == std::numeric_limits<index_t>::max()) {
      return false;
    } else {
      const norm_shape& s = q.shape;
      if (s.batch * s.channels * s.positions() * index_t(sizeof(T)) <= MemoryBytes) return false;
      if constexpr (requires { q.dx; })
        return !Call::accumulate && q.dx.p != q.dy.p;
      else
        return q.y.p != q.x.p && q.y.p != q.residual.p;
    }
  }
  /// f(past), past the caches where all positions of `to` begin lines.
  template <class F>
  static void with_stores(const image<T>& to, index_t channel, const norm_shape& s, bool past, F f) {
    if constexpr (has_stores_past_caches<V>) {
      constexpr index_t line = line_bytes / index_t(sizeof(T));
      const auto whole = [](index_t count, index_t step) { return count == 1 || step % line == 0; };
      bool aligned = past && begins_line(to.at(0, channel, 0, 0, 0)) && whole(s.batch, to.sample);
      for (int r = 0; r < 3; ++r) aligned = aligned && whole(s.extent[r], to.axis[r]);
      if (aligned) return f(std::true_type());
    }
    f(std::false_type());
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
