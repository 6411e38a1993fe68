// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of pools, maps, norms, softmax, losses, random draws and of ops that move elements, and how a policy runs
// them. What must not change their bits is the layout, in how many calls samples are taken, and where it runs.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/pictures.hpp"
#include "tests/verify/inputs.hpp"
#include "tests/verify/recorder.hpp"

namespace tern::test::inline TERN_ISA {

/// The layout of tensors, and the number of calls for a result.
enum class field_form { last, gaps, blocks, planes, cut };

/// The ops to run: all, or some, so that less is compiled at a time.
enum class field_ops {
  all,
  moves,        ///< pools, ops that move elements, random draws
  maps,         ///< elementwise ops, optimisers
  norms,        ///< those without an activation
  batch_norms,  ///< and norms that end with a residual and an activation
  softmax,
  losses
};

struct pool_case {
  const char* name;  ///< of the problem, after the op
  pool_shape shape;
  inputs kind = inputs::uniform;
};

constexpr pool_shape pool_of(index_t batch, index_t channels, window_axis z, window_axis y, window_axis x,
                             bool count_padding = false) {
  return {batch, channels, {z, y, x}, count_padding};
}
constexpr window_axis pooled(index_t in, index_t kernel, index_t stride, index_t dilation = 1, index_t pad = 0,
                             index_t pad_end = 0, bool ceil = false) {
  return window_over(in, kernel, stride, dilation, padding::given, pad, pad_end, ceil);
}

/// Windows of every kind, one with more than a chunk of taps.
inline constexpr pool_case pool_cases[] = {
    {"2x17x29, kernel 3, stride 2, pad 1", pool_of(2, 17, {}, {}, pooled(29, 3, 2, 1, 1, 1))},
    {"2x33x14x15, kernel 2x2, stride 2x2", pool_of(2, 33, {}, pooled(14, 2, 2), pooled(15, 2, 2))},
    {"2x70x9x12, kernel 3x3, stride 2x2, pad 1x1",
     pool_of(2, 70, {}, pooled(9, 3, 2, 1, 1, 1), pooled(12, 3, 2, 1, 1, 1))},
    {"2x16x11x9, kernel 3x2, stride 1x1, dilation 2x3, pad 2x0 1x2, ceil, padding counted",
     pool_of(2, 16, {}, pooled(11, 3, 1, 2, 2, 1, true), pooled(9, 2, 1, 3, 0, 2, true), true)},
    {"2x19x7x8, kernel 7x8", pool_of(2, 19, {}, {.in = 7, .kernel = 7}, {.in = 8, .kernel = 8})},
    {"1x5x6x7x8, kernel 2x3x2, stride 2x2x1", pool_of(1, 5, pooled(6, 2, 2), pooled(7, 3, 2), pooled(8, 2, 1))},
    {"1x18x1300, kernel 600, stride 50, dilation 2, pad 40", pool_of(1, 18, {}, {}, pooled(1300, 600, 50, 2, 40, 40))},
    {"2x33x9x9, kernel 3x3, stride 2x2", pool_of(2, 33, {}, pooled(9, 3, 2), pooled(9, 3, 2)), inputs::wide},
    {"2x34x9x9, kernel 3x3, stride 1x1", pool_of(2, 34, {}, pooled(9, 3, 1), pooled(9, 3, 1)), inputs::special}};

/// The cases of elements T under one policy, in one way. `Make` gives the run-time state of a call.
template <class Policy, class T, class Make>
class field_way {
 public:
  field_way(recorder& to, const char* policy, const char* way, field_form f, Make& make)
      : to_(to), policy_(policy), way_(way), form_(f), make_(make) {}

  template <field_ops Ops>
  void run() {
    constexpr bool all = Ops == field_ops::all;
    if constexpr (all || Ops == field_ops::moves) {
      for (const pool_case& c : pool_cases) pool(c);
      moves();
    }
    if constexpr (all || Ops == field_ops::maps)
      for (const inputs kind : {inputs::wide, inputs::special})
        maps(kind), couplings(kind), gated(kind), of_two(kind), optimizers(kind);
    if constexpr (all || Ops == field_ops::norms) norms();
    if constexpr (all || Ops == field_ops::batch_norms) batch_norms();
    if constexpr (all || Ops == field_ops::softmax) softmaxes();
    if constexpr (all || Ops == field_ops::losses) losses();
    if constexpr (all || Ops == field_ops::moves) random_draws();
  }

 private:
  using pools = pooling_kernel<Policy>;
  using rearrangements = rearrangement_kernel<Policy>;
  using mappings = mapping_kernel<Policy>;
  using sums_of_places = place_sums_kernel<Policy>;
  using normalizations = normalization_kernel<Policy>;
  using row_programs = row_kernel<Policy>;
  using losses_of = loss_kernel<Policy>;
  using draws = drawing_kernel<Policy>;

  // --- Pools ---------------------------------------------------------------------------------------------------------

