// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Non-owning views of tensors: a pointer and a layout mapping.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/extents.hpp"
#include "tern/core/layout.hpp"

namespace tern {

/// Option of views and of calls whose tensors are correct by construction, as those of layers: skips the checks of
/// sizes, shapes and addresses.
struct unchecked_t {};
inline constexpr unchecked_t unchecked{};

template <class T, shape Extents, class Layout = layout_row>
class view;
/// True for specialisations of view.
template <class V>
inline constexpr bool is_view = false;
template <class T, class E, class L>
inline constexpr bool is_view<view<T, E, L>> = true;

namespace detail {

/// Contiguous elements with data() and size(): std::vector, std::array, std::span, an array. Not a view, which may be
/// strided.
template <class C>
concept container = !is_view<std::remove_cvref_t<C>> && requires(C& c) {
  { *std::data(c) } -> std::same_as<std::remove_pointer_t<decltype(std::data(c))>&>;
  { std::size(c) } -> std::convertible_to<std::size_t>;
};
template <class C>
using element_of = std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>;

/// The number of elements of a container, if its type has it.
template <class C>
inline constexpr index_t static_size = dynamic;
template <class T, std::size_t N>
inline constexpr index_t static_size<T[N]> = static_cast<index_t>(N);
template <class T, std::size_t N>
inline constexpr index_t static_size<std::array<T, N>> = static_cast<index_t>(N);
template <class T, std::size_t N>
inline constexpr index_t static_size<std::span<T, N>> = N == std::dynamic_extent ? dynamic : static_cast<index_t>(N);

}  // namespace detail

/// A non-owning tensor. Copying a view copies no element; a view of const elements converts from one of mutable
/// elements. Needs no alignment beyond that of T.
///
///     std::vector<float> v(rows * columns);
///     tern::view a{v, tern::extents{rows, columns}};              // row by row, run-time shape
///     tern::view w{q, 640, tern::extents<64, 10>{}};              // of a pointer to 640 elements; shape in the type
///     tern::view s{v, tern::layout_strided::mapping{tern::extents{rows, 8}, 100, 1}};   // columns 0..7 of 100
///     tern::view u{tern::unchecked, p, tern::extents{rows, 8}};   // of a pointer, without a check
///
/// The container must have as many elements as the shape: more are an error, too, unless the layout is strided. A
/// mismatch is a compile error if the types state both numbers, else a violation. Temporary containers do not compile.
template <class T, shape Extents, class Layout>
class view {
 public:
  using value_type = std::remove_const_t<T>;
  using element_type = T;
  using extents_type = Extents;
  using layout_type = Layout;
  using mapping_type = typename Layout::template mapping<Extents>;
  static constexpr int rank = Extents::rank;

  TERN_FN constexpr view() {}
  TERN_FN constexpr view(unchecked_t, T* data, const Extents& e)
    requires std::constructible_from<mapping_type, const Extents&>
      : data_(data), mapping_(e) {}
  TERN_FN constexpr view(unchecked_t, T* data, const mapping_type& m) : data_(data), mapping_(m) {}

  TERN_FN constexpr view(T* data, index_t count, const Extents& e)
    requires std::constructible_from<mapping_type, const Extents&>
      : view(data, count, mapping_type(e)) {}
  TERN_FN constexpr view(T* data, index_t count, const mapping_type& m) : data_(data), mapping_(m) { check(count); }

  template <detail::container C>
    requires std::constructible_from<mapping_type, const Extents&>
  constexpr view(C&& c, const Extents& e) : view(std::forward<C>(c), mapping_type(e)) {}
  template <detail::container C>
  constexpr view(C&& c, const mapping_type& m) : data_(std::data(c)), mapping_(m) {
    using type = std::remove_cvref_t<C>;
    static_assert(std::is_lvalue_reference_v<C> || std::ranges::enable_borrowed_range<type>,
                  "view: the container is a temporary: its elements would be gone before the view is used");
    constexpr index_t size = detail::static_size<type>;
    if constexpr (size != dynamic && Extents::is_static && !std::is_same_v<Layout, layout_strided>) {
      constexpr index_t needed = mapping_type(Extents()).required_span_size();
      static_assert(size == needed, "view: the container must have as many elements as the shape");
    }
    check(static_cast<index_t>(std::size(c)));
  }
  /// Rejects a pointer without a number of elements.
  template <class P, class Shape>
    requires std::is_pointer_v<P>
  constexpr view(const P&, const Shape&) {
    static_assert(!std::is_pointer_v<P>,
                  "view: a pointer does not say how many elements there are: give a container, a pointer and their "
                  "number, or tern::unchecked and a pointer");
  }

  template <std::same_as<value_type> U>
    requires std::is_const_v<T>
  TERN_FN constexpr view(const view<U, Extents, Layout>& other)  // NOLINT: adds const
      : data_(other.data()), mapping_(other.mapping()) {}

