// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over samples and positions on one core with vector units. Lanes are channels.
#pragma once

#include <limits>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/feature_sums.hpp"
#include "tern/family/reduction/place_sums.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct place_sums_core {
  using T = typename V::value_type;

  /// The number of parts of a call: vectors of channels, at all places with results.
  template <class F>
  static constexpr index_t parts(const place_sums<T, F>& q) {
    const place_sums<T, F> joined = with_places_as_channels(q);
    return vectors(joined) * joined.of.places();
  }
  /// Computes parts [first, last).
  template <class F>
  static void run(const place_sums<T, F>& call, index_t first, index_t last) {
    const place_sums<T, F> q = with_places_as_channels(call);
    const sums<F> s(q);
    for (index_t part = first, count; part < last; part += count) {
      const index_t v = part % vectors(q), left = vectors(q) - v;
      count = left < last - part ? left : last - part;
      const index_t end = (v + count) * V::size;
      s.channels(q.origin_of(part / vectors(q), 0), v * V::size, end < q.channels ? end : q.channels);
    }
  }

  /// Totals of channels [first, last), if places have no results of their own.
  template <class F>
  static void channels(const place_sums<T, F>& q, index_t first, index_t last);
  /// The chains of one chunk for channels [first, last), if places have no results of their own: to[r] + c - first for
  /// channel c.
  template <class F>
  static void chunk(const place_sums<T, F>& q, const sample_chunk& k, index_t first, index_t last,
                    T* const (&to)[F::results]);

 private:
  /// The layout of inputs at a place. Channels are strided or contiguous; inputs from F::fields on may be constant
  /// along a row, or have one element for all channels.
  enum class access { strided, dense, same_in_rows, same_for_channels };

  static constexpr int unroll = 4, wide_unroll = V::size >= 16 ? 8 : 4;  ///< vectors with chains side by side
  static constexpr int most_runs = 8;  ///< runs of `wide_unroll` vectors that share a pass over memory

  /// Treats places with results of their own as channels, if all tensors step between them at equal distances.
  template <class F>
  static constexpr place_sums<T, F> with_places_as_channels(place_sums<T, F> q) {
    for (int r = 2; r >= 0 && q.summed.extent[r] == 1; --r) {
      if (q.of.extent[r] == 1) continue;
      bool goes_on = true;
      const auto ask = [&](const auto& i) {
        goes_on = goes_on && (i.p == nullptr || (i.block >= q.channels && i.axis[r] == q.channels * i.channel));
      };
      for (const auto& i : q.in) ask(i);
      for (const auto& o : q.out) ask(o);
      if (!goes_on) break;
      q.channels *= q.of.extent[r], q.of.extent[r] = 1;
      for (auto& i : q.in) i.block = q.channels;
      for (auto& o : q.out) o.block = q.channels;
    }
    return q;
  }
  template <class F>
  static constexpr index_t vectors(const place_sums<T, F>& q) {
    return (q.channels + V::size - 1) / V::size;
  }

  template <class F>
  class sums {
    static constexpr int inputs = F::inputs, results = F::results;
    using origin = typename place_sums<T, F>::origin;

   public:
    explicit sums(const place_sums<T, F>& q) : q_(q) {
      // The summed axes from the inside out; axes are joined if all inputs step along them at one distance.
      index_t count[4] = {q.summed.extent[2], q.summed.extent[1], q.summed.extent[0], q.summed.batch};
      for (int i = 0; i < inputs; ++i) {
        const scattered_image<const T>& in = q.in[i];
        stride_[3][i] = in.axis[2], stride_[2][i] = in.axis[1], stride_[1][i] = in.axis[0], stride_[0][i] = in.sample;
      }
      int joined = 0;
      for (int r = 1; r < 4; ++r) {
        bool goes_on = true;
        for (int i = 0; i < inputs; ++i)
          goes_on = goes_on && (count[r] == 1 || count[0] == 1 || stride_[3 - r][i] == stride_[3][i] * count[0]);
        if (!goes_on) break;
        if (count[0] == 1)
          for (int i = 0; i < inputs; ++i) stride_[3][i] = stride_[3 - r][i];
        joined = r;
        if (r < 3) count[0] *= count[r], count[r] = 1;
      }
      for (int r = 0; r < 3; ++r) extent_[r] = count[2 - r];
      if (joined == 3) extent_[2] = std::numeric_limits<index_t>::max();
      for (int i = 0; i < inputs; ++i) {
        varies_[i] = stride_[3][i] != 0;
        if (i >= F::fields && varies_[i]) rest_is_same_ = false;
      }
    }

    /// Totals of channels [first, last) at a place.
    void channels(const origin& o, index_t first, index_t last) const {
      each_run(o, first, last, [&]<int N, access A, class Lanes>(const origin& at, Lanes valid, int runs) {
        if constexpr (N == wide_unroll && std::is_same_v<Lanes, all_lanes<V>>)
          totals_of_runs<N, A>(at, runs);
        else
          totals<N, A>(at, valid);
      });
    }
    /// Chains of channels [first, last).
    void chunk(index_t n, index_t position, index_t count, T* const (&to)[results], index_t first, index_t last) const {
      each_run({}, first, last, [&]<int N, access A>(origin o, auto valid, int runs) {
        for (; runs > 0; --runs, o.channel += N * V::size) {
          V chain[N][results];
          places<N> at;
          at.begin_with(*this, o);
          chains<N, A>(at, n, position, count, chain, valid);
          each_of<N>(valid, [&](int v, auto few) {
            for (int r = 0; r < results; ++r) store_lanes(chain[v][r], to[r] + (o.channel - first) + v * V::size, few);
          });
        }
      });
    }

   private:
    /// Calls f<vectors, access>(origin, lanes, runs) for `runs` runs of vectors of channels.
    template <class Do>
    void each_run(const origin& o, index_t first, index_t last, Do f) const {
      for (index_t c = first, size; c < last; c += size) {
        size = last - c;
        bool fields = true, rest = true, one_element = F::fields < inputs;
        for (int i = 0; i < inputs; ++i) {
          if (varies_[i]) size = neighbours(q_.in[i], c, size);
          (i < F::fields ? fields : rest) &= !varies_[i] || q_.in[i].channel == 1;
          if (i >= F::fields) one_element = one_element && q_.in[i].channel == 0;
        }
        if constexpr (F::fields < inputs)
          if (fields && (rest_is_same_ || one_element)) {
            rest_is_same_ ? run_of_channels<access::same_in_rows>(o, c, size, f)
                          : run_of_channels<access::same_for_channels>(o, c, size, f);
            continue;
          }
        if (fields && rest)
          run_of_channels<access::dense>(o, c, size, f);
        else
          run_of_channels<access::strided>(o, c, size, f);
      }
    }
    template <access A, class Do>
    void run_of_channels(origin o, index_t c, index_t size, Do& f) const {
      index_t i = 0;
      const auto run = [&]<int N>(std::integral_constant<int, N>) {
        constexpr index_t of_run = N * V::size;
        for (index_t runs; (runs = (size - i) / of_run) > 0; i += runs * of_run) {
          runs = N < wide_unroll ? 1 : runs < most_runs ? runs : most_runs;
          o.channel = c + i, f.template operator()<N, A>(o, all_lanes<V>(), static_cast<int>(runs));
        }
      };
      if constexpr (A != access::strided && wide_unroll > unroll) run(std::integral_constant<int, wide_unroll>());
      if constexpr (A != access::strided) run(std::integral_constant<int, unroll>());
      // One input's remainder runs side by side, too: another run would wait for its chain, and fetch most lines again.
      if constexpr (A == access::dense && inputs == 1 && V::size > 1 && V::has_masks) {
        each_constant<unroll>([&](auto whole) {
          const index_t in_last = size - i - whole * V::size;
          if (in_last <= 0 || in_last > V::size) return;
          o.channel = c + i, f.template operator()<whole + 1, A>(o, in_last, 1);
        });
      } else {
        if constexpr (A == access::dense && inputs == 1)
          each_constant<unroll - 2>([&](auto taken) { run(std::integral_constant<int, unroll - 1 - taken>()); });
        each_vector<V>(size - i,
                       [&](index_t v, auto valid) { o.channel = c + i + v, f.template operator()<1, A>(o, valid, 1); });
      }
    }

    /// Chunk by chunk, with totals in memory, so that all channels of a row are read together.
    template <int N, access A>
    void totals_of_runs(const origin& o, int runs) const {
      constexpr index_t of_run = N * V::size;
      const auto at_run = [&](int run) {
        origin of_it = o;
        of_it.channel += run * of_run;
        return of_it;
      };
      T totals[most_runs][results][of_run];
      places<N> at[most_runs];
      for (int run = 0; run < runs; ++run) {
        at[run].begin_with(*this, at_run(run));
        for (int r = 0; r < results; ++r)
          for (int v = 0; v < N; ++v) {
            const auto& to = q_.out[r];
            const V begin =
                F::accumulates && to.p != nullptr ? gather(to, channel_of(at_run(run), v), all_lanes<V>()) : V(T(0));
            begin.store(totals[run][r] + v * V::size);
          }
      }
      index_t before = q_.seen;
      each_chunk(q_.summed.batch, q_.summed.extent, [&](index_t n, index_t position, index_t count) {
        for (int run = 0; run < runs; ++run) {
          V chain[N][results];
          chains<N, A>(at[run], n, position, count, chain, all_lanes<V>());
          each_constant<N>([&](auto v) __attribute__((always_inline)) {
            V total[results];
            for (int r = 0; r < results; ++r) total[r] = V::load(totals[run][r] + v * V::size);
            q_.f.join(total, chain[v], before, count);
            for (int r = 0; r < results; ++r) total[r].store(totals[run][r] + v * V::size);
          });
        }
        before += count;
      });
      for (int run = 0; run < runs; ++run)
        for (int r = 0; r < results; ++r)
          for (int v = 0; v < N; ++v)
            if (q_.out[r].p != nullptr)
              scatter(V::load(totals[run][r] + v * V::size), q_.out[r], channel_of(at_run(run), v), all_lanes<V>());
    }

    template <int N, access A, class Lanes>
    void totals(const origin& o, Lanes valid) const {
      V total[N][results], chain[N][results];
      each_of<N>(valid, [&](int v, auto few) {
        for (int r = 0; r < results; ++r)
          total[v][r] = F::accumulates && q_.out[r].p != nullptr ? gather(q_.out[r], channel_of(o, v), few) : V(T(0));
      });
      places<N> at;
      at.begin_with(*this, o);
      index_t before = q_.seen;
      const auto one = [&](const sample_chunk& c) {
        chains<N, A>(at, c.n, c.position, c.count, chain, valid);
        each_constant<N>([&](auto v) { q_.f.join(total[v], chain[v], before, c.count); });
        before += c.count;
      };
      if constexpr (N == 1 && (A == access::dense || A == access::same_in_rows)) {
        sample_chunk of[unroll];  // of one length
        int found = 0;
        const auto finish = [&] {
          int c = 0;
          const auto in_groups_of = [&]<int M>(std::integral_constant<int, M>) {
            for (; c + M <= found; c += M) {
              V chains_of[M][results];
              side_by_side<M, A>(at, of + c, chains_of, valid);
              each_constant<M>(
                  [&](auto i) { q_.f.join(total[0], chains_of[i], before + i * of[c].count, of[c].count); });
              before += M * of[c].count;
            }
          };
          if (found > 1 && in_rows<A>(of, found))
            in_groups_of(std::integral_constant<int, unroll>()), in_groups_of(std::integral_constant<int, 2>());
          for (; c < found; ++c) one(of[c]);
          found = 0;
        };
        each_chunk(q_.summed.batch, q_.summed.extent, [&](index_t n, index_t position, index_t count) {
          if (found > 0 && of[0].count != count) finish();
          of[found++] = {n, position, count};
          if (found == unroll) finish();
        });
        finish();
      } else {
        each_chunk(q_.summed.batch, q_.summed.extent,
                   [&](index_t n, index_t position, index_t count) { one({n, position, count}); });
      }
      each_of<N>(valid, [&](int v, auto few) {
        for (int r = 0; r < results; ++r)
          if (q_.out[r].p != nullptr) scatter(total[v][r], q_.out[r], channel_of(o, v), few);
      });
    }

    /// True if each chunk is in one row, along which all of its elements vary.
    template <access A>
    bool in_rows(const sample_chunk* of, int count) const {
      bool are = true;
      for (int i = 0; i < (A == access::same_in_rows ? F::fields : inputs); ++i) are = are && varies_[i];
      for (int c = 0; c < count; ++c) are = are && of[c].position % extent_[2] + of[c].count <= extent_[2];
      return are;
    }
    /// The chains of several chunks of one vector: a single chain would wait for its own additions.
    template <int M, access A, class Places, class Lanes>
    TERN_INLINE void side_by_side(Places& at, const sample_chunk* of, V (&chain)[M][results], Lanes valid) const {
      const F f = q_.f;
      constexpr int moving = A == access::same_in_rows ? F::fields : inputs;
      const T* from[M][moving];
      V same[M][inputs], now[M][results];
      each_constant<M>([&](auto c) __attribute__((always_inline)) {
        const index_t line = of[c].position / extent_[2];
        at.find(of[c].n, line / extent_[1], line % extent_[1], of[c].position % extent_[2], valid);
        each_constant<moving>([&](auto i) { from[c][i] = at.p[i]; });
        if constexpr (A == access::same_in_rows)
          each_constant<inputs - moving>([&](auto i) { same[c][i] = V::load(at.same[moving + i]); });
        each_constant<results>([&](auto r) { now[c][r] = V(T(0)); });
      });
      const auto pass = [&](auto which) __attribute__((always_inline)) {
        const T* p[M][moving];
        each_constant<M * moving>([&](auto i) { p[i / moving][i % moving] = from[i / moving][i % moving]; });
        for (index_t k = of->count; k > 0; --k)
          each_constant<M>([&](auto c) __attribute__((always_inline)) {
            V in[inputs];
            each_constant<inputs>([&](auto i) __attribute__((always_inline)) {
              if constexpr (i < moving) {
                in[i] = load_lanes<V>(p[c][i], valid);
                p[c][i] += stride_[3][i];
              } else {
                in[i] = same[c][i - moving];
              }
            });
            f.template add<decltype(which)::value>(in, now[c]);
          });
      };
      pass(std::integral_constant<int, 0>());
      if constexpr (F::passes > 1) {
        each_constant<M>([&](auto c) { f.between(now[c], V(static_cast<T>(of->count))); });
        pass(std::integral_constant<int, 1>());
      }
      each_constant<M * results>([&](auto i) { chain[i / results][i % results] = now[i / results][i % results]; });
    }

    /// The chains of one chunk.
    template <int N, access A, class Places, class Lanes>
    TERN_INLINE void chains(Places& at, index_t n0, index_t position, index_t count, V (&chain)[N][results],
                            Lanes valid) const {
      const auto pass = [&](auto which) __attribute__((always_inline)) {
        each_row(extent_, n0, position, count,
                 [&](index_t n, index_t z, index_t y, index_t x, index_t size) __attribute__((always_inline)) {
                   at.find(n, z, y, x, valid);
                   row<decltype(which)::value, N, A>(at, size, chain, valid);
                 });
      };
      each_constant<N * results>([&](auto i) { chain[i / results][i % results] = V(T(0)); });
      pass(std::integral_constant<int, 0>());
      if constexpr (F::passes > 1) {
        each_constant<N>([&](auto v) { q_.f.between(chain[v], V(static_cast<T>(count))); });
        pass(std::integral_constant<int, 1>());
      }
    }

    /// The addresses of inputs, for N vectors of channels.
    template <int N>
    struct places {
      const sums* of;
      origin o;
      const T* begin[inputs];
      T same[inputs][N * V::size];            ///< of inputs that are constant along a row
      index_t found[inputs];                  ///< source of `same`
      const T* p[inputs];                     ///< at a place
      index_t step[inputs], channel[inputs];  ///< distances to the next place, and to the next channel

      void begin_with(const sums& s, const origin& at) {
        of = &s, o = at;
        for (int i = 0; i < inputs; ++i) begin[i] = s.q_.at(s.q_.in[i], o), found[i] = -1, step[i] = channel[i] = 0;
      }
      template <class Lanes>
      TERN_INLINE void find(index_t n, index_t z, index_t y, index_t x, Lanes valid) {
        TERN_UNROLL
        for (int i = 0; i < inputs; ++i) {
          const index_t(&stride)[4][inputs] = of->stride_;
          const index_t offset = n * stride[0][i] + z * stride[1][i] + y * stride[2][i] + x * stride[3][i];
          if (of->varies_[i]) {
            p[i] = begin[i] + offset, step[i] = stride[3][i], channel[i] = of->q_.in[i].channel;
            continue;
          }
          if (offset != found[i])
            each_of<N>(valid, [&](int v, auto few) {
              gather(of->q_.in[i], channel_of(o, v), few, offset).store(same[i] + v * V::size);
            });
          found[i] = offset, p[i] = same[i], step[i] = 0, channel[i] = 1;
        }
      }
    };

    /// Adds `size` places to the chains.
    template <int Pass, int N, access A, class Lanes>
    TERN_INLINE void row(const places<N>& at, index_t size, V (&chain)[N][results], Lanes valid) const {
      const F f = q_.f;
      constexpr int fields = A == access::same_in_rows || A == access::same_for_channels ? F::fields : inputs,
                    moving = A == access::same_in_rows ? fields : inputs;
      const T* p[moving];
      index_t step[moving];
      V now[N][results], same[N][inputs];  // in registers
      each_constant<moving>([&](auto i) { p[i] = at.p[i], step[i] = at.step[i]; });
      if constexpr (A == access::same_in_rows)
        each_constant<N>([&](auto v) {
          each_constant<inputs - fields>([&](auto i) { same[v][i] = V::load(at.same[fields + i] + v * V::size); });
        });
      each_constant<N * results>([&](auto i) { now[i / results][i % results] = chain[i / results][i % results]; });
      for (; size > 0; --size) {
        V one[inputs];
        if constexpr (A == access::same_for_channels)
          each_constant<inputs - fields>([&](auto i) { one[i] = V::broadcast(p[fields + i]); });
        each_constant<N>([&](auto v) __attribute__((always_inline)) {
          V in[inputs];
          each_constant<inputs>([&](auto i) __attribute__((always_inline)) {
            if constexpr (i < fields && A == access::strided)
              in[i] = load_strided<V>(p[i] + v * V::size * at.channel[i], at.channel[i], lanes_of<N>(v, valid));
            else if constexpr (i < fields)
              in[i] = load_lanes<V>(p[i] + v * V::size, lanes_of<N>(v, valid));
            else if constexpr (A == access::same_in_rows)
              in[i] = same[v][i - fields];
            else
              in[i] = one[i - fields];
          });
          f.template add<Pass>(in, now[v]);
        });
        each_constant<moving>([&](auto i) __attribute__((always_inline)) { p[i] += step[i]; });
      }
      each_constant<N * results>([&](auto i) { chain[i / results][i % results] = now[i / results][i % results]; });
    }

    /// Calls f(v, lanes) for each of N vectors; the last one may be partial.
    template <int N, class Index, class Lanes>
    static constexpr auto lanes_of(Index v, Lanes valid) {
      if constexpr (v == N - 1)
        return valid;
      else
        return all_lanes<V>();
    }
    template <int N, class Lanes, class Do>
    TERN_INLINE static void each_of(Lanes valid, Do f) {
      constexpr bool whole = std::is_same_v<Lanes, all_lanes<V>>;
      for (int v = 0; v < N - !whole; ++v) f(v, all_lanes<V>());
      if constexpr (!whole) f(N - 1, valid);
    }
    static origin channel_of(origin o, int vector) {
      o.channel += vector * V::size;
      return o;
    }
    /// Numbers of channels at any addresses.
    template <class U, class Lanes>
    static V gather(const scattered_image<U>& i, origin o, Lanes valid, index_t offset = 0) {
      if (i.in_block(o.channel, 1, valid) == valid)
        return load_strided<V>(static_cast<const T*>(place_sums<T, F>::at(i, o) + offset), i.channel, valid);
      T e[V::size] = {};
      for (index_t k = 0; k < valid; ++k, ++o.channel) e[k] = place_sums<T, F>::at(i, o)[offset];
      return V::load(e);
    }
    template <class Lanes>
    static void scatter(V v, const scattered_image<T>& i, origin o, Lanes valid) {
      if (i.in_block(o.channel, 1, valid) == valid)
        return store_strided(v, place_sums<T, F>::at(i, o), i.channel, valid);
      T e[V::size];
      v.store(e);
      for (index_t k = 0; k < valid; ++k, ++o.channel) *place_sums<T, F>::at(i, o) = e[k];
    }

    const place_sums<T, F>& q_;
    index_t extent_[3];          ///< as pieces see them
    index_t stride_[4][inputs];  ///< of samples and axes
    bool varies_[inputs];        ///< along the last axis
    bool rest_is_same_ = true;   ///< inputs from F::fields on do not
  };
};