  void pool(const pool_case& c) {
    values<pool_kind::max, false>(c);
    values<pool_kind::max, true>(c);
    values<pool_kind::average, false>(c);
    gradient<pool_shares::all, false>(c);
    gradient<pool_shares::given, true>(c);
    gradient<pool_shares::found, false>(c);
  }
  template <pool_kind K, bool Indices>
  void values(const pool_case& c) {
    const pool_shape& s = c.shape;
    const picture<T> x = filled(s.batch, s.channels, inputs_of(s), 1, c.kind);
    const picture<T> y = empty<T>(s.batch, s.channels, results_of(s));
    const picture<std::int32_t> indices = empty<std::int32_t>(s.batch, s.channels, results_of(s));
    parts(s.batch, [&](index_t first, index_t last) {
      pool_values<T, K, Indices> q{s, from(x, first), at(y, first), at(indices, first)};
      q.shape.batch = last - first;
      call<pools>(q);
    });
    const std::string op = K == pool_kind::max ? "max_pool " : "avg_pool ";
    if constexpr (Indices)
      record(op + dtype<T>::name + " indices: " + c.name, c.kind, indices);
    else
      record(op + dtype<T>::name + " forward: " + c.name, c.kind, y);
  }
  template <pool_shares S, bool Accumulate>
  void gradient(const pool_case& c) {
    const pool_shape& s = c.shape;
    const picture<T> x = filled(s.batch, s.channels, inputs_of(s), 1, c.kind),
                     dy = filled(s.batch, s.channels, results_of(s), 2, c.kind);
    const picture<T> dx =
        Accumulate ? filled(s.batch, s.channels, inputs_of(s), 3, c.kind) : empty<T>(s.batch, s.channels, inputs_of(s));
    const picture<std::int32_t> indices = empty<std::int32_t>(s.batch, s.channels, results_of(s));
    const picture<T> y = empty<T>(s.batch, s.channels, results_of(s));
    pooling_kernel<reference>::run({}, pool_values<T, pool_kind::max, true>{s, x, y.get(), indices.get()});
    parts(s.batch, [&](index_t first, index_t last) {
      pool_gradient<T, S, Accumulate> q{s, from(dy, first), from(indices, first), from(x, first), at(dx, first)};
      q.shape.batch = last - first;
      call<pools>(q);
    });
    const std::string op = S == pool_shares::all ? "avg_pool " : "max_pool ";
    record(op + dtype<T>::name + " backward_data" + (S == pool_shares::found ? " of x" : "") +
               (Accumulate ? " accumulate" : "") + ": " + c.name,
           c.kind, dx);
  }

  // --- Moves ---------------------------------------------------------------------------------------------------------

  void moves() {
    move<false>("reorder", "33 channels", identity_map{7, 33}, {33, {1, 5, 7}}, {33, {1, 5, 7}});
    move<false>("channel_shuffle", "36 channels, groups 4", shuffle_map{6, 36, 4}, {36, {1, 5, 6}}, {36, {1, 5, 6}});
    for (const depth_order o : {depth_order::dcr, depth_order::crd}) {
      const std::string order = std::string(name(o)) + ", block 2x3";
      move<false>("space_to_depth", order, depth_map<false>{{1, 2, 3}, o, 4, 5}, {5, {1, 6, 12}}, {30, {1, 3, 4}});
      move<true>("depth_to_space", order, depth_map<true>{{1, 2, 3}, o, 4, 5}, {30, {1, 3, 4}}, {5, {1, 6, 12}});
    }
    const upsample_axis once{}, twice{5, 2}, thrice{7, 3};
    move<false>("upsample", "nearest 2x3", repeat_map{{once, twice, thrice}, 20}, {20, {1, 5, 7}}, {20, {1, 10, 21}});
    for (const interpolation mode :
         {interpolation::nearest, interpolation::linear, interpolation::linear_align_corners}) {
      const upsample_axis axis[3] = {{2, 2, mode}, {5, 2, mode}, {7, 3, mode}};
      const std::string how = std::string(name(mode)) + " 2x2x3";
      if (mode != interpolation::nearest) resample<resample_pass::forward, false>("upsample", how, axis);
      resample<resample_pass::data, true>("upsample", how, axis);
    }
    for (const border mode : {border::constant, border::reflect, border::replicate, border::circular}) {
      const pad_axis axis[3] = {{1, 0, 0, mode}, {5, 2, 3, mode}, {7, 4, 1, mode}};
      const std::string how = std::string(name(mode)) + " 2x4 3x1";
      move<false>("pad", how, pad_map{{axis[0], axis[1], axis[2]}, 18}, {18, {1, 5, 7}}, {18, {1, 10, 12}});
      resample<resample_pass::data, false>("pad", how, axis);
    }
  }

  struct sizes {
    index_t channels;
    extents3 extent;
  };
  template <bool Accumulate, class Map>
  void move(const std::string& op, const std::string& how, const Map& map, const sizes& in, const sizes& out) {
    constexpr index_t batch = 3;
    const picture<T> x = filled(batch, in.channels, in.extent, 1, inputs::special);
    const picture<T> y = Accumulate ? filled(batch, out.channels, out.extent, 2, inputs::wide)
                                    : empty<T>(batch, out.channels, out.extent);
    parts(batch, [&](index_t first, index_t last) {
      rearrangement<T, Map, Accumulate> q;
      q.batch = last - first, q.channels = out.channels, q.from_channels = in.channels;
      for (std::size_t r = 0; r < 3; ++r) q.extent[r] = out.extent[r], q.from_extent[r] = in.extent[r];
      q.from = scattered(from(x, first), in.channels), q.to = scattered(at(y, first), out.channels);
      q.map = map, q.value = T(-0.75f);
      call<rearrangements>(q);
    });
    record(op + " " + dtype<T>::name + " forward" + (Accumulate ? " accumulate" : "") + ": " + how, inputs::uniform, y);
  }
  template <resample_pass P, bool Accumulate, class Axis>
  void resample(const std::string& op, const std::string& how, const Axis (&axis)[3]) {
    constexpr bool forward = P == resample_pass::forward;
    const extents3 small{axis[0].in, axis[1].in, axis[2].in}, large{axis[0].out(), axis[1].out(), axis[2].out()};
    const extents3 &in = forward ? small : large, &out = forward ? large : small;
    constexpr index_t batch = 2, channels = 19;
    const picture<T> x = filled(batch, channels, in, 1, inputs::wide);
    const picture<T> y = Accumulate ? filled(batch, channels, out, 2, inputs::wide) : empty<T>(batch, channels, out);
    parts(batch, [&](index_t first, index_t last) {
      resampling<T, P, Axis, Accumulate> q;
      q.batch = last - first, q.channels = channels, q.from = from(x, first), q.to = at(y, first);
      for (int r = 0; r < 3; ++r) q.axis[r] = axis[r];
      call<rearrangements>(q);
    });
    record(op + " " + dtype<T>::name + (forward ? " forward" : " backward_data") + (Accumulate ? " accumulate" : "") +
               ": " + how,
           inputs::uniform, y);
  }

