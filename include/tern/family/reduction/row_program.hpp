// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row programs: ops that fold and map rows of features, as softmax does. A program is written once; an interpreter per
// execution model runs it: cpu/row_core.hpp, mimd/row_program.hpp, simt/row_program.hpp. The reference is written by
// hand. The program of a call is the specialisation of row::program for its problem struct, which has `shape` (rows and
// their features) and tensors as scattered images. kernel/l2_normalize.hpp is a whole op. Its steps for y = x / |x|:
//
//     struct inverse_norm : sum_step {
//       static TERN_FN auto add(const auto& e, auto sum) { return fma(e[x()], e[x()], sum); }
//       static TERN_FN auto finish(const auto&, auto sum) { return decltype(sum)(1.0f) / sqrt(sum); }
//     };
//     struct result : map_step<y> {
//       static TERN_FN auto of(const auto& e) { return product(e[x()], e[inverse_norm()]); }
//     };
//
// Steps run in order; the last one writes the result:
//     max_step         the maximum of of(e) in a row
//     sum_step         the sum of of(e), or by add(e, sum), by rule 5 of docs/numerics.md
//     pick_step<i>     of(e) of the feature that index i names
//     number_step<y>   of(e), a number per row, written to y if there is one
//     map_step<y>      of(e) of every feature, written to y
//     argmax_step<y>   the first feature with the maximum of of(e) in a row, written to y, an element per row. NaN
//                      compares larger than any number.
// Folds may have finish(e, v), which maps the maximum or the sum. Values are vectors of V, or numbers: functions are
// templates. The environment e offers:
//     e[tensor]       the element at the feature, or the row's; for bytes, true if it is not 0
//     e[step]         the number of an earlier step
//     e[kept<step>]   the element of an earlier sum at this feature
//     e.at(index, yes, no)   in maps: `yes` at the feature that the index names, `no` at others
//     e.call          the call, for numbers that are the same for all rows
// A row with a negative index takes no part: its results are 0. If the index is beyond the features they are NaN. Lanes
// beyond a row are 0 in every tensor: add(e, sum) must then be sum.
//
// A program also has
//     tensors       list<...>, in the order of a call
//     steps         list<...>
//     operations    per element, as multiply-adds of a matmul
//     reference(q)  the same in plain loops (reference_loops.hpp)
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/log.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::inline TERN_ISA {

/// Sizes of one call: features are the reduced axis, all others are rows.
struct row_shape {
  index_t batch = 0, features = 0;
  index_t extent[3] = {1, 1, 1};

  TERN_FN constexpr index_t rows() const { return batch * extent[0] * extent[1] * extent[2]; }
};

}  // namespace tern::inline TERN_ISA

namespace tern::row::inline TERN_ISA {

using math::exp, math::exp_bounded, math::fma, math::log, math::product, math::select, math::sqrt;

/// The program of a call.
template <class Call>
struct program;

template <int I, class First, class... More>
struct type_at : type_at<I - 1, More...> {};
template <class First, class... More>
struct type_at<0, First, More...> {
  using type = First;
};

template <class... Types>
struct list {
  static constexpr int size = sizeof...(Types);
  template <int I>
  using at = typename type_at<I, Types...>::type;
  template <template <class...> class To>
  using in = To<Types...>;

  /// Calls f(types...), each as a value.
  template <class F>
  static constexpr auto apply(F f) {
    return f(Types()...);
  }
};

// --- Tensors ---------------------------------------------------------------------------------------------------------

template <class Call, class U>
U* element_of(scattered_image<U> Call::*);

/// \tparam Tensor  the member of the call
/// \tparam OfRows  true if it has one element per row
template <auto Tensor, bool OfRows = false>
struct input {
  using element = std::remove_pointer_t<decltype(element_of(Tensor))>;
  static constexpr bool is_result = false, accumulates = false, of_rows = OfRows;

  static TERN_FN constexpr auto& of(auto& call) { return call.*Tensor; }
};
/// \tparam Accumulate  true if results are added to their old values
template <auto Tensor, bool Accumulate = false, bool OfRows = false>
struct output : input<Tensor, OfRows> {
  static constexpr bool is_result = true, accumulates = Accumulate;
};
/// The feature that a row names.
template <auto Tensor>
struct index : input<Tensor, true> {
  static constexpr bool names_feature = true;
};

/// Base of a program with `Inputs` input tensors and one output; its problem is row::call.
/// \tparam OfRow  the type of a row's result; void: one result per element
template <class T, int Inputs, bool Accumulate = false, class OfRow = void>
struct elements {
  using value_type = T;
  static constexpr int inputs = Inputs;

