// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls whose results need nothing from each other, row by row or in groups of rows and channels (pools,
// rearrangements, resamplings, maps, norms, softmax), on tiles that see their own memory only: how they are cut over
// tiles and time, and the program.
//
//     stream in    inputs are spread over all tiles, what results start from goes to their owners
//     compute      superstep: gather the rows that this step's results need (the halo among them), compute
//     stream out
//
// A call is described by a class (pooling.hpp, rearrangement.hpp, mapping.hpp, normalization.hpp, softmax.hpp) with
//
//     inputs, outputs            how many tensors, at most most_row_tensors each
//     cuts_channels, accumulates
//     input(i), output(i)        their row_tensor
//     sources(i, rows)           the rows of input i that rows of the result need, with all that lie between
//     operations()               per result, at most
//     row_unit(), channel_unit()    where there are such: rows and channels are cut at multiples of them
//     each_input(f), each_output(f)   f(i, image of the caller)
//     compute(rows, channels, local)  does that part on local.input<T>(i) and local.output<T>(i): images of the whole
//                                     tensors, of which only these rows and channels are there
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"
#include "tern/exec/mimd/cycles.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/kernel/mimd/partition.hpp"
#include "tern/kernel/mimd/spread_tensor.hpp"
#include "tern/policy/plan.hpp"
#include "tern/tile/convolution.hpp"

namespace tern::inline TERN_ISA {

/// A tensor as rows, each of all elements along x and all channels, counted over samples, depth and height.
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
  index_t rows = 0, channels = 0;          ///< what is cut
  index_t row_unit = 1, channel_unit = 1;  ///< what stays together
  index_t row_tiles = 1, channel_tiles = 1, steps = 1;

  index_t bytes_per_tile = 0;
  index_t bytes_moved = 0;  ///< between tiles, all together, at most
  index_t supersteps = 0;
  double compute_cycles = 0, sync_cycles = 0, exchange_cycles = 0;
  bool fits = false;