  // --- Maps ----------------------------------------------------------------------------------------------------------

  void maps(inputs kind) {
    map<epilogue_map<epilogue{.act = activation::relu}>>("forward relu", kind);
    map<epilogue_map<epilogue{.bias = true, .residual = true, .scale = true}>>("forward scale bias residual", kind, 1,
                                                                               3);
    map<epilogue_map<epilogue{.bias = true, .act = activation::gelu_tanh}>>("forward bias gelu_tanh", kind, 1, 2);
    map<epilogue_map<epilogue{.act = activation::mish}>>("forward mish", kind);
    map<epilogue_gradient_map<false, activation::selu, false>>("backward_data selu", kind);
    map<epilogue_gradient_map<true, activation::silu, true>>("backward_data scale silu accumulate", kind, 2, 3);
    map<epilogue_map<epilogue{.bias = true, .act = activation::prelu}>>("forward bias prelu", kind, 1, 3);
    map<epilogue_gradient_map<false, activation::prelu, false>>("backward_data prelu", kind, 2, 3);
    sums<tile::scale_terms<activation::mish, true>>("backward_scale mish", kind, {1, 1, 1});
    sums<tile::slope_terms<true>>("backward_slope of positions", kind, {1, 1, 9});
  }
  /// One result per channel, or per channel and position.
  template <class F>
  void sums(const std::string& how, inputs kind, const extents3& of) {
    constexpr index_t batch = 45, channels = 37;
    const extents3 e{1, 1, 9};
    std::vector<picture<T>> x;
    for (int i = 0; i < F::inputs; ++i)
      x.push_back(filled(batch, channels, e, static_cast<std::uint64_t>(i) + 1, kind));
    const picture<T> y = filled(1, channels, of, 9, kind);
    const index_t together = form_ == field_form::cut ? 32 : batch;  // whole grains
    for (index_t first = 0; first < batch; first += together) {
      place_sums<T, F> q;
      q.channels = channels, q.summed.batch = batch - first < together ? batch - first : together;
      for (std::size_t r = 0; r < 3; ++r) (of[r] == e[r] ? q.of : q.summed).extent[r] = e[r];
      for (int i = 0; i < F::inputs; ++i) q.in[i] = scattered(from(x[static_cast<std::size_t>(i)], first), channels);
      q.out[0] = scattered(at(y, 0), channels);
      call<sums_of_places>(q);
    }
    record(std::string("elementwise ") + dtype<T>::name + " " + how + ": 45x37x9", kind, y);
  }
  void couplings(inputs kind) {
    using enum stream_kind;
    constexpr int half = 4 * sizeof(T), fraction = sizeof(T) == 4 ? 12 : 26;
    function("coupling", "fixed_point", kind, 0, 0, tile::coupling_map<fixed_point, half, false>());
    function("coupling", "fixed_point inverse", kind, 0, 0, tile::coupling_map<fixed_point, half, true>());
    function("coupling", "fixed_point to_stream", kind, 0, 0, tile::stream_map<fixed_point, half, false>());
    function("coupling", "fixed_point from_stream", kind, 0, 0, tile::stream_map<fixed_point, half, true>());
    function("coupling", "grid", kind, 0, 0, tile::coupling_map<grid, fraction, false>());
    function("coupling", "grid inverse", kind, 0, 0, tile::coupling_map<grid, fraction, true>());
    function("coupling", "grid to_stream", kind, 0, 0, tile::stream_map<grid, fraction, false>());
    function("coupling", "drifting", kind, 0, 0, tile::coupling_map<drifting, 0, false>());
    function("coupling", "drifting inverse", kind, 0, 0, tile::coupling_map<drifting, 0, true>());
  }
  void gated(inputs kind) {
    function("glu", "silu", kind, 0, 0, tile::glu_map<activation::silu>());
    function("glu", "silu gradients", kind, 0, 0, tile::glu_gradient_map<activation::silu, true>());
  }
  void of_two(inputs kind) {
    function("subtract", "forward", kind, 0, 0, tile::binary_map<binary_kind::subtract>());
    function("divide", "forward", kind, 0, 0, tile::binary_map<binary_kind::divide>());
    function("maximum", "forward", kind, 0, 0, tile::binary_map<binary_kind::maximum>());
    function("minimum", "forward", kind, 0, 0, tile::binary_map<binary_kind::minimum>());
    function("subtract", "gradients", kind, 0, 0, tile::binary_gradient_map<binary_kind::subtract, true>());
    function("divide", "gradients", kind, 0, 0, tile::binary_gradient_map<binary_kind::divide, false>());
    function("maximum", "gradients", kind, 0, 0, tile::binary_gradient_map<binary_kind::maximum, false>());
    function("minimum", "gradients", kind, 0, 0, tile::binary_gradient_map<binary_kind::minimum, true>());
  }
  void optimizers(inputs kind) {
    const sgd_step s{.rate = 0.1, .decay = 0.01};
    const adam_step a{.rate = 0.01, .decay = 0.1, .most = 2, .step = 7};
    const rmsprop_step r{.decay = 0.1, .momentum = 0.9};
    function("sgd", "nesterov", kind, 0, 0, tile::sgd_map<sgd_config{.momentum = true, .nesterov = true}, T>(s));
    function("adam", "coupled", kind, 0, 0, tile::adam_map<adam_config{}, T>(a));
    function("adam", "decoupled, clipped", kind, 4, 5,
             tile::adam_map<adam_config{.decoupled = true, .clip = true}, T>(a));
    function("rmsprop", "momentum", kind, 0, 0, tile::rmsprop_map<rmsprop_config{.momentum = true}, T>(r));
    function("lars", "step", kind, 3, 5, tile::lars_map<T>({.decay = 0.01, .scale = 4}));
    function("lamb_update", "step", kind, 0, 0, tile::lamb_update_map<T>(a));
    function("lamb", "step", kind, 2, 4, tile::lamb_map<T>({.rate = 0.01}));
    function("moving_average", "step", kind, 0, 0, tile::moving_average_map<T>({.decay = 0.99, .factor = 3}));
  }

