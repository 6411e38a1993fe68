// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls with independent results, by rows or by groups of rows and channels (pools, rearrangements, resamplings, maps,
// norms, softmax), on tiles with private memory: their partition over tiles and time, and its cost. Their program is in
// spread_rows.hpp.
//
// A class describes a call (pooling.hpp, rearrangement.hpp, mapping.hpp, normalization.hpp, softmax.hpp) with
//
//     inputs, outputs            numbers of tensors, at most most_row_tensors each
//     cuts_channels, accumulates
//     input(i), output(i)        their row_tensor
//     sources(i, rows)           the contiguous rows of input i that these rows of the result need
//     operations()               per result, at most
//     row_unit(), channel_unit()    optional: rows and channels are cut at multiples of them
//     each_input(f), each_output(f)   f(i, image of the caller)
//     link(i)                    optional: a row_link, the source of input i
//     result()                   the result with the caller's axes, if output(0) has others
//     compute(rows, channels, local)  computes that part on local.input<T>(i) and local.output<T>(i): images of the
//                                     whole tensors with only these rows and channels in memory
//
// Plans and programs see a call as a row_stage, so that they are compiled once. Several such calls can be the stages of
// one program: later ones take results, and already spread inputs, of earlier ones from the tiles' memory.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/device/device.hpp"
#include "tern/exec/mimd/copier.hpp"
#include "tern/exec/mimd/cycles.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_tensor.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA {

/// A tensor as rows, counted over samples, depth and height. A row has all elements along x and all channels.
struct row_tensor {
  index_t batch = 0;
  index_t extent[3] = {1, 1, 1};
  index_t channels = 0;
  int element_bytes = 4;

  constexpr index_t rows() const { return batch * extent[0] * extent[1]; }
  constexpr index_t row_elements() const { return extent[2] * channels; }
  constexpr index_t elements() const { return rows() * row_elements(); }
};

/// A partition with its costs: rows of the result over tiles and steps, channels over tiles.
struct rows_plan {
  index_t rows = 0, channels = 0;          ///< sizes of the partitioned axes
  index_t row_unit = 1, channel_unit = 1;  ///< multiples at which they are cut
  index_t row_tiles = 1, channel_tiles = 1, steps = 1;

  index_t bytes_per_tile = 0;
  index_t bytes_moved = 0;  ///< between tiles, in total, at most
  index_t supersteps = 0;
  double compute_cycles = 0, sync_cycles = 0, exchange_cycles = 0;
  bool fits = false;

  constexpr double cycles() const { return compute_cycles + sync_cycles + exchange_cycles; }
  constexpr index_t tiles() const { return row_tiles * channel_tiles; }
  /// A tile's rows in a step. Steps are the finer cut, and neighbouring tiles have neighbouring channels.
  constexpr tile_range rows_of(index_t tile, index_t step) const {
    return rows_of_part(tile / channel_tiles * steps + step);
  }
  constexpr tile_range rows_of_part(index_t part) const { return part_of(rows, row_unit, row_tiles * steps, part); }
  constexpr tile_range channels_of(index_t tile) const {
    return part_of(channels, channel_unit, channel_tiles, tile % channel_tiles);
  }
  constexpr index_t most_rows() const { return largest_part(rows, row_unit, row_tiles * steps); }
  constexpr index_t most_channels() const { return largest_part(channels, channel_unit, channel_tiles); }

  friend constexpr bool operator==(const rows_plan&, const rows_plan&) = default;
};

/// Converts a range of one tensor's rows (or channels) to the rows of another, and the size of a range. The tensors
/// have `all` and `others` rows: a fixed number of them per unit, or one for all.
constexpr tile_range scaled(const tile_range& range, index_t all, index_t others) {
  if (others == all) return range;
  if (others == 1) return {0, range.size() > 0 ? 1 : 0};
  return {range.first * others / all, range.last * others / all};
}
constexpr index_t scaled(index_t part, index_t all, index_t others) {
  if (others == all) return part;
  return others == 1 ? part > 0 : part * others / all;
}