  constexpr double cycles() const { return compute_cycles + sync_cycles + exchange_cycles; }
  constexpr index_t tiles() const { return row_tiles * channel_tiles; }
  /// What a tile works on in a step. Steps are the finer cut, and neighbouring tiles have neighbouring channels.
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

/// Of a tensor with `others` rows (or channels) in place of `all`, as many for every unit of these: those that belong
/// to a range, and how many belong to some.
constexpr tile_range scaled(const tile_range& range, index_t all, index_t others) {
  if (others == all) return range;
  return {range.first * others / all, range.last * others / all};
}
constexpr index_t scaled(index_t some, index_t all, index_t others) {
  return others == all ? some : some * others / all;
}

/// Says in a plan what one for rows does.
constexpr void describe_rows(plan& p, const rows_plan& r) {
  p.split_m = r.row_tiles, p.split_n = r.channel_tiles, p.steps_m = r.steps, p.units = r.tiles();
  p.supersteps = r.supersteps, p.bytes_per_unit = r.bytes_per_tile, p.bytes_moved = r.bytes_moved;
  p.cycles = r.cycles(), p.fits = r.fits;
}

inline constexpr int most_row_tensors = 8;

/// Offsets in the arena of every tile, in bytes.
struct rows_layout {
  index_t input[most_row_tensors] = {};     ///< spread
  index_t work[most_row_tensors] = {};      ///< gathered
  index_t result[most_row_tensors] = {};    ///< one slot per step
  index_t slot[most_row_tensors] = {};      ///< elements of a slot
  index_t gathered[most_row_tensors] = {};  ///< elements that one step gathers, at most
  index_t bytes = 0;
};

template <class Call>
constexpr rows_layout layout_of(const rows_plan& p, const Call& call) {
  rows_layout l;
  const auto reserve = [&l](index_t bytes) {
    if (bytes > 0) l.bytes = tile_cycles::ceil_div(l.bytes, 8) * 8;  // tiles load 64 bits
    const index_t at = l.bytes;
    l.bytes += bytes;
    return at;
  };
  for (int i = 0; i < Call::inputs; ++i) {
    const row_tensor x = call.input(i);
    index_t rows = 0;
    for (index_t part = 0; part < p.row_tiles * p.steps; ++part) {
      const index_t size = call.sources(i, p.rows_of_part(part)).size();
      if (size > rows) rows = size;
    }
    l.gathered[i] =
        rows * x.extent[2] * (Call::cuts_channels ? scaled(p.most_channels(), p.channels, x.channels) : x.channels);
    l.input[i] = reserve(tile_cycles::ceil_div(x.elements(), p.tiles()) * x.element_bytes);
    l.work[i] = reserve(l.gathered[i] * x.element_bytes);
  }
  for (int i = 0; i < Call::outputs; ++i) {
    const row_tensor y = call.output(i);
    l.slot[i] = scaled(p.most_rows(), p.rows, y.rows()) * y.extent[2] *
                (Call::cuts_channels ? scaled(p.most_channels(), p.channels, y.channels) : y.channels);
    l.result[i] = reserve(p.steps * l.slot[i] * y.element_bytes);
  }
  return l;
}

namespace impl {

/// Widens a range so that it has row (z, y) of sample n of a tensor.
constexpr void take_in(tile_range& range, const row_tensor& x, index_t n, index_t z, index_t y) {
  const index_t row = (n * x.extent[0] + z) * x.extent[1] + y;
  if (range.size() == 0) range = {row, row + 1};
  if (row < range.first) range.first = row;
  if (row >= range.last) range.last = row + 1;
}

/// An input with the rows of `whole`, or repeated along axes where its stride is 0: it is there once.
template <class Image>
constexpr row_tensor repeated(const Image& i, row_tensor whole) {
  if (i.sample == 0 && whole.batch > 1) whole.batch = 1;
  for (int r = 0; r < 3; ++r)
    if (i.axis[r] == 0 && whole.extent[r] > 1) whole.extent[r] = 1;
  return whole;
}
/// The rows of such an input that rows of the whole need.
constexpr tile_range repeated_sources(const row_tensor& x, const row_tensor& whole, const tile_range& rows) {
  if (x.rows() == whole.rows()) return rows;
  tile_range range{};
  for (index_t row = rows.first; row < rows.last; ++row) {
    const row_cursor at(row, {whole.extent[0], whole.extent[1]});
    take_in(range, x, x.batch > 1 ? at.n : 0, x.extent[0] > 1 ? at.z : 0, x.extent[1] > 1 ? at.y : 0);
  }
  return range;
}
/// Its image on a tile, read wherever the caller's is.
template <class Local, class Image>
constexpr Local repeated_image(Local on_tile, const Image& i) {
  if (i.sample == 0) on_tile.sample = 0;
  for (int r = 0; r < 3; ++r)
    if (i.axis[r] == 0) on_tile.axis[r] = 0;
  return on_tile;
}

/// Rows and channels of results that stay together.
template <class Call>
constexpr index_t row_unit_of(const Call& call) {
  if constexpr (requires { call.row_unit(); })
    return call.row_unit() > 0 ? call.row_unit() : 1;
  else
    return 1;
}
template <class Call>
constexpr index_t channel_unit_of(const Call& call) {
  if constexpr (requires { call.channel_unit(); })
    return call.channel_unit();
  else
    return 1;
}

/// How many tiles may need the same row of input i in one step.
template <class Call>
constexpr index_t readers_of_row(const rows_plan& p, const Call& call, int i) {
  index_t most = 1;
  for (index_t step = 0; step < p.steps; ++step) {
    tile_range before{};
    for (index_t tile = 0, behind = 0; tile < p.row_tiles; ++tile) {  // tiles from `tile` to `behind` have its last row
      const auto needs = [&](index_t t) { return call.sources(i, p.rows_of(t * p.channel_tiles, step)); };
      const tile_range mine = needs(tile);
      if (tile > 0 && (mine.first < before.first || mine.last < before.last)) return p.row_tiles;  // no order
      before = mine;
      while (behind < p.row_tiles && needs(behind).first < mine.last) ++behind;
      if (behind - tile > most) most = behind - tile;
    }
  }
  return most;
}

/// Fills in what the partition of `p` costs on tiles of `d` with so many bytes.
template <class Call>
constexpr void cost_of_rows(rows_plan& p, const Call& call, const device& d, index_t bytes_per_tile) {
  using tile_cycles::number;
  const rows_layout l = layout_of(p, call);
  p.bytes_per_tile = l.bytes;
  p.fits = l.bytes <= bytes_per_tile;
  p.supersteps = p.steps;
  const row_tensor y = call.output(0);
  p.compute_cycles = number(p.steps) * tile_cycles::elementwise(d, y.element_bytes, l.slot[0] * call.operations());
  p.sync_cycles = number(p.supersteps) * d.sync_cycles;
  p.exchange_cycles = 0, p.bytes_moved = 0;
  if (p.tiles() == 1) return;
  index_t received = 0, sent = 0;
  for (int i = 0; i < Call::inputs; ++i) {
    const row_tensor x = call.input(i);
    received += l.gathered[i] * x.element_bytes;
    sent += tile_cycles::ceil_div(x.elements(), p.tiles()) * x.element_bytes * readers_of_row(p, call, i);
  }
  p.exchange_cycles = number(p.steps) * tile_cycles::exchange(d, number(received > sent ? received : sent));
  p.bytes_moved = p.steps * p.tiles() * received;
}

}  // namespace impl

/// The plan with the fewest predicted cycles; where none fits, the one that needs least memory.
template <class Call>
constexpr rows_plan plan_rows(const Call& call, const device& d, const tile_resources& have) {
  rows_plan best;
  bool first = true;
  const auto better = [](const rows_plan& x, const rows_plan& y) {
    if (x.fits != y.fits) return x.fits;
    return x.fits ? x.cycles() < y.cycles() : x.bytes_per_tile < y.bytes_per_tile;
  };
  const row_tensor y = call.output(0);
  const rows_plan cut{.rows = y.rows(),
                      .channels = y.channels,
                      .row_unit = impl::row_unit_of(call),
                      .channel_unit = impl::channel_unit_of(call)};
  const index_t row_units = cut.rows / cut.row_unit, channel_units = cut.channels / cut.channel_unit;
  for (index_t channels = 1; channels <= have.tiles; channels *= 2) {
    rows_plan p = cut;
    p.channel_tiles = channels < channel_units ? channels : channel_units > 0 ? channel_units : 1;
    const index_t tiles = have.tiles / p.channel_tiles;
    p.row_tiles = tiles < row_units ? tiles : row_units > 0 ? row_units : 1;
    for (;; p.steps *= 2) {
      impl::cost_of_rows(p, call, d, have.bytes_per_tile);
      if (first || better(p, best)) best = p, first = false;
      if (p.fits || 2 * p.steps * p.row_tiles > row_units) break;
    }
    if (!Call::cuts_channels || p.channel_tiles == channel_units) break;
  }
  return best;
}

/// One call.
template <class Call>
class spread_rows {
 public:
  spread_rows(const Call& call, const rows_plan& p) : call_(call), p_(p), l_(layout_of(p, call)) {
    for (int i = 0; i < Call::inputs; ++i) {
      const row_tensor x = call.input(i);
      inputs_[i] = {{x.elements(), p.tiles(), l_.input[i]}, {x.extent[0], x.extent[1], x.extent[2]}, x.channels};
    }
  }