  template <class F>
  void map(const std::string& how, inputs kind, int first_repeated = 0, int last_repeated = 0) {
    function("elementwise", how, kind, first_repeated, last_repeated, F());
  }
  /// Inputs [first, last) are numbers per channel.
  template <class F>
  void function(const char* op, const std::string& how, inputs kind, int first_repeated, int last_repeated,
                const F& f) {
    constexpr index_t batch = 3, channels = 37;
    const extents3 e{1, 5, 9};
    std::vector<picture<T>> x;
    for (int i = 0; i < F::inputs; ++i) {
      const bool once = i >= first_repeated && i < last_repeated;
      x.push_back(
          filled(once ? 1 : batch, channels, once ? extents3{1, 1, 1} : e, static_cast<std::uint64_t>(i) + 1, kind));
    }
    std::vector<picture<T>> y;
    for (int i = 0; i < F::outputs; ++i)
      y.push_back(F::accumulates ? filled(batch, channels, e, 9, kind) : empty<T>(batch, channels, e));
    parts(batch, [&](index_t first, index_t last) {
      mapping<T, F> q;
      q.f = f;
      q.batch = last - first, q.channels = channels;
      for (std::size_t r = 0; r < 3; ++r) q.extent[r] = e[r];
      for (int i = 0; i < F::inputs; ++i) {
        const bool once = i >= first_repeated && i < last_repeated;
        q.in[i] = scattered(from(x[static_cast<std::size_t>(i)], once ? 0 : first), channels);
        if (once) q.in[i].sample = q.in[i].axis[0] = q.in[i].axis[1] = q.in[i].axis[2] = 0;
      }
      for (int i = 0; i < F::outputs; ++i) q.out[i] = scattered(at(y[static_cast<std::size_t>(i)], first), channels);
      call<mappings>(q);
    });
    const std::string name = std::string(op) + " " + dtype<T>::name + " " + how;
    for (std::size_t i = 0; i < y.size(); ++i)
      record(name + (i > 0 ? " " + std::to_string(i) : "") + ": 3x37x5x9", kind, y[i]);
  }

  // --- Norms ---------------------------------------------------------------------------------------------------------

