// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types that kernels accept as tensors: tern::view, std::mdspan if the standard library has it, and, as a tensor of
// rank 1, anything contiguous with data() and size() (std::vector, std::span, std::array).
#pragma once

#include <concepts>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/view.hpp"

#if __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

namespace tern {

template <class T, class E, class L>
TERN_FN constexpr view<T, E, L> as_view(const view<T, E, L>& v) {
  return v;
}

template <detail::container R>
  requires(!std::is_array_v<std::remove_reference_t<R>>)
TERN_INLINE constexpr auto as_view(R&& r) {
  return view(unchecked, r.data(), dims<1>(static_cast<index_t>(r.size())));
}

#if defined(__cpp_lib_mdspan)
namespace detail {
template <class L>
struct layout_from_std;
template <>
struct layout_from_std<std::layout_right> {
  using type = layout_row;
};
template <>
struct layout_from_std<std::layout_left> {
  using type = layout_column;
};
template <>
struct layout_from_std<std::layout_stride> {
  using type = layout_strided;
};
}  // namespace detail

template <class T, class Index, std::size_t... E, class L>
TERN_INLINE constexpr auto as_view(const std::mdspan<T, std::extents<Index, E...>, L>& m) {
  using layout = typename detail::layout_from_std<L>::type;
  using extents_type = extents<(E == std::dynamic_extent ? dynamic : static_cast<index_t>(E))...>;
  return [&]<std::size_t... R>(std::index_sequence<R...>) {
    const extents_type e(static_cast<index_t>(m.extent(R))...);
    if constexpr (std::is_same_v<layout, layout_strided>)
      return view<T, extents_type, layout>(unchecked, m.data_handle(), {e, static_cast<index_t>(m.stride(R))...});
    else
      return view<T, extents_type, layout>(unchecked, m.data_handle(), e);
  }(std::make_index_sequence<sizeof...(E)>{});
}
#endif

/// A type that kernels accept as a tensor.
template <class V>
concept tensor = requires(V&& v) { as_view(v); };

}  // namespace tern
