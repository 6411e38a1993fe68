// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the negative log likelihood of multivariate Gaussians: values with their totals, and gradients.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/family/reduction/multivariate_gaussian.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/loss_results.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/multivariate_gaussian_nll.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

/// The features of both passes: each is a tensor of its own, with one element per sample.
template <index_t N, loss_config C, class T>
struct multivariate_rows : loss_pass<C, T> {
  using sum = tile::multivariate_gaussian_sum<static_cast<int>(N)>;
  static constexpr index_t features = multivariate_gaussian_nll<N, C, T>::features;
  static constexpr tensor x = in("x", "n features"), target = in("target", "n numbers");

  template <class... Tensor>
  static constexpr declaration taking(const char* pass, const Tensor&... more) {
    constexpr const char* says[] = {"N = 1", "N = 2", "N = 3", "N = 4"};
    return declaration(pass, 0, 0, x, target, more...)
        .where("features", features, says[N - 1])
        .where("numbers", N, says[N - 1]);
  }
  /// Sets to[i] to column i of a matrix, for each i.
  template <class U, class View>
  static void set_columns(scattered_image<U>* to, const View& v) {
    const scattered_image<U> matrix = impl::places_of<U>(v);
    for (index_t i = 0; i < v.extent(1); ++i)
      to[i] = {.p = matrix.at(0, i, 0, 0, 0), .sample = matrix.sample, .channel = 0, .block = 1};
  }
  template <class Call, class... Any>
  static void set_inputs(Call& q, const Any&... any) {
    q.batch = impl::nth_tensor<0>(any...).extent(0), q.channels = 1;
    set_columns(q.in, impl::nth_tensor<0>(any...)), set_columns(q.in + features, impl::nth_tensor<1>(any...));
  }
  static constexpr cost cost_of_samples(index_t batch, index_t tensors, index_t operations) {
    return {tensors * batch, batch, features, static_cast<double>(batch * operations)};
  }
};

template <index_t N, loss_config C, class T>
struct multivariate_pass : multivariate_rows<N, C, T> {
  using base = multivariate_rows<N, C, T>;
  using optional = typename base::template forward_options<>;
  using call = element_sums<T, typename base::sum>;
  template <class Policy>
  using kernel = typename base::template forward_kernel<Policy>;
  static constexpr declaration declared = base::taking("", out("losses", "n"), base::total);
  static constexpr cost cost_of(const call& q) {
    return base::cost_of_samples(q.batch, base::sum::inputs, base::sum::operations);
  }

  template <bool Add, class... Any>
  static auto problem(const char* op, const Any&... any) {
    typename base::template with_total<call, Add> q;
    base::set_inputs(q, any...);
    const auto& y = impl::nth_tensor<2>(any...);
    q.y = {y.data(), y.stride(0), 0, 0};
    base::template set_total<Add, 2>(op, "x", q, static_cast<double>(q.batch * N),
                                     scattered_image<T>{.p = q.y.p, .sample = q.y.row}, {q.batch, {1, 1, 1}}, any...);
    return q;
  }
};

template <index_t N, loss_config C, class T>
struct multivariate_gradient_pass : multivariate_rows<N, C, T> {
  using base = multivariate_rows<N, C, T>;
  using optional = typename base::template gradient_options<>;
  template <class Policy>
  using kernel = mapping_kernel<Policy>;
  static constexpr declaration declared = base::taking("backward_data", base::dlosses("n"), out("dx", "n features"));
  static constexpr cost cost_of(const auto& q) {
    return base::cost_of_samples(q.batch, base::sum::inputs + base::features, decltype(q.f)::operations);
  }

  template <bool Add, class... Any>
  static auto problem(const char* op, const Any&... any) {
    mapping<T, tile::multivariate_gaussian_gradient<static_cast<int>(N), T, !base::reduced, Add>> q;
    base::set_inputs(q, any...);
    base::set_columns(q.out, impl::nth_tensor<2 + !base::reduced>(any...));
    if constexpr (base::reduced) {
      q.f.weight = base::weight(op, "x", static_cast<double>(q.batch * N), q.batch, any...);
    } else {
      const auto& dy = impl::nth_tensor<2>(any...);
      q.in[base::sum::inputs] = {.p = dy.data(), .sample = dy.stride(0), .channel = 0, .block = 1};
    }
    return q;
  }
};

}  // namespace declare

template <index_t N, loss_config Config, class T, class Op, class Policy>
struct operations<multivariate_gaussian_nll<N, Config, T>, Op, Policy>
    : declare::declared_operations<Op, Policy, declare::multivariate_pass<N, Config, T>,
                                   declare::multivariate_gradient_pass<N, Config, T>> {
  /// The loss of every sample, and their reduction by `.reduce`.
  ///
  ///     k([state,] x, target, losses [, total] [, tern::accumulate])
  ///
  /// \param x       (n, N + N (N + 1) / 2): per sample the means, then the rows of the lower triangle
  /// \param target  (n, N)
  /// \param losses  n elements: the loss of every sample
  /// \param total   given exactly if `.reduce` is not none: one element. With tern::accumulate, where `.reduce` is sum,
  ///                the sum is added to the old value: batches cut at grains give the bits of the whole
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, a view is null, an output shares
  /// elements with another tensor, a mean has no terms, or tiles are too small. Cost: about 40 N operations per sample;
  /// inputs are read once.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::multivariate_pass<N, Config, T>>(args...);
  }

  /// The gradient of the reduced loss with respect to x.
  ///
  ///     k.backward_data([state,] x, target [, dlosses], dx [, tern::accumulate] [, tern::loss_scale{1}])
  ///
  /// \param dlosses  given exactly if `.reduce` is none: n elements, the gradients with respect to the losses
  /// \param dx       shape of x; may not alias x
  /// Errors are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::multivariate_gradient_pass<N, Config, T>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