// Outside of the class, so that they are not inline: files that link the compiled part only declare them.
template <class V>
template <class F>
void place_sums_core<V>::channels(const place_sums<T, F>& q, index_t first, index_t last) {
  sums<F>(q).channels({}, first, last);
}
template <class V>
template <class F>
void place_sums_core<V>::chunk(const place_sums<T, F>& q, const sample_chunk& k, index_t first, index_t last,
                               T* const (&to)[F::results]) {
  sums<F>(q).chunk(k.n, k.position, k.count, to, first, last);
}

/// A core's part of a call: some channels, or places with results of their own.
template <class T, class Arch, index_t MemoryBytes>
struct place_sums_parts {
  using core = place_sums_core<lanes<T, Arch>>;
  template <class F>
  static constexpr index_t work(const place_sums<T, F>& q) {
    return q.elements() * (8 + 2 * F::operations);
  }
  template <class F>
  static void run(const place_sums<T, F>& q, index_t t, index_t tasks);
};
template <class T, class Arch, index_t MemoryBytes>
template <class F>
void place_sums_parts<T, Arch, MemoryBytes>::run(const place_sums<T, F>& q, index_t t, index_t tasks) {
  const index_t parts = core::parts(q);
  core::run(q, parts * t / tasks, parts * (t + 1) / tasks);
}

}  // namespace tern::tile::inline TERN_ISA
