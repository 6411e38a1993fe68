// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over samples and positions on tile machines: on the cores of the host as under simd. On tiles that see their own
// memory only (spread_rows.hpp), sums of channels are dealt out chunk by chunk, and who owns a channel joins the sums
// of its chunks in order; where samples or positions have results of their own, what is summed to one is on one tile.
#pragma once

#include <tuple>

#include "tern/core/config.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/mimd/kernels.hpp"
#include "tern/kernel/mimd/spread_rows.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/tile/place_sums_core.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// Inputs of such sums as tensors on tiles: those that are the same for all samples, along an axis or for channels that
/// follow each other are there once.
template <class T, class F>
struct summed_inputs {
  place_sums<T, F> q;

  /// Channels of an input: fewer where one stands for a group.
  constexpr index_t channels(int i) const {
    const scattered_image<const T>& in = q.in[i];
    return in.channel == 0 && q.channels > 0 ? q.channels / in.block : q.channels;
  }
  /// With all samples and positions.
  constexpr row_tensor whole(int i) const {
    const place_box &s = q.summed, &o = q.of;
    return {s.batch * o.batch,
            {s.extent[0] * o.extent[0], s.extent[1] * o.extent[1], s.extent[2] * o.extent[2]},
            channels(i),
            sizeof(T)};
  }
  constexpr row_tensor tensor(int i) const { return repeated(q.in[i], whole(i)); }
  /// Channels of a result that need the same channel of an input.
  constexpr index_t channel_unit() const {
    index_t unit = 1;
    for (int i = 0; i < F::inputs; ++i)
      if (channels(i) > 1 && q.channels / channels(i) > unit) unit = q.channels / channels(i);
    return unit;
  }
  /// The caller's image, one channel per group.
  constexpr scattered_image<const T> image_of(int i) const {
    scattered_image<const T> in = q.in[i];
    if (in.channel == 0) in.channel = in.block_stride, in.block = channels(i) > 0 ? channels(i) : 1;
    return in;
  }
  /// The image on a tile, read as the caller's is.
  constexpr scattered_image<const T> on_tile(int i, const image<const T>& local) const {
    scattered_image<const T> in = repeated_image(scattered(local), q.in[i]);
    if (q.in[i].channel == 0) in.channel = 0, in.block = q.in[i].block, in.block_stride = 1;
    return in;
  }
};

/// The chunks of a sum over all samples and positions, as rows.
template <class V, class F>
struct rows_of_chunks {
  using T = typename V::value_type;
  static constexpr int inputs = F::inputs, outputs = F::results;
  static constexpr bool cuts_channels = true, accumulates = false;

  summed_inputs<T, F> from;

  constexpr const place_box& box() const { return from.q.summed; }
  constexpr index_t grain() const { return grain_samples(box().positions()); }
  constexpr index_t of_grain() const {
    const index_t chunks = tile_cycles::ceil_div(grain() * box().positions(), dot_chunk);
    return chunks > 0 ? chunks : 1;
  }

  constexpr row_tensor input(int i) const { return from.tensor(i); }
  constexpr row_tensor output(int) const {
    return {tile_cycles::ceil_div(box().batch, grain()) * of_grain(), {1, 1, 1}, from.q.channels, sizeof(T)};
  }
  constexpr index_t channel_unit() const { return from.channel_unit(); }
  /// The positions of a chunk, counted over all samples. The last grain may be shorter, and have none for some.
  constexpr tile_range positions_of(index_t chunk) const {
    const index_t n = chunk / of_grain() * grain(), left = box().batch - n, of_sample = box().positions(),
                  end = (n + (left < grain() ? left : grain())) * of_sample,
                  first = n * of_sample + chunk % of_grain() * dot_chunk;
    return {first < end ? first : end, first + dot_chunk < end ? first + dot_chunk : end};
  }
  constexpr tile_range sources(int i, const tile_range& rows) const {
    if (rows.size() == 0) return {};
    const index_t width = box().extent[2] > 0 ? box().extent[2] : 1;
    const tile_range needed{positions_of(rows.first).first / width,
                            tile_cycles::ceil_div(positions_of(rows.last - 1).last, width)};
    return needed.size() > 0 ? repeated_sources(input(i), from.whole(i), needed) : tile_range{};
  }
  constexpr index_t operations() const { return F::operations * F::passes * dot_chunk; }

