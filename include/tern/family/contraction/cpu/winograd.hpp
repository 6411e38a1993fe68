// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 3 x 3 convolutions of stride 1 with a quarter of the multiplications: Winograd's F(4x4, 3x3) (Lavin and Gray 2015,
// arXiv 1509.09308), for numerics::relaxed. A tile of 4 x 4 results needs 6 x 6 inputs. Inputs and weights are
// transformed into 36 numbers per channel. These are multiplied and summed over channels, and the sums are transformed
// back:
//
//     Y = A' [ (G w G') . (B' d B) ] A
//
// The sums over channels are 36 matmuls, one for each number; a block of tiles stays in cache during all of them.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/runs.hpp"
#include "tern/family/contraction/cpu/totals.hpp"
#include "tern/policy/tuning.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V       vectors
/// \tparam Tuning  numbers that change speed and never bits
template <class V, contraction_tuning Tuning>
struct winograd_core {
  using T = typename V::value_type;
  static constexpr index_t results = 4, inputs = 6;  ///< along an axis of a tile
  static constexpr index_t numbers = inputs * inputs;
  static constexpr index_t width = Tuning.vectors * V::size;  ///< of a panel
  using tiles = run_tiles<V, Tuning.rows, Tuning.vectors>;

  /// True if the weights of a convolution can be transformed, judged by the static sizes.
  static constexpr bool suits(const conv_shape& s) {
    const window_axis* a = s.axis;
    const auto three = [](const window_axis& w) { return w.kernel == 3 && w.stride == 1 && w.dilation == 1; };
    return s.groups == 1 && a[0].kernel == 1 && a[0].stride == 1 && three(a[1]) && three(a[2]) && s.in % V::size == 0 &&
           s.out % V::size == 0;
  }
  /// True if vectors of channels are contiguous.
  template <epilogue E>
  static bool has_whole_vectors(const conv_sums<T, conv_pass::forward, E>& q) {
    const auto whole_vectors = [](const auto& i, index_t channels) {
      return i.block % V::size == 0 || i.block >= channels;
    };
    return whole_vectors(q.from, q.shape.in) && whole_vectors(q.to, q.shape.out) &&
           (!E.residual || whole_vectors(q.residual, q.shape.out)) &&
           (!E.position_slope() || whole_vectors(q.slopes, q.shape.out));
  }
  /// Elements of transformed weights: for every panel of output channels and number a matrix (in, width).
  static constexpr index_t packed_size(const conv_shape& s) {
    return suits(s) ? (s.out + width - 1) / width * numbers * s.in * width : 0;
  }
  /// G w G', computed in double.
  static void pack(const conv_shape& s, const filters<const T>& w, T* to) {
    for (index_t o0 = 0; o0 < s.out; o0 += width)
      for (index_t c = 0; c < s.in; ++c)
        for (index_t o = o0; o < o0 + width; ++o) {
          double wide[3][inputs], all[inputs];
          for (index_t y = 0; y < 3; ++y) {
            double row[3] = {};
            if (o < s.out)
              for (index_t x = 0; x < 3; ++x) row[x] = static_cast<double>(*w.at(0, y, x, 0, c, o));
            transform_weights(row[0], row[1], row[2], wide[y]);
          }
          for (index_t x = 0; x < inputs; ++x) {
            transform_weights(wide[0][x], wide[1][x], wide[2][x], all);
            for (index_t y = 0; y < inputs; ++y)
              to[((o0 / width * numbers + y * inputs + x) * s.in + c) * width + o - o0] = static_cast<T>(all[y]);
          }
        }
  }

  /// Tiles of a call, counted over samples, depth, height and width.
  static constexpr index_t tiles_of(const conv_shape& s) {
    return s.batch * s.axis[0].out * tiles_along(s.axis[1]) * tiles_along(s.axis[2]);
  }
  /// True if a call is faster this way: transformed weights have four times the bytes, and tiles extend beyond the
  /// border.
  static constexpr bool pays(const conv_shape& s) {
    const index_t tiles = tiles_of(s);
    return suits(s) && bytes_for(s, least_block) <= most_bytes && tiles >= 8 &&
           8 * s.batch * s.positions() >= 3 * results * results * tiles;
  }
  /// Bytes of a block of `block` tiles.
  static constexpr index_t bytes_for(const conv_shape& s, index_t block) {
    return block * numbers * (s.in + width) * static_cast<index_t>(sizeof(T));
  }
  static constexpr index_t least_block = Tuning.rows;
  static constexpr index_t most_bytes = 2 << 20;  ///< limit of a core's memory: more than its cache would not pay off
  /// The fastest block size in tiles: all tiles of a core, or as many as its cache holds.
  /// \param cache  bytes of a core's private cache
  static constexpr index_t best_block(const conv_shape& s, index_t parts, index_t cache) {
    const index_t all = (tiles_of(s) + parts - 1) / parts, fit = cache / 2 / bytes_for(s, least_block) * least_block;
    const index_t most = fit > least_block ? fit : least_block, blocks = (all + most - 1) / most;
    const index_t even = blocks > 0 ? (all + blocks - 1) / blocks : 0;
    return (even + least_block - 1) / least_block * least_block;
  }

