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
#include "tern/tile/far.hpp"
#include "tern/tile/few_channels.hpp"
#include "tern/tile/grouped.hpp"
#include "tern/tile/panels.hpp"
#include "tern/tile/runs.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V       vectors
/// \tparam Tuning  numbers that change speed and never bits
/// \tparam Paths   what calls may need
template <class V, contraction_tuning Tuning, conv_paths Paths = conv_paths{}>
struct conv_core {
  using T = typename V::value_type;
  static constexpr index_t width = Tuning.vectors * V::size;  ///< of a panel
  using tiles = run_tiles<V, Tuning.rows, Tuning.vectors>;
  static constexpr index_t element_bytes = sizeof(T);

  /// Weights in panels of `width` channels of a pass's result.
  static constexpr index_t packed_size(const conv_shape& s, conv_pass p) { return packed_filters_size(s, width, p); }
  template <class U>
  static filters<U> packed(U* to, const conv_shape& s, conv_pass p) {
    return packed_filters(to, s, width, p);
  }
  /// \param w  not in blocks that end within a group
  static void pack(const conv_shape& s, const filters<const T>& w, T* to, conv_pass p) {
    const bool forward = p == conv_pass::forward;
    const index_t results = forward ? s.out : s.in, summed = forward ? s.in : s.out;
    for (index_t g = 0; g < s.groups; ++g)
      for (index_t r = 0; r < results; r += width) {
        const index_t columns = results - r < width ? results - r : width;
        for (index_t t = 0; t < s.taps(); ++t, to += summed * width) {
          const tap_index tap(s, t);
          const T* from = w.at(tap.z, tap.y, tap.x, g, forward ? 0 : r, forward ? r : 0);
          pack_slab<V>({from, forward ? w.in : w.out, forward ? w.out : w.in, 0}, summed, columns, width, to);
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
    const conv_lanes lanes = has_small_groups(q)                 ? conv_lanes::groups
                             : has_few_channels(q, last - first) ? conv_lanes::pixels
                                                                 : conv_lanes::panel;
    const bool from_memory = comes_from_memory(q);
    const index_t block = lanes == conv_lanes::groups && !from_memory ? last - first : rows_at_once(q);
    for (index_t begin = first, end; begin < last; begin = end) {
      end = last - begin < block + block / 2 ? last : begin + block;
      fetcher next;
      if (from_memory) find_sources(q.shape, P, q.from, end, last - end < block ? last : end + block, next);
      if constexpr (has_group_tiles || has_pixel_tiles)
        if (lanes != conv_lanes::panel) {
          rows_of_few(q, lanes, begin, end, chunks, next);
          continue;
        }
      rows_of_panels(q, begin, end, panel0, panel1, chunks, next);
    }
  }

 private:
  static constexpr index_t most_panels = conv_part<T>::most_panels;
  static constexpr index_t panels_wanted = Tuning.block_columns / width;
  static constexpr index_t panels_of_block = panels_wanted < 1             ? 1
                                             : panels_wanted > most_panels ? most_panels
                                                                           : panels_wanted;

  /// Whether panels are read where they lie: packed ones, and weights with neighbouring channels of the result where
  /// their tails can be masked.
  template <conv_pass P, epilogue E>
  static bool lies_in_panels(const conv_sums<T, P, E>& q) {
    const window_axis* a = q.shape.axis;
    const filters<const T>& w = q.w;
    const index_t step = q.summed_step(), block = q.results_block();
    index_t next = q.summed() * step;  // from one tap to the next
    for (int r = 2; r >= 0; --r) {
      if (a[r].kernel > 1 && w.tap[r] != next) return false;
      next *= a[r].kernel;
    }
    return q.result_channel_step() == 1 && q.summed_block() >= q.summed() && (block >= q.results() || block == width) &&
           (V::has_masks || (step == width && block == width));
  }

  using groups = group_tiles<V, Tuning.rows>;
  static constexpr bool has_group_tiles = Paths.groups && groups::has(2);
  using pixel_lanes = pixel_tiles<V>;
  static constexpr bool has_pixel_tiles = Paths.pixels && pixel_lanes::has(4);

  /// Whether a vector holds several groups, of the result and of the source alike.
  template <conv_pass P, epilogue E>
  static bool has_small_groups(const conv_sums<T, P, E>& q) {
    const index_t channels = q.shape.groups * q.results();
    return has_group_tiles && q.shape.groups > 1 && q.summed() == q.results() && groups::has(q.results()) &&
           neighbours(q.from, 0, channels) == channels && neighbours(q.to, 0, channels) == channels;
  }

  /// Whether pixels are of so few channels that a vector holds several, and so many in a row and in all that this pays:
  /// enough chains for a tile, and enough work for the weights that are arranged.
  template <conv_pass P, epilogue E>
  static bool has_few_channels(const conv_sums<T, P, E>& q, index_t rows) {
    const index_t in_row = q.pixels(2, 0), from = q.shape.groups * q.summed(), to = q.shape.groups * q.results();
    return has_pixel_tiles && q.shape.groups > 0 && pixel_lanes::has(q.results()) && q.summed() % 4 == 0 &&
           q.summed() <= dot_chunk && neighbours(q.from, 0, from) == from && neighbours(q.to, 0, to) == to &&
           in_row >= 4 * pixel_lanes::pixels && rows * in_row >= 16 * pixel_lanes::pixels;
  }

  template <conv_pass P, epilogue E>
  static bool comes_from_memory(const conv_sums<T, P, E>& q) {
    const window_axis* a = q.shape.axis;
    const index_t pixels = P == conv_pass::forward ? a[0].in * a[1].in * a[2].in : q.shape.positions();
    return q.shape.batch * pixels * q.shape.groups * q.summed() * element_bytes >= Tuning.memory_bytes;
  }
  /// Whether results are more than a second cache holds: their lines are not at hand when they are stored, and are read
  /// before they are written.
  template <conv_pass P, epilogue E>
  static bool results_are_far(const conv_sums<T, P, E>& q) {
    const index_t results = q.shape.batch * q.extent(0) * q.extent(1) * q.extent(2) * q.shape.groups * q.results();
    return results * element_bytes >= 1024 * 1024;
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
                             const chunk_range& chunks, fetcher& next) {
    const conv_chunks chunk = chunks_of(q.summed());
    const index_t taps = q.shape.taps(), channels = q.summed();
    const bool in_place = lies_in_panels(q);
    const index_t block = in_place ? panels_of_block : 1;
    alignas(64) T arranged[dot_chunk * width];
    row_plan<T> plan;  // not in braces, which would clear it
    for (int r = 0; r < 2; ++r) plan.inside[r] = q.with_all_taps(r, 0);
    const bool far = results_are_far(q);
    const index_t turns = q.shape.groups * ((panel1 - panel0 + block - 1) / block) * (last - first);
    const index_t fetched = turns > 0 ? next.lines() / turns + 1 : 0;  // a tile may have no groups
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
                              in_place ? q.summed_step() : width};
            part.far = far && part.first;
            if (!in_place) arrange(q, part, arranged), part.arranged = arranged;
            find_panels(q, part);
            plan.base = nullptr;
            each_row_alike(q, first, last, [&](const result_row& row) {
              pixels(q, part, row, plan);
              if (next.lines() > 0) next.fetch(fetched);
            });
          }
      }
  }

  /// The same as `rows` for few channels, of groups or of all: a vector of groups at a time, or one; all panels.
  template <conv_pass P, epilogue E>
  static void rows_of_few(const conv_sums<T, P, E>& q, conv_lanes lanes, index_t first, index_t last,
                          const chunk_range& chunks, fetcher& next) {
    const index_t taps = q.shape.taps(), channels = q.summed(), chunk = chunks_of(channels).taps;
    const index_t at_once = lanes == conv_lanes::groups ? V::size / channels : 1;
    alignas(64) T arranged[dot_chunk * (pixel_lanes::most_channels / 4) * V::size];
    row_plan<T> plan;  // not in braces, which would clear it
    for (int r = 0; r < 2; ++r) plan.inside[r] = q.with_all_taps(r, 0);
    const bool far = results_are_far(q);
    const index_t fetched = next.lines() * at_once / (q.shape.groups * (last - first)) + 1;
    for (index_t g = 0; g < q.shape.groups; g += at_once) {
      const index_t size = q.shape.groups - g < at_once ? q.shape.groups - g : at_once;
      index_t number = 0;
      for (index_t tap = 0; tap < taps; tap += chunk, ++number) {
        if (number < chunks.first || number >= chunks.last) continue;
        conv_part<T> part{g,
                          0,
                          size * q.results(),
                          tap,
                          taps - tap < chunk ? taps - tap : chunk,
                          0,
                          channels,
                          tap == 0,
                          tap + chunk >= taps,
                          V::size,
                          arranged,
                          lanes,
                          far && tap == 0};
        if (lanes == conv_lanes::pixels) {
          part.b_row = (q.results() + 3) / 4 * V::size;
          part.may_miss = pixel_lanes::pixels;
          part.readable = readable_sources(q, g);
        }
        arrange_few(q, part, arranged);
        find_panels(q, part);
        plan.base = nullptr;
        each_row_alike(q, first, last, [&](const result_row& row) {
          pixels(q, part, row, plan);
          if (next.lines() > 0) next.fetch(fetched);
        });
      }
    }
  }

  /// What tiles need to know of the panels of a part, all of whose other members are known.
  template <conv_pass P, epilogue E>
  static void find_panels(const conv_sums<T, P, E>& q, conv_part<T>& part) {
    const tap_index tap(q.shape, part.tap);
    for (index_t j = part.j0; j < part.j1; j += width) {
      const index_t columns = part.j1 - j < width ? part.j1 - j : width, channel = part.group * q.results() + j;
      const T* b = part.arranged;
      if (!b) b = q.weight(tap.z, tap.y, tap.x, part.group, part.channel, j);
      const bool in_place = neighbours(q.to, channel, columns) == columns;
      part.panel[part.panels++] = {channel, columns, q.to.channel(channel), in_place, b};
    }
  }

  /// The weights of one chunk: of several groups, or four of each vector again and again.
  template <conv_pass P, epilogue E>
  static void arrange_few(const conv_sums<T, P, E>& q, const conv_part<T>& part, T* to) {
    const index_t results = q.results(), groups_here = part.lanes == conv_lanes::groups ? part.j1 / results : 1;
    // From one result to the next; where those of a group are in several blocks, weights are looked up one by one.
    const bool in_step = q.results_block() >= results;
    const index_t step = q.result_channel_step();
    for (index_t t = part.tap; t < part.tap + part.taps; ++t) {
      const tap_index at(q.shape, t);
      for (index_t k = 0; k < part.channels; ++k, to += part.b_row) {
        T weights[V::size] = {};
        for (index_t g = 0; g < groups_here; ++g) {
          const T* w = q.weight(at.z, at.y, at.x, part.group + g, k, 0);
          T* const here = weights + g * results;
          if (in_step && step == 1 && groups::has(results))
            groups::copy(results, w, here);
          else
            for (index_t r = 0; r < results; ++r)
              here[r] = in_step ? w[r * step] : *q.weight(at.z, at.y, at.x, part.group + g, k, r);
        }
        if (part.lanes == conv_lanes::groups) {
          __builtin_memcpy(to, weights, sizeof weights);
        } else {
          for (index_t i = 0; i < part.b_row; i += 4)
            __builtin_memcpy(to + i, weights + i / V::size * 4, 4 * sizeof(T));
        }
      }
    }
  }

  /// The weights of one chunk and panel, rows of `width`.
  template <conv_pass P, epilogue E>
  static void arrange(const conv_sums<T, P, E>& q, const conv_part<T>& part, T* to) {
    for (index_t t = part.tap; t < part.tap + part.taps; ++t, to += part.channels * width) {
      const tap_index tap(q.shape, t);
      for (index_t c = 0, size; c < part.channels; c += size) {  // pieces of one block
        const index_t block = q.summed_block(), room = block - (part.channel + c) % block;
        size = part.channels - c < room ? part.channels - c : room;
        pack_slab<V>({q.weight(tap.z, tap.y, tap.x, part.group, part.channel + c, part.j0), q.summed_step(),
                      q.result_channel_step(), 0},
                     size, part.j1 - part.j0, width, to + c * width);
      }
    }
  }

  /// What a row has in common with others.
  template <conv_pass P, epilogue E>
  static row_kind kind_of(const conv_sums<T, P, E>& q, const result_row& row, const row_plan<T>& plan) {
    row_kind kind{row.phase, {row.z, row.y}, {}};
    for (int r = 0; r < 2; ++r) {
      const index_t step = q.result_step(r), position = kind.place[r];
      const index_t phase = step == 1 ? 0 : position % step, j = step == 1 ? position : position / step;
      const window_axis::range all = step == 1 ? plan.inside[r] : q.with_all_taps(r, phase);
      if (j >= all.first && j < all.last) kind.place[r] = -1 - phase, kind.step[r] = j * q.source_step(r);
    }
    return kind;
  }

  /// All pixels of a row and phase, in tiles. Most have all taps, and share their runs.
  template <conv_pass P, epilogue E>
  static void pixels(const conv_sums<T, P, E>& q, const conv_part<T>& part, const result_row& row, row_plan<T>& plan) {
    const row_kind kind = kind_of(q, row, plan);
    const T* const base = q.from.at(row.n, part.group * q.summed() + part.channel, kind.step[0], kind.step[1], 0);
    if (plan.base && plan.kind == kind) return run_plan(q, part, row, plan, base - plan.base);
    plan.base = base, plan.kind = kind, plan.pieces = plan.runs_used = 0;

    const row_window<conv_sums<T, P, E>> window(q, part, row);
    const index_t count = q.pixels(2, row.phase), a_row = q.source_step(2) * q.from.axis[2];
    index_t shared = -1;  // the piece with the runs of all tiles with all taps
    const auto make_room = [&] {
      if (plan.pieces < row_plan<T>::most_pieces && plan.runs_used + dot_chunk <= row_plan<T>::most_runs) return;
      run_plan(q, part, row, plan, 0);
      plan.base = nullptr, plan.pieces = plan.runs_used = 0, shared = -1;
    };
    const auto add = [&](index_t x, index_t height, index_t used) {
      const run<T>* runs = plan.runs + plan.runs_used;
      typename row_plan<T>::piece& piece = plan.list[plan.pieces++];
      piece.x = x, piece.height = height, piece.first = plan.runs_used, piece.used = used, piece.shift = 0;
      if (part.lanes == conv_lanes::pixels) piece.sources = sources_of(runs, used, a_row);
      plan.runs_used += used;
    };
    const index_t at_once = part.lanes == conv_lanes::pixels ? pixel_lanes::pixels : 1;
    const index_t most = at_once > 1 ? pixel_lanes::most_pixels : Tuning.rows;
    index_t tiles = (count + most - 1) / most;
    if (tiles == 1 && count > 1 && at_once == 1 && window.misses_at_both_ends()) tiles = 2;
    for (index_t t = 0, x = 0, height; t < tiles; ++t, x += height) {
      height = tiles - t == 1 ? count - x : ((count - x) / (tiles - t) + at_once - 1) / at_once * at_once;
      make_room();
      const bool whole = x >= window.all.first && x + height <= window.all.last;
      if (whole && shared >= 0) {
        typename row_plan<T>::piece& piece = plan.list[plan.pieces++] = plan.list[shared];
        piece.shift = (x - piece.x) * a_row, piece.x = x, piece.height = height;
        continue;
      }
      const index_t found = window.find_runs(x, height, plan.runs + plan.runs_used);
      if (whole) shared = plan.pieces;
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

  /// What the first pixel of a tile reads in its runs, as if it missed none.
  static source_range<T> sources_of(const run<T>* runs, index_t used, index_t pixel) {
    source_range<T> all{nullptr, nullptr};
    for (index_t i = 0; i < used; ++i) {
      const T* begin = runs[i].a - first_of(runs[i].rows) * pixel;
      if (i == 0 || begin < all.begin) all.begin = begin;
      if (i == 0 || begin + runs[i].k > all.end) all.end = begin + runs[i].k;
    }
    return all;
  }

  /// \param shift  elements from where the plan's row begins to where this one does
  template <conv_pass P, epilogue E>
  static void run_plan(const conv_sums<T, P, E>& q, const conv_part<T>& part, const result_row& row,
                       const row_plan<T>& plan, index_t shift) {
    for (index_t i = 0; i < plan.pieces; ++i) {
      const typename row_plan<T>::piece& p = plan.list[i];
      tile(q, part, row, p, plan.runs + p.first, shift + p.shift);
    }
  }

  /// The pixels of a piece, panel by panel.
  template <conv_pass P, epilogue E>
  static void tile(const conv_sums<T, P, E>& q, const conv_part<T>& part, const result_row& row,
                   const typename row_plan<T>::piece& piece, const run<T>* runs, index_t shift) {
    const index_t a_row = q.source_step(2) * q.from.axis[2], step = q.result_step(2);
    const index_t pixel = row.phase + piece.x * step, height = piece.height, used = piece.used;
    const bool add = E.accumulate || !part.first;
    T* const first = q.to.at(row.n, 0, row.z, row.y, pixel);
    for (index_t i = 0; i < part.panels; ++i) {
      const conv_panel<T>& panel = part.panel[i];
      if (part.far) ask_for(first + panel.to, step * q.to.axis[2], height, panel.columns);
      const auto multiply = [&](T* to, index_t to_row) {
        const index_t columns = panel.columns;
        const T* const b = panel.b;
        if constexpr (has_pixel_tiles)
          if (part.lanes == conv_lanes::pixels)
            return pixel_lanes::multiply({runs, used, shift, a_row, part.channels, b, to, to_row, columns, add}, height,
                                         may_read(part, piece, shift, a_row));
        if constexpr (has_group_tiles)
          if (part.lanes == conv_lanes::groups)
            return groups::find(part.channels, height)(runs, used, shift, a_row, b, columns, to, to_row, add);
        tiles::multiply(height, runs, used, shift, a_row, 1, b, part.b_row, columns, to, to_row, add);
      };
      if (!panel.in_place) {
        buffered(q, part, row, pixel, height, panel.channel, panel.columns, add, multiply);
        continue;
      }
      T* const to = first + panel.to;
      const index_t to_row = step * q.to.axis[2];
      multiply(to, to_row);
      if (!E.empty() && part.last) store(q, part, row, pixel, height, panel.channel, panel.columns, to, to_row);
    }
  }

  /// From the first source of a group to behind its last one, where nothing lies between them but others, and other
  /// channels of theirs.
  template <conv_pass P, epilogue E>
  static source_range<T> readable_sources(const conv_sums<T, P, E>& q, index_t group) {
    const image<const T>& i = q.from;
    const auto extent = [&](int r) { return P == conv_pass::forward ? q.shape.axis[r].in : q.shape.axis[r].out; };
    const index_t row = extent(2), plane = row * extent(1), sample = plane * extent(0), all = sample * q.shape.batch;
    if (all == 0 || (extent(1) > 1 && i.axis[1] != row * i.axis[2]) ||
        (extent(0) > 1 && i.axis[0] != plane * i.axis[2]) || (q.shape.batch > 1 && i.sample != sample * i.axis[2]))
      return {};
    const T* first = i.at(0, group * q.summed(), 0, 0, 0);
    return {first, first + ((all - 1) * i.axis[2] + q.summed())};
  }
  /// Whether whole vectors of a piece's pixels are readable.
  static bool may_read(const conv_part<T>& part, const typename row_plan<T>::piece& piece, index_t shift,
                       index_t pixel) {
    if (!part.readable.begin || piece.used == 0) return false;
    const index_t behind = (pixel_lanes::whole(piece.height) - 1) * pixel;
    return piece.sources.begin + shift >= part.readable.begin &&
           piece.sources.end + (shift + behind) <= part.readable.end;
  }

  /// Asks for the lines that a tile will write.
  TERN_INLINE static void ask_for(const T* to, index_t to_row, index_t height, index_t columns) {
    constexpr index_t line = line_bytes / sizeof(T);
    for (index_t i = 0; i < height; ++i, to += to_row)
      for (index_t c = 0; c < columns; c += line) __builtin_prefetch(to + c, 1, 3);
  }

  /// Sums that pass through a buffer, because channels are not neighbours.
  template <conv_pass P, epilogue E, class Multiply>
  static void buffered(const conv_sums<T, P, E>& q, const conv_part<T>& part, const result_row& row, index_t pixel,
                       index_t height, index_t channel, index_t columns, bool add, Multiply multiply) {
    constexpr index_t of_panel = Tuning.rows * width, of_pixels = pixel_lanes::most_pixels * pixel_lanes::most_channels;
    alignas(64) T buffer[of_panel < of_pixels ? of_pixels : of_panel];
    const index_t next = part.lanes == conv_lanes::pixels ? columns : width;
    if (add)
      each_piece(q, row, pixel, channel, columns, [&](index_t c, index_t size, const operand<T>& to) {
        load_totals<V>(to, height, size, buffer + c, next);
      });
    multiply(buffer, next);
    store(q, part, row, pixel, height, channel, columns, buffer, next);
  }
  /// The results of a tile from its totals, which may be in their place.
  template <conv_pass P, epilogue E>
  static void store(const conv_sums<T, P, E>& q, const conv_part<T>& part, const result_row& row, index_t pixel,
                    index_t height, index_t channel, index_t columns, const T* totals, index_t totals_row) {
    each_piece(q, row, pixel, channel, columns, [&](index_t c, index_t size, const operand<T>& to) {
      if (part.last)
        store_totals<E, V>(totals + c, totals_row, height, size, to,
                           q.with_pixels(row.n, channel + c, row.z, row.y, pixel, q.result_step(2)));
      else
        store_totals<epilogue{}, V>(totals + c, totals_row, height, size, to, {});
    });
  }
  /// f(c, size, to) for columns of a panel that are neighbours everywhere: the first, how many, and where they go.
  template <conv_pass P, epilogue E, class F>
  static void each_piece(const conv_sums<T, P, E>& q, const result_row& row, index_t pixel, index_t channel,
                         index_t columns, F f) {
    for (index_t c = 0, size; c < columns; c += size) {
      size = q.neighbours_of_results(channel + c, columns - c);
      f(c, size, operand<T>{q.to.at(row.n, channel + c, row.z, row.y, pixel), q.result_step(2) * q.to.axis[2], 1, 0});
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