  template <class Do>
  void each_input(Do f) const {
    for (int i = 0; i < inputs; ++i) f(i, from.image_of(i));
  }
  template <class Do>
  void each_output(Do) const {}  // no caller sees them
  template <class Local>
  void compute(const tile_range& rows, const tile_range& channels, const Local& local) const {
    auto part = from.q;
    part.channels = channels.size();
    image<T> to[outputs];
    for (int i = 0; i < inputs; ++i) part.in[i] = from.on_tile(i, local.template input<T>(i));
    for (int r = 0; r < outputs; ++r) to[r] = local.template output<T>(r);
    for (index_t row = rows.first; row < rows.last; ++row) {
      const tile_range chunk = positions_of(row);
      T* at[outputs];
      for (int r = 0; r < outputs; ++r) at[r] = to[r].at(row, 0, 0, 0, 0);
      if (chunk.size() > 0)
        tile::place_sums_core<V>::chunk(part, chunk.first / box().positions(), chunk.first % box().positions(),
                                        chunk.size(), at);
      else
        for (T* p : at)
          for (index_t c = 0; c < part.channels; ++c) p[c] = T(0);
    }
  }
};

/// What follows the chunks, which are the stage before: their sums joined, channel by channel.
template <class V, class F>
struct joined_chunks {
  using T = typename V::value_type;
  static constexpr bool cuts_channels = true;

  rows_of_chunks<V, F> chunks;

  constexpr row_tensor per_channel() const { return {1, {1, 1, 1}, chunks.from.q.channels, sizeof(T)}; }
  constexpr tile_range all_rows(const row_tensor& x, const tile_range& rows) const {
    return rows.size() == 0 ? tile_range{} : tile_range{0, x.rows()};
  }
  constexpr index_t join_operations() const { return 2 * F::results * chunks.output(0).rows(); }

  /// done(first channel, lanes, totals) for vectors of channels.
  /// \param begin  begin(first channel, lanes, totals) sets what totals start from
  template <class Local, class Begin, class Done>
  void join(index_t channels, const Local& local, Begin begin, Done done) const {
    const place_sums<T, F>& q = chunks.from.q;
    const index_t grain = chunks.grain();
    image<const T> sums[F::results];
    for (int r = 0; r < F::results; ++r) sums[r] = local.template input<T>(r);
    tile::each_vector<V>(channels, [&](index_t c, auto some) {
      V total[F::results];
      for (V& t : total) t = V(T(0));
      begin(c, some, total);
      index_t before = q.seen;
      each_chunk(q.summed.batch, q.summed.extent, [&](index_t n, index_t position, index_t count) {
        const index_t of_grain = (n % grain * q.summed.positions() + position) / dot_chunk,
                      row = n / grain * chunks.of_grain() + of_grain;
        V chain[F::results];
        for (int r = 0; r < F::results; ++r) chain[r] = tile::load_lanes<V>(sums[r].at(row, c, 0, 0, 0), some);
        q.f.join(total, chain, before, count);
        before += count;
      });
      done(c, some, total);
    });
  }
};

/// Totals of channels.
template <class V, class F>
struct rows_of_totals : joined_chunks<V, F> {
  using T = typename V::value_type;
  static constexpr int inputs = F::results, outputs = F::results;
  static constexpr bool accumulates = F::accumulates;

  constexpr row_link link(int i) const { return {row_link::result, 0, i}; }
  constexpr row_tensor input(int i) const { return this->chunks.output(i); }
  constexpr row_tensor output(int) const { return this->per_channel(); }
  constexpr tile_range sources(int i, const tile_range& rows) const { return this->all_rows(input(i), rows); }
  constexpr index_t operations() const { return this->join_operations() + 1; }

