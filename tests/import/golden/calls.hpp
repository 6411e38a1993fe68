// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written by tern-import from calls.onnx.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tern/blocks.hpp>
#include <tern/simd.hpp>

namespace calls_functions {

struct absolute {
  static constexpr const char* name = "absolute";
  template <class V>
  TERN_FN V operator()(V a) const {
    using tern::math::abs;
    return abs(a);
  }
};

struct exponential {
  static constexpr const char* name = "exponential";
  static constexpr tern::index_t operations = 20;
  template <class V>
  TERN_FN V operator()(V a) const {
    using tern::math::exp;
    return exp(a);
  }
};

struct is_less {
  static constexpr const char* name = "is_less";
  template <class V>
  TERN_FN V operator()(V a, V b) const {
    using tern::math::select;
    return select(a < b, V(1.0f), V(0.0f));
  }
};

struct square_root {
  static constexpr const char* name = "square_root";
  template <class V>
  TERN_FN V operator()(V a) const {
    using tern::math::sqrt;
    return sqrt(a);
  }
};

struct negative {
  static constexpr const char* name = "negative";
  template <class V>
  TERN_FN V operator()(V a) const {
    using tern::math::product;
    return product(V(-1.0f), a);
  }
};

struct chosen {
  static constexpr const char* name = "chosen";
  template <class V>
  TERN_FN V operator()(V a, V b, V c) const {
    using tern::math::select;
    return select(a == V(0.0f), c, b);
  }
};

struct logarithm {
  static constexpr const char* name = "logarithm";
  static constexpr tern::index_t operations = 20;
  template <class V>
  TERN_FN V operator()(V a) const {
    using tern::math::log;
    return log(a);
  }
};

}  // namespace calls_functions

/// The calls of calls. Tensors have ONNX's shapes and lie row by row: a 3x4x5, b 5x6, c 6, y 4, largest 4x6.
template <class Policy = tern::simd<>>
struct calls {
  static constexpr tern::index_t parameters_size = 1, memory_size = 848;
  static constexpr tern::index_t a_size = 60;
  static constexpr tern::index_t b_size = 30;
  static constexpr tern::index_t c_size = 6;
  static constexpr tern::index_t y_size = 4;
  static constexpr tern::index_t largest_size = 24;

  /// Where the calls run: the calling thread; or give `run` an executor.
  static auto make_state() {
    return tern::network<tern::sequence<tern::skip>, tern::sample_shape::features(1), Policy>::make_state();
  }

  /// For tern::load_safetensors("calls.safetensors", tensors(parameters)).
  static std::vector<tern::named_tensor> tensors(std::span<float> parameters) {
    std::vector<tern::named_tensor> all;
    all.push_back(tern::named("const_12", parameters.subspan(0, 1)));
    return all;
  }