/// Copies the costs of a row partition into a plan.
constexpr void describe_rows(plan& p, const rows_plan& r) {
  p.split_m = r.row_tiles, p.split_n = r.channel_tiles, p.steps_m = r.steps, p.units = r.tiles();
  p.supersteps = r.supersteps, p.bytes_per_unit = r.bytes_per_tile, p.bytes_moved = r.bytes_moved;
  p.cycles = r.cycles(), p.fits = r.fits;
}

inline constexpr int most_row_tensors = 19;  // a multivariate_gaussian_nll of 4 numbers, and dy

/// The source of a stage's input: the caller, an input of an earlier stage, or its result.
struct row_link {
  enum source { caller, input, result } from = caller;
  int stage = 0, tensor = 0;
};

class row_memory;
struct row_transfer;

/// A call by rows, type-erased.
struct row_stage {
  int inputs = 0, outputs = 0;
  bool cuts_channels = false, accumulates = false;
  row_tensor input[most_row_tensors], output[most_row_tensors];
  row_link link[most_row_tensors];
  row_tensor result;  ///< with the caller's axes
  index_t operations = 0, row_unit = 1, channel_unit = 1;

  /// The rows of input i that these rows of the result need.
  virtual tile_range sources(int i, const tile_range& rows) const = 0;
  /// Copy the caller's inputs to a tile, and results to or from a tile.
  virtual void move_inputs(const row_transfer& to) const = 0;
  virtual void move_outputs(const row_transfer& to) const = 0;
  virtual void compute(const tile_range& rows, const tile_range& channels, const row_memory& local) const = 0;

 protected:
  ~row_stage() = default;
};

/// Offsets in the arena of every tile, in bytes. Gathered data begins at `work`, in memory common to all stages.
struct rows_layout {
  index_t input[most_row_tensors] = {};     ///< spread tensors
  index_t work[most_row_tensors] = {};      ///< gathered data, relative to `work`
  index_t result[most_row_tensors] = {};    ///< one slot per step
  index_t slot[most_row_tensors] = {};      ///< elements of a slot
  index_t gathered[most_row_tensors] = {};  ///< largest number of elements gathered in a step
  index_t kept = 0;                         ///< bytes of this stage and of the earlier ones, without gathered data
  index_t work_bytes = 0;
};

/// \param kept  bytes of the earlier stages
inline rows_layout layout_of(const rows_plan& p, const row_stage& call, index_t kept = 0) {
  rows_layout l{.kept = kept};
  const auto reserve = [](index_t& used, index_t bytes) {
    if (bytes > 0) used = tile_cycles::ceil_div(used, 8) * 8;  // tiles load 64 bits
    const index_t at = used;
    used += bytes;
    return at;
  };
  for (int i = 0; i < call.inputs; ++i) {
    const row_tensor& x = call.input[i];
    index_t rows = 0;
    for (index_t part = 0; part < p.row_tiles * p.steps; ++part) {
      const index_t size = call.sources(i, p.rows_of_part(part)).size();
      if (size > rows) rows = size;
    }
    l.gathered[i] =
        rows * x.extent[2] * (call.cuts_channels ? scaled(p.most_channels(), p.channels, x.channels) : x.channels);
    if (call.link[i].from == row_link::caller)
      l.input[i] = reserve(l.kept, tile_cycles::ceil_div(x.elements(), p.tiles()) * x.element_bytes);
    l.work[i] = reserve(l.work_bytes, l.gathered[i] * x.element_bytes);
  }
  for (int i = 0; i < call.outputs; ++i) {
    const row_tensor& y = call.output[i];
    l.slot[i] = scaled(p.most_rows(), p.rows, y.rows()) * y.extent[2] *
                (call.cuts_channels ? scaled(p.most_channels(), p.channels, y.channels) : y.channels);
    l.result[i] = reserve(l.kept, p.steps * l.slot[i] * y.element_bytes);
  }
  return l;
}

