// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of cross-entropies: forward, and the gradient of x.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/family/reduction/softmax.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/loss_results.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/loss.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

/// The tensors of both passes: rows hold the classes at one position.
/// \tparam Smooth  true if the call has a label smoothing
/// \tparam OnHost  true if the host can read targets, and so checks them
template <loss_config C, class T, bool Smooth, bool OnHost>
struct cross_entropy_rows : loss_pass<C, T, row_kernel> {
  static constexpr const char *elements = "n classes spatial...", *rows = "n spatial...";
  static constexpr bool weighted = C.class_weights;
  static constexpr class_weighting weighting = !weighted ? class_weighting::none
                                               : Smooth  ? class_weighting::smooth
                                                         : class_weighting::plain;
  static constexpr tensor x = in("x", elements), target = in("target", rows).elements_are(element::int32),
                          weights = in("weights", "classes").when(weighted, ".class_weights");

  template <class Pass>
  static constexpr void judge_rows(sentence& s, const char* op, const fact* t) {
    for (int i = 0; i < Pass::declared.given(); ++i)
      if (!t[i].strided && !same_text(Pass::declared[i].shape, elements)) {
        s << op << ": " << Pass::declared[i].name << " must be in a layout with strides";
        return;
      }
  }
  template <class X>
  static row_shape shape_of(const char* op, const X& from) {
    const impl::image_shape s = impl::shape_of(from);
    if (s.channels == 0) violation("%s: x is %s: there are no classes", op, impl::text_of(from).text);
    return {s.batch, s.channels, {s.extent[0], s.extent[1], s.extent[2]}};
  }
  /// A number per row.
  template <class U, class View>
  static scattered_image<U> per_row(const View& v) {
    scattered_image<U> i{.p = v.data(), .sample = v.stride(0)};
    for (int r = 1; r < View::rank; ++r) i.axis[3 - View::rank + r] = v.stride(r);
    return i;
  }
  /// Sets the targets, checked against the number of classes, and the class weights. Returns the number of terms of a
  /// mean.
  template <class Call, class... Any>
  static double set_targets(const char* op, Call& q, const Any&... any) {
    const row_shape& s = q.shape;
    q.target = per_row<const std::int32_t>(impl::nth_tensor<1>(any...));
    if constexpr (weighted) {
      const auto& of_classes = impl::nth_tensor<2>(any...);
      q.weights = image_of_channels(operand<const T>{of_classes.data(), of_classes.stride(0), 0, 0}, s.features);
    }
    if (!OnHost || q.target.p == nullptr) return static_cast<double>(s.rows());  // null if the call is only planned
    double kept = 0;
    for (index_t n = 0; n < s.batch; ++n)
      for (index_t i = 0; i < s.extent[0]; ++i)
        for (index_t j = 0; j < s.extent[1]; ++j)
          for (index_t k = 0; k < s.extent[2]; ++k) {
            const std::int32_t t = *q.target.at(n, 0, i, j, k);
            if (t >= s.features)
              violation("%s: a target of sample %td is %d: there are %td classes", op, n, static_cast<int>(t),
                        s.features);
            if (t < 0) continue;
            if constexpr (weighted && C.reduce == reduction::mean_of_kept)
              kept += static_cast<double>(*q.weights.at(0, t, 0, 0, 0));
            else
              ++kept;
          }
    return C.reduce == reduction::mean_of_kept ? kept : static_cast<double>(s.rows());
  }
  /// Sets the shares of a row's weight: the target's, and that of every class.
  template <class Call, class... Any>
  static void smooth(const char* op, Call& q, const Any&... any) {
    if constexpr (Smooth) {
      const double given = impl::find_argument<label_smoothing>(any...).value;
      const double share = given == label_smoothing::of_config ? double(C.label_smoothing) : given;
      if (!(share >= 0 && share < 1)) violation("%s: label_smoothing is %g: it must be in [0, 1)", op, share);
      q.keep = static_cast<T>(1 - share), q.share = static_cast<T>(share / static_cast<double>(q.shape.features));
    }
  }
  static constexpr cost cost_of_rows(const row_shape& s, index_t tensors) {
    const index_t all = s.rows() * s.features;
    return {tensors * all, s.rows(), s.features, static_cast<double>(all * 20)};
  }
};

template <loss_config C, class T, bool Smooth, bool OnHost>
struct cross_entropy_pass : cross_entropy_rows<C, T, Smooth, OnHost> {
  using base = cross_entropy_rows<C, T, Smooth, OnHost>;
  using optional = typename base::template forward_options<label_smoothing>;
  using call = cross_entropy_values<T, Smooth, C.class_weights>;
  template <class Policy>
  using kernel = typename base::template forward_kernel<Policy>;
  static constexpr declaration declared{
      "", 0, 3, base::x, base::target, base::weights, out("losses", base::rows), base::total};
  static constexpr void validate(sentence& s, const char* op, const fact* t) {
    base::template judge_rows<cross_entropy_pass>(s, op, t);
  }
  static constexpr cost cost_of(const call& q) { return base::cost_of_rows(q.shape, 1); }

