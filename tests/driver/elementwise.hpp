// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of elementwise ops, gated linear units and functions of two tensors: functions of one to four tensors,
// cheap and dear ones, and sums of their gradients.
#pragma once

#include "tests/driver/parity.hpp"
#include "tests/driver/places.hpp"

namespace tern::test::inline TERN_ISA {

/// More tensors than any op with strides has.
struct many_tensors {
  static constexpr const char* name = "many_tensors";
};
template <bool Accumulate>
struct many_tensors_map {
  static constexpr int inputs = 4, outputs = 3;
  static constexpr bool accumulates = Accumulate;
  static constexpr index_t operations = 6;

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    const V old[] = {Accumulate ? out[0] : in[0], Accumulate ? out[1] : in[1], Accumulate ? out[2] : in[2]};
    out[0] = old[0] + in[3];
    out[1] = (old[1] - in[0]) + in[2];
    out[2] = old[2] + in[1];
  }
};
template <class T>
struct many_tensors_pass : declare::mapped<T, many_tensors_map<false>> {
  using optional = declare::options<accumulate_t>;
  static constexpr const char *whole = "n channels spatial...", *repeated = "n|1 channels spatial...|1";
  static constexpr declare::declaration declared{"",
                                                 0,
                                                 3,
                                                 declare::in("a", whole),
                                                 declare::in("b", repeated).or_vector("channels"),
                                                 declare::in("c", repeated).or_vector("channels"),
                                                 declare::in("d", repeated).or_vector("channels"),
                                                 declare::out("x", whole).may_be("a b c d"),
                                                 declare::out("y", whole).may_be("a b c d"),
                                                 declare::out("z", whole).may_be("a b c d")};
  template <bool Add, class... View>
  static auto problem(const char*, const View&... view) {
    return declare::at_places<mapping<T, many_tensors_map<Add>>, many_tensors_pass>(view...);
  }
};

struct elementwise_family {
  static constexpr int cases = 150;
  static constexpr double most = 2e4;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 400, .stepped = 80, .cut_in_both = 80};

  /// A call of every pass.
  template <class T, class Run>
  static void calls(Run& run) {
    using enum declare::elementwise_weight;
    constexpr elementwise_config relu{.residual = true, .act = activation::relu}, affine{.scale = true, .bias = true},
        all{.scale = true, .bias = true, .residual = true, .act = activation::mish},
        bend{.bias = true, .act = activation::prelu}, scaled_bend{.scale = true, .act = activation::prelu},
        swish{.scale = true, .act = activation::silu}, elus{.act = elu(1.0 / 3)};
    constexpr glu_config sigmoid{}, silu{.act = activation::silu};
    constexpr binary_config less{.kind = binary_kind::subtract}, over{.kind = binary_kind::divide},
        larger{.kind = binary_kind::maximum}, smaller{.kind = binary_kind::minimum};
    constexpr int across = 96 / sizeof(T);  // whole vectors cross from one block to the next
    const auto map = [&]<class Op, class Pass, class... Layouts>() {
      run.template call<Op, Pass, 5, Layouts...>(places(run.engine, run.few_or_many()));
    };
    map.template operator()<elementwise<relu, T>, declare::elementwise_pass<relu, T>, blocks<16, 16, 4>>();
    map.template operator()<elementwise<affine, T>, declare::elementwise_pass<affine, T>, vectors>();
    map.template operator()<elementwise<all, T>, declare::elementwise_pass<all, T>, blocks<across, 0, 4, 16, 4>>();
    map.template operator()<elementwise<bend, T>, declare::elementwise_pass<bend, T>, vectors>();
    map.template
    operator()<elementwise<swish, T>, adding<declare::elementwise_gradient_pass<swish, T>>, blocks<4, 4, 0, across>>();
    map.template
    operator()<elementwise<scaled_bend, T>, not_adding<declare::elementwise_gradient_pass<scaled_bend, T>>, vectors>();
    map.template operator()<elementwise<elus, T>, not_adding<declare::elementwise_gradient_pass<elus, T>>>();
    map.template operator()<glu<silu, T>, declare::glu_pass<silu, T>, blocks<4, 16, across>>();
    map.template operator()<glu<silu, T>, not_adding<declare::glu_gradient_pass<silu, T>>>();
    map.template operator()<glu<sigmoid, T>, adding<declare::glu_gradient_pass<sigmoid, T>>>();
    map.template operator()<binary<larger, T>, declare::binary_pass<larger, T>, blocks<16, across, 4>>();
    map.template operator()<binary<over, T>, declare::binary_pass<over, T>>();
    map.template operator()<binary<less, T>, adding<declare::binary_gradient_pass<less, T>>>();
    map.template operator()<binary<over, T>, not_adding<declare::binary_gradient_pass<over, T>>, blocks<4, 16>>();
    map.template operator()<binary<smaller, T>, not_adding<declare::binary_gradient_pass<smaller, T>>>();
    map.template operator()<many_tensors, many_tensors_pass<T>, vectors, blocks<0, 4, 16, across, 16>>();

    const auto sum = [&]<class Op, class Pass>() {
      run.template call<Op, Pass, 5, vectors, blocks<16, 4, across, 4>>(summed_places(run.engine, run.few_or_many()));
    };
    sum.template operator()<elementwise<affine, T>, not_adding<declare::elementwise_sums_pass<affine, T, bias>>>();
    sum.template
    operator()<elementwise<scaled_bend, T>, adding<declare::elementwise_sums_pass<scaled_bend, T, scale>>>();
    sum.template operator()<elementwise<bend, T>, not_adding<declare::elementwise_sums_pass<bend, T, slope>>>();
  }
};

}  // namespace tern::test::inline TERN_ISA