  void norms() {
    constexpr norm_steps plain{.scale = false, .shift = false}, root{.center = false, .shift = false};
    norm<norm_steps{}>("layer_norm", {3, 300, 1, {1, 1, 1}}, inputs::uniform);
    norm<plain>("layer_norm", {2, 4500, 1, {1, 1, 1}}, inputs::wide);
    norm<root>("rms_norm", {3, 77, 1, {1, 1, 1}}, inputs::uniform);
    norm<norm_steps{}>("group_norm", {2, 18, 2, {1, 20, 27}}, inputs::wide);
    norm<norm_steps{}>("instance_norm", {2, 19, 19, {3, 4, 5}}, inputs::special);
  }
  void batch_norms() {
    constexpr norm_steps full{.residual = true, .act = activation::relu};
    norm<full>("group_norm", {2, 24, 3, {1, 6, 7}}, inputs::uniform);
    statistics(3, 37, {1, 15, 13}, inputs::uniform);
    statistics(4, 70, {1, 1, 45}, inputs::wide);
    norm<norm_steps{.residual = true, .act = activation::relu, .batch = true}>("batch_norm", {5, 18, 18, {1, 13, 11}},
                                                                               inputs::uniform);
    norm<norm_steps{.batch = true}>("batch_norm", {70, 33, 33, {1, 1, 1}}, inputs::wide);
  }
  template <norm_steps S>
  void norm(const std::string& op, const norm_shape& s, inputs kind) {
    const extents3 e{s.extent[0], s.extent[1], s.extent[2]};
    const picture<T> x = filled(s.batch, s.channels, e, 1, kind), rest = filled(s.batch, s.channels, e, 2, kind),
                     y = empty<T>(s.batch, s.channels, e), dx = empty<T>(s.batch, s.channels, e);
    const auto random_values = [](index_t size, std::uint64_t seed) {
      std::vector<T> v(static_cast<std::size_t>(size));
      input_sequence<T> next(seed * 0x10001, inputs::uniform);
      for (T& i : v) i = next();
      return v;
    };
    const std::vector<T> scale = random_values(s.channels, 3), shift = random_values(s.channels, 4);
    std::vector<T> mean = random_values(s.sets(S.batch) * s.groups, 5),
                   rstd = random_values(s.sets(S.batch) * s.groups, 6), dscale = random_values(s.channels, 7),
                   dshift = random_values(s.channels, 8);
    const auto forward_and_back = [&](index_t first, index_t last) {
      norm_shape part = s;
      part.batch = last - first;
      const operand<const T> gain{scale.data(), 1, 0, 0}, offset{shift.data(), 1, 0, 0};
      const operand<T> of_mean{mean.data() + first * s.groups, s.groups, 1, 0},
          of_rstd{rstd.data() + first * s.groups, s.groups, 1, 0};
      call<normalizations>(norm_values<T, S>{part,
                                             from(x, first),
                                             from(rest, first),
                                             gain,
                                             offset,
                                             at(y, first),
                                             of_mean,
                                             of_rstd,
                                             {},
                                             static_cast<T>(1e-5)});
      const operand<const T> known_mean{of_mean.p, s.groups, 1, 0}, known_rstd{of_rstd.p, s.groups, 1, 0};
      call<normalizations>(norm_gradient<T, S.of_gradient(), false>{part, from(rest, first), from(x, first), gain,
                                                                    known_mean, known_rstd, at(dx, first)});
    };
    if (S.batch)
      forward_and_back(0, s.batch);  // a set is not cut
    else
      parts(s.batch, forward_and_back);
    // Samples of a grain stay together.
    const index_t together = form_ == field_form::cut ? grain_samples(s.positions()) : s.batch;
    for (index_t first = 0; first < s.batch; first += together) {
      norm_shape part = s;
      part.batch = s.batch - first < together ? s.batch - first : together;
      const index_t row = S.batch ? 0 : s.groups;  // of statistics
      const operand<const T> of_mean{mean.data() + first * row, row, 1, 0},
          of_rstd{rstd.data() + first * row, row, 1, 0};
      call<sums_of_places>(norm_weight_sums<T, S.center, true>(part, from(rest, first), from(x, first), of_mean,
                                                               of_rstd, operand<T>{dscale.data(), 1, 0, 0},
                                                               operand<T>{dshift.data(), 1, 0, 0}));
    }
    char name[100];
    const auto pass = [&](const char* which) {
      std::snprintf(name, sizeof name, "%s %s %s: %tdx%td, groups %td, %tdx%tdx%td", op.c_str(), dtype<T>::name, which,
                    s.batch, s.channels, s.groups, s.extent[0], s.extent[1], s.extent[2]);
      return std::string(name);
    };
    record(pass("forward"), kind, y);
    record(pass("backward_data"), kind, dx);
    checksum sums;
    for (const auto* v : {&mean, &rstd, &dscale, &dshift})
      for (const T i : *v) sums.add(i);
    to_.add(to_, policy_, way_, pass("backward_weights").c_str(), sums.value());
  }

  /// Of batches whose grains are single samples.
  void statistics(index_t batch, index_t channels, const extents3& e, inputs kind) {
    const picture<T> x = filled(batch, channels, e, 1, kind);
    const picture<T> mean = empty<T>(1, channels, {1, 1, 1}), squares = empty<T>(1, channels, {1, 1, 1});
    std::vector<T> m(static_cast<std::size_t>(channels)), q(m.size());
    parts(batch, [&](index_t first, index_t last) {
      norm_shape part{.batch = last - first, .channels = channels, .groups = channels};
      for (std::size_t r = 0; r < 3; ++r) part.extent[r] = e[r];
      const auto join = [&]<bool Join>(std::bool_constant<Join>) {
        call<sums_of_places>(channel_statistics<T, Join>(part, from(x, first), {m.data(), 1, 0, 0}, {q.data(), 1, 0, 0},
                                                         first * part.positions()));
      };
      if (first == 0)
        join(std::false_type());
      else
        join(std::true_type());
    });
    for (index_t c = 0; c < channels; ++c) {
      mean(0, c, 0, 0, 0) = m[static_cast<std::size_t>(c)], squares(0, c, 0, 0, 0) = q[static_cast<std::size_t>(c)];
    }
    const auto record_of = [&](const char* which, const picture<T>& p) {
      char name[100];
      std::snprintf(name, sizeof name, "batch_norm %s statistics of %td, %s", dtype<T>::name, channels, which);
      record(name, kind, p);
    };
    record_of("mean", mean), record_of("squares", squares);
  }

  // --- Softmax -------------------------------------------------------------------------------------------------------

