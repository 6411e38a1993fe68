// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one core with vector units does of a convolution: some rows of the result and some panels of its channels. No
// buffer of patches: tiles are pixels of a row that have the same taps, found through runs.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/policy/tuning.hpp"
#include "tern/tile/convolution.hpp"
#include "tern/tile/epilogue.hpp"
#include "tern/tile/panels.hpp"
#include "tern/tile/runs.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V       vectors
/// \tparam Tuning  numbers that change speed and never bits
template <class V, contraction_tuning Tuning>
struct conv_core {
  using T = typename V::value_type;
  static constexpr index_t width = Tuning.vectors * V::size;  ///< of a panel
  using tiles = run_tiles<V, Tuning.rows, Tuning.vectors>;

  /// Weights as panels: for every group, for every `width` channels of the result, all (tap, summed channel).
  template <conv_pass P>
  static constexpr index_t packed_size(const conv_shape& s) {
    const index_t results = P == conv_pass::forward ? s.out : s.in, summed = P == conv_pass::forward ? s.in : s.out;
    return s.groups * s.taps() * summed * whole_panels(results, width);
  }

  /// Rows [first, last) of the result, counted over samples, depth and height, and panels [panel0, panel1) of every
  /// group.
  template <conv_pass P, epilogue E>
  static void rows(const conv_sums<T, P, E>& q, index_t first, index_t last, index_t panel0, index_t panel1) {
    const conv_chunks chunk = chunks_of(q.summed());
    const index_t taps = q.shape.taps(), channels = q.summed();
    for (index_t g = 0; g < q.shape.groups; ++g)
      for (index_t panel = panel0; panel < panel1; ++panel) {
        const index_t j0 = panel * width, columns = q.results() - j0 < width ? q.results() - j0 : width;
        for (index_t tap = 0; tap < taps; tap += chunk.taps)
          for (index_t c = 0; c < channels; c += chunk.channels) {
            const part_of_sum part{tap,
                                   taps - tap < chunk.taps ? taps - tap : chunk.taps,
                                   c,
                                   channels - c < chunk.channels ? channels - c : chunk.channels,
                                   tap == 0 && c == 0,
                                   tap + chunk.taps >= taps && c + chunk.channels >= channels};
            chunk_of_panel(q, part, g, j0, columns, first, last);
          }
      }
  }

  /// Weight gradients of taps [first, last), counted over groups and taps, for output channels [o0, o1) of each group.
  template <bool Accumulate>
  static void gradient(const conv_gradient<T, Accumulate>& q, index_t first, index_t last, index_t o0, index_t o1) {
    const conv_shape& s = q.shape;
    const window_axis* a = s.axis;
    const index_t taps = s.taps();
    for (index_t unit = first; unit < last; ++unit) {
      const index_t g = unit / taps, t = unit % taps;
      const index_t tap[] = {t / a[2].kernel / a[1].kernel, t / a[2].kernel % a[1].kernel, t % a[2].kernel};
      const operand<T> dw{q.dw.at(tap[0], tap[1], tap[2], 0, g * s.out), q.dw.in, q.dw.out, 0};
      if (!Accumulate && s.batch * s.positions() == 0)
        for (index_t c = 0; c < s.in; ++c)
          for (index_t o = o0; o < o1; ++o) *dw.at(c, o) = T(0);
      bool add = Accumulate;
      each_chunk(s.batch, {a[0].out, a[1].out, a[2].out}, [&](index_t n, index_t position, index_t count) {
        // Neighbouring channels of x and of dy.
        for (index_t c = 0, rows; c < s.in; c += rows) {
          rows = neighbours(q.x, g * s.in + c, s.in - c);
          for (index_t o = o0, columns; o < o1; o += columns) {
            columns = neighbours(q.dy, g * s.out + o, o1 - o);
            const T* const base = q.dy.at(n, g * s.out + o, 0, 0, 0);
            run<T> runs[longest_chunk];
            index_t used = 0;
            each_row({a[0].out, a[1].out, a[2].out}, n, position, count,
                     [&](index_t m, index_t z, index_t y, index_t x, index_t size) {
                       const index_t sz = a[0].input(z, tap[0]), sy = a[1].input(y, tap[1]);
                       if (!a[0].has(sz) || !a[1].has(sy)) return;
                       while (size > 0 && a[2].input(x, tap[2]) < 0) ++x, --size;
                       while (size > 0 && a[2].input(x + size - 1, tap[2]) >= a[2].in) --size;
                       if (size > 0)
                         runs[used++] = {q.x.at(m, g * s.in + c, sz, sy, a[2].input(x, tap[2])),
                                         q.dy.at(m, g * s.out + o, z, y, x) - base, size};
                     });
            block_of_gradient(runs, used, a[2].stride * q.x.axis[2], base, q.dy.axis[2], dw.shifted(c, o), rows,
                              columns, add);
          }
        }
        add = true;
      });
    }
  }

