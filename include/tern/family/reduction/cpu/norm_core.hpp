// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A norm on one core with vector units: some groups of some sets. Lanes are channels.
#pragma once

#include <limits>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/cpu/fetcher.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/non_temporal.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/norm_rows.hpp"
#include "tern/family/reduction/cpu/norm_statistics.hpp"
#include "tern/family/reduction/cpu/shared_sums.hpp"
#include "tern/family/reduction/normalization.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V            vectors
/// \tparam MemoryBytes  larger results get non-temporal stores
template <class V, index_t MemoryBytes = std::numeric_limits<index_t>::max()>
struct norm_core {
  using T = typename V::value_type;
  using statistics = norm_statistics<V>;

  /// Groups [first, last), counted over sets and groups.
  template <class Call>
  static void groups(const Call& call, index_t first, index_t last) {
    const Call q = with_long_lines(call);
    const bool non_temporal = bypasses_caches(q);
    const auto rows = [&] { norm_rows<V>::groups(q, first, last, non_temporal); };
    if constexpr (Call::steps.rows)
      rows();
    else if constexpr (Call::steps.batch)
      of_positions(q, first, last);
    else if (q.shape.positions() == 1 && norm_rows<V>::channels_lie_together(q))
      rows();
    else
      of_positions(q, first, last);
    if (non_temporal) end_non_temporal_stores<V>();
  }

  /// Some groups of a set, shared by several cores in two steps: statistics, then results. The first step distributes
  /// groups among tasks, so cores read only parts of lines. The second step distributes positions.
  /// \tparam Repeated  true for groups of at most `piece` channels together, false for one group
  template <class Call, bool Repeated>
  class shared_groups {
   public:
    shared_groups(const Call& q, index_t set, index_t g, index_t count)
        : q_(with_long_lines(q)), set_(set), g_(g), count_(count), members_(q.shape.group_channels()) {}

    /// Part t of `tasks` of the first step.
    void find(index_t t, index_t tasks) {
      const index_t unit = members_ == 1 ? V::size : 1, units = (count_ + unit - 1) / unit;
      const index_t begin = units * t / tasks * unit, end = units * (t + 1) / tasks * unit;
      if (begin < end) statistics::find(q_, set_, g_, begin, end < count_ ? end : count_, statistics_);
    }
    /// True if tasks should share chunks of positions in the first step, too, and so reuse them in the second.
    static bool shares_positions(const norm_shape& s, index_t tasks) {
      place_box b = s.places();
      b.batch = s.samples(Call::steps.batch);
      return shared_sums<V>::pay(b, s.channels, tasks);
    }
    template <class Run>
    void find_shared(Run& run, index_t tasks) {
      const auto sum = [&](const auto& p, index_t first, index_t last) {
        shared_sums<V>::channels(run, tasks, p, first, last);
      };
      statistics::find(q_, set_, g_, 0, count_, statistics_, sum);
    }
    void use(index_t t, index_t tasks) {
      const index_t positions = q_.shape.samples(Call::steps.batch) * q_.shape.positions();
      apply(q_, set_, g_ * members_, count_ * members_, statistics_, positions * t / tasks,
            positions * (t + 1) / tasks);
      if (bypasses_caches(q_)) end_non_temporal_stores<V>();
    }

   private:
    Call q_;
    index_t set_, g_, count_, members_;
    typename statistics::template for_call<Repeated, Call> statistics_;
  };
  static constexpr index_t piece = statistics::piece;  ///< limit of channels of several groups

 private:
  static constexpr int unroll = 4;  ///< vectors side by side