  /// Tiles [first, last) of a call with transformed weights.
  /// \param memory  of `bytes`, at least those of least_block tiles; aligned like elements
  template <epilogue E>
  static void run(const conv_sums<T, conv_pass::forward, E>& q, index_t first, index_t last, T* memory, index_t bytes) {
    const conv_shape& s = q.shape;
    const index_t block = bytes / bytes_for(s, 1) / least_block * least_block, panels = (s.out + width - 1) / width;
    for (index_t begin = first, end; begin < last; begin = end) {
      end = last - begin < block ? last : begin + block;
      const index_t count = end - begin;
      T *const source = memory, *const sums = memory + count * numbers * s.in;
      for (index_t t = begin; t < end; ++t) gather(q, position_of(s, t), source + (t - begin) * s.in, count * s.in);
      for (index_t p = 0; p < panels; ++p) {
        for (index_t f = 0; f < numbers; ++f)
          multiply(source + f * count * s.in, count, s.in, q.w.transformed + (p * numbers + f) * s.in * width,
                   sums + f * count * width);
        for (index_t t = begin; t < end; ++t)
          scatter(q, position_of(s, t), p * width, sums + (t - begin) * width, count * width);
      }
    }
  }

 private:
  /// The position of a tile in the result.
  struct position {
    index_t n, z, y, x;
  };
  static constexpr index_t tiles_along(const window_axis& a) { return (a.out + results - 1) / results; }
  static position position_of(const conv_shape& s, index_t tile) {
    const index_t columns = tiles_along(s.axis[2]), rows = tiles_along(s.axis[1]), plane = tile / columns / rows;
    return {plane / s.axis[0].out, plane % s.axis[0].out, tile / columns % rows * results, tile % columns * results};
  }

  // The points 0, +-inner, +-outer and infinity. Results are more accurate than with the usual points 1 and 2: the
  // largest factors of the transforms are 2.5 and 2.8 instead of 5 and 8.
  static constexpr double inner = 0.70710678118654752440, outer = 2 * inner, inner2 = 0.5, outer2 = 2;

  /// G w: values of the polynomial with three coefficients, divided by the products of differences of the points.
  static void transform_weights(double w0, double w1, double w2, double (&to)[inputs]) {
    constexpr double at_inner = 2 * inner2 * (inner2 - outer2), at_outer = 2 * outer2 * (outer2 - inner2);
    to[0] = w0 / (inner2 * outer2);
    to[1] = (w0 + inner * w1 + inner2 * w2) / at_inner, to[2] = (w0 - inner * w1 + inner2 * w2) / at_inner;
    to[3] = (w0 + outer * w1 + outer2 * w2) / at_outer, to[4] = (w0 - outer * w1 + outer2 * w2) / at_outer;
    to[5] = w2;
  }
  TERN_INLINE static V constant(double x) { return V(static_cast<T>(x)); }
  /// x = B' x.
  TERN_INLINE static void transform_inputs(V (&x)[inputs]) {
    const V even_i = fma(constant(-outer2), x[2], x[4]), odd_i = fma(constant(-outer2), x[1], x[3]);
    const V even_o = fma(constant(-inner2), x[2], x[4]), odd_o = fma(constant(-inner2), x[1], x[3]);
    static_assert(inner2 * outer2 == 1);
    x[0] = x[0] + fma(constant(-inner2 - outer2), x[2], x[4]);
    x[5] = x[1] + fma(constant(-inner2 - outer2), x[3], x[5]);
    x[1] = fma(constant(inner), odd_i, even_i), x[2] = fma(constant(-inner), odd_i, even_i);
    x[3] = fma(constant(outer), odd_o, even_o), x[4] = fma(constant(-outer), odd_o, even_o);
  }
  /// y = A' x.
  TERN_INLINE static void transform_sums(const V (&x)[inputs], V (&y)[results]) {
    const V sum_i = x[1] + x[2], difference_i = x[1] - x[2], sum_o = x[3] + x[4], difference_o = x[3] - x[4];
    y[0] = x[0] + (sum_i + sum_o);
    y[1] = fma(constant(outer), difference_o, constant(inner) * difference_i);
    y[2] = fma(constant(outer2), sum_o, constant(inner2) * sum_i);
    y[3] = fma(constant(outer * outer2), difference_o, fma(constant(inner * inner2), difference_i, x[5]));
  }

