// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"

namespace tern {

/// What a channel shuffle computes.
struct channel_shuffle_config {
  index_t groups = 1;  ///< into which the channels of x are cut; must divide their number

  friend TERN_FN constexpr bool operator==(const channel_shuffle_config&, const channel_shuffle_config&) = default;
};

/// y's channel k groups + g is x's channel g (channels / groups) + k: after a grouped convolution, every group of the
/// next one sees all of them. (ShuffleNet, arXiv 1707.01083, section 3.1.) The inverse is the shuffle with channels /
/// groups groups.
/// \tparam T  elements of both tensors, (n, c, spatial...)
template <channel_shuffle_config C, element T = float>
struct channel_shuffle {
  using op_type = channel_shuffle;
  using value_type = T;
  static constexpr channel_shuffle_config config = C;
  static constexpr const char* name = "channel_shuffle";

  static_assert(C.groups >= 1, "channel_shuffle: .groups must be at least 1");
};

}  // namespace tern
