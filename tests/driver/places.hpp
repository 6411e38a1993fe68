// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of random calls of maps and row programs.
#pragma once

#include <random>

#include "tern/kernel/declared_call.hpp"
#include "tests/driver/drawn_call.hpp"

namespace tern::test::inline TERN_ISA {

/// Calls whose tensors have at most `most` elements each: no samples, odd channels, one long axis.
call_rules places(std::mt19937& engine, double most);
/// The same, where sums over places have several chunks and grains.
call_rules summed_places(std::mt19937& engine, double most);
/// Rows of one to many thousand elements along an axis of five.
call_rules rows_along(int axis, double most);
/// Now and then x has norms of about the least one, or elements that are all infinite or zeros of any sign.
void fill_rows(drawn_call& c, std::mt19937& engine);

/// A pass that is called with tern::accumulate only, or without it only: so there is one kernel.
template <class Pass>
struct adding : Pass {
  static constexpr bool always_adds = true;
};
template <class Pass>
struct not_adding : Pass {
  using optional = typename decltype(declare::all_with_value(declare::options<>(), typename Pass::optional()))::type;
};

}  // namespace tern::test::inline TERN_ISA