  void run(tile_machine& machine, const device& d, const char* name) const {
    machine.start(d, p_.tiles());
    machine.stream("stream in", [&](index_t t, copier& copies) {
      call_.each_input([&](int i, const auto& image) { inputs_[i].load(image, t, copies); });
      if constexpr (Call::accumulates)
        each_result(t, copies, [](const location& host, const location& on) { return copy{.from = host, .to = on}; });
    });
    for (index_t step = 0; step < p_.steps; ++step)
      machine.superstep(
          name, [&](index_t t, copier& copies) { gather(t, step, copies); },
          [&](index_t t, arena& mine) { return compute(t, step, mine, d); });
    machine.stream("stream out", [&](index_t t, copier& copies) {
      each_result(t, copies, [](const location& host, const location& on) { return copy{.from = on, .to = host}; });
    });
  }

 private:
  /// What a tile has of the tensors of a call, in one step.
  struct local {
    const spread_rows& program;
    arena& mine;
    index_t tile, step;

    template <class U>
    image<const U> input(int i) const {
      const tile_range rows = program.call_.sources(i, program.p_.rows_of(tile, step));
      const row_tensor x = program.call_.input(i);
      const index_t elements = rows.size() * x.extent[2] * program.channels_of(x, tile).size();
      return program.template rows_at<const U>(mine.template in<U>(program.l_.work[i], elements).data(), x, rows, tile);
    }
    template <class U>
    image<U> output(int i) const {
      const row_tensor y = program.call_.output(i);
      const tile_range rows = scaled(program.p_.rows_of(tile, step), program.p_.rows, y.rows());
      const index_t elements = rows.size() * y.extent[2] * program.channels_of(y, tile).size();
      const index_t at = program.l_.result[i] + step * program.l_.slot[i] * y.element_bytes;
      U* p = (Call::accumulates ? mine.template inout<U>(at, elements) : mine.template out<U>(at, elements)).data();
      return program.template rows_at<U>(p, y, rows, tile);
    }
  };

