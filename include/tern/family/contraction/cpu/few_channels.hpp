// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register tile of convolutions with few result channels: a vector holds four channels of several pixels.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lane_groups.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/runs.hpp"

namespace tern::tile::inline TERN_ISA {

/// The operands of the tiles of a result. Runs are a multiple of four long. The weights of a step are vectors, each
/// repeating four channels; the last may have zeros.
template <class T>
struct pixel_operands {
  const chain_run<T>* runs;
  index_t used, shift;  ///< number of runs, and offset in elements of the first pixel from their origin
  index_t a_pixel;      ///< distance between sources
  index_t summed;       ///< channels of a source; runs are multiples of it
  const T* b;
  T* c;
  index_t c_pixel;
  index_t channels;  ///< of a result
  bool add;          ///< true if c holds totals to add to
};

/// Stores (0 or c) + sums of the first n pixels of a vector, from four channels on.
template <class V, class T>
TERN_INLINE void store_pixels(const pixel_operands<T>& q, V sums, index_t pixel, index_t n, index_t channel) {
  const index_t channels = q.channels - channel;
  T* const to = q.c + pixel * q.c_pixel + channel;
  each_four(sums, [&](int i, auto sum) __attribute__((always_inline)) {
    using four = decltype(sum);
    if (i >= n) return;
    T* p = to + i * q.c_pixel;
    if (channels >= 4) {
      ((q.add ? four::load(p) : four(T(0))) + sum).store(p);
    } else {  // masked stores take as long as dozens of others
      T e[4];
      sum.store(e);
      for (index_t o = 0; o < channels; ++o) p[o] = (q.add ? p[o] : T(0)) + e[o];
    }
  });
}

/// s = s + x * w for four steps: the factors are the lanes of each four of x, the weights are consecutive.
/// \param multiply_add  of the index of a vector and a, b, c
template <int MR, int NV, class V, class T, class Fma>
TERN_INLINE void four_steps(const V (&x)[MR], const T* w, V (&s)[MR][NV], Fma multiply_add) {
  const auto step = [&](auto lane) __attribute__((always_inline)) {
    V weights[NV];
    TERN_UNROLL
    for (int v = 0; v < NV; ++v) weights[v] = V::load(w + (lane.value * NV + v) * V::size);
    TERN_UNROLL
    for (int i = 0; i < MR; ++i) {
      const V factor = repeat_in_groups<4, decltype(lane)::value>(x[i]);
      TERN_UNROLL
      for (int v = 0; v < NV; ++v) s[i][v] = multiply_add(i, factor, weights[v], s[i][v]);
    }
  };
  step(std::integral_constant<int, 0>{});
  step(std::integral_constant<int, 1>{});
  step(std::integral_constant<int, 2>{});
  step(std::integral_constant<int, 3>{});
}

/// One chunk of MR vectors of pixels and 4 * NV channels: chains over all runs, ascending, then one addition onto +0 or
/// c. Reads all pixels of the vectors, including those that miss a run and those after the last.
/// \tparam Dense  true if sources have exactly these channels, and are contiguous
/// \param n  pixels of the last vector; the others are whole
/// Cost: for each step MR permutations, NV loads of b and MR * NV fmas, and for every four MR vectors of a. Dense
/// sources need NV loads and NV - 1 permutations for these, others are loaded four by four. 7 x 2 registers of AVX-512
/// reach 90 % of the peak of Zen 5 with dense operands in L1, else 84 %, and at borders 82 %.
template <int MR, int NV, bool Dense, class V, class T>
__attribute__((noinline)) void multiply_pixels(const pixel_operands<T>& q, index_t n) {
  static_assert(MR > 2 && NV <= 2);
  constexpr index_t pixels = V::size / 4;
  V s[MR][NV];
  clear(s);
  const index_t a_row = pixels * q.a_pixel;
  for (const chain_run<T>*r = q.runs, *end = r + q.used; r < end; ++r) {
    // Pixels that miss the run are in the first vector, or in the last two.
    const index_t before = first_of(r->rows), last = n + pixels - missing_after(r->rows);
    const std::uint64_t ends = ~std::uint64_t(0) >> (64 - 4 * last);
    const lane_mask<V> masks[] = {lane_mask<V>(~std::uint64_t(0) << 4 * before), lane_mask<V>(ends),
                                  lane_mask<V>(ends >> V::size)};
    const T* row[MR];
    TERN_UNROLL
    for (int i = 0; i < MR; ++i) row[i] = r->a + (q.shift - before * q.a_pixel + i * a_row);
    const T* w = q.b + r->b;
    const auto steps_of = [&](auto second) __attribute__((always_inline)) {
      V x[MR];
      TERN_UNROLL
      for (int i = 0; i < MR; ++i) {
        __asm__("" : "+r"(row[i]));  // keeps rows from sharing one pointer, whose multiples spill
        if constexpr (Dense && NV == 2)
          x[i] = unmerged(every_other_four<decltype(second)::value>(V::load(row[i]), V::load(row[i] + V::size)));
        else if constexpr (Dense)
          x[i] = V::load(row[i]);
        else
          x[i] = load_fours<V>([&](index_t p) __attribute__((always_inline)) { return row[i] + p * q.a_pixel; });
      }
      four_steps(x, w, s, [&](int i, V f, V g, V sum) __attribute__((always_inline)) {
        if (i > 0 && i < MR - 2) return fma(f, g, sum);
        return masks[i == 0 ? 0 : i == MR - 1 ? 2 : 1].multiply_add(f, g, sum);
      });
      w += 4 * NV * V::size;
    };
    constexpr index_t at_once = Dense ? 4 * NV : 4;
    for (index_t k = 0; k < r->k; k += at_once) {
      steps_of(std::false_type{});
      if constexpr (Dense && NV == 2) steps_of(std::true_type{});
      TERN_UNROLL
      for (int i = 0; i < MR; ++i) row[i] += at_once;
    }
  }
  TERN_UNROLL
  for (int i = 0; i < MR; ++i) {
    TERN_UNROLL
    for (int v = 0; v < NV; ++v) store_pixels(q, s[i][v], i * pixels, i + 1 < MR ? pixels : n, 4 * v);
  }
}

/// Largest number of vectors of a tile: with 8 channels twice the chains that two fmas of four cycles need.
inline constexpr int most_pixel_vectors = 8;

/// The same for a tile of `count` pixels, of any number of vectors. Reads only used elements.
template <int NV, class V, class T>
__attribute__((noinline)) void multiply_few_pixels(const pixel_operands<T>& q, index_t count) {
  constexpr index_t pixels = V::size / 4;
  constexpr int rows = most_pixel_vectors;
  const auto within = [](index_t p) { return p < 0 ? 0 : p < pixels ? p : pixels; };
  V s[rows][NV];
  clear(s);
  for (const chain_run<T>*r = q.runs, *end = r + q.used; r < end; ++r) {
    const index_t first = first_of(r->rows), last = count - missing_after(r->rows);
    std::uint64_t on[rows];
    TERN_UNROLL
    for (int i = 0; i < rows; ++i) {
      const index_t from = within(first - i * pixels), to = within(last - i * pixels);
      on[i] = from < to ? (std::uint64_t(1) << 4 * to) - (std::uint64_t(1) << 4 * from) : 0;
    }
    const T* a[rows * pixels];  // arbitrary for pixels that miss the run
    for (index_t i = 0; i < rows * pixels; ++i) {
      const index_t p = i < first ? first : i < last ? i : last - 1;
      a[i] = r->a + (q.shift + (p - first) * q.a_pixel);
    }
    const T* w = q.b + r->b;
    for (index_t k = 0; k < r->k; k += 4, w += 4 * NV * V::size) {
      V x[rows];
      TERN_UNROLL
      for (int i = 0; i < rows; ++i)
        x[i] = load_fours<V>([&](index_t p) __attribute__((always_inline)) { return a[i * pixels + p] + k; });
      four_steps(x, w, s, [&](int i, V f, V g, V sum) __attribute__((always_inline)) {
        return lane_mask<V>(on[i]).multiply_add(f, g, sum);
      });
    }
  }
  TERN_UNROLL
  for (int i = 0; i < rows; ++i) {
    TERN_UNROLL
    for (int v = 0; v < NV; ++v) store_pixels(q, s[i][v], i * pixels, within(count - i * pixels), 4 * v);
  }
}

/// Both kinds of tiles, selected by the number of channels and of pixels.
template <class V>
struct pixel_tiles {
  using T = typename V::value_type;
  static constexpr index_t pixels = V::size / 4;  ///< of a vector
  static constexpr index_t most_pixels = most_pixel_vectors * pixels;
  static constexpr index_t most_channels = most_channels_of_pixels;