  /// Sums of channels [first, last).
  template <bool Accumulate>
  static void sums(const channel_sums<T, Accumulate>& q, index_t first, index_t last) {
    const T one(1);
    if (!Accumulate && q.batch * q.extent[0] * q.extent[1] * q.extent[2] == 0)
      for (index_t c = first; c < last; ++c) *q.sums.at(c, 0) = T(0);
    bool add = Accumulate;
    each_chunk(q.batch, q.extent, [&](index_t n, index_t position, index_t count) {
      for (index_t c = first, columns; c < last; c += columns) {
        columns = neighbours(q.from, c, last - c);
        const T* const base = q.from.at(n, c, 0, 0, 0);
        run<T> runs[longest_chunk];
        index_t used = 0;
        each_row(q.extent, n, position, count, [&](index_t m, index_t z, index_t y, index_t x, index_t size) {
          runs[used++] = {&one, q.from.at(m, c, z, y, x) - base, size};
        });
        block_of_gradient(runs, used, 0, base, q.from.axis[2], operand<T>{q.sums.at(c, 0), 0, q.sums.row, 0}, 1,
                          columns, add);
      }
      add = true;
    });
  }

 private:
  static constexpr index_t longest_chunk = dot_chunk;

  /// One chunk of the sums.
  struct part_of_sum {
    index_t tap, taps;          ///< the first, and how many
    index_t channel, channels;  ///< of each
    bool first, last;           ///< of all
  };

  template <conv_pass P, epilogue E>
  static void chunk_of_panel(const conv_sums<T, P, E>& q, const part_of_sum& part, index_t g, index_t j0,
                             index_t columns, index_t first, index_t last) {
    alignas(64) T panel[longest_chunk * width];
    arrange(q, part, g, j0, columns, panel);
    const index_t height = q.extent(1), depth = q.extent(0);
    for (index_t row = first; row < last; ++row) {
      const index_t y = row % height, z = row / height % depth, n = row / height / depth;
      row_of_panel(q, part, g, j0, columns, n, z, y, panel);
    }
  }

  /// The weights of one chunk and panel, rows of `width`.
  template <conv_pass P, epilogue E>
  static void arrange(const conv_sums<T, P, E>& q, const part_of_sum& part, index_t g, index_t j0, index_t columns,
                      T* to) {
    const window_axis* a = q.shape.axis;
    const index_t row = P == conv_pass::forward ? q.w.in : q.w.out, column = P == conv_pass::forward ? q.w.out : q.w.in;
    for (index_t t = part.tap; t < part.tap + part.taps; ++t, to += part.channels * width) {
      const index_t tx = t % a[2].kernel, ty = t / a[2].kernel % a[1].kernel, tz = t / a[2].kernel / a[1].kernel;
      const operand<const T> b{q.weight(tz, ty, tx, g, part.channel, j0), row, column, 0};
      pack_slab<V>(b, part.channels, columns, width, to);
    }
  }

  /// One row of the result, phase by phase and segment by segment: pixels with the same taps.
  template <conv_pass P, epilogue E>
  static void row_of_panel(const conv_sums<T, P, E>& q, const part_of_sum& part, index_t g, index_t j0, index_t columns,
                           index_t n, index_t z, index_t y, const T* panel) {
    const index_t step = q.result_step(2), phases = step < q.extent(2) ? step : q.extent(2);
    for (index_t phase = 0; phase < phases; ++phase) {
      const index_t count = (q.extent(2) - phase + step - 1) / step;
      for (index_t x = 0, end; x < count; x = end) {
        end = segment_end(q, phase, x, count);
        segment(q, part, g, j0, columns, n, z, y, phase, x, end, panel);
      }
    }
  }