  /// The 6 x 6 inputs of a tile, transformed: number f of channel c at to[f * step + c].
  template <epilogue E>
  static void gather(const conv_sums<T, conv_pass::forward, E>& q, const position& at, T* to, index_t step) {
    const window_axis* axis = q.shape.axis;
    const index_t z = axis[0].input(at.z, 0), y0 = axis[1].input(at.y, 0), x0 = axis[2].input(at.x, 0);
    const bool inside = axis[0].has(z) && y0 >= 0 && x0 >= 0 && y0 + inputs <= axis[1].in && x0 + inputs <= axis[2].in;
    for (index_t c = 0; c < q.shape.in; c += V::size) {
      V d[inputs][inputs];
      if (inside) {
        const T* p = q.from.at(at.n, c, z, y0, x0);
        for (index_t y = 0; y < inputs; ++y) {
          TERN_UNROLL
          for (index_t x = 0; x < inputs; ++x) d[y][x] = V::load(p + y * q.from.axis[1] + x * q.from.axis[2]);
          transform_inputs(d[y]);
        }
      } else {
        for (index_t y = 0; y < inputs; ++y) {
          for (index_t x = 0; x < inputs; ++x) {
            const bool there = axis[0].has(z) && axis[1].has(y0 + y) && axis[2].has(x0 + x);
            d[y][x] = there ? V::load(q.from.at(at.n, c, z, y0 + y, x0 + x)) : V(T(0));
          }
          transform_inputs(d[y]);
        }
      }
      for (index_t x = 0; x < inputs; ++x) {
        V column[inputs];
        TERN_UNROLL
        for (index_t y = 0; y < inputs; ++y) column[y] = d[y][x];
        transform_inputs(column);
        TERN_UNROLL
        for (index_t y = 0; y < inputs; ++y) column[y].store(to + (y * inputs + x) * step + c);
      }
    }
  }

  /// c = a b, of `rows` rows, k columns of a and a panel of b.
  static void multiply(const T* a, index_t rows, index_t k, const T* b, T* c) {
    const index_t count = (rows + Tuning.rows - 1) / Tuning.rows;
    const tile::chain_run<T> all{a, 0, k, run_rows::all};
    for (index_t t = 0, i = 0, height; t < count; ++t, i += height) {
      height = count - t == 1 ? rows - i : (rows - i) / (count - t);
      tiles::find(height, width)(&all, 1, i * k, k, 1, b, width, width, c + i * width, width, false);
    }
  }

  /// The 4 x 4 results of a tile from sums transformed back, through the epilogue: number f of channel o0 + o at from[f
  /// * step + o].
  template <epilogue E>
  static void scatter(const conv_sums<T, conv_pass::forward, E>& q, const position& at, index_t o0, const T* from,
                      index_t step) {
    const conv_shape& s = q.shape;
    const index_t columns = s.out - o0 < width ? s.out - o0 : width;
    const index_t height = s.axis[1].out - at.y, length = s.axis[2].out - at.x;
    const index_t rows = height < results ? height : results, pixels = length < results ? length : results;
    for (index_t o = 0; o < columns; o += V::size) {
      V half[results][inputs];
      for (index_t x = 0; x < inputs; ++x) {
        V column[inputs], y[results];
        TERN_UNROLL
        for (index_t i = 0; i < inputs; ++i) column[i] = V::load(from + (i * inputs + x) * step + o);
        transform_sums(column, y);
        TERN_UNROLL
        for (index_t i = 0; i < results; ++i) half[i][x] = y[i];
      }
      for (index_t i = 0; i < rows; ++i) {
        V y[results];
        transform_sums(half[i], y);
        alignas(64) T totals[results * V::size];
        TERN_UNROLL
        for (index_t j = 0; j < results; ++j) y[j].store(totals + j * V::size);
        const operand<T> to{q.to.at(at.n, o0 + o, at.z, at.y + i, at.x), q.to.axis[2], 1, 0};
        if constexpr (E.accumulate) add_totals<V>(to, pixels, V::size, totals, V::size);
        store_totals<E, V>(totals, V::size, pixels, V::size, to, q.with_pixels(at.n, o0 + o, at.z, at.y + i, at.x, 1));
      }
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