  TERN_FN constexpr T* data() const { return data_; }
  TERN_FN constexpr const mapping_type& mapping() const { return mapping_; }
  TERN_FN constexpr const Extents& extents() const { return mapping_.extents(); }
  TERN_FN constexpr index_t extent(int r) const { return mapping_.extents().extent(r); }
  TERN_FN constexpr index_t size() const { return mapping_.extents().size(); }
  TERN_FN constexpr index_t stride(int r) const
    requires strided_mapping<mapping_type>
  {
    return mapping_.stride(r);
  }

  template <std::integral... Index>
    requires(sizeof...(Index) == rank)
  TERN_FN constexpr T& operator()(Index... i) const {
    return data_[mapping_(i...)];
  }

 private:
  /// Strides may skip elements.
  TERN_FN constexpr void check(index_t count) const {
#if !defined(__CUDA_ARCH__)
    const index_t needed = mapping_.required_span_size();
    if (std::is_same_v<Layout, layout_strided> ? count >= needed : count == needed) return;
    violation("view: there are %td elements: a view of shape %s needs %td", count, impl::text_of(extents()).text,
              needed);
#endif
  }

  T* data_ = nullptr;
  [[no_unique_address]] mapping_type mapping_;
};

template <class T, index_t... E>
view(unchecked_t, T*, const extents<E...>&) -> view<T, extents<E...>>;
template <class T, index_t... E>
view(T*, index_t, const extents<E...>&) -> view<T, extents<E...>>;
template <class T, index_t... E>
view(T*, const extents<E...>&) -> view<T, extents<E...>>;
template <detail::container C, index_t... E>
view(C&&, const extents<E...>&) -> view<detail::element_of<C>, extents<E...>>;

template <class T, class M>
  requires requires { typename M::layout_type; }
view(unchecked_t, T*, const M&) -> view<T, typename M::extents_type, typename M::layout_type>;
template <class T, class M>
  requires requires { typename M::layout_type; }
view(T*, index_t, const M&) -> view<T, typename M::extents_type, typename M::layout_type>;
template <class T, class M>
  requires requires { typename M::layout_type; }
view(T*, const M&) -> view<T, typename M::extents_type, typename M::layout_type>;
template <detail::container C, class M>
  requires requires { typename M::layout_type; }
view(C&&, const M&) -> view<detail::element_of<C>, typename M::extents_type, typename M::layout_type>;

/// The transpose of a matrix: the same elements, rows and columns exchanged. No copy.
template <class T, index_t R, index_t C, class Layout>
TERN_FN constexpr auto transposed(const view<T, extents<R, C>, Layout>& v) {
  const extents<C, R> e(v.extents().extent(1), v.extents().extent(0));
  if constexpr (std::is_same_v<Layout, layout_row>)
    return view<T, extents<C, R>, layout_column>(unchecked, v.data(), e);
  else if constexpr (std::is_same_v<Layout, layout_column>)
    return view<T, extents<C, R>, layout_row>(unchecked, v.data(), e);
  else
    return view<T, extents<C, R>, layout_strided>(unchecked, v.data(), {e, v.stride(1), v.stride(0)});
}

/// The transpose of every matrix of a batch. No copy.
template <class T, index_t B, index_t R, index_t C, class Layout>
TERN_FN constexpr auto transposed(const view<T, extents<B, R, C>, Layout>& v) {
  using result = extents<B, C, R>;
  const result e(v.extent(0), v.extent(2), v.extent(1));
  if constexpr (std::is_same_v<Layout, layout_row>)
    return view<T, result, layout_transposed>(unchecked, v.data(), e);
  else if constexpr (std::is_same_v<Layout, layout_transposed>)
    return view<T, result, layout_row>(unchecked, v.data(), e);
  else
    return view<T, result, layout_strided>(unchecked, v.data(), {e, v.stride(0), v.stride(2), v.stride(1)});
}

/// Rows [first, first + count) of a matrix. No copy. Throws if they exceed the matrix.
template <class T, index_t R, index_t C, class Layout>
TERN_FN constexpr auto rows(const view<T, extents<R, C>, Layout>& v, index_t first, index_t count) {
  using result = std::conditional_t<std::is_same_v<Layout, layout_row>, layout_row, layout_strided>;
#if !defined(__CUDA_ARCH__)
  if (first < 0 || count < 0 || first > v.extent(0) - count)
    violation("rows: rows %td to %td of a view that has %td", first, first + count, v.extent(0));
#endif
  const extents<dynamic, C> e(count, v.extent(1));
  T* data = v.data() + first * v.stride(0);
  if constexpr (std::is_same_v<result, layout_row>)
    return view<T, extents<dynamic, C>, layout_row>(unchecked, data, e);
  else
    return view<T, extents<dynamic, C>, layout_strided>(unchecked, data, {e, v.stride(0), v.stride(1)});
}

}  // namespace tern
