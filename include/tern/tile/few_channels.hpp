// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register tile of convolutions of 4 or 8 channels: a vector holds four channels of several pixels.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lane_groups.hpp"
#include "tern/tile/runs.hpp"

namespace tern::tile::inline TERN_ISA {

/// Four channels of neighbouring pixels of 4 * NV channels.
/// \tparam Second  those from the fifth on
template <int NV, bool Second, class V, class T>
TERN_INLINE V load_pixels(const T* a) {
  if constexpr (NV == 2)
    return every_other_four<Second>(V::load(a), V::load(a + V::size));
  else
    return V::load(a);
}

/// What of a tile takes part in a run: pixels that do not are in the first vector, or in the last two.
/// \tparam MR  vectors of the tile
/// \tparam NV  channels of a pixel, in fours
template <int MR, int NV, class V>
class tile_border {
 public:
  using T = typename V::value_type;
  static constexpr index_t pixels = V::size / 4;

  static constexpr bool may_miss(int i) { return i == 0 || i >= MR - 2; }

  /// \param n  pixels of the last vector
  TERN_INLINE tile_border(run_rows rows, index_t n)
      : first_(first_of(rows)),
        end_((MR - 1) * pixels + n - missing_behind(rows)),
        all_(rows == run_rows::all && n == pixels),
        lanes_{begin(4), ends(4)},
        elements_{begin(4 * NV), ends(4 * NV)} {}

  /// Vector i of a tile whose pixels begin at a. Reads nothing of pixels that miss the run; in their place are others,
  /// or zeros.
  template <bool Second>
  TERN_INLINE V load(int i, const T* a) const {
    const T* p = a + i * pixels * 4 * NV;
    if (all_ || !may_miss(i)) return load_pixels<NV, Second, V>(p);
    if constexpr (!lane_mask<V>::has_loads) {
      return load_fours<V>([&](index_t q) __attribute__((always_inline)) {
        const index_t at = i * pixels + q, there = at < first_ ? first_ : at < end_ ? at : end_ - 1;
        return a + there * 4 * NV + (Second ? 4 : 0);
      });
    } else if constexpr (NV == 2) {
      const std::uint64_t on = of(elements_, i, 4 * NV);
      return every_other_four<Second>(lane_mask<V>(on).load(p), lane_mask<V>(on >> V::size).load(p + V::size));
    } else {
      return lane_mask<V>(of(lanes_, i, 4)).load(p);
    }
  }
  /// a * b + c where pixels take part, c elsewhere.
  TERN_INLINE V multiply_add(int i, V a, V b, V c) const {
    return may_miss(i) ? lane_mask<V>(of(lanes_, i, 4)).multiply_add(a, b, c) : fma(a, b, c);
  }

 private:
  /// A bit for each of some elements of a pixel, of the first vector, and of the last two.
  struct bits {
    std::uint64_t begin, ends;
  };
  TERN_INLINE std::uint64_t begin(index_t elements) const { return ~std::uint64_t(0) << elements * first_; }
  TERN_INLINE std::uint64_t ends(index_t elements) const {
    return ~std::uint64_t(0) >> (64 - elements * (end_ - (MR - 2) * pixels));
  }
  /// Those of vector i.
  TERN_INLINE static std::uint64_t of(const bits& b, int i, index_t elements) {
    const std::uint64_t first = i == 0 ? b.begin : ~std::uint64_t(0);
    return first & (i == MR - 1 ? b.ends >> elements * pixels : i == MR - 2 ? b.ends : ~std::uint64_t(0));
  }