/// The results of a stage, distributed over its tiles.
struct tile_results {
  rows_plan p;
  row_tensor tensor;
  bool cuts_channels = false;
  index_t at = 0, slot = 0;  ///< bytes, elements

  constexpr index_t held() const { return p.steps * slot; }
  constexpr tile_range channels_of(index_t tile) const {
    return cuts_channels ? scaled(p.channels_of(tile), p.channels, tensor.channels) : tile_range{0, tensor.channels};
  }

  /// Gathers rows and channels, dense, at byte `to` of tile t.
  void gather(const tile_range& rows, const tile_range& channels, index_t to, index_t t, copier& copies) const {
    const auto common = [](const tile_range& x, const tile_range& y) {
      return tile_range{x.first > y.first ? x.first : y.first, x.last < y.last ? x.last : y.last};
    };
    const index_t size = tensor.element_bytes, width = tensor.extent[2];
    for (index_t part = 0; part < p.row_tiles * p.steps; ++part) {
      const tile_range there = scaled(p.rows_of_part(part), p.rows, tensor.rows()), r = common(there, rows);
      for (index_t i = 0; i < p.channel_tiles && r.size() > 0; ++i) {
        const index_t holder = part / p.steps * p.channel_tiles + i;
        const tile_range has = channels_of(holder), c = common(has, channels);
        if (c.size() <= 0) continue;
        const index_t before = ((r.first - there.first) * width * has.size() + c.first - has.first) * size,
                      after = ((r.first - rows.first) * width * channels.size() + c.first - channels.first) * size;
        copies({.from = location::on(holder, at + part % p.steps * slot * size + before, has.size() * size, size),
                .to = location::on(t, to + after, channels.size() * size, size),
                .rows = r.size() * width,
                .columns = c.size(),
                .element_bytes = size,
                .charge_sender = true});
      }
    }
  }
};

/// The tensors of a stage on tiles, for later stages.
struct stage_tensors {
  spread_image input[most_row_tensors];
  tile_results result[most_row_tensors];
};
/// \param before  those of the earlier stages
inline stage_tensors tensors_of(const row_stage& call, const rows_plan& p, const rows_layout& l,
                                const stage_tensors* before) {
  stage_tensors t;
  for (int i = 0; i < call.inputs; ++i) {
    const row_tensor& x = call.input[i];
    const row_link from = call.link[i];
    if (from.from == row_link::caller)
      t.input[i] = {{x.elements(), p.tiles(), l.input[i]}, {x.extent[0], x.extent[1], x.extent[2]}, x.channels};
    else if (from.from == row_link::input)
      t.input[i] = before[from.stage].input[from.tensor];
  }
  for (int i = 0; i < call.outputs; ++i) t.result[i] = {p, call.output[i], call.cuts_channels, l.result[i], l.slot[i]};
  return t;
}

