// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/config_rules.hpp"

namespace tern {

/// Configuration of a channel shuffle.
struct channel_shuffle_config {
  index_t groups = 1;  ///< parts of x's channels; must divide their number

  friend TERN_FN constexpr bool operator==(const channel_shuffle_config&, const channel_shuffle_config&) = default;
};

/// Channel k groups + g of y is channel g (channels / groups) + k of x: after a grouped convolution, every group of the
/// next one sees all groups (ShuffleNet, arXiv 1707.01083, section 3.1). The inverse is the shuffle with channels /
/// groups groups.
/// \tparam T  elements of both tensors, (n, c, spatial...)
template <channel_shuffle_config C, element T = float>
struct channel_shuffle {
  using op_type = channel_shuffle;
  using value_type = T;
  static constexpr channel_shuffle_config config = C;
  static constexpr const char* name = "channel_shuffle";

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const channel_shuffle_config& c = C) { return detail::broken_config(c); }
};

}  // namespace tern
