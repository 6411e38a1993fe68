// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register tiles of convolutions, by the channels of the result: panels of several vectors, one vector, or half of
// one. Tiles that the config rules out are not compiled.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/runs.hpp"
#include "tern/policy/tuning.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V      vectors
/// \tparam Paths  its `results` say how many channels a result may have
template <class V, contraction_tuning Tuning, conv_paths Paths>
struct conv_tiles {
  static constexpr index_t width = Tuning.vectors * V::size;  ///< of a panel
  using wide = run_tiles<V, Tuning.rows, Tuning.vectors, true, Paths.results != 32 || 32 % width != 0>;

  /// Narrow tiles are one vector wide and have more rows, with about as many sums in registers.
  static constexpr int narrow_rows = Tuning.rows * Tuning.vectors < 14 ? Tuning.rows * Tuning.vectors : 14;
  template <class W>
  using narrow = run_tiles<W, narrow_rows, 1, Paths.results == 0 || Paths.results == W::size, Paths.results != W::size>;
  /// Half a vector of results has registers of half the width, not a mask: a load has to wait for a masked store of the
  /// same elements.
  static constexpr index_t half = std::is_void_v<typename V::half> ? 0 : V::size / 2;

  static constexpr bool has_narrow = Tuning.vectors > 1, is_known = Paths.results != 0,
                        may_be_wide = !has_narrow || !is_known || Paths.results > V::size,
                        may_be_half = has_narrow && half > 0 && Paths.results <= half,
                        may_be_whole = has_narrow && (!is_known || (!may_be_wide && Paths.results > half));
  static constexpr int most_rows = may_be_wide && narrow_rows < Tuning.rows ? Tuning.rows : narrow_rows;

  /// \param results  channels of a group's result
  TERN_INLINE static bool is_narrow(index_t results) { return has_narrow && (!may_be_wide || results <= V::size); }
  TERN_INLINE static typename wide::function find(bool is_narrow, index_t rows, index_t columns) {
    if constexpr (may_be_half)
      if (is_known || (is_narrow && columns <= half)) return narrow<typename V::half>::find(rows, columns);
    if constexpr (may_be_whole)
      if (is_known || is_narrow) return narrow<V>::find(rows, columns);
    if constexpr (may_be_wide) return wide::find(rows, columns);
    __builtin_unreachable();
  }
};

}  // namespace tern::tile::inline TERN_ISA
