// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The epilogue of a sum: y = act(total * scale + bias + residual), in this order, each step rounded once; act may take
// a slope.
#pragma once

#include "tern/core/activate.hpp"
#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/operand.hpp"

namespace tern::inline TERN_ISA {

/// The steps of an epilogue, known while compiling.
struct epilogue {
  bool accumulate = false;
  bool bias = false;
  bool residual = false;
  activation act = activation::none;
  bool scale = false;              ///< of convolutions: sums are first multiplied by a number per channel
  bool slope_by_position = false;  ///< of convolutions with a slope: slopes differ by position
  bool open = false;               ///< the steps are not in the type: the operands carry a function for them

  friend constexpr bool operator==(const epilogue&, const epilogue&) = default;
  /// True if the output is the sum alone.
  TERN_FN constexpr bool empty() const { return !bias && !residual && act == activation::none && !scale && !open; }
  /// The epilogue of calls that share one kernel: empty, or open.
  TERN_FN constexpr epilogue opened() const {
    return empty() ? *this : epilogue{.accumulate = accumulate, .open = true};
  }
  /// True if there is a slope per channel, or per channel and position.
  TERN_FN constexpr bool channel_slope() const { return act.takes_slope() && !slope_by_position; }
  TERN_FN constexpr bool position_slope() const { return act.takes_slope() && slope_by_position; }
};

/// The operands that an epilogue has. The element for total (i, j) is at (i, j); strides may be 0.
template <class T>
struct epilogue_operands {
  operand<const T> scale, bias, residual, slope;
  /// For an open epilogue: writes c from totals, whose rows are `totals_row` elements apart.
  using store_function = void (*)(const T* totals, index_t totals_row, index_t rows, index_t columns,
                                  const operand<T>& c, const epilogue_operands& with);
  store_function store = nullptr;

  TERN_FN epilogue_operands item(index_t q) const {
    return {scale.item(q), bias.item(q), residual.item(q), slope.item(q), store};
  }
  TERN_FN epilogue_operands shifted(index_t i, index_t j) const {
    return {scale.shifted(i, j), bias.shifted(i, j), residual.shifted(i, j), slope.shifted(i, j), store};
  }
  TERN_FN epilogue_operands transposed() const {
    return {scale.transposed(), bias.transposed(), residual.transposed(), slope.transposed(), store};
  }
};

}  // namespace tern::inline TERN_ISA

namespace tern::tile::inline TERN_ISA {

/// Applies the epilogue E to totals: its only definition.
/// \param with   the operands: scale, bias, residual and slope, those that E has
/// \param value  value(operand) loads the elements for these totals
template <epilogue E, class V, class With, class Value>
TERN_FN V epilogue_of(V totals, const With& with, Value value) {
  using math::product;
  if constexpr (E.scale) totals = product(totals, value(with.scale));
  if constexpr (E.bias) totals = totals + value(with.bias);
  if constexpr (E.residual) totals = totals + value(with.residual);
  if constexpr (E.act.takes_slope())
    return sloped(totals, value(with.slope));
  else
    return activate<E.act>(totals);
}

/// Applies the epilogue to total (i, j).
template <epilogue E, class T>
TERN_FN T finish(T total, const epilogue_operands<T>& with, index_t i, index_t j) {
  return epilogue_of<E>(total, with, [&](const operand<const T>& from) { return *from.at(i, j); });
}

}  // namespace tern::tile::inline TERN_ISA
