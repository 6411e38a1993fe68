// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/extents.hpp"
#include "tern/core/layout.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/core/view.hpp"

namespace tern {

namespace detail {
template <int Axis, class T, class Extents, class Layout, std::size_t... R>
TERN_FN constexpr auto part_of(const view<T, Extents, Layout>& v, index_t first, index_t count,
                               std::index_sequence<R...>) {
  using result = extents<(static_cast<int>(R) == Axis ? dynamic : Extents::static_extent(static_cast<int>(R)))...>;
  const result e((static_cast<int>(R) == Axis ? count : v.extent(static_cast<int>(R)))...);
  return view<T, result, layout_strided>(unchecked, v.data() + first * v.stride(Axis),
                                         {e, v.stride(static_cast<int>(R))...});
}
}  // namespace detail

/// Elements [first, first + count) along an axis of a tensor, as a view. No copy. Throws if they exceed the axis.
///
/// A crop is a part along every spatial axis. To concatenate tensors, let kernels write each into its part of the
/// result; `reorder` copies existing ones. Disjoint parts may be input and output of one call.
///
///     tern::part<1>(y, 0, 16)                            // channels 0 to 15 of (n, c, height, width)
///     tern::part<3>(tern::part<2>(x, 1, h), 1, w)        // an image without its first row and column
template <int Axis, class T, class Extents, class Layout>
TERN_FN constexpr auto part(const view<T, Extents, Layout>& v, index_t first, index_t count) {
  static_assert(Axis >= 0 && Axis < Extents::rank, "part: the axis must be one of the tensor");
  constexpr bool has_strides = strided_mapping<typename view<T, Extents, Layout>::mapping_type>;
  static_assert(has_strides, "part: tensors with blocks of channels cannot be cut: reorder them to channels last");
#if !defined(__CUDA_ARCH__)
  if (first < 0 || count < 0 || first > v.extent(Axis) - count)
    violation("part: elements %td to %td of an axis that has %td", first, first + count, v.extent(Axis));
#endif
  if constexpr (has_strides)
    return detail::part_of<Axis>(v, first, count, std::make_index_sequence<static_cast<std::size_t>(Extents::rank)>{});
  else
    return v;
}

}  // namespace tern
