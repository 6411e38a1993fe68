// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over samples and positions on tile machines: on the cores of the host as under simd. On tiles with private
// memory only (spread_rows.hpp), sums of channels are distributed by chunks, and the owner of a channel joins its
// chunks in order. If samples or positions have results of their own, the results are distributed, each with all of its
// terms on one tile.
#pragma once

#include <tuple>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/exec/mimd/mimd_kernels.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_rows.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/cpu/place_sums_core.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// Inputs of such sums as tensors on tiles: inputs that are constant over samples, along an axis or over neighbouring
/// channels are stored once.
template <class T, class F>
struct summed_inputs {
  place_sums<T, F> q;

  /// Channels of an input: fewer if one stands for a group.
  constexpr index_t channels(int i) const {
    const scattered_image<const T>& in = q.in[i];
    return in.channel == 0 && q.channels > 0 ? q.channels / in.block : q.channels;
  }
  /// Its shape with all samples and positions.
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
  /// The image on a tile, with the caller's broadcast axes.
  /// \param called  the caller's image, with axes in the order of the tile's
  constexpr scattered_image<const T> on_tile(int i, const image<const T>& local,
                                             const scattered_image<const T>& called) const {
    scattered_image<const T> in = repeated_image(scattered(local), called);
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
  /// The positions of a chunk, counted over all samples. The last grain may be shorter, and have none for some chunks.
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
    for (int i = 0; i < inputs; ++i) part.in[i] = from.on_tile(i, local.template input<T>(i), from.q.in[i]);
    for (int r = 0; r < outputs; ++r) to[r] = local.template output<T>(r);
    for (index_t row = rows.first; row < rows.last; ++row) {
      const tile_range chunk = positions_of(row);
      T* at[outputs];
      for (int r = 0; r < outputs; ++r) at[r] = to[r].at(row, 0, 0, 0, 0);
      if (chunk.size() > 0)
        tile::place_sums_core<V>::chunk(
            part, {chunk.first / box().positions(), chunk.first % box().positions(), chunk.size()}, 0, part.channels,
            at);
      else
        for (T* p : at)
          for (index_t c = 0; c < part.channels; ++c) p[c] = T(0);
    }
  }
};

/// The stage after the chunks: joins their sums, channel by channel.
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

  /// Calls done(first channel, lanes, totals) for vectors of channels.
  /// \param begin  begin(first channel, lanes, totals) initialises totals
  template <class Local, class Begin, class Done>
  void join(index_t channels, const Local& local, Begin begin, Done done) const {
    const place_sums<T, F>& q = chunks.from.q;
    const index_t grain = chunks.grain();
    image<const T> sums[F::results];
    for (int r = 0; r < F::results; ++r) sums[r] = local.template input<T>(r);
    tile::each_vector<V>(channels, [&](index_t c, auto valid) {
      V total[F::results];
      for (V& t : total) t = V(T(0));
      begin(c, valid, total);
      index_t before = q.seen;
      each_chunk(q.summed.batch, q.summed.extent, [&](index_t n, index_t position, index_t count) {
        const index_t of_grain = (n % grain * q.summed.positions() + position) / dot_chunk,
                      row = n / grain * chunks.of_grain() + of_grain;
        V chain[F::results];
        for (int r = 0; r < F::results; ++r) chain[r] = tile::load_lanes<V>(sums[r].at(row, c, 0, 0, 0), valid);
        q.f.join(total, chain, before, count);
        before += count;
      });
      done(c, valid, total);
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
        [&](index_t c, auto valid, V(&total)[outputs]) {
          for (int r = 0; r < outputs; ++r)
            if (accumulates && to[r] != nullptr) total[r] = tile::load_lanes<V>(to[r] + c, valid);
        },
        [&](index_t c, auto valid, const V(&total)[outputs]) {
          for (int r = 0; r < outputs; ++r)
            if (to[r] != nullptr) tile::store_lanes(total[r], to[r] + c, valid);
        });
  }
};

/// Sums with results per sample or position, as rows of these. The axes with results of their own come first, so that
/// consecutive results need consecutive inputs.
template <class V, class F>
struct rows_of_place_sums {
  using T = typename V::value_type;
  static constexpr int inputs = F::inputs, outputs = F::results;
  static constexpr bool cuts_channels = true, accumulates = F::accumulates;

  summed_inputs<T, F> from;

