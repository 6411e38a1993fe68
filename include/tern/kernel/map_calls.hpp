// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls of maps share: ops whose results at a place are made of the inputs there.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/scattered.hpp"

namespace tern::inline TERN_ISA::declare {

/// A problem at the places of its tensors, which have one shape (n, channels, spatial...): inputs, then outputs.
template <class Call, class First, class... Rest>
TERN_INLINE Call at_places(const First& first, const Rest&... rest) {
  using T = typename Call::value_type;
  Call q;
  impl::set_sizes(q, first);
  int number = 0;
  const auto add = [&](const auto& v) __attribute__((always_inline)) {
    if (number < Call::inputs)
      q.in[number] = impl::places_of<const T>(v);
    else if constexpr (!std::is_const_v<typename std::remove_cvref_t<decltype(v)>::element_type>)
      q.out[number - Call::inputs] = impl::places_of<T>(v);
    ++number;
  };
  add(first), (add(rest), ...);
  return q;
}

/// What a call at places costs.
template <class Call>
constexpr cost cost_at_places(const Call& q) {
  cost c{(Call::inputs + Call::outputs) * q.elements(), q.rows() * q.extent[2], q.channels};
  if constexpr (requires { decltype(q.f)::operations; })
    c.operations = static_cast<double>(q.elements() * decltype(q.f)::operations);
  return c;
}

/// A pass that maps inputs to outputs place by place, but for what it declares. F is the function.
template <class T, class F>
struct mapped {
  using value_type = T;
  using required = options<>;
  using optional = options<>;
  template <class Policy>
  using kernel = mapping_kernel<Policy>;

  template <bool, class... View>
  TERN_INLINE static mapping<T, F> problem(const char*, const View&... view) {
    return at_places<mapping<T, F>>(view...);
  }
  static constexpr cost cost_of(const mapping<T, F>& q) { return cost_at_places(q); }
};

}  // namespace tern::inline TERN_ISA::declare
