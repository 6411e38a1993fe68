// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/real_constant.hpp"
#include "tern/op/config_rules.hpp"

namespace tern {

/// Configuration of a norm. Every field has a default.
struct norm_config {
  index_t groups = 1;                 ///< of a group norm: parts of the channels, normalised separately
  bool scale = true;                  ///< the normalised value is multiplied by a number per channel
  bool shift = true;                  ///< a number per channel is added
  bool residual = false;              ///< a tensor of y's shape is added
  activation act = activation::none;  ///< applied last
  real_constant epsilon = 1e-5;       ///< added to the variance; a call may give another one, tern::epsilon
  bool unbiased = true;  ///< of a batch norm in a network: the running variance averages n / (n - 1) times the variance
                         ///< of n values, as PyTorch's and TensorFlow's fused norms do; y uses the biased one

  friend TERN_FN constexpr bool operator==(const norm_config&, const norm_config&) = default;
};

/// The kinds of norms, by the elements that share statistics.
enum class norm_kind {
  batch,     ///< every channel over all samples (Ioffe and Szegedy 2015, arXiv 1502.03167)
  layer,     ///< a whole sample (Ba, Kiros and Hinton 2016, arXiv 1607.06450)
  group,     ///< groups of channels of a sample (Wu and He 2018, arXiv 1803.08494)
  instance,  ///< each channel of a sample (Ulyanov, Vedaldi and Lempitsky 2016, arXiv 1607.08022)
  rms        ///< a whole sample, without subtracting the mean (Zhang and Sennrich 2019, arXiv 1910.07467)
};

/// y = act((x - mean) / sqrt(variance + eps) scale + shift + residual). The mean and the biased variance are taken over
/// positions and channels of a group within a sample, in a batch norm over a channel of all samples. An RMS norm has no
/// mean, and a shift only if configured.
///
/// x is (n, channels, spatial...) with up to three spatial axes, channels contiguous; rows of a matrix are samples.
/// PyTorch's LayerNorm over the last of several axes is a layer norm of a matrix.
///
/// Canonical order: docs/numerics.md. Derive from it to give an op a short name in errors and reports.
template <norm_kind K, norm_config C = norm_config{}, element T = float>
struct normalization {
  using op_type = normalization;
  using value_type = T;
  static constexpr norm_kind kind = K;
  static constexpr norm_config config = C;
  static constexpr const char* name = K == norm_kind::batch      ? "batch_norm"
                                      : K == norm_kind::layer    ? "layer_norm"
                                      : K == norm_kind::group    ? "group_norm"
                                      : K == norm_kind::instance ? "instance_norm"
                                                                 : "rms_norm";

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const norm_config& c = C) {
    if (const char* const why = detail::broken_config(c)) return why;
    if (K != norm_kind::group && c.groups != 1) return ".groups is for group norms";
    if (c.act.takes_slope()) return ".act must not be prelu: a norm takes no slopes, tern::elementwise after it does";
    return nullptr;
  }
};

/// Norms by the elements that share a mean; see norm_kind and normalization.
template <norm_config C = norm_config{}, element T = float>
struct batch_norm : normalization<norm_kind::batch, C, T> {};
template <norm_config C = norm_config{}, element T = float>
struct layer_norm : normalization<norm_kind::layer, C, T> {};
template <norm_config C, element T = float>
struct group_norm : normalization<norm_kind::group, C, T> {};
template <norm_config C = norm_config{}, element T = float>
struct instance_norm : normalization<norm_kind::instance, C, T> {};
template <norm_config C = norm_config{.shift = false}, element T = float>
struct rms_norm : normalization<norm_kind::rms, C, T> {};

}  // namespace tern
