// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program of a call by rows (row_plan.hpp), or of several stages:
//
//     stream in    inputs are spread over all tiles; initial values of results go to their owners
//     compute      superstep: gather the rows for this step's results, including the halo, then compute
//     stream out
#pragma once

#include <tuple>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/device/device.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/row_plan.hpp"
#include "tern/exec/mimd/spread_tensor.hpp"
#include "tern/exec/mimd/tile_machine.hpp"

namespace tern::inline TERN_ISA {

/// One stage of a program, and the location of its tensors.
struct spread_rows {
  const row_stage& call;
  const rows_plan& p;
  const rows_layout& l;
  const stage_tensors& mine;
  const stage_tensors* all;  ///< of all stages
  index_t work;

  tile_range channels_of(const row_tensor& x, index_t tile) const {
    return call.cuts_channels ? scaled(p.channels_of(tile), p.channels, x.channels) : tile_range{0, x.channels};
  }
  void load(index_t t, copier& copies) const;
  void store(index_t t, copier& copies) const;
  void run(tile_machine& machine, const device& d, const char* name) const;

 private:
  void gather(index_t t, index_t step, copier& copies) const;
  double compute(index_t t, index_t step, arena& memory, const device& d) const;
};

/// A tile's part of a call's tensors, in one step.
class row_memory {
 public:
  row_memory(const spread_rows& program, arena& mine, index_t tile, index_t step)
      : program_(program), mine_(mine), tile_(tile), step_(step) {}

  template <class U>
  image<const U> input(int i) const {
    const spread_rows& s = program_;
    const row_tensor& x = s.call.input[i];
    const tile_range rows = s.call.sources(i, s.p.rows_of(tile_, step_));
    const index_t elements = rows.size() * x.extent[2] * s.channels_of(x, tile_).size();
    return rows_at<const U>(mine_.template in<U>(s.work + s.l.work[i], elements).data(), x, rows);
  }
  template <class U>
  image<U> output(int i) const {
    const spread_rows& s = program_;
    const row_tensor& y = s.call.output[i];
    const tile_range rows = scaled(s.p.rows_of(tile_, step_), s.p.rows, y.rows());
    const index_t elements = rows.size() * y.extent[2] * s.channels_of(y, tile_).size();
    const index_t at = s.l.result[i] + step_ * s.l.slot[i] * y.element_bytes;
    return rows_at<U>(
        (s.call.accumulates ? mine_.template inout<U>(at, elements) : mine_.template out<U>(at, elements)).data(), y,
        rows);
  }

 private:
  /// The image of a tensor with only some rows in memory, at p.
  template <class U>
  image<U> rows_at(U* at, const row_tensor& x, const tile_range& rows) const {
    const image_box whole{
        {0, x.batch}, {{0, x.extent[0]}, {0, x.extent[1]}, {0, x.extent[2]}}, program_.channels_of(x, tile_)};
    image<U> i = dense_image(at, whole);
    i.skipped = rows.first * i.axis[1];
    return i;
  }

  const spread_rows& program_;
  arena& mine_;
  index_t tile_, step_;
};

/// Copies between the caller's tensors and a tile.
struct row_transfer {
  const spread_rows& program;
  index_t tile;
  bool to_tile;
  copier& copies;