  /// Where the taps of the pixels from x on change.
  template <conv_pass P, epilogue E>
  static index_t segment_end(const conv_sums<T, P, E>& q, index_t phase, index_t x, index_t count) {
    index_t end = count;
    for (index_t t = 0; t < q.shape.axis[2].kernel; ++t) {
      const auto range = q.range_of(2, phase, t);
      if (range.first > x && range.first < end) end = range.first;
      if (range.last > x && range.last < end) end = range.last;
    }
    return end;
  }

  /// Pixels x to end - 1 of a phase.
  template <conv_pass P, epilogue E>
  static void segment(const conv_sums<T, P, E>& q, const part_of_sum& part, index_t g, index_t j0, index_t columns,
                      index_t n, index_t z, index_t y, index_t phase, index_t x, index_t end, const T* panel) {
    run<T> runs[longest_chunk];
    const index_t used = find_runs(q, part, g, n, z, y, phase, x, runs);
    const index_t a_row = q.source_step(2) * q.from.axis[2], step = q.result_step(2);
    const index_t channel = g * q.results() + j0, total = end - x, count = (total + Tuning.rows - 1) / Tuning.rows;
    for (index_t t = 0, i0 = 0, height; t < count; ++t, i0 += height) {
      height = count - t == 1 ? total - i0 : (total - i0) / (count - t);
      const index_t pixel = phase + (x + i0) * step;
      const auto multiply = [&](T* to, index_t to_row, bool add) {
        tiles::multiply(height, runs, used, i0 * a_row, a_row, 1, panel, width, columns, to, to_row, add);
      };
      const bool add = E.accumulate || !part.first, neighbours = channel % q.to.block + columns <= q.to.block;
      if (neighbours && (!part.last || E.empty())) {
        multiply(q.to.at(n, channel, z, y, pixel), step * q.to.axis[2], add);
        continue;
      }
      alignas(64) T buffer[Tuning.rows * width];
      const auto pieces = [&](auto f) {  // channels that are next to each other
        for (index_t c = 0, size; c < columns; c += size) {
          const index_t room = q.to.block - (channel + c) % q.to.block;
          size = columns - c < room ? columns - c : room;
          f(operand<T>{q.to.at(n, channel + c, z, y, pixel), step * q.to.axis[2], 1, 0}, c, size);
        }
      };
      if (add)
        pieces([&](const operand<T>& c, index_t at, index_t size) {
          for (index_t i = 0; i < height; ++i)
            for (index_t o = 0; o < size; ++o) buffer[i * width + at + o] = *c.at(i, o);
        });
      multiply(buffer, width, add);
      pieces([&](const operand<T>& c, index_t at, index_t size) {
        if (!part.last) return store_totals<epilogue{}, V>(buffer + at, width, height, size, c, {}, {});
        const index_t from = channel + at;
        if constexpr (E.scale)
          for (index_t i = 0; i < height; ++i)
            for (index_t o = 0; o < size; ++o)
              buffer[i * width + at + o] = math::product(buffer[i * width + at + o], *q.scale.at(from + o, 0));
        const operand<const T> bias{E.bias ? q.bias.at(from, 0) : nullptr, 0, q.bias.row, 0};
        if constexpr (E.residual) {
          // The residual may have blocks of its own.
          for (index_t o = 0; o < size; ++o) {
            const operand<const T> residual{q.residual.at(n, from + o, z, y, pixel), step * q.residual.axis[2], 1, 0};
            store_totals<E, V>(buffer + at + o, width, height, 1, c.shifted(0, o), bias.shifted(0, o), residual);
          }
        } else {
          store_totals<E, V>(buffer + at, width, height, size, c, bias, {});
        }
      });
    }
  }

  /// The runs of pixel x of a phase, in the order of the sum; neighbours are joined. Returns how many.
  template <conv_pass P, epilogue E>
  static index_t find_runs(const conv_sums<T, P, E>& q, const part_of_sum& part, index_t g, index_t n, index_t z,
                           index_t y, index_t phase, index_t x, run<T>* runs) {
    const window_axis* a = q.shape.axis;
    index_t used = 0;
    for (index_t t = part.tap, row = 0; t < part.tap + part.taps; ++t, row += part.channels) {
      const index_t tx = t % a[2].kernel, ty = t / a[2].kernel % a[1].kernel, tz = t / a[2].kernel / a[1].kernel;
      const index_t sz = q.source(0, z, tz), sy = q.source(1, y, ty);
      const auto range = q.range_of(2, phase, tx);
      if (sz < 0 || sy < 0 || x < range.first || x >= range.last) continue;
      const index_t sx = range.source + x * q.source_step(2), first = g * q.summed() + part.channel;
      for (index_t c = 0, size; c < part.channels; c += size) {
        const index_t room = q.from.block - (first + c) % q.from.block;
        size = part.channels - c < room ? part.channels - c : room;
        const T* p = q.from.at(n, first + c, sz, sy, sx);
        if (used > 0 && runs[used - 1].a + runs[used - 1].k == p &&
            runs[used - 1].b + runs[used - 1].k * width == (row + c) * width)
          runs[used - 1].k += size;
        else
          runs[used++] = {p, (row + c) * width, size};
      }
    }
    return used;
  }

