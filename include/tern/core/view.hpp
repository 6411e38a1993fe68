// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Non-owning views of tensors: a pointer and a layout mapping.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/extents.hpp"
#include "tern/core/layout.hpp"

namespace tern {

/// A tensor somebody else owns. Copying a view copies no element; a view of const elements converts from one of
/// mutable elements. Needs no alignment beyond that of T.
///
///     tern::view a{p, tern::extents{rows, columns}};              // row by row, run-time shape
///     tern::view w{q, tern::extents<64, 10>{}};                   // shape in the type
///     tern::view s{p, tern::layout_strided::mapping{tern::extents{rows, 8}, 100, 1}};   // columns 0..7 of 100
template <class T, shape Extents, class Layout = layout_row>
class view {
 public:
  using value_type = std::remove_const_t<T>;
  using element_type = T;
  using extents_type = Extents;
  using layout_type = Layout;
  using mapping_type = typename Layout::template mapping<Extents>;
  static constexpr int rank = Extents::rank;

  TERN_FN constexpr view() {}
  TERN_FN constexpr view(T* data, const Extents& e)
    requires std::constructible_from<mapping_type, const Extents&>
      : data_(data), mapping_(e) {}
  TERN_FN constexpr view(T* data, const mapping_type& m) : data_(data), mapping_(m) {}
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
  T* data_ = nullptr;
  [[no_unique_address]] mapping_type mapping_;
};

template <class T, index_t... E>
view(T*, const extents<E...>&) -> view<T, extents<E...>, layout_row>;

template <class T, class M>
  requires requires { typename M::layout_type; }
view(T*, const M&) -> view<T, typename M::extents_type, typename M::layout_type>;

template <class V>
inline constexpr bool is_view = false;
template <class T, class E, class L>
inline constexpr bool is_view<view<T, E, L>> = true;

/// The transpose of a matrix: the same elements, rows and columns exchanged. No copy.
template <class T, index_t R, index_t C, class Layout>
TERN_FN constexpr auto transposed(const view<T, extents<R, C>, Layout>& v) {
  const extents<C, R> e(v.extents().extent(1), v.extents().extent(0));
  if constexpr (std::is_same_v<Layout, layout_row>)
    return view<T, extents<C, R>, layout_column>(v.data(), e);
  else if constexpr (std::is_same_v<Layout, layout_column>)
    return view<T, extents<C, R>, layout_row>(v.data(), e);
  else
    return view<T, extents<C, R>, layout_strided>(v.data(), {e, v.stride(1), v.stride(0)});
}

/// The transpose of every matrix of a batch. No copy.
template <class T, index_t B, index_t R, index_t C, class Layout>
TERN_FN constexpr auto transposed(const view<T, extents<B, R, C>, Layout>& v) {
  using result = extents<B, C, R>;
  const result e(v.extent(0), v.extent(2), v.extent(1));
  if constexpr (std::is_same_v<Layout, layout_row>)
    return view<T, result, layout_transposed>(v.data(), e);
  else if constexpr (std::is_same_v<Layout, layout_transposed>)
    return view<T, result, layout_row>(v.data(), e);
  else
    return view<T, result, layout_strided>(v.data(), {e, v.stride(0), v.stride(2), v.stride(1)});
}

/// Rows [first, first + count) of a matrix. No copy. Throws where they are not all there.
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
    return view<T, extents<dynamic, C>, layout_row>(data, e);
  else
    return view<T, extents<dynamic, C>, layout_strided>(data, {e, v.stride(0), v.stride(1)});
}

}  // namespace tern