  /// True if there are tiles for this many channels.
  static constexpr bool has(index_t channels) {
    return V::has_pairs && channels > 0 && channels <= most_channels && (channels + 3) / 4 * 4 < V::size;
  }
  /// `count` pixels, rounded up to vectors.
  static constexpr index_t whole(index_t count) { return (count + pixels - 1) / pixels * pixels; }
  /// \param count     1 to most_pixels, of which at most `pixels` at an end miss a run
  /// \param may_read  true if a has whole(count) pixels in all runs
  TERN_INLINE static void multiply(const pixel_operands<T>& q, index_t count, bool may_read) {
    const bool few = q.channels <= 4, dense = q.a_pixel == q.summed && q.summed == (few ? 4 : 8);
    const functions* of = dense ? &table<1, true> : &table<1, false>;
    if constexpr (has(8))
      if (!few) of = dense ? &table<2, true> : &table<2, false>;
    const index_t vectors = whole(count) / pixels;
    if (may_read && vectors >= least) return of->tall[vectors - least](q, count - (vectors - 1) * pixels);
    of->remainder(q, count);
  }

 private:
  static constexpr int least = 4;  ///< vectors of a tile: fewer would be too few chains
  struct functions {
    void (*tall[most_pixel_vectors + 1 - least])(const pixel_operands<T>&, index_t);
    void (*remainder)(const pixel_operands<T>&, index_t);
  };
  template <int NV, bool Dense, int... M>
  static constexpr functions make(std::integer_sequence<int, M...>) {
    return {{&multiply_pixels<least + M, NV, Dense, V, T>...}, &multiply_few_pixels<NV, V, T>};
  }
  template <int NV, bool Dense>
  static constexpr functions table = make<NV, Dense>(std::make_integer_sequence<int, most_pixel_vectors + 1 - least>{});
};

}  // namespace tern::tile::inline TERN_ISA
