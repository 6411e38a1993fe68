// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of network and trainer functions, for one-sentence errors about calls.
#pragma once

#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/sentence.hpp"
#include "tern/op/dropout.hpp"

namespace tern::inline TERN_ISA::impl {

/// Stands for run-time state: any variable.
struct run_time_state {};

/// The parameters of a function. A derived form adds their `names`, separated by commas.
/// \tparam Wanted  the types of the parameters; the last Optional ones have defaults
template <int Optional, class... Wanted>
struct call_form {
  static constexpr int most = sizeof...(Wanted), least = most - Optional;
  /// The type of parameter I.
  template <std::size_t I>
  using wanted = std::tuple_element_t<I, std::tuple<std::type_identity<Wanted>...>>;
};

template <class Wanted, class Given>
constexpr bool takes_argument = std::is_convertible_v<Given&&, Wanted>;
template <class Given>
constexpr bool takes_argument<run_time_state, Given> =
    std::is_lvalue_reference_v<Given> && std::is_class_v<std::remove_reference_t<Given>>;

/// The error for an argument that is not an object of type Wanted.
template <class Wanted>
inline constexpr const char* wrong_object = "is of another type than the function takes";
template <>
inline constexpr const char* wrong_object<random_site> = "must be a tern::random_site, as in {.seed = 1}";

template <class Wanted>
constexpr bool is_range = requires { typename Wanted::element_type; } || requires { std::tuple_size<Wanted>::value; };

/// The error for an argument; empty if its type fits.
template <class Wanted, class Given>
constexpr const char* argument_error() {
  using type = std::remove_cvref_t<Given>;
  if constexpr (takes_argument<Wanted, Given>) {
    return "";
  } else if constexpr (std::is_same_v<Wanted, run_time_state>) {
    return std::is_class_v<type> && !std::is_lvalue_reference_v<Given>
               ? "must be a variable: it is a temporary"
               : "must be what kernels run on: net::make_state() gives one";
  } else if constexpr (std::is_arithmetic_v<Wanted>) {
    return "must be a number";
  } else if constexpr (!is_range<Wanted>) {
    return wrong_object<Wanted>;
  } else if constexpr (std::is_pointer_v<type> || std::is_null_pointer_v<type>) {
    return "must know its size: it is a pointer, of which std::span(pointer, size) makes a range";
  } else if constexpr (std::is_arithmetic_v<type>) {
    return "must be a range, such as a std::vector: it is a number";
  } else if constexpr (requires {
                         typename Wanted::element_type;
                         std::declval<type&>().data();
                       }) {
    using element = std::remove_pointer_t<decltype(std::declval<std::remove_reference_t<Given>&>().data())>;
    using wanted = std::remove_cv_t<typename Wanted::element_type>;
    return !std::is_same_v<std::remove_cv_t<element>, wanted>
               ? std::is_same_v<wanted, float>    ? "has elements of another type: they must be float"
                 : std::is_same_v<wanted, double> ? "has elements of another type: they must be double"
                                                  : "has elements of another type: they must be std::int32_t"
           : std::is_const_v<element> ? "is written: it must not be const"
                                      : "is written: it must be a variable or a std::span";
  } else if constexpr (requires { std::tuple_size<Wanted>::value; }) {
    return "must be a std::array of std::span, one for each tensor";
  } else {
    return "must be a contiguous range, such as a std::vector or std::span, of the element type of the network";
  }
}

/// True for parameters that do not distinguish forms: run-time state, numbers and ranges. Other objects do.
template <class Wanted>
constexpr bool is_common_to_forms =
    std::is_same_v<Wanted, run_time_state> || std::is_arithmetic_v<Wanted> || is_range<Wanted>;

template <class Form, class... Args>
struct call_errors {
  static constexpr bool counts =
      static_cast<int>(sizeof...(Args)) <= Form::most && static_cast<int>(sizeof...(Args)) >= Form::least;
  template <std::size_t I>
  using wanted = typename Form::template wanted<I>::type;

  /// The error of the first wrong argument.
  static constexpr declare::sentence error(const char* function) {
    declare::sentence s;
    if constexpr (counts)
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (add(s, function, static_cast<int>(I), argument_error<wanted<I>, Args>()), ...);
      }(std::index_sequence_for<Args...>());
    return s;
  }
  static constexpr bool all_valid() {
    if constexpr (counts)
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (takes_argument<wanted<I>, Args> && ...);
      }(std::index_sequence_for<Args...>());
    return false;
  }
  /// True if the call may mean this form: the count fits, and so does every argument that distinguishes forms.
  static constexpr bool may_be_meant() {
    if constexpr (counts)
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return ((is_common_to_forms<wanted<I>> || takes_argument<wanted<I>, Args>) && ...);
      }(std::index_sequence_for<Args...>());
    return false;
  }

 private:
  static constexpr void add(declare::sentence& s, const char* function, int i, const char* why) {
    if (*why == '\0' || !s.empty()) return;
    s << function << ": argument " << i + 1 << ", ";
    int commas = 0;
    for (const char* name = Form::names; *name != '\0'; ++name)
      if (*name == ',')
        ++commas, ++name;
      else if (commas == i)
        s << *name;
    s << ", " << why;
  }
};
template <class Form, class... Args>
concept takes = call_errors<Form, Args...>::all_valid();

/// Begins a sentence with the forms of a function's calls.
template <class... Forms>
constexpr declare::sentence takes_forms(const char* function, Forms...) {
  declare::sentence s;
  s << function << " takes ";
  const char* between = "";
  ((s << between << "(" << Forms::names << ")", between = " or "), ...);
  return s;
}

/// The error for arguments that fit none of the forms.
/// \param function  its name
template <class... Args, class... Forms>
constexpr declare::sentence error_of_call(const char* function, Forms...) {
  declare::sentence s;
  ((s.empty() && (sizeof...(Forms) == 1 || call_errors<Forms, Args...>::may_be_meant())
        ? void(s = call_errors<Forms, Args...>::error(function))
        : void()),
   ...);
  if (!s.empty()) return s;
  return takes_forms(function, Forms()...) << ": there are " << static_cast<index_t>(sizeof...(Args)) << " arguments";
}

/// Any argument, also a list in braces, from which no template deduces a type. It is converted, so that any other
/// overload is better.
struct value_or_list {
  template <class... A>
  constexpr value_or_list(A&&...) {}  // NOLINT
};
/// The error for a call with lists in braces that fits none of the forms.
/// \tparam Call  any type of the caller's template parameters: only a call has the error
template <class Call, class... Forms>
constexpr declare::sentence error_of_lists(const char* function, index_t inputs, index_t results, Forms... forms) {
  declare::sentence s = takes_forms(function, forms...);
  const auto list = [&](const char* name, index_t n) {
    s << name;
    if (n == 1)
      s << " one span";
    else
      s << " a list of " << n << " spans";
  };
  list(": x is", inputs), list(", y is", results);
  return s;
}

}  // namespace tern::inline TERN_ISA::impl
