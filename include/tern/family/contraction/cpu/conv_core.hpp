// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution on one core with vector units: some rows of the result and some panels of its channels. There is no
// buffer of patches (im2col): tiles are pixels of a row with the same taps, addressed through runs.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/cpu/fetcher.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/conv_rows.hpp"
#include "tern/family/contraction/cpu/conv_tiles.hpp"
#include "tern/family/contraction/cpu/few_channels.hpp"
#include "tern/family/contraction/cpu/grouped.hpp"
#include "tern/family/contraction/cpu/panels.hpp"
#include "tern/family/contraction/cpu/prefetch_rows.hpp"
#include "tern/family/contraction/cpu/runs.hpp"
#include "tern/family/contraction/cpu/totals.hpp"
#include "tern/policy/tuning.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V       vectors
/// \tparam Tuning  numbers that change speed and never bits
/// \tparam Paths   the kernels that calls may need
template <class V, contraction_tuning Tuning, conv_paths Paths = conv_paths{}>
struct conv_core {
  using T = typename V::value_type;
  static constexpr index_t width = Tuning.vectors * V::size;  ///< of a panel
  using tiles = conv_tiles<V, Tuning, Paths>;
  static constexpr index_t element_bytes = sizeof(T);

  /// Weights in panels of `width` channels of a pass's result.
  static constexpr index_t packed_size(const conv_shape& s, conv_pass p) { return packed_filters_size(s, width, p); }
  template <class U>
  static filters<U> packed(U* to, const conv_shape& s, conv_pass p) {
    return packed_filters(to, s, width, p);
  }
  /// \param w  without blocks that end within a group
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
  /// \param chunks  of the sums: unless they are all, sums continue from the old result. The epilogue follows the last
  ///                chunk.
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
  static constexpr index_t most_panels = conv_chunk<T>::most_panels;
  static constexpr index_t panels_wanted = Tuning.block_columns / width;
  static constexpr index_t panels_of_block = panels_wanted < 1             ? 1
                                             : panels_wanted > most_panels ? most_panels
                                                                           : panels_wanted;

