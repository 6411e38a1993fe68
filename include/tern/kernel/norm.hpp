// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of batch, layer, group, instance and RMS norms: forward, and the gradients of x, scale and shift, each
// callable alone.
#pragma once

#include "tern/core/config.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/norm_calls.hpp"
#include "tern/kernel/norm_parts.hpp"
#include "tern/op/norm.hpp"

namespace tern::inline TERN_ISA {

template <norm_kind K, norm_config Config, class T, class Op, class Policy>
struct operations<normalization<K, Config, T>, Op, Policy>
    : declare::declared_operations<Op, Policy, declare::norm_pass<K, Config, T, 0>,
                                   declare::norm_backward_pass<K, Config, T, declare::norm_gradients_of::x>,
                                   declare::norm_backward_pass<K, Config, T, declare::norm_gradients_of::weights>>,
      impl::norm_parts<K, Config, T, Op, Policy> {
  /// y = act((x - mean) / sqrt(variance + eps) scale + shift + residual).
  ///
  ///     k([state,] x [, scale] [, shift] [, residual], y [, mean, rstd [, variance]] [, tern::epsilon{1e-3}])
  ///
  /// \param x             (n, channels, spatial...), channels contiguous
  /// \param scale, shift  channels elements; given exactly if `.scale`, `.shift` are set
  /// \param residual      shape of x; given exactly if `.residual` is set
  /// \param y             shape of x; shares no element with an input, but may be x or residual itself
  /// \param mean, rstd    on demand, for the gradients: (n, groups); n elements for layer and RMS norms; channels
  ///                      elements for batch norms. RMS norms have rstd = 1 / sqrt(variance + eps) only
  /// \param variance      of batch norms, on demand, for running averages: the biased one
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, groups do not divide the channels, a
  /// sample has no elements, epsilon is not positive, channels are not contiguous, a view is null, an output shares
  /// elements with another tensor, or tiles are too small. Cost: x is read from memory once or twice, y written once; 6
  /// operations per element.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr int more = impl::tensor_count<Args...> - declare::norm_pass<K, Config, T, 0>::declared.given();
    constexpr bool valid = more == (K == norm_kind::rms ? 1 : 2) || (K == norm_kind::batch && more == 3);
    declare::run<Op, Policy, declare::norm_pass<K, Config, T, valid ? more : 0>>(args...);
  }

  /// dx = the gradient of the loss with respect to x.
  ///
  ///     k.backward_data([state,] dy, x [, scale] [, mean], rstd, dx [, tern::accumulate])
  ///
  /// \param dy          shape of x: the gradient after undoing the activation; it is also the gradient of residual
  /// \param mean, rstd  of the forward pass; RMS norms have no mean
  /// \param dx          shape of x; may be dy itself
  /// Errors are those of the forward pass. Cost: dy and x are read from memory once or twice, dx written once.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, backward_pass<declare::norm_gradients_of::x, Args...>>(args...);
  }

  /// dscale and dshift = the gradients of the loss with respect to scale and shift, summed over the batch.
  ///
  ///     k.backward_weights([state,] dy, x [, mean], rstd, dscale [, dshift] [, tern::accumulate])
  ///
  /// \param dscale, dshift  channels elements
  /// Accumulating a batch cut at grains (docs/numerics.md) in order gives the bits of the uncut batch. Errors are those
  /// of the forward pass. Cost: dy and x are read once.
  template <class... Args>
  void backward_weights(Args&&... args) const {
    declare::run<Op, Policy, backward_pass<declare::norm_gradients_of::weights, Args...>>(args...);
  }

  /// dx, dscale and dshift: the bits of backward_data and backward_weights.
  ///
  ///     k.backward([state,] dy, x [, scale] [, mean], rstd, dx, dscale [, dshift] [, tern::accumulate_weights])
  ///
  /// tern::accumulate_weights adds to dscale and dshift; tern::accumulate adds to dx, too. Errors are those of both
  /// passes. A batch norm that does not accumulate costs one backward_data, whose sums are dscale and dshift. Other
  /// calls cost both passes, but simd reads large tensors from memory once.
  template <class... Args>
  void backward(Args&&... args) const {
    declare::run<Op, Policy, backward_pass<declare::norm_gradients_of::all, Args...>>(args...);
  }

  /// Folds a batch norm with known statistics, such as running averages in inference, into factors and offsets: y =
  /// act(x factor + offset + residual). Apply these element by element (tern::elementwise), or fuse them into the
  /// preceding convolution as its .scale and .bias; before a matmul multiply the columns of b by the factors. On the
  /// calling thread.
  ///
  ///     k.fold(mean, variance [, scale] [, shift], factor, offset [, tern::epsilon{1e-3}])
  ///
  /// \param factor, offset  channels elements, as all others; may be inputs themselves
  /// All of them are in memory that the host can read. factor = scale / sqrt(variance + eps), offset = shift - mean
  /// factor. If the mean far exceeds the deviation, this loses accuracy that the norm itself keeps. Throws
  /// std::invalid_argument, before anything is written, if sizes disagree, a view is null, an output shares other
  /// elements with another tensor, a variance is negative or epsilon is not positive.
  template <class... Args>
  void fold(Args&&... args) const {
    static_assert(K == norm_kind::batch,
                  "norm: only batch norms have known statistics: others take them from every sample");
    if constexpr (K == norm_kind::batch) declare::run<Op, Policy, declare::norm_fold_pass<Config, T>>(args...);
  }

 private:
  template <declare::norm_gradients_of Of, class... Args>
  using backward_pass = declare::norm_backward_pass<
      K, Config, T, Of, impl::has_option<accumulate_t, Args...> || impl::has_option<accumulate_weights_t, Args...>,
      impl::tensor_count<Args...> == declare::norm_backward_pass<K, Config, T, Of>::declared.given()>;
};

}  // namespace tern::inline TERN_ISA