  void softmaxes() {
    for (const inputs kind : {inputs::uniform, inputs::wide, inputs::special}) {
      soft<false, false>({2, 21, {1, 5, 18}}, kind);
      soft<true, false>({3, 300, {1, 1, 1}}, kind);
      soft<false, true>({2, 130, {3, 2, 4}}, kind);
    }
    soft<false, false>({2, 4500, {1, 1, 2}}, inputs::wide);
    unit_rows({3, 100, {1, 1, 1}}, inputs::special), unit_rows({2, 4500, {1, 1, 2}}, inputs::wide);
    largest({2, 130, {3, 2, 4}}, inputs::special);
  }
  template <bool Log, bool Mask>
  void soft(const row_shape& s, inputs kind) {
    const extents3 e{s.extent[0], s.extent[1], s.extent[2]};
    const picture<T> x = filled(s.batch, s.features, e, 1, kind),
                     dy = filled(s.batch, s.features, e, 2, inputs::uniform), y = empty<T>(s.batch, s.features, e),
                     dx = empty<T>(s.batch, s.features, e);
    const picture<std::uint8_t> mask = empty<std::uint8_t>(s.batch, s.features, {1, 1, 1});
    mask.each([&](index_t n, index_t c, auto... i) { mask(n, c, i...) = (n + c) % 3 != 0; });
    parts(s.batch, [&](index_t first, index_t last) {
      row_shape part = s;
      part.batch = last - first;
      auto who = scattered(from(mask, first), s.features);
      who.axis[0] = who.axis[1] = who.axis[2] = 0;
      call<row_programs>(softmax_values<T, Log, Mask>{part, scattered(from(x, first), s.features), who,
                                                      scattered(at(y, first), s.features)});
      call<row_programs>(softmax_gradient<T, Log, false>{part, scattered(from(dy, first), s.features),
                                                         scattered(from(y, first), s.features),
                                                         scattered(at(dx, first), s.features)});
    });
    char name[100];
    const auto pass = [&](const char* which) {
      std::snprintf(name, sizeof name, "%s %s %s%s: %tdx%td, %tdx%tdx%td", Log ? "log_softmax" : "softmax",
                    dtype<T>::name, which, Mask ? " mask" : "", s.batch, s.features, s.extent[0], s.extent[1],
                    s.extent[2]);
      return std::string(name);
    };
    record(pass("forward"), kind, y);
    record(pass("backward_data"), kind, dx);
  }

  void unit_rows(const row_shape& s, inputs kind) {
    using row::call, row::l2_rows, row::l2_gradient_rows;
    const extents3 e{s.extent[0], s.extent[1], s.extent[2]};
    const picture<T> x = filled(s.batch, s.features, e, 1, kind), dx = filled(s.batch, s.features, e, 2, kind),
                     y = empty<T>(s.batch, s.features, e);
    parts(s.batch, [&](index_t first, index_t last) {
      row_shape part = s;
      part.batch = last - first;
      const auto in = scattered(from(x, first), s.features), dy = scattered(from(y, first), s.features);
      this->template call<row_programs>(call<l2_rows<T>>{part, {in}, scattered(at(y, first), s.features)});
      this->template call<row_programs>(
          call<l2_gradient_rows<T, true>>{part, {dy, in}, scattered(at(dx, first), s.features)});
    });
    const std::string op = std::string("l2_normalize ") + dtype<T>::name;
    record(op + " forward: " + std::to_string(s.features), kind, y);
    record(op + " backward_data accumulate: " + std::to_string(s.features), kind, dx);
  }

  void largest(const row_shape& s, inputs kind) {
    const extents3 e{s.extent[0], s.extent[1], s.extent[2]};
    const picture<T> x = filled(s.batch, s.features, e, 1, kind);
    const picture<std::int32_t> y = empty<std::int32_t>(s.batch, 1, e);
    parts(s.batch, [&](index_t first, index_t last) {
      row_shape part = s;
      part.batch = last - first;
      this->template call<row_programs>(
          row::call<row::argmax_rows<T>>{part, {scattered(from(x, first), s.features)}, scattered(at(y, first), 1)});
    });
    record(std::string("argmax ") + dtype<T>::name + ": " + std::to_string(s.features), kind, y);
  }

  // --- Losses --------------------------------------------------------------------------------------------------------

  void losses() {
    for (const inputs kind : {inputs::uniform, inputs::wide, inputs::special}) {
      element_loss<loss_kind::squared_error>("squared_error", kind);
      element_loss<loss_kind::bce_with_logits>("bce_with_logits", kind);
      element_loss<loss_kind::gaussian_nll>("gaussian_nll", kind);
      element_loss<loss_kind::gaussian_kl>("gaussian_kl", kind);
      squares(kind);
      multivariate<1>(kind);
      multivariate<3>(kind);
      cross_entropies<false>({2, 21, {1, 5, 18}}, kind);
      cross_entropies<true>({3, 300, {1, 1, 1}}, kind);
    }
    cross_entropies<true>({2, 4500, {1, 1, 2}}, inputs::wide);
  }

  template <loss_kind K>
  void element_loss(const char* op, inputs kind) {
    constexpr index_t batch = 2, channels = 37;
    const extents3 e{1, 9, 13};  // more than a block of features
    const picture<T> in[] = {filled(batch, channels, e, 1, kind), filled(batch, channels, e, 2, kind),
                             filled(batch, channels, e, 3, kind)};
    const picture<T> out[] = {empty<T>(batch, channels, e), empty<T>(batch, channels, e)};
    const picture<T> sums = empty<T>(batch, 1, {1, 1, 1}), dy = filled(batch, 1, {1, 1, 1}, 4, inputs::uniform);
    using map = tile::loss_gradient<K, T, true, false>;
    const auto set = [&](auto& q, index_t first, index_t last) {
      q.batch = last - first, q.channels = channels;
      for (std::size_t r = 0; r < 3; ++r) q.extent[r] = e[r];
      for (int i = 0; i < tile::loss_sum<K>::inputs; ++i) q.in[i] = scattered(from(in[i], first), channels);
    };
    parts(batch, [&](index_t first, index_t last) {
      element_sums<T, tile::loss_sum<K>> q;
      set(q, first, last);
      const image<T> to = at(sums, first);
      q.y = {to.p, to.sample, 0, 0};
      call<losses_of>(q);
      mapping<T, map> g;
      set(g, first, last);
      const image<const T> of = from(dy, first);
      g.in[map::inputs - 1] = {.p = of.p, .sample = of.sample, .channel = 0, .block = channels};
      g.f.weight = static_cast<T>(0.3);
      for (int i = 0; i < map::outputs; ++i) g.out[i] = scattered(at(out[i], first), channels);
      call<mappings>(g);
    });
    const std::string name = std::string(op) + " " + dtype<T>::name;
    record(name + " forward", kind, sums);
    for (int i = 0; i < map::outputs; ++i) record(name + " backward_data " + "xv"[i], kind, out[i]);
    record_total(name, kind, sums);
  }