  template <class Do>
  void each_input(Do) const {}
  template <class Do>
  void each_output(Do f) const {
    for (int r = 0; r < outputs; ++r)
      if (this->chunks.from.q.out[r].p != nullptr) f(r, this->chunks.from.q.out[r]);
  }
  template <class Local>
  void compute(const tile_range&, const tile_range& channels, const Local& local) const {
    T* to[outputs] = {};
    for (int r = 0; r < outputs; ++r)
      if (this->chunks.from.q.out[r].p != nullptr) to[r] = local.template output<T>(r).at(0, 0, 0, 0, 0);
    this->join(
        channels.size(), local,
        [&](index_t c, auto some, V(&total)[outputs]) {
          for (int r = 0; r < outputs; ++r)
            if (accumulates && to[r] != nullptr) total[r] = tile::load_lanes<V>(to[r] + c, some);
        },
        [&](index_t c, auto some, const V(&total)[outputs]) {
          for (int r = 0; r < outputs; ++r)
            if (to[r] != nullptr) tile::store_lanes(total[r], to[r] + c, some);
        });
  }
};

/// Sums with results for samples or positions, as rows of these.
template <class V, class F>
struct rows_of_place_sums {
  using T = typename V::value_type;
  static constexpr int inputs = F::inputs, outputs = F::results;
  static constexpr bool cuts_channels = true, accumulates = F::accumulates;

  summed_inputs<T, F> from;

  constexpr const place_sums<T, F>& q() const { return from.q; }
  constexpr row_tensor input(int i) const { return from.tensor(i); }
  constexpr row_tensor output(int) const {
    const place_box& o = q().of;
    return {o.batch, {o.extent[0], o.extent[1], o.extent[2]}, q().channels, sizeof(T)};
  }
  constexpr index_t channel_unit() const { return from.channel_unit(); }
  /// Those of a sample stay together.
  constexpr index_t row_unit() const { return q().of.extent[0] * q().of.extent[1]; }
  constexpr tile_range sources(int i, const tile_range& rows) const {
    if (rows.size() == 0) return {};
    const row_tensor x = input(i);
    const index_t of_sample = x.extent[0] * x.extent[1];
    if (q().of.batch == 1 || x.batch == 1) return {0, x.rows()};
    return {rows.first / row_unit() * of_sample, rows.last / row_unit() * of_sample};
  }
  constexpr index_t operations() const { return F::operations * q().summed.places(); }

  template <class Do>
  void each_input(Do f) const {
    for (int i = 0; i < inputs; ++i) f(i, from.image_of(i));
  }
  template <class Do>
  void each_output(Do f) const {
    for (int r = 0; r < outputs; ++r)
      if (q().out[r].p != nullptr) f(r, q().out[r]);
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range& channels, const Local& local) const {
    auto part = q();
    const index_t first = rows.first / row_unit();  // sample
    part.channels = channels.size(), part.of.batch = rows.size() / row_unit();
    const auto begin = [first](auto image) {
      image.p = image.at(first, 0, 0, 0, 0), image.skipped = 0;
      return image;
    };
    for (int i = 0; i < inputs; ++i) part.in[i] = begin(from.on_tile(i, local.template input<T>(i)));
    for (int r = 0; r < outputs; ++r)
      if (part.out[r].p != nullptr) part.out[r] = begin(scattered(local.template output<T>(r)));
    using core = tile::place_sums_core<V>;
    core::run(part, 0, core::parts(part));
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct place_sums_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<place_sums_kernel<mimd<D, Numerics, Tuning>>, D, Numerics> {
  using common = mimd_rows_kernels<place_sums_kernel, D, Numerics>;

  template <class T, class F, class Use>
  static constexpr auto with_rows(const place_sums<T, F>& q, Use use) {
    using V = typename common::template vector<T>;
    if (q.of.places() != 1) return use(impl::rows_of_place_sums<V, F>{{q}});
    const impl::rows_of_chunks<V, F> chunks{{q}};
    return use(std::tuple{chunks, impl::rows_of_totals<V, F>{{chunks}}});
  }

  /// Throws where the machine's tiles are too small, before anything is written.
  template <class State, class T, class F>
  static void run(State& machine, const place_sums<T, F>& q) {
    if constexpr (common::template runs_on<State>()) {
      if constexpr (D.shares_host_memory) {
        using core = tile::place_sums_core<typename common::template vector<T>>;
        const index_t parts = core::parts(q);
        common::template run_shared<T>(machine, "sums", q.elements() * F::operations, [&](index_t t, index_t tiles) {
          core::run(q, parts * t / tiles, parts * (t + 1) / tiles);
        });
      } else {
        common::run_rows(machine, q, "sums");
      }
    }
  }
};

}  // namespace tern::inline TERN_ISA
