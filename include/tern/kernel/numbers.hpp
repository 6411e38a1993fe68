// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in place of vectors: a scale, bias or slope that is the same for all channels.
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/layout.hpp"
#include "tern/core/sentence.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/checked_call.hpp"
#include "tern/kernel/declaration.hpp"

namespace tern::inline TERN_ISA::declare {

template <class A>
inline constexpr bool is_number =
    std::is_arithmetic_v<std::remove_cvref_t<A>> && !std::is_same_v<std::remove_cvref_t<A>, bool>;

/// The tensors and numbers before argument `place`.
template <class... Args>
constexpr int tensors_before(int place) {
  constexpr bool of[] = {(impl::is_tensor<Args> || is_number<Args>)...};
  int before = 0;
  for (int i = 0; i < place; ++i) before += of[i];
  return before;
}
/// True if a call has too many or too few tensors, and a tensor after argument `place`: then the number at `place` may
/// stand for a tensor that the config does not take.
template <class Pass, class... Args>
constexpr bool is_one_too_many(int place) {
  constexpr bool tensor[] = {impl::is_tensor<Args>...};
  constexpr int all = static_cast<int>(sizeof...(Args));
  bool after = false;
  for (int i = place + 1; i < all; ++i) after |= tensor[i];
  return after && tensors_before<Args...>(all) != Pass::declared.given();
}

/// The first tensor that a call gives as a number; -1 if there is none, or a number in a wrong place.
template <class Pass, class... Args>
constexpr int first_number() {
  constexpr bool number[] = {is_number<Args>...};
  int first = -1;
  for (int i = 0; i < static_cast<int>(sizeof...(Args)); ++i) {
    if (!number[i]) continue;
    const int tensor = tensors_before<Args...>(i);
    if (tensor >= Pass::declared.given() || !Pass::declared[tensor].number) return -1;
    if (first < 0) first = tensor;
  }
  return first;
}

/// The error of a number passed to kernels that cannot read host memory; empty for other kernels.
template <class Op, class Kernels, class Pass, class... Args>
constexpr sentence error_of_numbers() {
  sentence s;
  if constexpr (requires { requires !Kernels::reads_numbers; })
    s << Op::name << ": " << Pass::declared[first_number<Pass, Args...>()].name
      << " is a number: under this policy it must be a view of memory that the device can read";
  return s;
}

/// A vector whose elements are one number. It has no elements to write.
template <class T>
struct repeated_number {
  T value;
  index_t size = 0;

  friend TERN_INLINE view<const T, dims<1>, layout_strided> as_view(const repeated_number& n) {
    return {unchecked, &n.value, {dims<1>(n.size), 0}};
  }
};

/// The type of an argument, or of the vector that a number stands for.
template <class Pass, class A>
using number_as_vector = std::conditional_t<is_number<A>, repeated_number<typename Pass::value_type>, A>;

/// An argument, or a vector of a size that is not known yet.
template <class Pass, class A>
TERN_INLINE decltype(auto) as_vector(A& a) {
  if constexpr (is_number<A>)
    return repeated_number<typename Pass::value_type>{static_cast<typename Pass::value_type>(a)};
  else
    return (a);
}

template <class>
inline constexpr bool is_repeated_number = false;
template <class T>
inline constexpr bool is_repeated_number<repeated_number<T>> = true;

/// Gives tensor I of a call its size if it is a repeated number: that of the first axis with the name of its own.
template <class Pass, int I, class... View>
TERN_INLINE void set_size(const view_list<std::make_integer_sequence<int, sizeof...(View)>, View...>& all,
                          auto& tensor) {
  if constexpr (is_repeated_number<std::remove_cvref_t<decltype(tensor)>>) {
    constexpr first_axis first = first_of<Pass, I, 0, View...>();
    tensor.size = get<first.tensor>(all).extent(first.axis);
  }
}

}  // namespace tern::inline TERN_ISA::declare
