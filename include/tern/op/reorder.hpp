// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"

namespace tern {

/// y = x in another layout: between (n, c, spatial...) in PyTorch's order (NCHW), channels last and channel-blocked;
/// also a copy from or into a part of a tensor. The padding of blocks is neither read nor written.
/// \tparam T  elements of both tensors
template <element T = float>
struct reorder {
  using op_type = reorder;
  using value_type = T;
  static constexpr const char* name = "reorder";
};

}  // namespace tern
