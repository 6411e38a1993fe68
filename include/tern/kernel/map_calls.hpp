// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of maps: ops whose result at a place depends on the inputs there.
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

/// A tensor by places. A vector has one number per channel.
/// \tparam Repeats  true if axes of extent 1 are broadcast
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
/// \tparam Pass  declares the tensors that may be vectors; void: none
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
/// A problem on tensors of one shape (n, channels, spatial...): inputs, then outputs.
template <class Call, class Pass = void, class First, class... Rest>
TERN_INLINE Call at_places(const First& first, const Rest&... rest) {
  Call q;
  impl::set_sizes(q, first);
  set_places<Pass>(q, first, rest...);
  return q;
}
/// Sums the first tensor over the samples and axes on which the last one, a result, has extent 1; a vector result keeps
/// only the channels.
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

/// The cost of a call by places.
template <class Call>
constexpr cost cost_at_places(const Call& q) {
  cost c{(Call::inputs + Call::outputs) * q.elements(), q.rows() * q.extent[2], q.channels};
  if constexpr (requires { decltype(q.f)::operations; })
    c.operations = static_cast<double>(q.elements() * decltype(q.f)::operations);
  return c;
}

/// A pass that maps inputs to outputs place by place; a derived class adds the declaration. F is the function.
template <class T, class F>
struct mapped {
  using value_type = T;
  using required = options<>;
  using optional = options<>;
  template <class Policy>
  using kernel = mapping_kernel<Policy>;

  template <bool, class... View>
  TERN_INLINE static mapping<T, F> problem(const char*, const View&... view) {
    mapping<T, F> q;
    impl::set_sizes(q, impl::nth_tensor<sizeof...(View) - 1>(view...));
    set_places<void>(q, view...);
    int i = 0;
    (repeat(q, i++, view), ...);
    return q;
  }
  static constexpr cost cost_of(const mapping<T, F>& q) { return cost_at_places(q); }

  /// Reports a declaration that does not fit the function.
  static constexpr void judge_declaration(sentence& s, const char* op, const declaration& d) {
    if (d.given() != F::inputs + F::outputs) {
      s << op << ": its map has " << F::inputs << (F::inputs == 1 ? " input and " : " inputs and ") << F::outputs
        << (F::outputs == 1 ? " output, but " : " outputs, but ") << d.given() << " tensors are declared";
      return;
    }
    const char* const results = d[F::inputs].shape;
    for (int i = 0; i < d.given(); ++i) {
      if ((d[i].is == role::input) != (i < F::inputs)) {
        s << op << ": inputs of a map are declared first, outputs last, but " << d[i].name << " is not";
        return;
      }
      for (const char* shape : {d[i].shape, d[i].vector})
        for (word w = next_word(shape); w.length > 0; w = next_word(w.rest)) {
          bool known = w.is_one();
          for (word r = next_word(results); r.length > 0; r = next_word(r.rest)) known |= r == w;
          if (!known) {
            s << op << ": " << d[i].name << " has an axis " << w << ", which " << d[F::inputs].name << " has not";
            return;
          }
        }
      if (const word channels = next_word(next_word(d[i].shape).rest); channels.or_one || channels.is_one()) {
        s << op << ": channels of " << d[i].name << " may not be 1 where " << d[F::inputs].name << " has more";
        return;
      }
    }
  }

 private:
  /// Broadcasts tensor i along axes on which results have more elements.
  template <class View>
  TERN_INLINE static void repeat(mapping<T, F>& q, int i, const View& v) {
    if constexpr (View::rank > 1) {
      const impl::image_shape s = impl::shape_of(v);
      if (i < F::inputs && s.batch != q.batch) q.in[i].sample = 0;
      for (int r = 0; r < 3; ++r)
        if (i < F::inputs && s.extent[r] != q.extent[r]) q.in[i].axis[r] = 0;
    }
  }
};

}  // namespace tern::inline TERN_ISA::declare
