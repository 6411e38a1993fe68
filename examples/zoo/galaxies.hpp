// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"
#include "examples/galaxy_shapes/block.hpp"
#include "examples/galaxy_vae/block.hpp"

namespace zoo::inline TERN_ISA {

struct galaxy_vae : ::galaxy_vae::vae_of<6> {
  static constexpr const char* title = "Galaxy VAE";
  static constexpr const char* source = "Arcelin et al. 2021, arXiv 2106.02465; BastienArcelin/IPU-GPU, BSD-3-Clause";
  static constexpr sample_shape full = sample_shape::image(6, 64, 64), reduced = full;
  static constexpr index_t parameters = 5865810;
  using loss = tern::squared_error<summed>;
};
template <bool Bayesian>
struct galaxy_shapes : ::galaxy_shapes::estimator<Bayesian> {
  static constexpr const char* source = galaxy_vae::source;
  static constexpr sample_shape full = galaxy_vae::full, reduced = full;
  using loss = ::galaxy_shapes::loss;
};
struct galaxy_shape_cnn : galaxy_shapes<false> {
  static constexpr const char* title = "Galaxy shape CNN";
  static constexpr index_t parameters = 1517205;
};
struct galaxy_shape_bnn : galaxy_shapes<true> {
  static constexpr const char* title = "Galaxy shape BNN";
  static constexpr index_t parameters = 2726229;
};

}  // namespace zoo::inline TERN_ISA
