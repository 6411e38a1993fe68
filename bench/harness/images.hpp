// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of the tensors that windows move over.
#pragma once

#include <cstddef>
#include <utility>

#include "tern/core/extents.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/core/view.hpp"
#include "tern/op/window.hpp"

namespace tern::bench::inline TERN_ISA {

/// A dense view of the inputs of windows, or, unless `inputs`, of one element per window.
template <int Rank, class Layout = layout_channels_last, class T>
auto image_of(T* p, index_t batch, index_t channels, const window_axis (&axis)[3], bool inputs) {
  using shape = dims<Rank + 2>;
  return [&]<std::size_t... R>(std::index_sequence<R...>) {
    return view<T, shape, Layout>(unchecked, p,
                                  shape(batch, channels, (inputs ? axis[3 - Rank + R].in : axis[3 - Rank + R].out)...));
  }(std::make_index_sequence<Rank>{});
}

}  // namespace tern::bench::inline TERN_ISA