  tile_range channels_of(const row_tensor& x, index_t tile) const {
    return Call::cuts_channels ? scaled(p_.channels_of(tile), p_.channels, x.channels) : tile_range{0, x.channels};
  }
  /// The image of a tensor of which some rows lie at p.
  template <class U>
  image<U> rows_at(U* p, const row_tensor& x, const tile_range& rows, index_t tile) const {
    image_box all{{0, x.batch}, {{0, x.extent[0]}, {0, x.extent[1]}, {0, x.extent[2]}}, channels_of(x, tile)};
    image<U> i = dense_image(p, all);
    i.skipped = rows.first * i.axis[1];
    return i;
  }

  void gather(index_t t, index_t step, copier& copies) const {
    for (int i = 0; i < Call::inputs; ++i) {
      const row_tensor x = call_.input(i);
      const tile_range rows = call_.sources(i, p_.rows_of(t, step)), channels = channels_of(x, t);
      const index_t first = rows.first * x.row_elements() + channels.first;
      const bool whole = channels.size() == x.channels;
      const index_t count = whole ? rows.size() * x.row_elements() : channels.size();
      gather_runs(inputs_[i].elements, x.element_bytes, first, whole ? 1 : rows.size() * x.extent[2], x.channels, count,
                  l_.work[i], {t, t, t, false}, copies);
    }
  }

  double compute(index_t t, index_t step, arena& mine, const device& d) const {
    const row_tensor y = call_.output(0);
    const tile_range rows = p_.rows_of(t, step), channels = channels_of(y, t);
    const index_t results = rows.size() * y.extent[2] * channels.size();
    if (results == 0) return 0;
    call_.compute(rows, channels, local{*this, mine, t, step});
    return tile_cycles::elementwise(d, y.element_bytes, results * call_.operations());
  }

  /// Copies between the results that a tile owns and the caller's.
  template <class Make>
  void each_result(index_t t, copier& copies, Make make) const {
    call_.each_output([&](int i, const auto& image) {
      const row_tensor y = call_.output(i);
      const tile_range channels = channels_of(y, t);
      for (index_t step = 0; step < p_.steps; ++step) {
        const tile_range rows = scaled(p_.rows_of(t, step), p_.rows, y.rows());
        for (index_t row = rows.first; row < rows.last; ++row) {
          const row_cursor r(row, {y.extent[0], y.extent[1]});
          const index_t before = (row - rows.first) * y.extent[2] * channels.size();
          spread_image::transfer(image, {{r.n, r.n + 1}, {{r.z, r.z + 1}, {r.y, r.y + 1}, {0, y.extent[2]}}, channels},
                                 t, l_.result[i] + (step * l_.slot[i] + before) * y.element_bytes, copies, make);
        }
      }
    });
  }

  Call call_;
  rows_plan p_;
  rows_layout l_;
  static_assert(Call::inputs <= most_row_tensors && Call::outputs <= most_row_tensors);
  spread_image inputs_[Call::inputs];
};

}  // namespace tern::inline TERN_ISA