  template <int I>
  struct in {
    using element = const T;
    static constexpr bool is_result = false, accumulates = false, of_rows = false;
    static TERN_FN constexpr auto& of(auto& call) { return call.in[I]; }
  };
  struct out {
    static constexpr bool is_result = true, accumulates = Accumulate, of_rows = !std::is_void_v<OfRow>;
    using element = std::conditional_t<of_rows, OfRow, T>;
    static TERN_FN constexpr auto& of(auto& call) { return call.out; }
  };
  template <class>
  struct all_of;
  template <int... I>
  struct all_of<std::integer_sequence<int, I...>> {
    using type = list<in<I>..., out>;
  };
  using tensors = typename all_of<std::make_integer_sequence<int, Inputs>>::type;
};
template <class Program>
struct call {
  using value_type = typename Program::value_type;
  row_shape shape;
  scattered_image<const value_type> in[Program::inputs];
  scattered_image<typename Program::out::element> out{};
};
template <class Program>
struct program<call<Program>> : Program {};

// --- Steps -----------------------------------------------------------------------------------------------------------

enum class step_kind { max, sum, map, argmax, pick, number };

template <step_kind Kind>
struct any_step {
  static constexpr step_kind kind = Kind;
  /// True if several rows complete this step before the next one, for dependent chains and costly finishes.
  static constexpr bool apart = Kind == step_kind::max;
  /// For sums: the output of the map that may keep their terms.
  using kept_in = void;

  static TERN_FN auto finish(const auto&, auto v) { return v; }
};
struct max_step : any_step<step_kind::max> {};
struct sum_step : any_step<step_kind::sum> {};
template <class Output>
struct map_step : any_step<step_kind::map> {
  using output = Output;
};
template <class Output>
struct argmax_step : any_step<step_kind::argmax> {
  using output = Output;
};
/// The largest value so far in each lane, NaN before all, and its first place.
template <class V>
struct first_largest {
  using T = math::scalar_of_t<V>;
  V value = V(-static_cast<T>(__builtin_huge_valf())), place = V(T(0));  ///< the bits of a place are its number

  TERN_FN void take(V v, index_t at) {
    const auto above = v > value, number = v == v, none_yet = value == value;  // v != v is false on AVX2
    const auto wins = above | (none_yet & !number);
    value = select(wins, v, value);
    place = select(wins, V(math::from_bits<T>(static_cast<decltype(math::bits(T()))>(at))), place);
  }
};

template <class Index>
struct pick_step : any_step<step_kind::pick> {
  using of_index = Index;
};
/// Results are costly: several rows take the step at once.
template <class Output = void>
struct number_step : any_step<step_kind::number> {
  static constexpr bool writes = !std::is_void_v<Output>, apart = writes;
  using output = Output;
};

/// The result of a row with this index that takes no part.
template <class T>
TERN_FN T result_without(index_t index) {
  return index < 0 ? T(0) : static_cast<T>(__builtin_nanf(""));
}

template <class Step>
struct kept {
  using of_step = Step;
};

template <class Step>
inline constexpr bool keeps = !std::is_void_v<typename Step::kept_in>;
template <class Type, class... Types>
constexpr int place_in(list<Types...>) {
  int place = 0;
  static_cast<void>(((std::is_same_v<Types, Type> || (++place, false)) || ...));
  return place;
}
/// The index among tensors, or void.
template <class Tensors>
struct index_of {
  using type = void;
};
template <class First, class... More>
struct index_of<list<First, More...>> : index_of<list<More...>> {};
template <class First, class... More>
  requires requires { First::names_feature; }
struct index_of<list<First, More...>> {
  using type = First;
};
/// The position of a type in a list.
template <class List, class Type>
inline constexpr int place_of = place_in<Type>(List());

/// The environment of a program's functions, from a model's load(tensor), number<place>() and reload(step).
/// \tparam Keeps  true if elements are kept for steps that allow it
template <class Program, class Model, bool Keeps>
struct environment {
  template <class Value>
  TERN_FN auto operator[](Value value) const {
    const Model& m = static_cast<const Model&>(*this);
    if constexpr (requires { typename Value::of_step; }) {
      if constexpr (Keeps && keeps<typename Value::of_step>)
        return m.reload(typename Value::of_step());
      else
        return Value::of_step::of(m);
    } else if constexpr (requires { Value::kind; }) {
      return m.template number<place_of<typename Program::steps, Value>>();
    } else {
      return m.load(value);
    }
  }
};

}  // namespace tern::row::inline TERN_ISA
