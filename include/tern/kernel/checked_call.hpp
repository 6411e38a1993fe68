// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of a declared call (declaration.hpp). Facts known from types are checked while compiling. At run time a
// correct call computes one bit; a wrong call leaves the hot path to find its sentence.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/layout.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/core/sentence.hpp"
#include "tern/core/workspace.hpp"
#include "tern/kernel/declaration.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/packed.hpp"

namespace tern::inline TERN_ISA::declare {

template <class T, class Element>
constexpr element element_of() {
  using U = std::remove_const_t<Element>;
  return std::is_same_v<U, T>              ? element::op
         : std::is_same_v<U, std::uint8_t> ? element::uint8
         : std::is_same_v<U, std::int32_t> ? element::int32
                                           : element::other;
}

template <class View>
inline constexpr bool is_packed_view = requires { View::layout_type::for_pass; };

/// The facts that the type of a view shows. T is the element type of the op.
template <class T, class View>
constexpr fact fact_of_type() {
  using mapping = typename View::mapping_type;
  fact f{.rank = View::rank,
         .of = element_of<T, typename View::element_type>(),
         .bytes = sizeof(typename View::element_type),
         .writable = !std::is_const_v<typename View::element_type>,
         .in_layout = strided_mapping<mapping> || impl::channel_block<mapping> != 0 || is_packed_view<View>,
         .strided = strided_mapping<mapping>,
         .packed = is_packed_view<View>,
         .by_rows = View::rank > 2 && std::is_same_v<typename View::layout_type, layout_row> &&
                    View::extents_type::static_extent(1) != 1};
  for (int r = 0; r < View::rank && r < most_rank; ++r) f.extent[r] = View::extents_type::static_extent(r);
  return f;
}
template <class T, class View>
TERN_COLD fact fact_of(const View& v) {
  fact f = fact_of_type<T, View>();
  for (int r = 0; r < View::rank && r < most_rank; ++r) f.extent[r] = v.extent(r);
  f.null = v.data() == nullptr && v.size() > 0;
  if constexpr (View::rank > 1 && strided_mapping<typename View::mapping_type>) f.channel_stride = v.stride(1);
  return f;
}

/// True if a pass derives shapes from other shapes.
template <class Pass>
inline constexpr bool makes_shapes = requires(index_t* extent) { Pass::made(extent, 0); };

/// Reports shapes that differ from those the pass derives, with the pass's own functions.
TERN_COLD constexpr void validate_derived(sentence& s, const char* op, const declaration& d, const fact* t,
                                          bool (*made)(index_t*, int), void (*demand)(sentence&, const fact&)) {
  for (int i = 0; i < d.given(); ++i) {
    const int j = d.source_of(i);
    if (j < 0) continue;
    fact wanted = t[j];
    const bool can_be = made(wanted.extent, wanted.rank);
    bool matches = can_be;
    for (int r = 0; r < wanted.rank; ++r)
      matches =
          matches && (wanted.extent[r] == t[i].extent[r] || wanted.extent[r] == dynamic || t[i].extent[r] == dynamic);
    if (matches) continue;
    s << op << ": " << d[j].name << " is " << t[j];
    if (can_be)
      s << " and " << d[i].name << " is " << t[i] << ": " << d[i].name << " must be " << wanted;
    else
      demand(s << ": ", t[j]);
    return;
  }
}
/// The first error of a call's tensors under the pass and its declaration. A pass may add a validate(sentence, op, facts)
/// of its own.
template <class Pass>
constexpr sentence validated(const char* op, const fact* t) {
  sentence s;
  validate(s, op, Pass::declared, t);
  if constexpr (makes_shapes<Pass>)
    if (s.size() == 0) validate_derived(s, op, Pass::declared, t, &Pass::made, &Pass::demand);
  if constexpr (requires { Pass::validate(s, op, t); })
    if (s.size() == 0) Pass::validate(s, op, t);
  return s;
}
/// The run-time functions of a pass for these judgements; null if it has none. Not used while compiling: to g++ 12 with
/// the sanitizer of undefined behaviour, comparing a function with null is no constant expression.
struct validators {
  bool (*made)(index_t*, int) = nullptr;
  void (*demand)(sentence&, const fact&) = nullptr;
  void (*own)(sentence&, const char*, const fact*) = nullptr;
};
template <class Pass>
constexpr validators validators_of() {
  validators j;
  if constexpr (makes_shapes<Pass>) j.made = &Pass::made, j.demand = &Pass::demand;
  if constexpr (requires(sentence s, const fact* t) { Pass::validate(s, "", t); }) j.own = &Pass::validate;
  return j;
}
/// The first error that the types of the tensors show.
template <class Pass, class... View>
constexpr sentence error_of_types(const char* op) {
  const fact t[] = {fact_of_type<typename Pass::value_type, View>()...};
  return validated<Pass>(op, t);
}

/// The first axis with a given name.
struct first_axis {
  int tensor, axis;
};
template <class Pass, int I, int R, class... View>
consteval first_axis first_of() {
  constexpr int rank[] = {View::rank...};
  const axis_name name = declaration::name_of(Pass::declared[I].shape_of(rank[I]), rank[I], R);
  for (int i = 0; i < I; ++i)
    for (int r = 0; r < rank[i]; ++r)
      if (declaration::name_of(Pass::declared[i].shape_of(rank[i]), rank[i], r) == name) return {i, r};
  return {I, R};
}

/// Addresses from the first element of a tensor to the end of its last one.
struct address_range {
  std::uintptr_t first = 0, last = 0;