namespace impl {

/// Extends a range by row (z, y) of sample n of a tensor.
constexpr void extend(tile_range& range, const row_tensor& x, index_t n, index_t z, index_t y) {
  const index_t row = (n * x.extent[0] + z) * x.extent[1] + y;
  if (range.size() == 0) range = {row, row + 1};
  if (row < range.first) range.first = row;
  if (row >= range.last) range.last = row + 1;
}

/// The shape in which tiles store an input of shape `whole`: broadcast axes, those with stride 0, have extent 1.
template <class Image>
constexpr row_tensor repeated(const Image& i, row_tensor whole) {
  if (i.sample == 0 && whole.batch > 1) whole.batch = 1;
  for (int r = 0; r < 3; ++r)
    if (i.axis[r] == 0 && whole.extent[r] > 1) whole.extent[r] = 1;
  return whole;
}
/// The stored rows of such an input that rows of `whole` read.
constexpr tile_range repeated_sources(const row_tensor& x, const row_tensor& whole, const tile_range& rows) {
  if (x.rows() == whole.rows()) return rows;
  tile_range range{};
  for (index_t row = rows.first; row < rows.last; ++row) {
    const row_cursor at(row, {whole.extent[0], whole.extent[1]});
    extend(range, x, x.batch > 1 ? at.n : 0, x.extent[0] > 1 ? at.z : 0, x.extent[1] > 1 ? at.y : 0);
  }
  return range;
}
/// The image of such an input on a tile: the axes that the caller broadcasts have stride 0.
template <class Local, class Image>
constexpr Local repeated_image(Local on_tile, const Image& i) {
  if (i.sample == 0) on_tile.sample = 0;
  for (int r = 0; r < 3; ++r)
    if (i.axis[r] == 0) on_tile.axis[r] = 0;
  return on_tile;
}

/// The largest number of tiles that may need the same row of input i in one step.
inline index_t readers_of_row(const rows_plan& p, const row_stage& call, int i) {
  index_t most = 1;
  for (index_t step = 0; step < p.steps; ++step) {
    tile_range before{};
    for (index_t tile = 0, after = 0; tile < p.row_tiles; ++tile) {  // tiles from `tile` to `after` have its last row
      const auto needs = [&](index_t t) { return call.sources(i, p.rows_of(t * p.channel_tiles, step)); };
      const tile_range mine = needs(tile);
      if (tile > 0 && (mine.first < before.first || mine.last < before.last)) return p.row_tiles;  // not monotone
      before = mine;
      while (after < p.row_tiles && needs(after).first < mine.last) ++after;
      if (after - tile > most) most = after - tile;
    }
  }
  return most;
}

/// Computes the costs of the partition `p` on tiles of `d` with `bytes_per_tile` bytes.
/// \param before  tensors of the earlier stages
inline void cost_of_rows(rows_plan& p, const row_stage& call, const device& d, index_t bytes_per_tile,
                         const stage_tensors* before) {
  using tile_cycles::number;
  const rows_layout l = layout_of(p, call);
  p.bytes_per_tile = tile_cycles::ceil_div(l.kept, 8) * 8 + l.work_bytes;
  p.fits = p.bytes_per_tile <= bytes_per_tile;
  p.supersteps = p.steps;
  p.compute_cycles =
      number(p.steps) * tile_cycles::elementwise(d, call.output[0].element_bytes, l.slot[0] * call.operations);
  p.sync_cycles = number(p.supersteps) * d.sync_cycles;
  p.exchange_cycles = 0, p.bytes_moved = 0;
  if (p.tiles() == 1 && before == nullptr) return;
  index_t received = 0, sent = 0;
  for (int i = 0; i < call.inputs; ++i) {
    const row_tensor& x = call.input[i];
    received += l.gathered[i] * x.element_bytes;
    const index_t sharing = call.cuts_channels && x.channels == 1 ? p.channel_tiles : 1;  // all need the one channel
    const row_link from = call.link[i];
    const index_t held = from.from == row_link::caller  ? tile_cycles::ceil_div(x.elements(), p.tiles())
                         : from.from == row_link::input ? before[from.stage].input[from.tensor].elements.on_a_tile()
                                                        : before[from.stage].result[from.tensor].held();
    sent += held * x.element_bytes * readers_of_row(p, call, i) * sharing;
  }
  p.exchange_cycles = number(p.steps) * tile_cycles::exchange(d, number(received > sent ? received : sent));
  p.bytes_moved = p.steps * p.tiles() * received;
}

}  // namespace impl