  void squares(inputs kind) {
    constexpr index_t elements = 5003;
    const picture<T> x = filled(1, elements, {1, 1, 1}, 1, kind), total = empty<T>(1, 1, {1, 1, 1});
    element_sums<T, tile::square_sum> q;
    q.batch = 1, q.channels = elements;
    q.in[0] = scattered(from(x, 0), elements);
    q.y = {at(total, 0).p, 1, 0, 0};
    call<losses_of>(q);
    record(std::string("sum_of_squares ") + dtype<T>::name + " forward: 5003", kind, total);
  }

  /// The loss of N numbers at once: every feature is a tensor of its own.
  template <int N>
  void multivariate(inputs kind) {
    constexpr index_t batch = 45;
    using sum = tile::multivariate_gaussian_sum<N>;
    using map = tile::multivariate_gaussian_gradient<N, T, true, false>;
    const picture<T> x = filled(batch, sum::inputs, {1, 1, 1}, 1, kind), y = empty<T>(batch, 1, {1, 1, 1}),
                     dy = filled(batch, 1, {1, 1, 1}, 2, inputs::uniform),
                     dx = empty<T>(batch, map::outputs, {1, 1, 1});
    parts(batch, [&](index_t first, index_t last) {
      const auto set = [&](auto& q) {
        q.batch = last - first, q.channels = 1;
        for (index_t i = 0; i < sum::inputs; ++i) q.in[i] = feature(from(x, first), i);
      };
      element_sums<T, sum> q;
      set(q);
      const image<T> to = at(y, first);
      q.y = {to.p, to.sample, 0, 0};
      call<losses_of>(q);
      mapping<T, map> g;
      set(g);
      g.in[sum::inputs] = feature(from(dy, first), 0);
      g.f.weight = static_cast<T>(0.3);
      for (index_t i = 0; i < map::outputs; ++i) g.out[i] = feature(at(dx, first), i);
      call<mappings>(g);
    });
    const std::string name = std::string("multivariate_gaussian_nll ") + dtype<T>::name;
    const std::string shape = ": 45x" + std::to_string(N);
    record(name + " forward" + shape, kind, y);
    record(name + " backward_data" + shape, kind, dx);
  }
  template <class U>
  static scattered_image<U> feature(const image<U>& i, index_t which) {
    return {.p = i.at(0, which, 0, 0, 0), .sample = i.sample, .channel = 0, .block = 1};
  }

  template <bool Smooth>
  void cross_entropies(const row_shape& s, inputs kind) {
    const extents3 e{s.extent[0], s.extent[1], s.extent[2]};
    const picture<T> x = filled(s.batch, s.features, e, 1, kind), dx = empty<T>(s.batch, s.features, e),
                     y = empty<T>(s.batch, 1, e), dy = filled(s.batch, 1, e, 2, inputs::uniform);
    const picture<std::int32_t> target = empty<std::int32_t>(s.batch, 1, e);
    target.each([&](index_t n, index_t c, index_t i, index_t j, index_t k) {  // one of 40 is left out
      target(n, c, i, j, k) =
          static_cast<std::int32_t>((7 * n + 3 * j + 11 * k) % 40 == 39 ? -1 : (7 * n + 3 * j + 11 * k) % s.features);
    });
    const T keep = Smooth ? static_cast<T>(0.9) : T(1),
            share = Smooth ? static_cast<T>(0.1 / static_cast<double>(s.features)) : T(0);
    parts(s.batch, [&](index_t first, index_t last) {
      row_shape part = s;
      part.batch = last - first;
      const auto logits = scattered(from(x, first), s.features);
      const auto classes = scattered(from(target, first), 1);
      call<row_programs>(
          cross_entropy_values<T, Smooth>{part, logits, classes, scattered(at(y, first), 1), keep, share});
      call<row_programs>(cross_entropy_gradient<T, true, false>{part, logits, classes, scattered(from(dy, first), 1),
                                                                scattered(at(dx, first), s.features), keep, share,
                                                                static_cast<T>(0.3)});
    });
    char shape[60];
    std::snprintf(shape, sizeof shape, ": %tdx%td, %tdx%tdx%td", s.batch, s.features, e[0], e[1], e[2]);
    const std::string name = std::string("cross_entropy ") + dtype<T>::name + (Smooth ? " smoothed" : "");
    record(name + " forward" + shape, kind, y);
    record(name + " backward_data" + shape, kind, dx);
    record_total(name + shape, kind, y);
  }

