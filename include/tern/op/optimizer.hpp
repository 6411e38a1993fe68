// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"

namespace tern {

// Optimisers change parameters in place. Parameters, their gradient and what an optimiser remembers are flat: a model's
// parameters in one span, or one call for each tensor. What it remembers starts as zeros, and belongs to the caller.
// Canonical order: docs/numerics.md.

/// Stochastic gradient descent. Every field has a default.
struct sgd_config {
  bool momentum = false;  ///< the gradients before count, too: a velocity is remembered
  bool nesterov = false;  ///< the step looks ahead along the velocity (Sutskever et al. 2013)
  bool clip = false;      ///< the gradient is scaled down where its norm is too large

  friend TERN_FN constexpr bool operator==(const sgd_config&, const sgd_config&) = default;
};
/// Its numbers.
struct sgd_step {
  double rate = 0.01;     ///< learning rate
  double momentum = 0.9;  ///< what is left of the velocity after a step
  double decay = 0;       ///< weight decay: this times the parameter is added to its gradient
  double most = 0;        ///< the largest norm of the gradient: given exactly where the config has .clip
  double scale = 1;       ///< what losses were multiplied by (tern::loss_scale): the gradient is divided by it first
};
template <sgd_config C = sgd_config{}, element T = float>
struct sgd {
  using op_type = sgd;
  using value_type = T;
  static constexpr sgd_config config = C;
  static constexpr const char* name = "sgd";

  static_assert(C.momentum || !C.nesterov, "sgd: .nesterov needs .momentum");
};

/// Adam (Kingma and Ba 2014, arXiv 1412.6980), or AdamW where the decay is decoupled (Loshchilov and Hutter 2017,
/// arXiv 1711.05101). Every field has a default.
struct adam_config {
  bool decoupled = false;  ///< weight decay shrinks the parameters, rather than being part of the gradient
  bool clip = false;       ///< the gradient is scaled down where its norm is too large

  friend TERN_FN constexpr bool operator==(const adam_config&, const adam_config&) = default;
};
/// Its numbers.
struct adam_step {
  double rate = 1e-3;                 ///< learning rate
  double beta1 = 0.9, beta2 = 0.999;  ///< what is left of the averages after a step, in [0, 1)
  double epsilon = 1e-8;
  double decay = 0;  ///< weight decay
  double most = 0;   ///< the largest norm of the gradient: given exactly where the config has .clip
  double scale = 1;  ///< what losses were multiplied by (tern::loss_scale): the gradient is divided by it first
  index_t step = 1;  ///< the number of this step, from 1: averages of few gradients are corrected
};
template <adam_config C = adam_config{}, element T = float>
struct adam {
  using op_type = adam;
  using value_type = T;
  static constexpr adam_config config = C;
  static constexpr const char* name = C.decoupled ? "adamw" : "adam";
};
/// With `.decoupled`, whatever C has there.
template <adam_config C = adam_config{}, element T = float>
struct adamw : adam<adam_config{.decoupled = true, .clip = C.clip}, T> {};

/// RMSprop (Hinton 2012, lecture 6e), uncentred. Every field has a default.
struct rmsprop_config {
  bool momentum = false;  ///< the steps before count, too: a velocity is remembered
  bool clip = false;      ///< the gradient is scaled down where its norm is too large

  friend TERN_FN constexpr bool operator==(const rmsprop_config&, const rmsprop_config&) = default;
};
/// Its numbers.
struct rmsprop_step {
  double rate = 0.01;   ///< learning rate
  double alpha = 0.99;  ///< what is left of the average of squares after a step, in [0, 1)
  double epsilon = 1e-8;
  double decay = 0;     ///< weight decay: this times the parameter is added to its gradient
  double momentum = 0;  ///< what is left of the velocity after a step
  double most = 0;      ///< the largest norm of the gradient: given exactly where the config has .clip
  double scale = 1;     ///< what losses were multiplied by (tern::loss_scale): the gradient is divided by it first
};
template <rmsprop_config C = rmsprop_config{}, element T = float>
struct rmsprop {
  using op_type = rmsprop;
  using value_type = T;
  static constexpr rmsprop_config config = C;
  static constexpr const char* name = "rmsprop";
};

/// LARS (You, Gitman and Ginsburg 2017, arXiv 1708.03888): momentum, with a rate in proportion to the norm of a layer's
/// parameters over that of its gradient.
template <element T = float>
struct lars {
  using op_type = lars;
  using value_type = T;
  static constexpr const char* name = "lars";
};
/// Its numbers.
struct lars_step {
  double rate = 0.1;      ///< learning rate
  double momentum = 0.9;  ///< what is left of the velocity after a step
  double decay = 0;       ///< weight decay: this times the parameter is added to its gradient
  double trust = 0.001;   ///< that ratio of norms is multiplied by it
  double epsilon = 1e-8;  ///< added below the fraction
  double scale = 1;       ///< what losses were multiplied by (tern::loss_scale): the gradient is divided by it first
};

/// LAMB (You et al. 2019, arXiv 1904.00962), in two halves, between which the norms of a layer are taken: what Adam
/// would change, and the change, with a rate in proportion to the norm of the parameters over that of the update.
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
/// The number of its second half.
struct lamb_step {
  double rate = 1e-3;  ///< learning rate
};

/// average = decay average + (1 - decay) factor x: of parameters, or of the statistics of batch norms.
template <element T = float>
struct moving_average {
  using op_type = moving_average;
  using value_type = T;
  static constexpr const char* name = "moving_average";
};
/// Its numbers.
struct moving_average_step {
  double decay = 0.999;  ///< in [0, 1]
  double factor = 1;     ///< x is multiplied by it first
};

/// total = the sum of the squares of x: of a gradient the square of its norm.
template <element T = float>
struct sum_of_squares {
  using op_type = sum_of_squares;
  using value_type = T;
  static constexpr const char* name = "sum_of_squares";
};

}  // namespace tern