  template <class State>
  static void run(State& state, std::span<const float> parameters, std::span<const float> a, std::span<const float> b,
                  std::span<const float> c, std::span<float> y, std::span<std::int32_t> largest,
                  std::span<float> memory) {
    check("calls: a", a.size(), 60);
    check("calls: b", b.size(), 30);
    check("calls: c", c.size(), 6);
    check("calls: y", y.size(), 4);
    check("calls: largest", largest.size(), 24);
    check("calls: memory", memory.size(), 848);
    check("calls: parameters", parameters.size(), 1);
    // Softmax of 'v2'
    kernel<tern::reorder<>>()(state, strided(a.data(), {4, 3, 5}, {5, 20, 1}), rows(memory.data(), 4, 3, 5));
    kernel<tern::softmax<tern::softmax_config{.axis = 1}>>()(state, rows(memory.data(), 1, 4, 15),
                                                             rows(memory.data() + 64, 1, 4, 15));
    // MatMul of 'v5'
    kernel<tern::matmul<tern::matmul_config{.batch = tern::dynamic}>>()(
        state, rows(memory.data() + 64, 4, 3, 5), strided(b.data(), {4, 5, 6}, {0, 6, 1}),
        rows(memory.data() + 128, 4, 3, 6));
    // ReduceMax of 'v7'
    kernel<tern::max_pool1d<tern::pool1d_config{.kernel = tern::whole_axis}>>()(
        state, images(memory.data() + 128, 4, 6, 3), images(memory.data(), 4, 6, 1));
    // Sub of 'v8'
    kernel<tern::subtract<>>()(state, rows(memory.data() + 128, 4, 3, 6), strided(memory.data(), {4, 3, 6}, {6, 0, 1}),
                               rows(memory.data() + 32, 4, 3, 6));
    // Abs of 'v9'
    kernel<tern::map_of<calls_functions::absolute>>()(state, rows(c.data(), 1, 6), rows(memory.data(), 1, 6));
    // Exp of 'v10'
    kernel<tern::map_of<calls_functions::exponential>>()(state, rows(memory.data(), 1, 6),
                                                         rows(memory.data() + 16, 1, 6));
    // Div of 'v11'
    kernel<tern::divide<>>()(state, rows(memory.data() + 32, 12, 6), strided(memory.data() + 16, {12, 6}, {0, 1}),
                             rows(memory.data() + 208, 12, 6));
    // Greater of 'v13'
    kernel<tern::map_of<calls_functions::is_less>>()(state, strided(parameters.data(), {1, 72}, {0, 0}),
                                                     rows(memory.data() + 208, 1, 72), rows(memory.data(), 1, 72));
    // Abs of 'v14'
    kernel<tern::map_of<calls_functions::absolute>>()(state, rows(memory.data() + 208, 1, 72),
                                                      rows(memory.data() + 288, 1, 72));
    // Sqrt of 'v15'
    kernel<tern::map_of<calls_functions::square_root>>()(state, rows(memory.data() + 288, 1, 72),
                                                         rows(memory.data() + 368, 1, 72));
    // Neg of 'v16'
    kernel<tern::map_of<calls_functions::negative>>()(state, rows(memory.data() + 368, 1, 72),
                                                      rows(memory.data() + 288, 1, 72));
    // Where of 'v17'
    kernel<tern::map_of<calls_functions::chosen>>()(state, rows(memory.data(), 1, 72), rows(memory.data() + 208, 1, 72),
                                                    rows(memory.data() + 288, 1, 72), rows(memory.data() + 368, 1, 72));
    // Pad of 'v19'
    kernel<tern::pad1d<tern::pad1d_config{.pad = 1, .pad_end = 0, .mode = tern::border::reflect}>>()(
        state, images(memory.data() + 368, 4, 6, 3), images(memory.data(), 4, 6, 4));
    kernel<tern::pad1d<tern::pad1d_config{.pad = 0, .pad_end = 2, .mode = tern::border::reflect}>>()(
        state, images(memory.data(), 16, 1, 6), images(memory.data() + 208, 16, 1, 8));
    // Concat of 'v20'
    kernel<tern::reorder<>>()(state, rows(memory.data() + 208, 1, 128), rows(memory.data() + 336, 1, 128));
    kernel<tern::reorder<>>()(state, rows(memory.data() + 208, 1, 128), rows(memory.data() + 464, 1, 128));
    // ReduceLogSumExp of 'y'
    kernel<tern::reorder<>>()(state, strided(memory.data() + 336, {4, 8, 8}, {8, 32, 1}),
                              rows(memory.data() + 592, 4, 8, 8));
    kernel<tern::max_pool1d<tern::pool1d_config{.kernel = tern::whole_axis}>>()(
        state, images(memory.data() + 592, 4, 1, 64), images(memory.data(), 4, 1, 1));
    kernel<tern::subtract<>>()(state, rows(memory.data() + 336, 8, 4, 8), strided(memory.data(), {8, 4, 8}, {0, 1, 0}),
                               rows(memory.data() + 592, 8, 4, 8));
    kernel<tern::map_of<calls_functions::exponential>>()(state, rows(memory.data() + 592, 1, 256),
                                                         rows(memory.data() + 208, 1, 256));
    kernel<tern::reorder<>>()(state, strided(memory.data() + 208, {4, 8, 8}, {8, 32, 1}),
                              rows(memory.data() + 464, 4, 8, 8));
    kernel<tern::avg_pool1d<tern::pool1d_config{.kernel = tern::whole_axis, .divisor = 1}>>()(
        state, images(memory.data() + 464, 4, 1, 64), images(memory.data() + 16, 4, 1, 1));
    kernel<tern::map_of<calls_functions::logarithm>>()(state, rows(memory.data() + 16, 1, 4),
                                                       rows(memory.data() + 32, 1, 4));
    kernel<tern::elementwise<tern::elementwise_config{.residual = true}>>()(
        state, rows(memory.data() + 32, 1, 4), rows(memory.data(), 1, 4), rows(y.data(), 1, 4));
    // ArgMax of 'largest'
    kernel<tern::argmax<tern::argmax_config{.axis = 1}>>()(state, rows(memory.data() + 128, 4, 3, 6),
                                                           rows(largest.data(), 4, 1, 6));
  }

 private:
  template <class Op>
  using kernel = tern::kernel<Op, Policy>;
  static void check(const char* what, std::size_t has, std::size_t wants) {
    if (has != wants)
      tern::violation("%s has %zu elements: it must have %zu", what, has, wants);
  }
  /// Rows of a buffer; images whose channels lie next to each other; and elements any steps apart: 0 repeats one.
  template <class T, class... Extent>
  static auto rows(T* p, Extent... extent) {
    return tern::view(tern::unchecked, p, tern::extents(tern::index_t(extent)...));
  }
  template <class T, class... Extent>
  static auto images(T* p, Extent... extent) {
    using shape = tern::dims<sizeof...(Extent)>;
    return tern::view(tern::unchecked, p, tern::layout_channels_last::mapping(shape(extent...)));
  }
  template <class T, std::size_t Rank>
  static auto strided(T* p, const tern::index_t (&extent)[Rank], const tern::index_t (&step)[Rank]) {
    return [&]<std::size_t... R>(std::index_sequence<R...>) {
      return tern::view(tern::unchecked, p,
                        tern::layout_strided::mapping(tern::dims<int(Rank)>(extent[R]...), step[R]...));
    }(std::make_index_sequence<Rank>());
  }
};