  index_t first_, end_;
  bool all_;
  bits lanes_, elements_;
};

/// One chunk of MR vectors of pixels and 4 * NV channels: chains over all runs, ascending, then one addition onto +0 or
/// c. Runs are whole pixels of as many channels, next to each other; the weights of a step are NV vectors, each with
/// four channels again and again.
/// \param n  pixels of the last vector; the others are whole
/// Cost: a permutation for NV fmas, and for every four steps 4 * NV loads of b, and NV loads and NV - 1 permutations
/// for a vector of a. 6 to 8 x 2 registers of AVX-512 reach 94 % of the peak of Zen 5 with operands in L1, at borders
/// 85 %.
template <int MR, int NV, class V, class T>
__attribute__((noinline)) void multiply_pixels(const run<T>* runs, index_t count, index_t shift, const T* b, index_t n,
                                               T* c, index_t c_pixel, bool add) {
  constexpr index_t pixels = V::size / 4;
  V s[MR][NV];
  TERN_UNROLL
  for (int i = 0; i < MR; ++i) {
    TERN_UNROLL
    for (int v = 0; v < NV; ++v) s[i][v] = V(T(0));
  }
  for (; count > 0; --count, ++runs) {
    const T* w = b + runs->b;
    const tile_border<MR, NV, V> border(runs->rows, n);
    const T* a = runs->a + shift - first_of(runs->rows) * 4 * NV;  // where the first pixel of the tile would be
    const auto four_steps = [&](auto second) __attribute__((always_inline)) {
      V bk[4][NV];
      TERN_UNROLL
      for (int k = 0; k < 4; ++k) {
        TERN_UNROLL
        for (int v = 0; v < NV; ++v) bk[k][v] = V::load(w + (k * NV + v) * V::size);
      }
      w += 4 * NV * V::size;
      TERN_UNROLL
      for (int i = 0; i < MR; ++i) {
        const V x = border.template load<decltype(second)::value>(i, a);
        [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
          const auto step = [&](V f, const V(&weights)[NV]) __attribute__((always_inline)) {
            TERN_UNROLL
            for (int v = 0; v < NV; ++v) s[i][v] = border.multiply_add(i, f, weights[v], s[i][v]);
          };
          (step(repeat_in_groups<4, K>(x), bk[K]), ...);
        }(std::make_integer_sequence<int, 4>{});
      }
    };
    for (index_t k = 0; k < runs->k; k += 4 * NV, a += 4 * NV) {
      four_steps(std::false_type{});
      if constexpr (NV == 2) four_steps(std::true_type{});
    }
  }
  TERN_UNROLL
  for (int i = 0; i < MR; ++i, c += pixels * c_pixel) {
    TERN_UNROLL
    for (int v = 0; v < NV; ++v)
      each_four(s[i][v], [&](int q, auto sum) __attribute__((always_inline)) {
        using four = decltype(sum);
        T* to = c + q * c_pixel + 4 * v;
        if (i + 1 < MR || q < n) ((add ? four::load(to) : four(T(0))) + sum).store(to);
      });
  }
}

/// multiply_pixels by the number of pixels.
template <class V>
struct pixel_tiles {
  using T = typename V::value_type;
  static constexpr index_t pixels = V::size / 4;  ///< of a vector
  static constexpr index_t most_pixels = 8 * pixels;

  /// Whether there are tiles for so many channels.
  static constexpr bool has(index_t channels) {
    return V::has_pairs && (channels == 4 || channels == 8) && channels < V::size;
  }
  /// \param count  1 to most_pixels; at most `pixels` at an end miss a run, and none where these are 3 * pixels or less
  TERN_INLINE static void multiply(index_t channels, index_t count, const run<T>* runs, index_t used, index_t shift,
                                   const T* b, T* c, index_t c_pixel, bool add) {
    const functions* of = &table<1>;
    if constexpr (has(8))
      if (channels == 8) of = &table<2>;
    for (index_t n; count > 0; count -= n, shift += n * channels, c += n * c_pixel) {
      const index_t rows = (count + pixels - 1) / pixels;
      n = rows >= least ? count : count < pixels ? count : pixels;
      if (rows >= least)
        of->tall[rows - least](runs, used, shift, b, count - (rows - 1) * pixels, c, c_pixel, add);
      else
        of->one(runs, used, shift, b, n, c, c_pixel, add);
    }
  }

 private:
  static constexpr int least = 4;  ///< vectors of a tile, or only one: fewer functions to compile
  using function = void (*)(const run<T>*, index_t, index_t, const T*, index_t, T*, index_t, bool);
  struct functions {
    function one, tall[9 - least];
  };
  template <int NV, int... M>
  static constexpr functions make(std::integer_sequence<int, M...>) {
    return {&multiply_pixels<1, NV, V, T>, {&multiply_pixels<least + M, NV, V, T>...}};
  }
  template <int NV>
  static constexpr functions table = make<NV>(std::make_integer_sequence<int, 9 - least>{});
};

}  // namespace tern::tile::inline TERN_ISA
