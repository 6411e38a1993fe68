// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program of a call on rows (row_plan.hpp), or of several that are stages of one:
//
//     stream in    inputs are spread over all tiles, what results start from goes to their owners
//     compute      superstep: gather the rows that this step's results need (the halo among them), compute
//     stream out
#pragma once

#include <tuple>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/kernel/mimd/row_plan.hpp"
#include "tern/kernel/mimd/spread_tensor.hpp"

namespace tern::inline TERN_ISA {

/// One stage of a program.
template <class Call>
class spread_rows {
 public:
  /// \param before  tensors of all stages
  spread_rows(const Call& call, const rows_plan& p, const rows_layout& l, const stage_tensors& mine,
              const stage_tensors* all, index_t work)
      : call_(call), p_(p), l_(l), mine_(mine), all_(all), work_(work) {}

  void load(index_t t, copier& copies) const {
    if (t >= p_.tiles()) return;
    call_.each_input([&](int i, const auto& image) {
      if (link_of(call_, i).from == row_link::caller) mine_.input[i].load(image, t, copies);
    });
    if constexpr (Call::accumulates)
      each_result(t, copies, [](const location& host, const location& on) { return copy{.from = host, .to = on}; });
  }
  void run(tile_machine& machine, const device& d, const char* name) const {
    for (index_t step = 0; step < p_.steps; ++step)
      machine.superstep(
          name, [&](index_t t, copier& copies) { gather(t, step, copies); },
          [&](index_t t, arena& mine) { return compute(t, step, mine, d); });
  }
  void store(index_t t, copier& copies) const {
    if (t >= p_.tiles()) return;
    each_result(t, copies, [](const location& host, const location& on) { return copy{.from = on, .to = host}; });
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
      return program.template rows_at<const U>(mine.template in<U>(program.work_ + program.l_.work[i], elements).data(),
                                               x, rows, tile);
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
    if (t >= p_.tiles()) return;
    for (int i = 0; i < Call::inputs; ++i) {
      const row_tensor x = call_.input(i);
      const tile_range rows = call_.sources(i, p_.rows_of(t, step)), channels = channels_of(x, t);
      const row_link from = link_of(call_, i);
      if (from.from == row_link::result) {
        all_[from.stage].result[from.tensor].gather(rows, channels, work_ + l_.work[i], t, copies);
        continue;
      }
      const index_t first = rows.first * x.row_elements() + channels.first;
      const bool whole = channels.size() == x.channels;
      const index_t count = whole ? rows.size() * x.row_elements() : channels.size();
      gather_runs(mine_.input[i].elements, x.element_bytes, first, whole ? 1 : rows.size() * x.extent[2], x.channels,
                  count, work_ + l_.work[i], {t, t, t, false}, copies);
    }
  }

  double compute(index_t t, index_t step, arena& mine, const device& d) const {
    if (t >= p_.tiles()) return 0;
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

  const Call& call_;
  const rows_plan& p_;
  const rows_layout& l_;
  const stage_tensors& mine_;
  const stage_tensors* all_;
  index_t work_;
  static_assert(Call::inputs <= most_row_tensors && Call::outputs <= most_row_tensors);
};

/// Runs a program, whose plan fits the machine.
template <class... Calls>
void run_program(const std::tuple<Calls...>& calls, const row_program_plan<sizeof...(Calls)>& p, tile_machine& machine,
                 const device& d, const char* name) {
  const auto each_stage = [&](auto f) {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (f(spread_rows<Calls>(std::get<K>(calls), p.stage[K], p.layout[K], p.tensors[K], p.tensors, p.work)), ...);
    }(std::index_sequence_for<Calls...>());
  };
  machine.start(d, p.all.tiles());
  machine.stream("stream in",
                 [&](index_t t, copier& copies) { each_stage([&](const auto& s) { s.load(t, copies); }); });
  each_stage([&](const auto& s) { s.run(machine, d, name); });
  machine.stream("stream out",
                 [&](index_t t, copier& copies) { each_stage([&](const auto& s) { s.store(t, copies); }); });
}

}  // namespace tern::inline TERN_ISA