  constexpr const place_sums<T, F>& q() const { return from.q; }
  constexpr row_tensor input(int i) const { return repeated(seen(from.image_of(i)), all(from.channels(i))); }
  constexpr row_tensor output(int) const {
    row_tensor y = all(q().channels);
    for (int d = kept(); d < 4; ++d) (d == 0 ? y.batch : y.extent[d - 1]) = 1;
    return y;
  }
  /// The results with the axes of the call.
  constexpr row_tensor result() const {
    const auto& e = q().of.extent;
    return {q().of.batch, {e[0], e[1], e[2]}, q().channels, sizeof(T)};
  }
  constexpr index_t channel_unit() const { return from.channel_unit(); }
  constexpr tile_range sources(int i, const tile_range& rows) const {
    if (rows.size() == 0) return {};
    const row_tensor whole = all(from.channels(i));
    const index_t of_a_result = whole.rows() / output(0).rows();
    return repeated_sources(input(i), whole, {rows.first * of_a_result, rows.last * of_a_result});
  }
  constexpr index_t operations() const { return F::operations * q().summed.places(); }

  template <class Do>
  void each_input(Do f) const {
    for (int i = 0; i < inputs; ++i) f(i, seen(from.image_of(i)));
  }
  template <class Do>
  void each_output(Do f) const {
    for (int r = 0; r < outputs; ++r)
      if (q().out[r].p != nullptr) f(r, seen(q().out[r]));
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range& channels, const Local& local) const {
    using core = tile::place_sums_core<V>;
    scattered_image<const T> in[inputs];
    scattered_image<T> out[outputs];
    for (int i = 0; i < inputs; ++i) in[i] = from.on_tile(i, local.template input<T>(i), seen(q().in[i]));
    for (int r = 0; r < outputs; ++r) out[r] = scattered(local.template output<T>(r));
    auto part = q();
    part.channels = channels.size(), part.of = {};
    if (kept() == 4) size_of(part.of, order().axis[3]) = output(0).extent[2];
    const index_t height = output(0).extent[1], depth = output(0).extent[0];
    for (index_t row = rows.first; row < rows.last; ++row) {
      const row_cursor at(row, {depth, height});
      const auto begin = [&](auto image) {
        image.p = image.at(at.n, 0, at.z, at.y, 0), image.skipped = 0;
        return as_called(image);
      };
      for (int i = 0; i < inputs; ++i) part.in[i] = begin(in[i]);
      for (int r = 0; r < outputs; ++r)
        if (part.out[r].p != nullptr) part.out[r] = begin(out[r]);
      core::run(part, 0, core::parts(part));
    }
  }

 private:
  /// An order of samples and axes, 0 to 3: those with results of their own come first.
  struct axes {
    int axis[4] = {0, 1, 2, 3};
  };
  template <class Box>
  static constexpr auto& size_of(Box& b, int axis) {
    return axis == 0 ? b.batch : b.extent[axis - 1];
  }
  template <class Image>
  static constexpr auto& stride_of(Image& i, int axis) {
    return axis == 0 ? i.sample : i.axis[axis - 1];
  }
  constexpr bool is_kept(int axis) const { return size_of(q().of, axis) != 1; }
  constexpr int kept() const { return is_kept(0) + is_kept(1) + is_kept(2) + is_kept(3); }
  constexpr axes order() const {
    axes o;
    for (int axis = 0, first = 0, then = kept(); axis < 4; ++axis) o.axis[is_kept(axis) ? first++ : then++] = axis;
    return o;
  }
  /// all() is the shape of a tensor with all elements, and seen() an image, in this order of axes; as_called() restores
  /// the call's order.
  constexpr row_tensor all(index_t channels) const {
    const axes o = order();
    const auto size = [&](int d) { return size_of(q().summed, o.axis[d]) * size_of(q().of, o.axis[d]); };
    return {size(0), {size(1), size(2), size(3)}, channels, sizeof(T)};
  }
  template <class Image>
  constexpr Image seen(Image i) const {
    const Image called = i;
    for (int d = 0; d < 4; ++d) stride_of(i, d) = stride_of(called, order().axis[d]);
    return i;
  }
  template <class Image>
  constexpr Image as_called(Image i) const {
    const Image local = i;
    for (int d = 0; d < 4; ++d) stride_of(i, order().axis[d]) = stride_of(local, d);
    return i;
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct place_sums_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<place_sums_kernel<mimd<D, Numerics, Tuning>>, tile::place_sums_parts, D, Numerics> {
  using common = mimd_rows_kernels<place_sums_kernel, tile::place_sums_parts, D, Numerics>;
  static constexpr const char* name = "sums";

  template <class T, class F, class Use>
  static constexpr auto with_rows(const place_sums<T, F>& q, Use use) {
    using V = typename common::template vector<T>;
    if (q.of.places() != 1) return use(impl::rows_of_place_sums<V, F>{{q}});
    const impl::rows_of_chunks<V, F> chunks{{q}};
    return use(std::tuple{chunks, impl::rows_of_totals<V, F>{{chunks}}});
  }
};

}  // namespace tern::inline TERN_ISA
