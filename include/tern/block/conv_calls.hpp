// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of convolutions as layers. Sizes are values here, not types, so layers with the same problem type share these
// functions.
#pragma once

#include "tern/block/layer.hpp"
#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/workspace.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/place_sums.hpp"

namespace tern::inline TERN_ISA::impl {

/// The sizes of a layer's calls, without the batch. Tensors are contiguous, with channels last.
struct conv_layer_sizes {
  conv_shape shape;
  int rank = 0;  ///< number of spatial axes

  index_t channels(bool wide) const { return shape.groups * (wide ? shape.in : shape.out); }
  template <class T>
  image<T> image_of(T* p, bool wide) const {
    image<T> i{.p = p, .block = channels(wide)};
    index_t stride = i.block;
    for (int r = 2; r >= 3 - rank; --r) i.axis[r] = stride, stride *= wide ? shape.axis[r].in : shape.axis[r].out;
    i.sample = stride;
    return i;
  }
  template <class T>
  filters<T> filters_of(T* p) const {
    filters<T> f{.p = p, .in = channels(false), .out = 1, .group = shape.out, .block = shape.out};
    index_t stride = f.in * shape.in;
    for (int r = 2; r >= 3 - rank; --r) f.tap[r] = stride, stride *= shape.axis[r].kernel;
    return f;
  }
  conv_shape of(index_t batch) const {
    conv_shape s = shape;
    s.batch = batch;
    return s;
  }
};

/// Writes the sums of products of `from` and w to the image `to`, through the epilogue of Sums.
/// \tparam Sums   the problem
/// \param packed  w in panels, or null
/// \param lent    workspace for kernels that use one; without it they are slower
template <class Policy, class Sums, class T, class State>
[[gnu::noinline]] void run_sums(State& state, const conv_layer_sizes& sizes, index_t batch, const T* from, const T* w,
                                const T* packed, workspace lent, const step_operands<T>& o, T* to) {
  constexpr bool from_wide = Sums::pass == conv_pass::forward;
  Sums q;
  q.shape = sizes.of(batch);
  q.from = sizes.image_of(from, from_wide), q.to = sizes.image_of(to, !from_wide);
  q.w = packed ? convolution_kernel<Policy>::packed(packed, q.shape, Sums::pass) : sizes.filters_of(w);
  if constexpr (Sums::after.scale) q.scale = {o.scale, 1, 0, 0};
  if constexpr (Sums::after.bias) q.bias = {o.bias, 1, 0, 0};
  if constexpr (Sums::after.residual) q.residual = sizes.image_of(o.residual, !from_wide);
  using kernels = convolution_kernel<Policy>;
  if constexpr (requires { kernels::template thread_workspace<T>(q.shape); })
    kernels::run(state, q, kernels::template sufficient<T>(state, q.shape, lent));
  else
    kernels::run(state, q);
}
/// Packs weights into panels for a pass.
template <class Policy, class T>
[[gnu::noinline]] void pack_weights(const conv_layer_sizes& sizes, const T* w, conv_pass p, T* to) {
  convolution_kernel<Policy>::pack(sizes.shape, sizes.filters_of(w), to, p);
}
/// dw += the gradient of the weights.
/// \tparam Gradient  the problem
template <class Policy, class Gradient, class T, class State>
[[gnu::noinline]] void run_gradient(State& state, const conv_layer_sizes& sizes, index_t batch, const T* wide,
                                    const T* narrow, T* dw) {
  Gradient q;
  q.shape = sizes.of(batch);
  q.x = sizes.image_of(wide, true), q.dy = sizes.image_of(narrow, false), q.dw = sizes.filters_of(dw);
  convolution_kernel<Policy>::run(state, q);
}
/// dbias += the sums of dy over samples and positions.
/// \param wide  true if dy is the wide image
template <class Policy, class T, class State>
[[gnu::noinline]] void run_bias_sums(State& state, const conv_layer_sizes& sizes, index_t batch, const T* dy, bool wide,
                                     T* dbias) {
  place_box all{batch};
  for (int r = 0; r < 3; ++r) all.extent[r] = wide ? sizes.shape.axis[r].in : sizes.shape.axis[r].out;
  place_sums_kernel<Policy>::run(state, image_sums<true>(all, sizes.channels(wide), scattered(sizes.image_of(dy, wide)),
                                                         operand<T>{dbias, 1, 0, 0}));
}

}  // namespace tern::inline TERN_ISA::impl
