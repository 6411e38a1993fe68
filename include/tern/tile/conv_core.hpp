// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one core with vector units does of a convolution: some rows of the result and some panels of its channels. No
// buffer of patches: tiles are pixels of a row that have the same taps, found through runs.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/policy/tuning.hpp"
#include "tern/tile/conv_rows.hpp"
#include "tern/tile/convolution.hpp"
#include "tern/tile/epilogue.hpp"
#include "tern/tile/grouped.hpp"
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

  /// Weights in panels of `width` output channels.
  static constexpr index_t packed_size(const conv_shape& s) { return packed_filters_size(s, width); }
  template <class U>
  static filters<U> packed(U* p, const conv_shape& s) {
    return packed_filters(p, s, width);
  }
  static void pack(const conv_shape& s, const filters<const T>& w, T* to) {
    for (index_t g = 0; g < s.groups; ++g)
      for (index_t o = 0; o < s.out; o += width) {
        const index_t columns = s.out - o < width ? s.out - o : width;
        for (index_t t = 0; t < s.taps(); ++t, to += s.in * width) {
          const tap_index tap(s, t);
          pack_slab<V>({w.at(tap.z, tap.y, tap.x, g, 0, o), w.in, w.out, 0}, s.in, columns, width, to);
        }
      }
  }

  /// Rows [first, last) of the result, counted over samples, depth and height, and panels [panel0, panel1) of every
  /// group.
  /// \param chunks  of the sums: where they are not all, sums go on from what the result holds. The epilogue follows
  ///                the last of all.
  template <conv_pass P, epilogue E>
  static void rows(const conv_sums<T, P, E>& q, index_t first, index_t last, index_t panel0, index_t panel1,
                   const chunk_range& chunks = {}) {
    if (has_small_groups(q)) return rows_in_groups(q, first, last, chunks);
    const index_t block = rows_at_once(q);
    for (index_t begin = first, end; begin < last; begin = end) {
      end = last - begin < block + block / 2 ? last : begin + block;
      rows_of_panels(q, begin, end, panel0, panel1, chunks);
    }
  }

  /// Weight gradients of taps [first, last), counted over groups and taps, for output channels [o0, o1) of each group.
  template <bool Accumulate>
  static void gradient(const conv_gradient<T, Accumulate>& q, index_t first, index_t last, index_t o0, index_t o1) {
    const conv_shape& s = q.shape;
    const window_axis* a = s.axis;
    const index_t taps = s.taps();
    for (index_t unit = first; unit < last; ++unit) {
      const index_t g = unit / taps;
      const tap_index tap(s, unit % taps);
      if (!Accumulate && s.batch * s.positions() == 0)
        for (index_t c = 0; c < s.in; ++c)
          for (index_t o = o0; o < o1; ++o) *q.dw.at(tap.z, tap.y, tap.x, g, c, o) = T(0);
      bool add = Accumulate;
      each_chunk(s.batch, {a[0].out, a[1].out, a[2].out}, [&](index_t n, index_t position, index_t count) {
        chunk_of_gradient(q, g, unit % taps, o0, o1, {n, position, count}, add);
        add = true;
      });
    }
  }

  /// One chunk of weight gradients of a tap, for output channels [o0, o1) of a group.
  /// \param add  whether the sums are added to what dw holds, or to +0
  template <bool Accumulate>
  static void chunk_of_gradient(const conv_gradient<T, Accumulate>& q, index_t g, index_t t, index_t o0, index_t o1,
                                const sample_chunk& k, bool add) {
    const conv_shape& s = q.shape;
    const window_axis* a = s.axis;
    const tap_index tap(s, t);
    const window_axis::range there = a[2].results_with(tap.x);
    const operand<T> dw{q.dw.at(tap.z, tap.y, tap.x, g, 0, 0), q.dw.in, q.dw.out, 0};
    // Neighbouring channels of x and of dy.
    for (index_t c = 0, rows; c < s.in; c += rows) {
      rows = neighbours(q.x, g * s.in + c, s.in - c);
      for (index_t o = o0, columns; o < o1; o += columns) {
        columns = neighbours(q.dy, g * s.out + o, o1 - o);
        const T* base = nullptr;  // what runs count from
        run<T> runs[dot_chunk];
        index_t used = 0;
        each_row({a[0].out, a[1].out, a[2].out}, k.n, k.position, k.count,
                 [&](index_t m, index_t z, index_t y, index_t x, index_t size) {
                   const index_t sz = a[0].input(z, tap.z), sy = a[1].input(y, tap.y);
                   if (!a[0].has(sz) || !a[1].has(sy)) return;
                   const index_t begin = x > there.first ? x : there.first;
                   const index_t end = x + size < there.last ? x + size : there.last;
                   if (begin >= end) return;
                   const T* dy = q.dy.at(m, g * s.out + o, z, y, begin);
                   if (!base) base = dy;
                   runs[used++] = {q.x.at(m, g * s.in + c, sz, sy, a[2].input(begin, tap.x)), dy - base, end - begin,
                                   run_rows::all};
                 });
        block_of_gradient(runs, used, a[2].stride * q.x.axis[2], base, q.dy.axis[2], dw.shifted(c, o), rows, columns,
                          add);
      }
    }
  }

 private:
  static constexpr index_t panels_of_block = Tuning.block_columns < width ? 1 : Tuning.block_columns / width;

  /// Whether panels are read where they lie: packed ones, and weights with neighbouring output channels where their
  /// tails can be masked.
  template <conv_pass P, epilogue E>
  static bool lies_in_panels(const conv_sums<T, P, E>& q) {
    if constexpr (P == conv_pass::data) return false;
    const window_axis* a = q.shape.axis;
    const filters<const T>& w = q.w;
    return w.out == 1 && w.tap[2] == q.shape.in * w.in && w.tap[1] == w.tap[2] * a[2].kernel &&
           w.tap[0] == w.tap[1] * a[1].kernel && (w.block >= q.shape.out || w.block == width) &&
           (V::has_masks || w.in == width);
  }

  using groups = group_tiles<V, Tuning.rows>;
  static constexpr bool has_group_tiles = groups::has(2);

  /// Whether a vector holds several groups, of the result and of the source alike.
  template <conv_pass P, epilogue E>
  static bool has_small_groups(const conv_sums<T, P, E>& q) {
    const index_t channels = q.shape.groups * q.results();
    return has_group_tiles && q.shape.groups > 1 && q.summed() == q.results() && groups::has(q.results()) &&
           neighbours(q.from, 0, channels) == channels && neighbours(q.to, 0, channels) == channels;
  }

  /// As many rows as stay in the cache until all chunks and panels have gone over them; more where large weights would
  /// have to be read again and again. The numbers were not tuned.
  template <conv_pass P, epilogue E>
  static index_t rows_at_once(const conv_sums<T, P, E>& q) {
    const conv_shape& s = q.shape;
    const index_t cached = 384 * 1024 / static_cast<index_t>(sizeof(T)), weights = s.groups * s.taps() * s.in * s.out;
    const index_t pixels = q.extent(2) * q.source_step(2) * q.source_step(1) / q.result_step(2);
    const index_t row = s.groups * (q.extent(2) * q.results() + pixels * q.summed());
    const index_t elements = weights / 8 > cached ? weights / 8 : cached;
    return row > 0 && row < elements ? elements / row : 1;
  }

  /// `rows`, all of them for one chunk after the other.
  template <conv_pass P, epilogue E>
  static void rows_of_panels(const conv_sums<T, P, E>& q, index_t first, index_t last, index_t panel0, index_t panel1,
                             const chunk_range& chunks) {
    const conv_chunks chunk = chunks_of(q.summed());
    const index_t taps = q.shape.taps(), channels = q.summed();
    const bool in_place = lies_in_panels(q);
    const index_t block = in_place ? panels_of_block : 1;
    alignas(64) T arranged[dot_chunk * width];
    row_plan<T> plan;
    for (index_t g = 0; g < q.shape.groups; ++g)
      for (index_t panel = panel0; panel < panel1; panel += block) {
        const index_t end = panel1 - panel < block ? panel1 : panel + block;
        index_t number = 0;
        for (index_t tap = 0; tap < taps; tap += chunk.taps)
          for (index_t c = 0; c < channels; c += chunk.channels, ++number) {
            if (number < chunks.first || number >= chunks.last) continue;
            conv_part<T> part{g,
                              panel * width,
                              end * width < q.results() ? end * width : q.results(),
                              tap,
                              taps - tap < chunk.taps ? taps - tap : chunk.taps,
                              c,
                              channels - c < chunk.channels ? channels - c : chunk.channels,
                              tap == 0 && c == 0,
                              tap + chunk.taps >= taps && c + chunk.channels >= channels,
                              in_place ? q.w.in : width};
            if (!in_place) arrange(q, part, arranged), part.arranged = arranged;
            plan.base = nullptr;
            each_result_row(q, first, last, [&](const result_row& row) { pixels(q, part, row, plan); });
          }
      }
  }

  /// The same as `rows` for small groups, a vector of them at a time; all panels.
  template <conv_pass P, epilogue E>
  static void rows_in_groups(const conv_sums<T, P, E>& q, index_t first, index_t last, const chunk_range& chunks) {
    const index_t taps = q.shape.taps(), channels = q.summed(), chunk = chunks_of(channels).taps;
    const index_t at_once = V::size / channels;
    alignas(64) T arranged[dot_chunk * V::size];
    row_plan<T> plan;
    for (index_t g = 0; g < q.shape.groups; g += at_once) {
      const index_t size = q.shape.groups - g < at_once ? q.shape.groups - g : at_once;
      index_t number = 0;
      for (index_t tap = 0; tap < taps; tap += chunk, ++number) {
        if (number < chunks.first || number >= chunks.last) continue;
        conv_part<T> part{g,
                          0,
                          size * channels,
                          tap,
                          taps - tap < chunk ? taps - tap : chunk,
                          0,
                          channels,
                          tap == 0,
                          tap + chunk >= taps,
                          V::size,
                          arranged,
                          true};
        T* to = arranged;
        for (index_t t = tap; t < tap + part.taps; ++t) {
          const tap_index at(q.shape, t);
          for (index_t k = 0; k < channels; ++k, to += V::size) {
            for (index_t i = 0; i < size; ++i)
              for (index_t r = 0; r < channels; ++r) to[i * channels + r] = *q.weight(at.z, at.y, at.x, g + i, k, r);
            for (index_t i = part.j1; i < V::size; ++i) to[i] = T(0);
          }
        }
        plan.base = nullptr;
        each_result_row(q, first, last, [&](const result_row& row) { pixels(q, part, row, plan); });
      }
    }
  }

  /// The weights of one chunk and panel, rows of `width`.
  template <conv_pass P, epilogue E>
  static void arrange(const conv_sums<T, P, E>& q, const conv_part<T>& part, T* to) {
    const filters<const T>& w = q.w;
    for (index_t t = part.tap; t < part.tap + part.taps; ++t, to += part.channels * width) {
      const tap_index tap(q.shape, t);
      if constexpr (P == conv_pass::forward) {
        pack_slab<V>({w.at(tap.z, tap.y, tap.x, part.group, part.channel, part.j0), w.in, w.out, 0}, part.channels,
                     part.j1 - part.j0, width, to);
      } else {
        for (index_t o = 0, size; o < part.channels; o += size) {  // pieces of one block of output channels
          const index_t room = w.block - (part.channel + o) % w.block;
          size = part.channels - o < room ? part.channels - o : room;
          pack_slab<V>({w.at(tap.z, tap.y, tap.x, part.group, part.j0, part.channel + o), w.out, w.in, 0}, size,
                       part.j1 - part.j0, width, to + o * width);
        }
      }
    }
  }

  /// All pixels of a row and phase, in tiles. Most have all taps, and share their runs.
  template <conv_pass P, epilogue E>
  static void pixels(const conv_sums<T, P, E>& q, const conv_part<T>& part, const result_row& row, row_plan<T>& plan) {
    const auto lies_inside = [&](int r, index_t position) {
      return q.source(r, position, 0) >= 0 && q.source(r, position, q.shape.axis[r].kernel - 1) >= 0;
    };
    // Steps of a data gradient leave holes between taps.
    const bool inner = q.result_step(0) * q.result_step(1) == 1 && lies_inside(0, row.z) && lies_inside(1, row.y);
    const T* const base = inner ? q.from.at(row.n, part.group * q.summed() + part.channel, q.source(0, row.z, 0),
                                            q.source(1, row.y, 0), 0)
                                : nullptr;
    if (inner && plan.base && plan.phase == row.phase) return run_plan(q, part, row, plan, base - plan.base);
    plan.base = base, plan.phase = row.phase, plan.pieces = plan.runs_used = 0;

    const row_window<conv_sums<T, P, E>> window(q, part, row);
    const index_t count = q.pixels(2, row.phase), a_row = q.source_step(2) * q.from.axis[2];
    index_t shared = -1, shared_runs = 0, from = 0;  // the runs of tiles with all taps
    const auto make_room = [&] {
      if (plan.pieces < row_plan<T>::most_pieces && plan.runs_used + dot_chunk <= row_plan<T>::most_runs) return;
      run_plan(q, part, row, plan, 0);
      plan.base = nullptr, plan.pieces = plan.runs_used = 0, shared = -1;
    };
    const auto add = [&](index_t x, index_t height, index_t used) {
      plan.list[plan.pieces++] = {x, height, plan.runs_used, used, 0};
      plan.runs_used += used;
    };
    const index_t tiles = (count + Tuning.rows - 1) / Tuning.rows;
    for (index_t t = 0, x = 0, height; t < tiles; ++t, x += height) {
      height = tiles - t == 1 ? count - x : (count - x) / (tiles - t);
      make_room();
      const bool whole = x >= window.all.first && x + height <= window.all.last;
      if (whole && shared >= 0) {
        plan.list[plan.pieces++] = {x, height, shared, shared_runs, (x - from) * a_row};
        continue;
      }
      const index_t found = window.find_runs(x, height, plan.runs + plan.runs_used);
      if (whole) shared = plan.runs_used, shared_runs = found, from = x;
      if (found >= 0) {
        add(x, height, found);
        continue;
      }
      for (index_t i = x, end; i < x + height; i = end) {  // pieces with the same taps
        make_room();
        end = window.same_taps(i, x + height);
        add(i, end - i, window.find_runs(i, end - i, plan.runs + plan.runs_used));
      }
    }
    run_plan(q, part, row, plan, 0);
  }

  /// \param shift  elements from where the plan's row begins to where this one does
  template <conv_pass P, epilogue E>
  static void run_plan(const conv_sums<T, P, E>& q, const conv_part<T>& part, const result_row& row,
                       const row_plan<T>& plan, index_t shift) {
    for (index_t i = 0; i < plan.pieces; ++i) {
      const typename row_plan<T>::piece& p = plan.list[i];
      tile(q, part, row, p.x, p.height, plan.runs + p.first, p.used, shift + p.shift);
    }
  }

  /// Pixels x to x + height - 1, panel by panel.
  template <conv_pass P, epilogue E>
  static void tile(const conv_sums<T, P, E>& q, const conv_part<T>& part, const result_row& row, index_t x,
                   index_t height, const run<T>* runs, index_t used, index_t shift) {
    const index_t a_row = q.source_step(2) * q.from.axis[2], step = q.result_step(2);
    const index_t pixel = row.phase + x * step;
    const bool add = E.accumulate || !part.first;
    for (index_t j = part.j0; j < part.j1; j += width) {
      const index_t columns = part.j1 - j < width ? part.j1 - j : width, channel = part.group * q.results() + j;
      const T* b = part.arranged;
      if (!b) {
        const tap_index tap(q.shape, part.tap);
        b = q.w.at(tap.z, tap.y, tap.x, part.group, part.channel, j);
      }
      const auto multiply = [&](T* to, index_t to_row) {
        if constexpr (has_group_tiles)
          if (part.in_groups)
            return groups::find(part.channels, height)(runs, used, shift, a_row, b, columns, to, to_row, add);
        tiles::multiply(height, runs, used, shift, a_row, 1, b, part.b_row, columns, to, to_row, add);
      };
      if (neighbours(q.to, channel, columns) == columns && (!part.last || E.empty()))
        multiply(q.to.at(row.n, channel, row.z, row.y, pixel), step * q.to.axis[2]);
      else
        buffered(q, part, row, pixel, height, channel, columns, add, multiply);
    }
  }

  /// Sums that pass through a buffer, because an epilogue follows or channels are not neighbours.
  template <conv_pass P, epilogue E, class Multiply>
  static void buffered(const conv_sums<T, P, E>& q, const conv_part<T>& part, const result_row& row, index_t pixel,
                       index_t height, index_t channel, index_t columns, bool add, Multiply multiply) {
    alignas(64) T buffer[Tuning.rows * width];
    const index_t step = q.result_step(2);
    const auto column = [&](const auto& i, index_t c) {
      return operand<std::remove_pointer_t<decltype(i.p)>>{i.at(row.n, channel + c, row.z, row.y, pixel),
                                                           step * i.axis[2], 1, 0};
    };
    const auto pieces = [&](auto f) {
      for (index_t c = 0, size; c < columns; c += size) {
        size = neighbours(q.to, channel + c, columns - c);
        if constexpr (E.residual) size = neighbours(q.residual, channel + c, size);
        f(c, size);
      }
    };
    if (add)
      pieces([&](index_t c, index_t size) {
        const operand<T> to = column(q.to, c);
        for (index_t i = 0; i < height; ++i)
          for (index_t o = 0; o < size; ++o) buffer[i * width + c + o] = *to.at(i, o);
      });
    multiply(buffer, width);
    pieces([&](index_t c, index_t size) {
      if (!part.last) return store_totals<epilogue{}, V>(buffer + c, width, height, size, column(q.to, c), {}, {});
      operand<const T> scale, bias, residual;
      if constexpr (E.scale) scale = {q.scale.at(channel + c, 0), 0, q.scale.row, 0};
      if constexpr (E.bias) bias = {q.bias.at(channel + c, 0), 0, q.bias.row, 0};
      if constexpr (E.residual) residual = column(q.residual, c);
      store_totals<E, V>(buffer + c, width, height, size, column(q.to, c), bias, residual, scale);
    });
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
