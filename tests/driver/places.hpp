// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What random calls of maps share.
#pragma once

#include <random>

#include "tern/kernel/declared_call.hpp"
#include "tests/driver/drawn_call.hpp"

namespace tern::test::inline TERN_ISA {

/// Calls whose tensors have at most `most` elements each: no samples, odd channels, one long axis.
call_rules places(std::mt19937& engine, double most);
/// The same, where sums over places have several chunks and grains.
call_rules summed_places(std::mt19937& engine, double most);

/// A pass that is called with tern::accumulate only, or without it only: so there is one kernel.
template <class Pass>
struct adding : Pass {
  static constexpr bool always_adds = true;
};
template <class Pass>
struct not_adding : Pass {
  using optional = declare::options<>;
};

}  // namespace tern::test::inline TERN_ISA