  TERN_INLINE bool meets(const address_range& r) const { return first < r.last && r.first < last; }
};
template <class View>
TERN_INLINE address_range range_of(const View& v) {
  const auto first = reinterpret_cast<std::uintptr_t>(v.data());
  const index_t span = v.mapping().required_span_size();
  return {first, first + static_cast<std::uintptr_t>(span) * sizeof(typename View::element_type)};
}
/// True for tern's own layouts in which the shape alone gives every offset and no two elements share one. Strides of
/// other layouts may be known only at run time.
template <class Layout>
inline constexpr bool is_dense = false;
template <>
inline constexpr bool is_dense<layout_row> = true;
template <>
inline constexpr bool is_dense<layout_column> = true;
template <>
inline constexpr bool is_dense<layout_transposed> = true;
template <>
inline constexpr bool is_dense<layout_channels_last> = true;
template <int Block>
inline constexpr bool is_dense<layout_channel_blocked<Block>> = true;
template <pass For>
inline constexpr bool is_dense<layout_packed<For>> = true;

/// True if every stride exceeds the span of the axes after it, with the last two axes in either order. Sufficient, not
/// necessary: other views may be injective, too.
template <class View>
TERN_INLINE bool ascends(const View& v) {
  if constexpr (strided_mapping<typename View::mapping_type> && !is_dense<typename View::layout_type>) {
    constexpr int last = View::rank - 1;
    const auto in_order = [&](int innermost, int next) __attribute__((always_inline)) {
      bool matches = true;
      index_t reach = 0;
      for (int r = last; r >= 0; --r) {
        const int axis = r == last ? innermost : r == last - 1 ? next : r;
        matches &= v.extent(axis) < 2 || v.stride(axis) > reach, reach += (v.extent(axis) - 1) * v.stride(axis);
      }
      return matches;
    };
    return in_order(last, last - 1) || (last > 0 && in_order(last - 1, last));
  }
  return true;
}
/// True if output I of a call may alias tensor J and does: one shape, and every element at the same address.
template <class Pass, int I, int J, class A, class B>
TERN_INLINE bool same_tensor(const A& a, const B& b) {
  if constexpr (!Pass::declared.may_be(I, J) || !std::is_same_v<typename A::value_type, typename B::value_type> ||
                A::rank != B::rank) {
    return false;
  } else {
    bool same = a.data() == b.data();
    if constexpr (!same_text(Pass::declared[I].shape_of(A::rank), Pass::declared[J].shape_of(B::rank)))
      for (int r = 0; r < A::rank; ++r) same &= a.extent(r) == b.extent(r);  // otherwise already compared
    if constexpr (std::is_same_v<typename A::layout_type, typename B::layout_type> &&
                  is_dense<typename A::layout_type>) {
      // Layout and shape already give the offsets.
    } else if constexpr (strided_mapping<typename A::mapping_type> && strided_mapping<typename B::mapping_type>) {
      for (int r = 0; r < A::rank; ++r) same &= a.stride(r) == b.stride(r) || a.extent(r) < 2;
    } else {
      same = false;
    }
    return same;
  }
}
/// The exact set of byte intervals that a tensor occupies.
template <class View>
impl::interval_set intervals_of(const View& v) {
  impl::interval_set s;
  if constexpr (strided_mapping<typename View::mapping_type>) {
    for (int r = View::rank - 1; r >= 0; --r) s.add(v.stride(r), v.extent(r));
  } else if constexpr (is_packed_view<View>) {
    s.add(1, v.mapping().required_span_size());
  } else {
    constexpr index_t block = impl::channel_block<typename View::mapping_type>;
    index_t stride = block;
    s.add(1, v.extent(1) < block ? v.extent(1) : block);
    for (int r = View::rank - 1; r >= 2; --r) s.add(stride, v.extent(r)), stride *= v.extent(r);
    s.add(stride, v.mapping().blocks());
    s.add(stride * v.mapping().blocks(), v.extent(0));
  }
  return s.begin_at(v.data());
}

// Two functions make the sentences of all calls; the compiled part holds them.
#if defined(TERN_COMPILED) && !defined(TERN_COMPILES_SENTENCES)
void explain_facts(const char* op, const declaration& d, const validators& j, const fact* t);
void explain_addresses(const char* op, const declaration& d, const impl::interval_set* of, const bool* same);
#else
#if defined(TERN_COMPILED)
#define TERN_SENTENCES
#else
#define TERN_SENTENCES inline
#endif
/// Throws the first error of a call's tensors, if there is one.
TERN_COLD TERN_SENTENCES void explain_facts(const char* op, const declaration& d, const validators& j, const fact* t) {
  sentence s;
  validate(s, op, d, t);
  if (s.size() == 0 && j.made) validate_derived(s, op, d, t, j.made, j.demand);
  if (s.size() == 0 && j.own) j.own(s, op, t);
  if (s.size() > 0) violation("%s", s.text());
}
/// Throws if an output overlaps itself or another tensor that it may not alias.
/// \param same  at [i * d.given() + j]: true if tensor i is tensor j and may be
TERN_COLD TERN_SENTENCES void explain_addresses(const char* op, const declaration& d, const impl::interval_set* of,
                                                const bool* same) {
  const int n = d.given();
  for (int i = 0; i < n; ++i) {
    if (d[i].is == role::input) continue;
    for (int j = 0; j < n; ++j) {
      if (j == i || same[i * n + j] || !of[j].meets(of[i])) continue;
      violation("%s: %s shares elements with %s%s", op, d[i].name, d[j].name,
                d.may_be(i, j) ? ", and is not that tensor itself" : "");
    }
    if (!of[i].nested()) violation("%s: the strides of %s give two results one element", op, d[i].name);
  }
}
#undef TERN_SENTENCES
#endif

template <class Pass, class... View>
TERN_COLD void explain(const char* op, const View&... view) {
  const fact t[] = {fact_of<typename Pass::value_type>(view)...};
  explain_facts(op, Pass::declared, validators_of<Pass>(), t);
}

/// A list of views by number. Not std::tuple, whose members other translation units share.
template <int I, class View>
struct list_item {
  const View& view;
};
template <class Numbers, class... View>
struct view_list;
template <int... I, class... View>
struct view_list<std::integer_sequence<int, I...>, View...> : list_item<I, View>... {};
template <class... View>
TERN_INLINE view_list<std::make_integer_sequence<int, sizeof...(View)>, View...> list_of(const View&... view) {
  return {{view}...};
}
template <int I, class View>
TERN_INLINE const View& get(const list_item<I, View>& item) {
  return item.view;
}

/// Throws if an output of a call overlaps itself or another tensor that it may not alias.
template <class Pass, int... I, class... View>
TERN_COLD void explain_overlap(const char* op, const view_list<std::integer_sequence<int, I...>, View...>& all) {
  constexpr int n = sizeof...(View);
  const impl::interval_set of[] = {intervals_of(get<I>(all))...};
  bool same[n * n] = {};
  const auto compare = [&]<int Output>(std::integral_constant<int, Output>) {
    ((same[Output * n + I] = same_tensor<Pass, Output, I>(get<Output>(all), get<I>(all))), ...);
  };
  (compare(std::integral_constant<int, I>{}), ...);
  explain_addresses(op, Pass::declared, of, same);
}

/// Calls f(0), f(1), ... with constants of a sequence.
template <int... I, class F>
TERN_INLINE void each_of(std::integer_sequence<int, I...>, F f) {
  (f(std::integral_constant<int, I>{}), ...);
}

/// Checks that no output of a call overlaps itself or another tensor.
template <class Pass, class... View>
TERN_INLINE void check_overlap(const char* op, const View&... view) {
  const auto all = list_of(view...);
  constexpr std::make_integer_sequence<int, sizeof...(View)> tensors;
  const address_range range[] = {range_of(view)...};
  bool meets = false;
  each_of(tensors, [&](auto i) __attribute__((always_inline)) {
    constexpr int I = decltype(i)::value;
    if constexpr (Pass::declared[I].is != role::input) {
      meets |= !ascends(get<I>(all));
      each_of(tensors, [&](auto j) __attribute__((always_inline)) {
        constexpr int J = decltype(j)::value;
        if constexpr (J != I && (J < I || Pass::declared[J].is == role::input)) {
          meets |= range[I].meets(range[J]) && !same_tensor<Pass, I, J>(get<I>(all), get<J>(all));
        }
      });
    }
  });
  if (meets) [[unlikely]]
    explain_overlap<Pass>(op, all);
}

/// True if the tensor exceeds every address space, counted as validate() does.
template <class View>
TERN_COLD bool is_too_large(const View& v) {
  double bytes = sizeof(typename View::value_type);
  for (int r = 0; r < View::rank; ++r) bytes *= static_cast<double>(v.extent(r) > 0 ? v.extent(r) : 1);
  return bytes > 0x1p47;
}

/// True if a rule of the pass forbids these extents.
template <class Pass, class... View>
TERN_COLD bool breaks_own_rule(const char* op, const View&... view) {
  if constexpr (requires(sentence s, const fact* t) { Pass::validate(s, "", t); }) {
    const fact t[] = {fact_of<typename Pass::value_type>(view)...};
    sentence s;
    Pass::validate(s, op, t);
    return s.size() > 0;
  }
  return false;
}

/// Checks the tensors of a call with correct types. Throws std::invalid_argument before anything is written.
template <class Pass, class... View>
TERN_INLINE void check(const char* op, const View&... view) {
  const auto all = list_of(view...);
  bool wrong = false, large = false;
  constexpr std::make_integer_sequence<int, sizeof...(View)> tensors;
  each_of(tensors, [&](auto i) __attribute__((always_inline)) {
    constexpr int I = decltype(i)::value;
    const auto& v = get<I>(all);
    using view_type = std::remove_cvref_t<decltype(v)>;
    index_t bits = 0;  // of extents that no other tensor has
    each_of(std::make_integer_sequence<int, view_type::rank>{}, [&](auto r) __attribute__((always_inline)) {
      constexpr int R = decltype(r)::value;
      constexpr first_axis first = first_of<Pass, I, R, View...>();
      constexpr axis_name name = declaration::name_of(Pass::declared[I].shape_of(view_type::rank), view_type::rank, R);
      if constexpr (name.name.is_one())
        wrong |= v.extent(R) != 1;
      else if constexpr (Pass::declared.extent_of(name).value != dynamic)
        wrong |= v.extent(R) != Pass::declared.extent_of(name).value, bits |= v.extent(R);
      else if constexpr (first.tensor != I || first.axis != R)
        wrong |= v.extent(R) != get<first.tensor>(all).extent(first.axis) && !(name.name.or_one && v.extent(R) == 1);
      else
        bits |= v.extent(R);
    });
    if constexpr (makes_shapes<Pass>)
      if constexpr (constexpr int from = Pass::declared.source_of(I); from >= 0) {
        index_t extent[view_type::rank];
        for (int r = 0; r < view_type::rank; ++r) extent[r] = get<from>(all).extent(r);
        wrong |= !Pass::made(extent, view_type::rank);
        for (int r = 0; r < view_type::rank; ++r) wrong |= extent[r] != v.extent(r);
      }
    if constexpr (Pass::declared[I].adjacent && view_type::rank > 1 &&
                  strided_mapping<typename view_type::mapping_type>)
      wrong |= v.stride(1) != 1 && v.extent(1) > 1;
    wrong |= v.data() == nullptr || bits < 0, large |= bits >> (44 / view_type::rank) != 0;
  });
  if (large) [[unlikely]]  // a long axis does not make a large tensor: count exactly
    wrong |= (... || is_too_large(view)) || breaks_own_rule<Pass>(op, view...);
  if (wrong) [[unlikely]]
    explain<Pass>(op, view...);  // null views may be empty, which is no error

  check_overlap<Pass>(op, view...);
}
/// Throws the first error in the shapes of a call without memory.
template <class Pass, class... View>
void judge_shapes(const char* op, const View&... view) {
  const fact t[] = {[](fact f) {
    f.null = false;
    return f;
  }(fact_of<typename Pass::value_type>(view))...};
  explain_facts(op, Pass::declared, validators_of<Pass>(), t);
}
/// Checks the memory of a call with correct shapes.
template <class Pass, class... View>
TERN_INLINE void check_memory(const char* op, const View&... view) {
  if ((... || (view.data() == nullptr))) [[unlikely]]
    explain<Pass>(op, view...);  // null views may be empty
  check_overlap<Pass>(op, view...);
}

/// Throws if the workspace of a call overlaps a tensor.
template <class Pass, class... View>
TERN_INLINE void check_workspace(const char* op, const workspace& memory, const View&... view) {
  if (memory.bytes == 0) return;
  const auto first = reinterpret_cast<std::uintptr_t>(memory.data);
  const address_range lent{first, first + static_cast<std::uintptr_t>(memory.bytes)};
  int i = 0;
  const auto compare = [&](const auto& v) {
    if (range_of(v).meets(lent)) violation("%s: the workspace shares memory with %s", op, Pass::declared[i].name);
    ++i;
  };
  (compare(view), ...);
}

}  // namespace tern::inline TERN_ISA::declare