  /// How many channels from `channel` on, at most `most`, lie next to each other.
  template <class U>
  static index_t neighbours(const image<U>& i, index_t channel, index_t most) {
    const index_t room = i.block - channel % i.block;
    return most < room ? most : room;
  }

  /// f(sample, position, count) for every chunk of sums over samples and positions: where it begins, and its length.
  template <class F>
  static void each_chunk(index_t batch, const index_t (&extent)[3], F f) {
    const index_t positions = extent[0] * extent[1] * extent[2], grain = grain_samples(positions);
    for (index_t n = 0; n < batch; n += grain) {
      const index_t end = (batch - n < grain ? batch - n : grain) * positions;
      for (index_t k = 0; k < end; k += dot_chunk)
        f(n + k / positions, k % positions, end - k < dot_chunk ? end - k : dot_chunk);
    }
  }

  /// f(sample, z, y, x, size) for every piece of a row among `count` positions from one on.
  template <class F>
  static void each_row(const index_t (&extent)[3], index_t n, index_t position, index_t count, F f) {
    index_t x = position % extent[2], y = position / extent[2] % extent[1], z = position / extent[2] / extent[1];
    while (count > 0) {
      const index_t size = extent[2] - x < count ? extent[2] - x : count;
      f(n, z, y, x, size);
      count -= size, x = 0;
      if (++y == extent[1]) y = 0, ++z;
      if (z == extent[0]) z = 0, ++n;
    }
  }

  /// dw(i, j) = sum over runs of x's channel i and dy's channel j, for neighbouring channels.
  static void block_of_gradient(const run<T>* runs, index_t used, index_t a_column, const T* b, index_t b_row,
                                const operand<T>& dw, index_t rows, index_t columns, bool add) {
    const index_t count = (rows + Tuning.rows - 1) / Tuning.rows;
    for (index_t t = 0, i0 = 0, height; t < count; ++t, i0 += height) {
      height = count - t == 1 ? rows - i0 : (rows - i0) / (count - t);
      for (index_t j = 0, size; j < columns; j += size) {
        size = columns - j < width ? columns - j : width;
        if constexpr (V::has_masks) {
          gradient_tile<tiles, width>(runs, used, i0, a_column, b + j, b_row, dw.shifted(i0, j), height, size, add);
        } else if (size >= V::size) {
          size = size / V::size * V::size;
          gradient_tile<tiles, width>(runs, used, i0, a_column, b + j, b_row, dw.shifted(i0, j), height, size, add);
        } else {
          size = 1;
          using narrow = run_tiles<lanes<T, scalar_arch>, Tuning.rows, 1>;
          gradient_tile<narrow, 1>(runs, used, i0, a_column, b + j, b_row, dw.shifted(i0, j), height, size, add);
        }
      }
    }
  }

  template <class Tiles, index_t Width>
  static void gradient_tile(const run<T>* runs, index_t used, index_t shift, index_t a_column, const T* b,
                            index_t b_row, const operand<T>& dw, index_t rows, index_t columns, bool add) {
    if (dw.column == 1)
      return Tiles::multiply(rows, runs, used, shift, 1, a_column, b, b_row, columns, dw.p, dw.row, add);
    alignas(64) T buffer[Tuning.rows * Width];
    if (add)
      for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j) buffer[i * Width + j] = *dw.at(i, j);
    Tiles::multiply(rows, runs, used, shift, 1, a_column, b, b_row, columns, buffer, Width, add);
    for (index_t i = 0; i < rows; ++i)
      for (index_t j = 0; j < columns; ++j) *dw.at(i, j) = buffer[i * Width + j];
  }
};

}  // namespace tern::tile::inline TERN_ISA