/// The plan of one stage with the fewest predicted cycles; if none fits, the one with the least memory.
/// \param before  tensors of the earlier stages
inline rows_plan plan_rows(const row_stage& call, const device& d, const tile_resources& have,
                           const stage_tensors* before = nullptr) {
  rows_plan best;
  bool first = true;
  const auto better = [](const rows_plan& x, const rows_plan& y) {
    if (x.fits != y.fits) return x.fits;
    return x.fits ? x.cycles() < y.cycles() : x.bytes_per_tile < y.bytes_per_tile;
  };
  const row_tensor& y = call.output[0];
  const rows_plan cut{
      .rows = y.rows(), .channels = y.channels, .row_unit = call.row_unit, .channel_unit = call.channel_unit};
  const index_t row_units = cut.rows / cut.row_unit, channel_units = cut.channels / cut.channel_unit;
  for (index_t channels = 1; channels <= have.tiles; channels *= 2) {
    rows_plan p = cut;
    p.channel_tiles = channels < channel_units ? channels : channel_units > 0 ? channel_units : 1;
    const index_t tiles = have.tiles / p.channel_tiles;
    p.row_tiles = tiles < row_units ? tiles : row_units > 0 ? row_units : 1;
    for (;; p.steps *= 2) {
      impl::cost_of_rows(p, call, d, have.bytes_per_tile, before);
      if (first || better(p, best)) best = p, first = false;
      if (p.fits || 2 * p.steps * p.row_tiles > row_units) break;
    }
    if (!call.cuts_channels || p.channel_tiles == channel_units) break;
  }
  return best;
}

/// The stages of a program.
struct row_program {
  static constexpr int most_stages = 3;
  const row_stage* stage[most_stages] = {};
  int stages = 0;
};
/// The plans of all stages of a program, and their total needs.
struct row_program_plan {
  rows_plan stage[row_program::most_stages];
  rows_layout layout[row_program::most_stages];
  stage_tensors tensors[row_program::most_stages];
  index_t work = 0;  ///< start of the gathered data
  rows_plan all;     ///< the cuts of the stage with the most tiles
};

/// Plans every stage on its own, then again with the memory that the others leave, then for the least memory; takes the
/// first plan that fits.
inline row_program_plan plan_program(const row_program& calls, const device& d, const tile_resources& have) {
  index_t taken[row_program::most_stages] = {};  // by the others
  row_program_plan program;
  for (int attempt = 0; attempt < 3; ++attempt) {
    program = {};
    index_t kept = 0, gathered = 0;
    for (int k = 0; k < calls.stages; ++k) {
      const row_stage& call = *calls.stage[k];
      const index_t left = attempt == 2 ? 0 : have.bytes_per_tile - taken[k];
      const rows_plan p = plan_rows(call, d, {have.tiles, left}, k > 0 ? program.tensors : nullptr);
      const rows_layout l = layout_of(p, call, kept);
      program.stage[k] = p, program.layout[k] = l;
      program.tensors[k] = tensors_of(call, p, l, program.tensors);
      taken[k] = l.kept - kept, kept = l.kept;
      if (l.work_bytes > gathered) gathered = l.work_bytes;
      rows_plan& all = program.all;
      if (k == 0 || p.tiles() > all.tiles()) {
        const rows_plan sums = all;
        all = p, all.bytes_moved = sums.bytes_moved, all.supersteps = sums.supersteps;
        all.compute_cycles = sums.compute_cycles, all.sync_cycles = sums.sync_cycles;
        all.exchange_cycles = sums.exchange_cycles;
      }
      all.bytes_moved += p.bytes_moved, all.supersteps += p.supersteps;
      all.compute_cycles += p.compute_cycles, all.sync_cycles += p.sync_cycles;
      all.exchange_cycles += p.exchange_cycles;
    }
    program.work = tile_cycles::ceil_div(kept, 8) * 8;
    program.all.bytes_per_tile = program.work + gathered;
    program.all.fits = program.all.bytes_per_tile <= have.bytes_per_tile;
    if (program.all.fits) break;
    for (index_t& t : taken) t = kept - t;
  }
  return program;
}

}  // namespace tern::inline TERN_ISA
