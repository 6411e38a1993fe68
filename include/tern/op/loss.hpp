// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/real_constant.hpp"

namespace tern {

/// The reduction of a batch's losses. A call also writes the losses themselves.
enum class reduction {
  none,        ///< none
  sum,         ///< sum
  mean,        ///< sum divided by the number of terms: elements of x, or rows of a cross-entropy, ignored ones included
  batch_mean,  ///< sum divided by the number of samples
  mean_of_kept  ///< of a cross-entropy: sum divided by the number of rows with a target, or by the sum of their
                ///< targets' weights, as PyTorch's mean
};

/// Configuration of a loss. Every field has a default.
struct loss_config {
  reduction reduce = reduction::mean;  ///< of the losses of a call
  real_constant label_smoothing = 0;   ///< of a cross-entropy: see tern::label_smoothing, which a call may give instead
  bool class_weights = false;          ///< of a cross-entropy: calls take a number per class

  friend TERN_FN constexpr bool operator==(const loss_config&, const loss_config&) = default;
};

/// Losses that are sums over elements.
enum class loss_kind {
  squared_error,    ///< of (x, target): (x - target)^2
  bce_with_logits,  ///< of (x, target): -target log p - (1 - target) log(1 - p) with p = sigmoid(x)
  gaussian_nll,     ///< of (mean, log_variance, target): (log_variance + (target - mean)^2 exp(-log_variance)) / 2, the
                    ///< negative logarithm of a normal distribution's density without its constant log(2 pi) / 2
  gaussian_kl       ///< of (mean, log_variance): (exp(log_variance) - 1 - log_variance + mean^2) / 2, the divergence
                    ///< of that normal distribution from the standard one (Kingma and Welling 2013, arXiv 1312.6114)
};

/// The loss of every sample, a sum over its elements, and their reduction by `.reduce`. Inputs are (n, channels,
/// spatial...) with up to three spatial axes, in any layout, and have one shape.
///
/// Canonical order: docs/numerics.md. Derive from it to give an op a short name in errors and reports.
template <loss_kind K, loss_config C = loss_config{}, element T = float>
struct element_loss {
  using op_type = element_loss;
  using value_type = T;
  static constexpr loss_kind kind = K;
  static constexpr loss_config config = C;
  static constexpr const char* name = K == loss_kind::squared_error     ? "squared_error"
                                      : K == loss_kind::bce_with_logits ? "bce_with_logits"
                                      : K == loss_kind::gaussian_nll    ? "gaussian_nll"
                                                                        : "gaussian_kl";

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const loss_config& c = C) {
    return c.label_smoothing != 0                 ? ".label_smoothing is for cross-entropies"
           : c.class_weights                      ? ".class_weights are for cross-entropies"
           : c.reduce == reduction::mean_of_kept ? "reduction::mean_of_kept is for cross-entropies"
                                                  : nullptr;
  }
};

/// Losses that are sums over the elements of a sample; see element_loss.
template <loss_config C = loss_config{}, element T = float>
struct squared_error : element_loss<loss_kind::squared_error, C, T> {};
template <loss_config C = loss_config{}, element T = float>
struct bce_with_logits : element_loss<loss_kind::bce_with_logits, C, T> {};
template <loss_config C = loss_config{}, element T = float>
struct gaussian_nll : element_loss<loss_kind::gaussian_nll, C, T> {};
template <loss_config C = loss_config{.reduce = reduction::batch_mean}, element T = float>
struct gaussian_kl : element_loss<loss_kind::gaussian_kl, C, T> {};

/// The loss of every row, -log of the softmax of x at the row's target, and their reduction by `.reduce`. x is (n,
/// classes, spatial...), in any layout; a row holds the classes at one position.
///
/// Canonical order: docs/numerics.md. Derive from it to give an op a short name in errors and reports.
template <loss_config C = loss_config{}, element T = float>
struct cross_entropy {
  using op_type = cross_entropy;
  using value_type = T;
  static constexpr loss_config config = C;
  static constexpr const char* name = "cross_entropy";

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const loss_config& c = C) {
    return c.label_smoothing >= 0 && c.label_smoothing < 1 ? nullptr : ".label_smoothing must be in [0, 1)";
  }
};

/// Option of a cross-entropy, in place of the config's number: spreads this share of every row's target evenly over all
/// classes (Szegedy et al. 2016, arXiv 1512.00567).
struct label_smoothing {
  static constexpr double of_config = -__builtin_inf();
  double value = of_config;
};

/// Option of a loss's gradient: multiplies the reduced loss. A batch cut into parts has the gradients of the whole if
/// `.reduce` is sum and this is 1 / its size. Larger values keep small gradients from underflow.
struct loss_scale {
  double value = 1;
};

/// A loss scale adapted while training (Micikevicius et al. 2017, arXiv 1710.03740): halved after a gradient that is
/// not finite, doubled after `patience` finite ones.
///
///     loss.backward_data(..., tern::loss_scale{scaling.value});    squares_of(gradient, squares);
///     const double scale = scaling.value;
///     if (scaling.accepts(squares[0])) optimizer(gradient, parameters, ..., tern::adam_step{.scale = scale});
struct adaptive_loss_scale {
  double value = 0x1p16;    ///< the next factor of losses
  index_t patience = 2000;  ///< gradients
  double least = 1, most = 0x1p24;
  index_t good = 0;  ///< gradients since the value changed

  /// True if the gradient is usable. Sets the value for the next one.
  /// \param squares  the sum of its squares from tern::sum_of_squares, which also overflows to infinity
  constexpr bool accepts(double squares) {
    const bool finite = squares - squares == 0;
    if (!finite) {
      value = value / 2 < least ? least : value / 2, good = 0;
    } else if (++good >= patience) {
      value = 2 * value > most ? most : 2 * value, good = 0;
    }
    return finite;
  }
};

}  // namespace tern
