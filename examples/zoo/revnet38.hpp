// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"
#include "examples/revnet/block.hpp"

namespace zoo::inline TERN_ISA {

/// Blocks keep only their results, from which the backward pass computes their inputs.
struct revnet38 : ::revnet::revnet_of<::revnet::inverting, 3, 3>, classifier<32, 32> {
  static constexpr const char* title = "RevNet-38";
  static constexpr const char* source = "Gomez et al. 2017, arXiv 1707.04585; renmengye/revnet-public, MIT";
  static constexpr index_t parameters = 464890;
  static constexpr bool is_reversible = true;
  using stored = ::revnet::revnet_of<::revnet::storing, 3, 3>;
  using recomputed = ::revnet::revnet_of<::revnet::recomputing, 3, 3>;
};

}  // namespace zoo::inline TERN_ISA