  void record_total(const std::string& name, inputs kind, const picture<T>& losses) {
    const picture<T> total = empty<T>(1, 1, {1, 1, 1});
    const extents3 e = losses.extent();
    call<sums_of_places>(image_sums<false>({losses.samples(), {e[0], e[1], e[2]}}, 1, scattered(from(losses, 0), 1),
                                           operand<T>{at(total, 0).p, 1, 0, 0}));
    mapping<T, tile::quotient_map<T>> q;
    q.batch = q.channels = 1;
    q.in[0].p = q.out[0].p = at(total, 0).p, q.f.divisor = 3;
    call<mappings>(q);
    record(name + " total", kind, total);
  }

  // --- Random draws --------------------------------------------------------------------------------------------------

  void random_draws() {
    draw("dropout", inputs::special, tile::dropping<T, false, true>{0x60000000, static_cast<T>(1.6)});
    draw("stochastic_depth", inputs::wide, tile::dropping<T, true, true>{0x60000000, static_cast<T>(1.6)});
    draw("normal_sample forward", inputs::uniform, tile::normal_sampling<T>());
    draw("normal_sample backward_data", inputs::uniform, tile::normal_sampling_gradient<T, true>());
  }

  template <class F>
  void draw(const char* op, inputs kind, const F& f) {
    constexpr index_t batch = 3, channels = 37;
    const extents3 e{2, 3, 9};
    std::vector<picture<T>> x, y;
    for (int i = 0; i < F::inputs; ++i)
      x.push_back(filled(batch, channels, e, static_cast<std::uint64_t>(i == 0 ? 1 : i + 2), kind));
    for (int i = 0; i < F::outputs; ++i) y.push_back(filled(batch, channels, e, 2, inputs::uniform));
    parts(batch, [&](index_t first, index_t last) {
      drawing<T, F> q;
      q.batch = last - first, q.channels = channels, q.f = f;
      for (std::size_t r = 0; r < 3; ++r) q.extent[r] = e[r];
      for (int i = 0; i < F::inputs; ++i) q.in[i] = scattered(from(x[static_cast<std::size_t>(i)], first), channels);
      for (int i = 0; i < F::outputs; ++i) q.out[i] = scattered(at(y[static_cast<std::size_t>(i)], first), channels);
      q.key = {{12345, 678}, 9, 10, 11 + static_cast<std::uint32_t>(first)};
      call<draws>(q);
    });
    const std::string name = std::string(op) + " " + dtype<T>::name;
    for (std::size_t i = 0; i < y.size(); ++i)
      record(name + (F::accumulates ? " accumulate" : "") + (i > 0 ? " " + std::to_string(i) : "") + ": 3x37x2x3x9",
             kind, y[i]);
  }

  // --- What they share -----------------------------------------------------------------------------------------------

  static extents3 inputs_of(const pool_shape& s) { return {s.axis[0].in, s.axis[1].in, s.axis[2].in}; }
  static extents3 results_of(const pool_shape& s) { return {s.axis[0].out, s.axis[1].out, s.axis[2].out}; }

  template <class U>
  picture<U> empty(index_t batch, index_t channels, const extents3& e) const {
    using order = typename picture<U>::order;
    const order o = form_ == field_form::gaps     ? order::padded
                    : form_ == field_form::blocks ? order::blocks16
                    : form_ == field_form::planes ? order::planes
                                                  : order::last;
    return picture<U>(batch, channels, e, o, form_ == field_form::gaps ? 1 : 0);
  }
  picture<T> filled(index_t batch, index_t channels, const extents3& e, std::uint64_t seed, inputs kind) const {
    picture<T> p = empty<T>(batch, channels, e);
    p.fill(input_sequence<T>(seed * 0x10001, kind));
    return p;
  }
  template <class U>
  static image<U> at(const picture<U>& p, index_t sample) {
    image<U> i = p.get();
    i.p += sample * i.sample;
    return i;
  }
  template <class U>
  static image<const U> from(const picture<U>& p, index_t sample) {
    image<const U> i = p;
    i.p += sample * i.sample;
    return i;
  }
  template <class U>
  static scattered_image<U> scattered(const image<U>& i, index_t channels) {
    scattered_image<U> s{.p = i.p, .sample = i.sample, .block = i.block, .block_stride = i.block_stride};
    if (i.block == 1) s.channel = i.block_stride, s.block = channels;
    for (int r = 0; r < 3; ++r) s.axis[r] = i.axis[r];
    return s;
  }

  /// f(first, last) for the samples of every call.
  template <class F>
  void parts(index_t batch, F f) const {
    if (form_ != field_form::cut) return f(0, batch);
    for (index_t n = 0; n < batch; ++n) f(n, n + 1);
  }
  template <class Family, class Call>
  void call(const Call& q) const {
    auto&& state = make_(q);
    Family::run(state, q);
  }
  template <class U>
  void record(const std::string& name, inputs kind, const picture<U>& result) const {
    checksum sum;
    result.each([&](auto... i) { sum.add(static_cast<T>(result(i...))); });
    const char* kinds[] = {"", ", wide", ", special"};
    to_.add(to_, policy_, way_, (name + kinds[static_cast<int>(kind)]).c_str(), sum.value());
  }

  recorder& to_;
  const char *policy_, *way_;
  field_form form_;
  Make& make_;
};

/// \param make  gives the run-time state of a call
template <class Policy, class T, field_ops Ops = field_ops::all, class Make>
void all_fields(recorder& to, const char* policy, const char* way, field_form f, Make make) {
  field_way<Policy, T, Make>(to, policy, way, f, make).template run<Ops>();
}

}  // namespace tern::test::inline TERN_ISA
