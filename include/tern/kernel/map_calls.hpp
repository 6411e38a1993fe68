// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls of maps share: ops whose results at a place are made of the inputs there.
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/scattered.hpp"

namespace tern::inline TERN_ISA::declare {

/// A tensor at places. A vector has one number per channel.
/// \tparam Repeats  whether it is repeated along axes with one element
template <class U, bool Repeats, class View>
TERN_INLINE scattered_image<U> places_of(const View& v) {
  if constexpr (View::rank == 1) {
    return image_of_channels(operand<U>{v.data(), v.stride(0), 0, 0}, v.extent(0));
  } else {
    scattered_image<U> i = impl::places_of<U>(v);
    if constexpr (Repeats) {
      if (v.extent(0) == 1) i.sample = 0;
      for (int r = 2; r < View::rank; ++r)
        if (v.extent(r) == 1) i.axis[3 - View::rank + r] = 0;
    }
    return i;
  }
}
/// Gives a problem its tensors: inputs, then outputs.
/// \tparam Pass  declares which may be vectors; void: none
template <class Pass, class Call, class... View>
TERN_INLINE void set_places(Call& q, const View&... view) {
  using T = typename Call::value_type;
  constexpr auto repeats = [](int i) {
    if constexpr (std::is_void_v<Pass>)
      return i < 0;
    else
      return Pass::declared[i].may_be_vector();
  };
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    const auto set = [&]<int At>(std::integral_constant<int, At>, const auto& v) __attribute__((always_inline)) {
      if constexpr (At < Call::inputs)
        q.in[At] = places_of<const T, repeats(At)>(v);
      else
        q.out[At - Call::inputs] = places_of<T, repeats(At)>(v);
    };
    (set(std::integral_constant<int, I>{}, view), ...);
  }(std::make_integer_sequence<int, sizeof...(View)>{});
}
/// A problem at the places of its tensors, which have one shape (n, channels, spatial...): inputs, then outputs.
template <class Call, class Pass = void, class First, class... Rest>
TERN_INLINE Call at_places(const First& first, const Rest&... rest) {
  Call q;
  impl::set_sizes(q, first);
  set_places<Pass>(q, first, rest...);
  return q;
}
/// A sum over the samples and axes of the first tensor that the last one, a result, has no elements for. A vector has
/// none for any of them.
/// \tparam Call  place_sums
template <class Call, class Pass, class First, class... Rest>
TERN_INLINE Call summed_places(const First& first, const Rest&... rest) {
  Call q;
  set_places<Pass>(q, first, rest...);
  const auto& to = impl::nth_tensor<sizeof...(Rest) - 1>(rest...);
  const impl::image_shape s = impl::shape_of(first);
  impl::image_shape results = {.batch = 1, .channels = s.channels};
  if constexpr (std::remove_cvref_t<decltype(to)>::rank > 1) results = impl::shape_of(to);
  q.channels = s.channels;
  (results.batch == s.batch ? q.of : q.summed).batch = s.batch;
  for (int r = 0; r < 3; ++r) (results.extent[r] == s.extent[r] ? q.of : q.summed).extent[r] = s.extent[r];
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