  /// Groups with several positions each.
  template <class Call>
  static void of_positions(const Call& q, index_t first, index_t last) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels(), at_once = members < piece ? piece / members : 1;
    for (index_t i = first, count; i < last; i += count) {
      const index_t set = i / s.groups, g = i % s.groups;
      count = s.groups - g < last - i ? s.groups - g : last - i;
      if (count > at_once) count = at_once;
      if (!Call::steps.batch && count == 1)
        fields<Call::steps.batch>(q, set, g, 1);
      else
        fields<true>(q, set, g, count);
    }
  }
  /// `count` groups from g on of a set; several have at most `piece` channels together.
  template <bool Repeated, class Call>
  static void fields(const Call& q, index_t set, index_t g, index_t count) {
    const norm_shape& s = q.shape;
    const index_t members = s.group_channels();
    typename statistics::template for_call<Repeated, Call> found;
    statistics::find(q, set, g, 0, count, found);
    apply(q, set, g * members, count * members, found, 0, s.samples(Call::steps.batch) * s.positions());
  }

  /// Results of channels from c0 on at positions [first, last) of a set.
  template <norm_steps S, class Numbers>
  static void apply(const norm_values<T, S>& q, index_t set, index_t c0, index_t count, Numbers& of, index_t begin,
                    index_t end) {
    const norm_shape& s = q.shape;
    each_piece(q, c0, count, [&](index_t first, index_t channels) {
      T factors[S.scale ? piece : 1], shifts[S.shift ? piece : 1];
      if constexpr (S.scale)
        each_vector<V>(channels, [&](index_t k, auto valid) {
          const V scale = norm_rows<V>::parameter(q.scale, c0 + first + k, valid);
          store_lanes(product(scale, of.rstd.at(first + k, valid)), factors + k, valid);
        });
      if constexpr (S.shift) statistics::copy(q.shift.at(c0 + first, 0), q.shift.row, channels, shifts);
      struct of_channel {
        V mean, factor, shift;
      };
      const auto of_channels = [&, first](index_t k, auto valid) __attribute__((always_inline)) {
        const V factor = S.scale ? load_lanes<V>(factors + k, valid) : of.rstd.at(first + k, valid);
        return of_channel{of.mean.at(first + k, valid), factor, S.shift ? load_lanes<V>(shifts + k, valid) : factor};
      };
      with_stores(q.y, c0 + first, s, bypasses_caches(q), [&](auto nt) {
        each_block<S>(s, set, channels, begin, end, [&](index_t n, index_t z, index_t y, index_t x0, index_t width) {
          line<1 + S.residual> l{
              {q.x.at(n, c0 + first, z, y, x0)}, {q.x.axis[2]}, q.y.at(n, c0 + first, z, y, x0), q.y.axis[2]};
          if constexpr (S.residual) l.in[1] = q.residual.at(n, c0 + first, z, y, x0), l.step[1] = q.residual.axis[2];
          each_element(
              l, channels, width, of_channels,
              [&](const auto& in, T* to, index_t k, const of_channel& c, auto valid) __attribute__((always_inline)) {
                const V x = load_lanes<V>(in[0] + k, valid), residual = load_lanes<V>(in[S.residual] + k, valid);
                store_lanes(nt, normalized<S>(x, c.mean, c.factor, c.shift, residual), to + k, valid);
              });
        });
      });
    });
  }
  template <norm_steps S, bool Accumulate, class Numbers>
  static void apply(const norm_gradient<T, S, Accumulate>& q, index_t set, index_t c0, index_t count, Numbers& of,
                    index_t begin, index_t end) {
    const norm_shape& s = q.shape;
    each_piece(q, c0, count, [&](index_t from, index_t channels) {
      T scales[S.scale ? piece : 1];
      if constexpr (S.scale) statistics::copy(q.scale.at(c0 + from, 0), q.scale.row, channels, scales);
      struct of_channel {
        V mean, scale, rstd, a, b;
      };
      const auto of_channels = [&, from](index_t k, auto valid) __attribute__((always_inline)) {
        const V rstd = of.rstd.at(from + k, valid);
        return of_channel{of.mean.at(from + k, valid), S.scale ? load_lanes<V>(scales + k, valid) : rstd, rstd,
                          of.first.at(from + k, valid), of.second.at(from + k, valid)};
      };
      with_stores(q.dx, c0 + from, s, bypasses_caches(q), [&](auto nt) {
        each_block<S>(s, set, channels, begin, end, [&](index_t n, index_t z, index_t y, index_t x0, index_t width) {
          const line<2> l{{q.dy.at(n, c0 + from, z, y, x0), q.x.at(n, c0 + from, z, y, x0)},
                          {q.dy.axis[2], q.x.axis[2]},
                          q.dx.at(n, c0 + from, z, y, x0),
                          q.dx.axis[2]};
          each_element(l, channels, width, of_channels,
                       [&](const auto& in, T* to, index_t k, const of_channel& c, auto valid)
                           __attribute__((always_inline)) {
                             const V dy = load_lanes<V>(in[0] + k, valid), x = load_lanes<V>(in[1] + k, valid),
                                     d = norm_gradient_of<S>(dy, x, c.mean, c.scale, c.rstd, c.a, c.b);
                             store_lanes(nt, Accumulate ? load_lanes<V>(to + k, valid) + d : d, to + k, valid);
                           });
        });
      });
    });
  }

  /// The number of channels from c on that are contiguous in all images of a call.
  template <class Call>
  static index_t together(const Call& q, index_t c, index_t most) {
    each_image(q, [&](const auto& i) { most = neighbours(i, c, most); });
    return most;
  }
  /// Calls f(k, channels) for pieces of at most `piece` contiguous channels from c on; k counts from there.
  template <class Call, class F>
  static void each_piece(const Call& q, index_t c, index_t channels, F f) {
    for (index_t k = 0, size; k < channels; k += size) {
      size = together(q, c + k, channels - k < piece ? channels - k : piece);
      f(k, size);
    }
  }
  /// Calls f(n, z, y, x, width) for blocks of positions [first, last) of a set, each in one line. The last blocks come
  /// first, as sums have just left them in cache; within a block the order is that of memory.
  template <norm_steps S, class F>
  static void each_block(const norm_shape& s, index_t set, index_t channels, index_t first, index_t last, F f) {
    constexpr index_t block_bytes = 128 * 1024;
    const index_t most = block_bytes / index_t(sizeof(T)) / channels + 1, n0 = S.batch ? 0 : set;
    const index_t width = s.extent[2], height = s.extent[1], depth = s.extent[0];
    for (index_t end = last, begin; end > first; end = begin) {
      const index_t row = (end - 1) / width, in_row = end - row * width;
      begin = row * width + (in_row - 1) / most * most;
      if (begin < first) begin = first;
      f(n0 + row / height / depth, row / height % depth, row % height, begin - row * width, end - begin);
    }
  }
  /// Positions at equal distances in the tensors of a call.
  template <int Inputs>
  struct line {
    const T* in[Inputs];
    index_t step[Inputs];  ///< distance between positions
    T* out;
    index_t out_step;
  };
  /// Calls f(in, out, k, numbers(k, lanes), lanes) for vectors of channels from k on at all positions, in order. If
  /// there are few numbers they stay in registers.
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
    if (channels == unroll * V::size) {
      few(std::integral_constant<int, unroll>());
    } else if (channels == 2 * V::size) {
      few(std::integral_constant<int, 2>());
    } else if (channels <= V::size) {
      const type of = numbers(0, channels);
      each_position([&]() __attribute__((always_inline)) { f(l.in, l.out, 0, of, channels); });
    } else {
      each_position([&]() __attribute__((always_inline)) {
        index_t k = 0;
        for (; k + unroll * V::size <= channels; k += unroll * V::size)
          each_constant<unroll>([&](auto v) __attribute__((always_inline)) {
            f(l.in, l.out, k + v * V::size, numbers(k + v * V::size, all_lanes<V>()), all_lanes<V>());
          });
        each_vector<V>(channels - k, [&](index_t v, auto valid) __attribute__((always_inline)) {
          f(l.in, l.out, k + v, numbers(k + v, valid), valid);
        });
      });
    }
  }

  /// True if results are large enough for non-temporal stores.
  template <class Call>
  static bool bypasses_caches(const Call& q) {
    if constexpr (!has_non_temporal_stores<V> || MemoryBytes == std::numeric_limits<index_t>::max()) {
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
  /// Calls f(nt); nt is true if all positions of `to` begin lines.
  template <class F>
  static void with_stores(const image<T>& to, index_t channel, const norm_shape& s, bool non_temporal, F f) {
    if constexpr (has_non_temporal_stores<V>) {
      constexpr index_t line = line_bytes / index_t(sizeof(T));
      const auto whole = [](index_t count, index_t step) { return count == 1 || step % line == 0; };
      bool aligned = non_temporal && begins_line(to.at(0, channel, 0, 0, 0)) && whole(s.batch, to.sample);
      for (int r = 0; r < 3; ++r) aligned = aligned && whole(s.extent[r], to.axis[r]);
      if (aligned) return f(std::true_type());
    }
    f(std::false_type());
  }

  /// The same call with consecutive rows of positions joined, if they are consecutive in all images.
  template <class Call>
  static Call with_long_lines(Call q) {
    index_t(&e)[3] = q.shape.extent;
    for (int r = 1; r >= 0; --r) {
      bool joins = true;
      const auto ask = [&](const auto& i) {
        joins = joins && (e[r] == 1 || e[2] == 1 || i.axis[r] == e[2] * i.axis[2]);
      };
      each_image(q, ask);
      if (!joins) break;
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

/// A core's part of a call: some groups.
template <class T, class Arch, index_t MemoryBytes>
struct norm_parts {
  using V = lanes<T, Arch>;
  /// Without non-temporal stores one type serves all sizes, and is compiled once.
  using core = norm_core<V, has_non_temporal_stores<V> ? MemoryBytes : std::numeric_limits<index_t>::max()>;

  static constexpr index_t work(const norm_shape& s) { return s.batch * s.channels * s.positions() * 16; }
  template <class Call>
  static constexpr index_t work(const Call& q) {
    return work(q.shape);
  }
  template <class Call>
  static void run(const Call& q, index_t t, index_t tasks);
};
// Outside of the class, so that it is not inline: files that link the compiled part only declare it.
template <class T, class Arch, index_t MemoryBytes>
template <class Call>
void norm_parts<T, Arch, MemoryBytes>::run(const Call& q, index_t t, index_t tasks) {
  const index_t groups = q.shape.sets(Call::steps.batch) * q.shape.groups;
  core::groups(q, groups * t / tasks, groups * (t + 1) / tasks);
}

}  // namespace tern::tile::inline TERN_ISA