  template <bool Add, class... Any>
  static auto problem(const char* op, const Any&... any) {
    typename base::template with_total<call, Add> q;
    q.shape = base::shape_of(op, impl::nth_tensor<0>(any...));
    q.x = impl::places_of<const T>(impl::nth_tensor<0>(any...));
    const double terms = base::set_targets(op, q, any...);
    q.y = base::template per_row<T>(impl::nth_tensor<2 + base::weighted>(any...));
    base::smooth(op, q, any...);
    const row_shape& rows = q.shape;
    base::template set_total<Add, 2 + base::weighted>(
        op, "x", q, terms, q.y, {rows.batch, {rows.extent[0], rows.extent[1], rows.extent[2]}}, any...);
    return q;
  }
};

template <loss_config C, class T, bool Smooth, bool OnHost>
struct cross_entropy_gradient_pass : cross_entropy_rows<C, T, Smooth, OnHost> {
  using base = cross_entropy_rows<C, T, Smooth, OnHost>;
  using optional = typename base::template gradient_options<label_smoothing>;
  template <class Policy>
  using kernel = row_kernel<Policy>;
  static constexpr declaration declared{"backward_data",
                                        0,
                                        3,
                                        base::x,
                                        base::target,
                                        base::weights,
                                        base::dlosses(base::rows),
                                        out("dx", base::elements).may_be("x")};
  static constexpr void validate(sentence& s, const char* op, const fact* t) {
    base::template judge_rows<cross_entropy_gradient_pass>(s, op, t);
  }
  static constexpr cost cost_of(const auto& q) { return base::cost_of_rows(q.shape, 2); }

  template <bool Add, class... Any>
  static auto problem(const char* op, const Any&... any) {
    cross_entropy_gradient<T, !base::reduced, Add, base::weighting> q;
    q.shape = base::shape_of(op, impl::nth_tensor<0>(any...));
    q.x = impl::places_of<const T>(impl::nth_tensor<0>(any...));
    const double terms = base::set_targets(op, q, any...);
    q.dx = impl::places_of<T>(impl::nth_tensor<2 + base::weighted + !base::reduced>(any...));
    base::smooth(op, q, any...);
    if constexpr (base::reduced)
      q.weight = base::weight(op, "x", terms, q.shape.batch, any...);
    else
      q.dy = base::template per_row<const T>(impl::nth_tensor<2 + base::weighted>(any...));
    return q;
  }
};

}  // namespace declare

template <loss_config Config, class T, class Op, class Policy>
struct operations<cross_entropy<Config, T>, Op, Policy>
    : declare::declared_operations<
          Op, Policy, declare::cross_entropy_pass<Config, T, (Config.label_smoothing > 0), reads_on_host<Policy>>,
          declare::cross_entropy_gradient_pass<Config, T, (Config.label_smoothing > 0), reads_on_host<Policy>>> {
  static_assert(reads_on_host<Policy> || Config.reduce != reduction::mean_of_kept,
                "cross_entropy: reduction::mean_of_kept counts targets on the host: under simt, sum and divide");

  /// The cross-entropy of every row with its target, and their reduction by `.reduce`. A row with a negative target is
  /// ignored.
  ///
  ///     k([state,] x, target [, weights], losses [, total] [, tern::label_smoothing{0.1}] [, tern::accumulate])
  ///
  /// \param x       (n, classes, spatial...), up to three spatial axes, in any layout: logarithms of unnormalised
  ///                probabilities (logits), such as the results of a last layer without activation
  /// \param target  (n, spatial...) of std::int32_t: the class of every row. A negative one ignores the row: its loss
  ///                and gradient are 0, and it counts in a mean, not in a mean_of_kept. One beyond the classes is an
  ///                error; `simt` finds it on the device and makes loss and gradient NaN
  /// \param weights (classes), given exactly if the config has .class_weights: a row's loss is multiplied by the
  ///                weight of its target; of a smoothed target each class has its own weight, as in PyTorch
  /// \param losses  (n, spatial...)
  /// \param total   given exactly if `.reduce` is not none: one element. With tern::accumulate, where `.reduce` is sum,
  ///                the sum is added to the old value: batches cut at grains give the bits of the whole
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, a target is too large, a view is
  /// null, an output shares elements with another tensor, a mean has no terms, a label smoothing is not in [0, 1), or
  /// tiles are too small. Cost: an exponential per element; x is read from memory once.
  template <class... Args>
  void operator()(Args&&... args) const {
    constexpr bool smooth = Config.label_smoothing > 0 || impl::has_option<label_smoothing, Args...>;
    declare::run<Op, Policy, declare::cross_entropy_pass<Config, T, smooth, reads_on_host<Policy>>>(args...);
  }

  /// dx = the gradient of the reduced loss with respect to x.
  ///
  ///     k.backward_data([state,] x, target [, weights] [, dlosses], dx [, tern::label_smoothing{0.1}]
  ///                     [, tern::accumulate] [, tern::loss_scale{1}])
  ///
  /// \param dlosses  (n, spatial...), given exactly if `.reduce` is none: the gradients with respect to the losses
  /// \param dx       shape of x; may be x itself
  /// The label smoothing must be that of the forward pass. Errors are those of the forward pass. Cost: as softmax.
  template <class... Args>
  void backward_data(Args&&... args) const {
    constexpr bool smooth = Config.label_smoothing > 0 || impl::has_option<label_smoothing, Args...>;
    declare::run<Op, Policy, declare::cross_entropy_gradient_pass<Config, T, smooth, reads_on_host<Policy>>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
