// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"
#include "examples/braggnn/block.hpp"

namespace zoo::inline TERN_ISA {

struct braggnn : ::braggnn::block {
  static constexpr const char* title = "BraggNN";
  static constexpr const char* source = "Liu et al. 2020, arXiv 2008.08198; lzhengchun/BraggNN";
  static constexpr sample_shape full = sample_shape::image(1, 11, 11), reduced = full;
  static constexpr index_t parameters = 33172;
  using loss = tern::squared_error<summed>;
};

}  // namespace zoo::inline TERN_ISA