  /// True if panels are read in place: packed ones, and weights with contiguous result channels whose remainders can be
  /// masked.
  template <conv_pass P, epilogue E>
  static bool lies_in_panels(const conv_sums<T, P, E>& q) {
    const window_axis* a = q.shape.axis;
    const filters<const T>& w = q.w;
    const index_t step = q.summed_step(), block = q.results_block();
    index_t next = q.summed() * step;  // distance between taps
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

  /// True if a vector holds several groups, of the result and of the source alike.
  template <conv_pass P, epilogue E>
  static bool has_small_groups(const conv_sums<T, P, E>& q) {
    const index_t channels = q.shape.groups * q.results();
    return has_group_tiles && q.shape.groups > 1 && q.summed() == q.results() && groups::has(q.results()) &&
           neighbours(q.from, 0, channels) == channels && neighbours(q.to, 0, channels) == channels;
  }

  /// True if pixels have so few channels that a vector holds several, and rows and call are long enough to pay off:
  /// enough chains for a tile, and enough work for arranging the weights.
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
  /// True if results exceed a second-level cache: their lines are out of cache when they are stored, and are read
  /// before they are written.
  template <conv_pass P, epilogue E>
  static bool results_out_of_cache(const conv_sums<T, P, E>& q) {
    const index_t results = q.shape.batch * q.extent(0) * q.extent(1) * q.extent(2) * q.shape.groups * q.results();
    return results * element_bytes >= 1024 * 1024;
  }
  /// The number of rows that stay in the cache for all chunks and panels; more if large weights would be read again and
  /// again. The numbers were not tuned.
  template <conv_pass P, epilogue E>
  static index_t rows_at_once(const conv_sums<T, P, E>& q) {
    const conv_shape& s = q.shape;
    const index_t cached = 384 * 1024 / static_cast<index_t>(sizeof(T)), weights = s.groups * s.taps() * s.in * s.out;
    const index_t pixels = q.extent(2) * q.source_step(2) * q.source_step(1) / q.result_step(2);
    const index_t row = s.groups * (q.extent(2) * q.results() + pixels * q.summed());
    const index_t elements = weights / 8 > cached ? weights / 8 : cached;
    return row > 0 && row < elements ? elements / row : 1;
  }

  /// Computes one block of rows, one chunk after the other.
  template <conv_pass P, epilogue E>
  static void rows_of_panels(const conv_sums<T, P, E>& q, index_t first, index_t last, index_t panel0, index_t panel1,
                             const chunk_range& chunks, fetcher& next) {
    const conv_chunks chunk = chunks_of(q.summed());
    const index_t taps = q.shape.taps(), channels = q.summed();
    const bool in_place = lies_in_panels(q);
    const index_t block = in_place ? panels_of_block : 1;
    alignas(64) T arranged[dot_chunk * width];
    row_pieces<T> plan;  // not in braces, which would clear it
    for (int r = 0; r < 2; ++r) plan.inside[r] = q.with_all_taps(r, 0);
    const bool out_of_cache = results_out_of_cache(q);
    const index_t turns = q.shape.groups * ((panel1 - panel0 + block - 1) / block) * (last - first);
    const index_t fetched = turns > 0 ? next.lines() / turns + 1 : 0;  // a tile may have no groups
    for (index_t g = 0; g < q.shape.groups; ++g)
      for (index_t panel = panel0; panel < panel1; panel += block) {
        const index_t end = panel1 - panel < block ? panel1 : panel + block;
        index_t number = 0;
        for (index_t tap = 0; tap < taps; tap += chunk.taps)
          for (index_t c = 0; c < channels; c += chunk.channels, ++number) {
            if (number < chunks.first || number >= chunks.last) continue;
            conv_chunk<T> part{g,
                               panel * width,
                               end * width < q.results() ? end * width : q.results(),
                               tap,
                               taps - tap < chunk.taps ? taps - tap : chunk.taps,
                               c,
                               channels - c < chunk.channels ? channels - c : chunk.channels,
                               tap == 0 && c == 0,
                               tap + chunk.taps >= taps && c + chunk.channels >= channels,
                               in_place ? q.summed_step() : width};
            part.out_of_cache = out_of_cache && part.first;
            if (!in_place) arrange(q, part, arranged), part.arranged = arranged;
            find_panels(q, part);
            plan.base = nullptr;
            for (const result_row& row : alike_rows(q, first, last)) {
              pixels(q, part, row, plan);
              if (next.lines() > 0) next.fetch(fetched);
            }
          }
      }
  }

  /// Computes rows of few channels, per group or in total, for all panels. Takes as many groups at a time as a vector
  /// holds, or one.
  template <conv_pass P, epilogue E>
  static void rows_of_few(const conv_sums<T, P, E>& q, conv_lanes lanes, index_t first, index_t last,
                          const chunk_range& chunks, fetcher& next) {
    const index_t taps = q.shape.taps(), channels = q.summed(), chunk = chunks_of(channels).taps;
    const index_t at_once = lanes == conv_lanes::groups ? V::size / channels : 1;
    alignas(64) T arranged[dot_chunk * (pixel_lanes::most_channels / 4) * V::size];
    row_pieces<T> plan;  // not in braces, which would clear it
    for (int r = 0; r < 2; ++r) plan.inside[r] = q.with_all_taps(r, 0);
    const bool out_of_cache = results_out_of_cache(q);
    const index_t fetched = next.lines() * at_once / (q.shape.groups * (last - first)) + 1;
    for (index_t g = 0; g < q.shape.groups; g += at_once) {
      const index_t size = q.shape.groups - g < at_once ? q.shape.groups - g : at_once;
      index_t number = 0;
      for (index_t tap = 0; tap < taps; tap += chunk, ++number) {
        if (number < chunks.first || number >= chunks.last) continue;
        conv_chunk<T> part{g,
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
                           out_of_cache && tap == 0};
        if (lanes == conv_lanes::pixels) {
          part.b_row = (q.results() + 3) / 4 * V::size;
          part.may_miss = pixel_lanes::pixels;
          part.readable = readable_sources(q, g);
        }
        arrange_few(q, part, arranged);
        find_panels(q, part);
        plan.base = nullptr;
        for (const result_row& row : alike_rows(q, first, last)) {
          pixels(q, part, row, plan);
          if (next.lines() > 0) next.fetch(fetched);
        }
      }
    }
  }

  /// Computes the panels of a part whose other members are set.
  template <conv_pass P, epilogue E>
  static void find_panels(const conv_sums<T, P, E>& q, conv_chunk<T>& part) {
    const tap_index tap(q.shape, part.tap);
    for (index_t j = part.j0; j < part.j1; j += width) {
      const index_t columns = part.j1 - j < width ? part.j1 - j : width, channel = part.group * q.results() + j;
      const T* b = part.arranged;
      if (!b) b = q.weight(tap.z, tap.y, tap.x, part.group, part.channel, j);
      const bool in_place = neighbours(q.to, channel, columns) == columns;
      part.panel[part.panels++] = {channel, columns, q.to.channel(channel), in_place, b};
    }
  }

  /// The weights of one chunk: of several groups, or four channels repeated in each vector.
  template <conv_pass P, epilogue E>
  static void arrange_few(const conv_sums<T, P, E>& q, const conv_chunk<T>& part, T* to) {
    const index_t results = q.results(), groups_here = part.lanes == conv_lanes::groups ? part.j1 / results : 1;
    // Distance between results; if a group spans several blocks, weights are looked up one by one.
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
  static void arrange(const conv_sums<T, P, E>& q, const conv_chunk<T>& part, T* to) {
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

  /// The kind of a row: the data that it shares with others.
  template <conv_pass P, epilogue E>
  static row_kind kind_of(const conv_sums<T, P, E>& q, const result_row& row, const row_pieces<T>& plan) {
    row_kind kind{row.phase, {row.z, row.y}, {}};
    for (int r = 0; r < 2; ++r) {
      const index_t step = q.result_step(r), position = kind.place[r];
      const index_t phase = step == 1 ? 0 : position % step, j = step == 1 ? position : position / step;
      const window_axis::range all = step == 1 ? plan.inside[r] : q.with_all_taps(r, phase);
      if (j >= all.first && j < all.last) kind.place[r] = -1 - phase, kind.step[r] = j * q.source_step(r);
    }
    return kind;
  }

  /// All pixels of a row and phase, in tiles.
  template <conv_pass P, epilogue E>
  static void pixels(const conv_sums<T, P, E>& q, const conv_chunk<T>& part, const result_row& row,
                     row_pieces<T>& plan) {
    const row_kind kind = kind_of(q, row, plan);
    const T* const base = q.from.at(row.n, part.group * q.summed() + part.channel, kind.step[0], kind.step[1], 0);
    const bool planned = plan.base && plan.kind == kind;
    const index_t shift = planned ? base - plan.base : 0, count = q.pixels(2, row.phase);
    for (index_t x = 0, next; x < count; x = next) {
      next = planned ? count : find_pieces(q, part, row, x, plan);
      for (index_t i = 0; i < plan.pieces; ++i) multiply_piece(q, part, row, plan, plan.list[i], shift);
      if (!planned) plan.base = x == 0 && next == count ? base : nullptr, plan.kind = kind;
    }
  }

  /// Cuts the pixels of a row and phase from x on into tiles, as far as the plan has room. Most have all taps, and
  /// share their runs. Returns the first pixel left out.
  template <conv_pass P, epilogue E>
  static index_t find_pieces(const conv_sums<T, P, E>& q, const conv_chunk<T>& part, const result_row& row, index_t x,
                             row_pieces<T>& plan) {
    const row_window<conv_sums<T, P, E>> window(q, part, row);
    const index_t count = q.pixels(2, row.phase), a_row = q.source_step(2) * q.from.axis[2];
    const index_t at_once = part.lanes == conv_lanes::pixels ? pixel_lanes::pixels : 1;
    const index_t most = at_once > 1 ? pixel_lanes::most_pixels : is_narrow(q, part) ? tiles::narrow_rows : Tuning.rows;
    plan.pieces = plan.runs_used = 0;
    index_t tiles = (count - x + most - 1) / most;
    if (tiles == 1 && count - x > 1 && at_once == 1 && window.misses_at_both_ends()) tiles = 2;
    index_t shared = -1;  // the piece whose runs all tiles with all taps share
    for (index_t end; x < count; x = end, --tiles) {
      const index_t height = tiles == 1 ? count - x : ((count - x) / tiles + at_once - 1) / at_once * at_once;
      end = x + height;
      const bool has_all_taps = x >= window.all.first && end <= window.all.last;
      if (!plan.has_room()) return x;
      if (has_all_taps && shared >= 0) {
        typename row_pieces<T>::piece& piece = plan.list[plan.pieces++] = plan.list[shared];
        piece.shift = (x - piece.x) * a_row, piece.x = x, piece.height = height;
        continue;
      }
      if (has_all_taps) shared = plan.pieces;
      for (index_t i = x, next; i < end; i = next) {
        if (!plan.has_room()) return i;
        chain_run<T>* const runs = plan.runs + plan.runs_used;
        next = end;
        index_t used = window.find_runs(i, next - i, runs);
        if (used < 0) {  // a piece with the same taps
          next = window.same_taps(i, end);
          used = window.find_runs(i, next - i, runs);
        }
        typename row_pieces<T>::piece& piece = plan.list[plan.pieces++];
        piece.x = i, piece.height = next - i, piece.first = plan.runs_used, piece.used = used, piece.shift = 0;
        if (part.lanes == conv_lanes::pixels) piece.sources = sources_of(runs, used, a_row);
        plan.runs_used += used;
      }
    }
    return count;
  }

  template <conv_pass P, epilogue E>
  TERN_INLINE static bool is_narrow(const conv_sums<T, P, E>& q, const conv_chunk<T>& part) {
    return tiles::is_narrow(q.results()) && part.lanes == conv_lanes::panel;
  }

  /// The sources of a tile's first pixel in its runs, as if the pixel missed no run.
  static source_range<T> sources_of(const chain_run<T>* runs, index_t used, index_t pixel) {
    source_range<T> all{nullptr, nullptr};
    for (index_t i = 0; i < used; ++i) {
      const T* begin = runs[i].a - first_of(runs[i].rows) * pixel;
      if (i == 0 || begin < all.begin) all.begin = begin;
      if (i == 0 || begin + runs[i].k > all.end) all.end = begin + runs[i].k;
    }
    return all;
  }

  /// The pixels of a piece, panel by panel. Sums pass through a buffer if result channels are not contiguous.
  /// \param shift  offset in elements of this row from the plan's row
  template <conv_pass P, epilogue E>
  static void multiply_piece(const conv_sums<T, P, E>& q, const conv_chunk<T>& part, const result_row& row,
                             const row_pieces<T>& plan, const typename row_pieces<T>::piece& piece, index_t shift) {
    constexpr index_t of_panel = tiles::most_rows * width,
                      of_pixels = pixel_lanes::most_pixels * pixel_lanes::most_channels;
    alignas(64) T buffer[of_panel < of_pixels ? of_pixels : of_panel];
    const index_t a_row = q.source_step(2) * q.from.axis[2], step = q.result_step(2);
    const index_t pixel = row.phase + piece.x * step, height = piece.height, used = piece.used;
    const chain_run<T>* const runs = plan.runs + piece.first;
    const bool add = E.accumulate || !part.first;
    T* const first = q.to.at(row.n, 0, row.z, row.y, pixel);
    shift += piece.shift;
    for (index_t i = 0; i < part.panels; ++i) {
      const conv_panel<T>& panel = part.panel[i];
      const index_t columns = panel.columns;
      const index_t next = part.lanes == conv_lanes::pixels ? columns : width;  // distance between pixels of the buffer
      T* const to = panel.in_place ? first + panel.to : buffer;
      const index_t to_row = panel.in_place ? step * q.to.axis[2] : next;
      if (part.out_of_cache) prefetch_lines(first + panel.to, step * q.to.axis[2], height, columns);
      if (!panel.in_place && add) load(q, row, pixel, height, panel, buffer, next);
      if (has_pixel_tiles && part.lanes == conv_lanes::pixels) {
        if constexpr (has_pixel_tiles)
          pixel_lanes::multiply({runs, used, shift, a_row, part.channels, panel.b, to, to_row, columns, add}, height,
                                may_read(part, piece, shift, a_row));
      } else if (has_group_tiles && part.lanes == conv_lanes::groups) {
        if constexpr (has_group_tiles)
          groups::find(part.channels, height)(runs, used, shift, a_row, panel.b, columns, to, to_row, add);
      } else {
        tiles::find(is_narrow(q, part), height, columns)(runs, used, shift, a_row, 1, panel.b, part.b_row, columns, to,
                                                         to_row, add);
      }
      if (!panel.in_place || (!E.empty() && part.last)) store(q, part, row, pixel, height, panel, to, to_row);
    }
  }

  /// The memory from the first source of a group to the end of its last one, if all of it belongs to source pixels;
  /// else null.
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
  /// True if whole vectors of a piece's pixels are readable.
  static bool may_read(const conv_chunk<T>& part, const typename row_pieces<T>::piece& piece, index_t shift,
                       index_t pixel) {
    if (!part.readable.begin || piece.used == 0) return false;
    const index_t after = (pixel_lanes::whole(piece.height) - 1) * pixel;
    return piece.sources.begin + shift >= part.readable.begin &&
           piece.sources.end + (shift + after) <= part.readable.end;
  }

  /// Prefetches the lines that a tile will write.
  TERN_INLINE static void prefetch_lines(const T* to, index_t to_row, index_t height, index_t columns) {
    constexpr index_t line = line_bytes / sizeof(T);
    for (index_t i = 0; i < height; ++i, to += to_row)
      for (index_t c = 0; c < columns; c += line) __builtin_prefetch(to + c, 1, 3);
  }

  /// Loads a panel of the result into a buffer.
  template <conv_pass P, epilogue E>
  static void load(const conv_sums<T, P, E>& q, const result_row& row, index_t pixel, index_t height,
                   const conv_panel<T>& panel, T* to, index_t to_row) {
    for (index_t c = 0, size; c < panel.columns; c += size) {
      size = q.neighbours_of_results(panel.channel + c, panel.columns - c);
      load_totals<V>(results_at(q, row, pixel, panel.channel + c), height, size, to + c, to_row);
    }
  }
  /// Computes the results of a panel from its totals, which may be in place.
  template <conv_pass P, epilogue E>
  static void store(const conv_sums<T, P, E>& q, const conv_chunk<T>& part, const result_row& row, index_t pixel,
                    index_t height, const conv_panel<T>& panel, const T* totals, index_t totals_row) {
    for (index_t c = 0, size; c < panel.columns; c += size) {
      const index_t channel = panel.channel + c;
      size = q.neighbours_of_results(channel, panel.columns - c);
      const operand<T> to = results_at(q, row, pixel, channel);
      if (part.last)
        store_totals<E, V>(totals + c, totals_row, height, size, to,
                           q.with_pixels(row.n, channel, row.z, row.y, pixel, q.result_step(2)));
      else
        store_totals<epilogue{}, V>(totals + c, totals_row, height, size, to, {});
    }
  }
  /// Pixels of a row from one on, and the contiguous channels from a channel on.
  template <conv_pass P, epilogue E>
  static operand<T> results_at(const conv_sums<T, P, E>& q, const result_row& row, index_t pixel, index_t channel) {
    return {q.to.at(row.n, channel, row.z, row.y, pixel), q.result_step(2) * q.to.axis[2], 1, 0};
  }
};

}  // namespace tern::tile::inline TERN_ISA
