// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys and checks of the ops that draw random numbers.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/family/map/drawing.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/map_calls.hpp"
#include "tern/op/dropout.hpp"

namespace tern::inline TERN_ISA::impl {

inline tile::random_key key_of(const random_site& s) {
  return {{static_cast<std::uint32_t>(s.seed), static_cast<std::uint32_t>(s.seed >> 32)}, s.step, s.site, s.sample};
}

/// Throws if a sample has more elements than a key has counters.
template <class Call>
void check_elements_drawn(const char* op, const Call& q) {
  if (q.batch > 0 && q.elements() / q.batch > index_t{1} << 34)
    violation("%s: a sample has %td elements: it may have at most 2^34", op, q.elements() / q.batch);
}

}  // namespace tern::inline TERN_ISA::impl

namespace tern::inline TERN_ISA::declare {

template <>
inline constexpr const char* name_of_option<random_site> = "a tern::random_site";

/// Base of the passes that draw. Results have type T.
template <class T>
struct drawing_pass {
  using value_type = T;
  template <class Policy>
  using kernel = drawing_kernel<Policy>;
  static constexpr cost cost_of(const auto& q) { return cost_at_places(q); }

  /// The problem of drawing F at the places of inputs, then outputs.
  template <class F, class... View>
  static auto drawn(const char* op, const random_site& site, const View&... view) {
    auto q = at_places<drawing<T, F>>(view...);
    q.key = impl::key_of(site);
    impl::check_elements_drawn(op, q);
    return q;
  }
};

}  // namespace tern::inline TERN_ISA::declare
