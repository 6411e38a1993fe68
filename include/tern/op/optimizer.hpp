// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"

namespace tern {

// Optimisers update parameters in place. Parameters, gradient and state are flat: a model's parameters in one span, or
// one call per tensor. The state starts as zeros, and belongs to the caller. Canonical order: docs/numerics.md.

/// Stochastic gradient descent. Every field has a default.
struct sgd_config {
  bool momentum = false;  ///< keeps a velocity: a decaying sum of past gradients
  bool nesterov = false;  ///< the step looks ahead along the velocity (Sutskever et al. 2013)
  bool clip = false;      ///< scales the gradient down if its norm is too large

  friend TERN_FN constexpr bool operator==(const sgd_config&, const sgd_config&) = default;
};
/// The hyperparameters of an SGD step.
struct sgd_step {
  double rate = 0.01;     ///< learning rate
  double momentum = 0.9;  ///< share of the velocity kept after a step
  double decay = 0;       ///< weight decay: adds this times the parameter to its gradient
  double most = 0;        ///< the largest norm of the gradient: given exactly if the config has .clip
  double scale = 1;       ///< the factor of the losses (tern::loss_scale): divides the gradient first
};
/// A step of stochastic gradient descent.
template <sgd_config C = sgd_config{}, element T = float>
struct sgd {
  using op_type = sgd;
  using value_type = T;
  static constexpr sgd_config config = C;
  static constexpr const char* name = "sgd";

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const sgd_config& c = C) {
    return c.nesterov && !c.momentum ? ".nesterov needs .momentum" : nullptr;
  }
};

/// Adam (Kingma and Ba 2014, arXiv 1412.6980), or AdamW with decoupled decay (Loshchilov and Hutter 2017, arXiv
/// 1711.05101). Every field has a default.
struct adam_config {
  bool decoupled = false;  ///< weight decay shrinks the parameters instead of entering the gradient
  bool clip = false;       ///< scales the gradient down if its norm is too large

  friend TERN_FN constexpr bool operator==(const adam_config&, const adam_config&) = default;
};
/// The hyperparameters of an Adam step, and its number.
struct adam_step {
  double rate = 1e-3;                 ///< learning rate
  double beta1 = 0.9, beta2 = 0.999;  ///< share of the averages kept after a step, in [0, 1)
  double epsilon = 1e-8;
  double decay = 0;  ///< weight decay
  double most = 0;   ///< the largest norm of the gradient: given exactly if the config has .clip
  double scale = 1;  ///< the factor of the losses (tern::loss_scale): divides the gradient first
  index_t step = 1;  ///< number of this step, from 1: corrects the bias of young averages
};
/// A step of Adam (Kingma and Ba 2014, arXiv 1412.6980).
template <adam_config C = adam_config{}, element T = float>
struct adam {
  using op_type = adam;
  using value_type = T;
  static constexpr adam_config config = C;
  static constexpr const char* name = C.decoupled ? "adamw" : "adam";
};
/// Adam with `.decoupled` set, whatever C says.
template <adam_config C = adam_config{}, element T = float>
struct adamw : adam<adam_config{.decoupled = true, .clip = C.clip}, T> {};

/// RMSprop (Hinton 2012, lecture 6e), uncentred. Every field has a default.
struct rmsprop_config {
  bool momentum = false;  ///< keeps a velocity: a decaying sum of past steps
  bool clip = false;      ///< scales the gradient down if its norm is too large

  friend TERN_FN constexpr bool operator==(const rmsprop_config&, const rmsprop_config&) = default;
};
/// The hyperparameters of an RMSprop step.
struct rmsprop_step {
  double rate = 0.01;   ///< learning rate
  double alpha = 0.99;  ///< share of the average of squares kept after a step, in [0, 1)
  double epsilon = 1e-8;
  double decay = 0;     ///< weight decay: adds this times the parameter to its gradient
  double momentum = 0;  ///< share of the velocity kept after a step
  double most = 0;      ///< the largest norm of the gradient: given exactly if the config has .clip
  double scale = 1;     ///< the factor of the losses (tern::loss_scale): divides the gradient first
};
/// A step of RMSprop (Tieleman and Hinton 2012).
template <rmsprop_config C = rmsprop_config{}, element T = float>
struct rmsprop {
  using op_type = rmsprop;
  using value_type = T;
  static constexpr rmsprop_config config = C;
  static constexpr const char* name = "rmsprop";
};

/// LARS (You, Gitman and Ginsburg 2017, arXiv 1708.03888): momentum, with a rate proportional to the ratio of a layer's
/// parameter norm to its gradient norm.
template <element T = float>
struct lars {
  using op_type = lars;
  using value_type = T;
  static constexpr const char* name = "lars";
};
/// The hyperparameters of a LARS step.
struct lars_step {
  double rate = 0.1;      ///< learning rate
  double momentum = 0.9;  ///< share of the velocity kept after a step
  double decay = 0;       ///< weight decay: adds this times the parameter to its gradient
  double trust = 0.001;   ///< factor of the ratio of norms
  double epsilon = 1e-8;  ///< added to the denominator
  double scale = 1;       ///< the factor of the losses (tern::loss_scale): divides the gradient first
};

/// LAMB (You et al. 2019, arXiv 1904.00962) in two halves. The first computes Adam's update; the second applies it,
/// with a rate proportional to the ratio of the parameter norm to the update norm. The caller takes a layer's norms in
/// between.
template <element T = float>
struct lamb_update {
  using op_type = lamb_update;
  using value_type = T;
  static constexpr const char* name = "lamb_update";
};
template <element T = float>
struct lamb {
  using op_type = lamb;
  using value_type = T;
  static constexpr const char* name = "lamb";
};
/// The hyperparameter of LAMB's second half.
struct lamb_step {
  double rate = 1e-3;  ///< learning rate
};

/// average = decay average + (1 - decay) factor x, of parameters or of the statistics of batch norms.
template <element T = float>
struct moving_average {
  using op_type = moving_average;
  using value_type = T;
  static constexpr const char* name = "moving_average";
};
/// The factors of a moving average's step.
struct moving_average_step {
  double decay = 0.999;  ///< in [0, 1]
  double factor = 1;     ///< multiplies x first
};

/// total = the sum of the squares of x; for a gradient the square of its norm.
template <element T = float>
struct sum_of_squares {
  using op_type = sum_of_squares;
  using value_type = T;
  static constexpr const char* name = "sum_of_squares";
};

}  // namespace tern