  template <class Image>
  void input(int i, const Image& image) const {
    if (program.call.link[i].from == row_link::caller) program.mine.input[i].load(image, tile, copies);
  }
  /// Copies the results that the tile owns.
  template <class Image>
  void output(int i, const Image& image) const {
    const spread_rows& s = program;
    const row_tensor& y = s.call.output[i];
    const tile_range channels = s.channels_of(y, tile);
    for (index_t step = 0; step < s.p.steps; ++step) {
      const tile_range rows = scaled(s.p.rows_of(tile, step), s.p.rows, y.rows());
      for (index_t row = rows.first; row < rows.last; ++row) {
        const row_cursor r(row, {y.extent[0], y.extent[1]});
        const index_t before = (row - rows.first) * y.extent[2] * channels.size();
        spread_image::transfer(image, {{r.n, r.n + 1}, {{r.z, r.z + 1}, {r.y, r.y + 1}, {0, y.extent[2]}}, channels},
                               tile, s.l.result[i] + (step * s.l.slot[i] + before) * y.element_bytes, copies,
                               [this](const location& host, const location& on) {
                                 return to_tile ? copy{.from = host, .to = on} : copy{.from = on, .to = host};
                               });
      }
    }
  }
};

inline void spread_rows::load(index_t t, copier& copies) const {
  if (t >= p.tiles()) return;
  call.move_inputs({*this, t, true, copies});
  if (call.accumulates) call.move_outputs({*this, t, true, copies});
}
inline void spread_rows::store(index_t t, copier& copies) const {
  if (t < p.tiles()) call.move_outputs({*this, t, false, copies});
}
inline void spread_rows::run(tile_machine& machine, const device& d, const char* name) const {
  for (index_t step = 0; step < p.steps; ++step)
    machine.superstep(
        name, [&](index_t t, copier& copies) { gather(t, step, copies); },
        [&](index_t t, arena& memory) { return compute(t, step, memory, d); });
}
inline void spread_rows::gather(index_t t, index_t step, copier& copies) const {
  if (t >= p.tiles()) return;
  for (int i = 0; i < call.inputs; ++i) {
    const row_tensor& x = call.input[i];
    const tile_range rows = call.sources(i, p.rows_of(t, step)), channels = channels_of(x, t);
    const row_link from = call.link[i];
    if (from.from == row_link::result) {
      all[from.stage].result[from.tensor].gather(rows, channels, work + l.work[i], t, copies);
      continue;
    }
    const index_t first = rows.first * x.row_elements() + channels.first;
    const bool whole = channels.size() == x.channels;
    const index_t count = whole ? rows.size() * x.row_elements() : channels.size();
    gather_runs(mine.input[i].elements, x.element_bytes, first, whole ? 1 : rows.size() * x.extent[2], x.channels,
                count, work + l.work[i], {t, t, t, false}, copies);
  }
}
inline double spread_rows::compute(index_t t, index_t step, arena& memory, const device& d) const {
  if (t >= p.tiles()) return 0;
  const row_tensor& y = call.output[0];
  const tile_range rows = p.rows_of(t, step), channels = channels_of(y, t);
  const index_t results = rows.size() * y.extent[2] * channels.size();
  if (results == 0) return 0;
  call.compute(rows, channels, row_memory(*this, memory, t, step));
  return tile_cycles::elementwise(d, y.element_bytes, results * call.operations);
}

/// A call (row_plan.hpp) as a stage.
template <class Call>
struct row_stage_of final : row_stage {
  Call rows;

  explicit row_stage_of(const Call& q) : rows(q) {
    static_assert(Call::inputs <= most_row_tensors && Call::outputs <= most_row_tensors);
    inputs = Call::inputs, outputs = Call::outputs;
    cuts_channels = Call::cuts_channels, accumulates = Call::accumulates;
    for (int i = 0; i < Call::inputs; ++i) {
      input[i] = q.input(i);
      if constexpr (requires { q.link(i); }) link[i] = q.link(i);
    }
    for (int i = 0; i < Call::outputs; ++i) output[i] = q.output(i);
    result = output[0];
    if constexpr (requires { q.result(); }) result = q.result();
    operations = q.operations();
    if constexpr (requires { q.row_unit(); }) row_unit = q.row_unit() > 0 ? q.row_unit() : 1;
    if constexpr (requires { q.channel_unit(); }) channel_unit = q.channel_unit();
  }

  tile_range sources(int i, const tile_range& range) const override { return rows.sources(i, range); }
  void move_inputs(const row_transfer& to) const override {
    rows.each_input([&](int i, const auto& image) { to.input(i, image); });
  }
  void move_outputs(const row_transfer& to) const override {
    rows.each_output([&](int i, const auto& image) { to.output(i, image); });
  }
  void compute(const tile_range& range, const tile_range& channels, const row_memory& local) const override {
    rows.compute(range, channels, local);
  }
};

/// Calls f(program) for one call, or a tuple of calls.
template <class Call, class F>
auto with_stages(const Call& call, F f) {
  if constexpr (requires { call.outputs; }) {
    const row_stage_of<Call> only(call);
    return f(row_program{{&only}, 1});
  } else {
    return std::apply(
        [&]<class... Calls>(const Calls&... each) {
          static_assert(sizeof...(Calls) <= row_program::most_stages);
          return [&](const row_stage_of<Calls>&... stages) {
            return f(row_program{{&stages...}, static_cast<int>(sizeof...(Calls))});
          }(row_stage_of<Calls>(each)...);
        },
        call);
  }
}

/// Runs a program, whose plan fits the machine.
inline void run_program(const row_program& calls, const row_program_plan& p, tile_machine& machine, const device& d,
                        const char* name) {
  const auto each_stage = [&](auto f) {
    for (int k = 0; k < calls.stages; ++k)
      f(spread_rows{*calls.stage[k], p.stage[k], p.layout[k], p.tensors[k], p.tensors, p.work});
  };
  machine.start(d, p.all.tiles());
  machine.stream("stream in",
                 [&](index_t t, copier& copies) { each_stage([&](const spread_rows& s) { s.load(t, copies); }); });
  each_stage([&](const spread_rows& s) { s.run(machine, d, name); });
  machine.stream("stream out",
                 [&](index_t t, copier& copies) { each_stage([&](const spread_rows& s) { s.store(t, copies); }); });
}

}  // namespace tern::inline TERN_ISA
