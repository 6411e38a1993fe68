// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contraction family: the one mathematical shape of matmul and its gradients.
//
//     c(i, j) = act(sum over k of a(i, k) b(k, j) + bias(i, j) + residual(i, j))       for every item of the batch
//
// where act may have a slope(i, j), too.
//
// The passes of matmul are contractions of the same operands with other strides (kernel/matmul.hpp), so a model
// implements one function.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"

namespace tern::inline TERN_ISA {

/// The storage of the right operand.
enum class weights {
  strided,           ///< an operand with strides
  packed,            ///< packed by `pack` of the model
  packed_transposed  ///< its transpose was packed by `pack`
};

/// The packing of models that read weights row by row: dense rows.
struct packed_rows {
  static constexpr index_t size(index_t k, index_t n) { return k * n; }
  template <class T>
  static void pack(const operand<const T>& b, index_t k, index_t n, T* to) {
    for (index_t i = 0; i < k; ++i)
      for (index_t j = 0; j < n; ++j) to[i * n + j] = *b.at(i, j);
  }
};

/// The compile-time properties of a call: chunk length, storage of weights, and the static sizes and strides (`dynamic`
/// otherwise). Small kernels are built from it.
struct contraction_shape {
  index_t chunk = 0;  ///< consecutive k in one chain
  weights b = weights::strided;
  index_t m = dynamic, n = dynamic, k = dynamic;
  index_t a_row = dynamic, a_column = dynamic;
  index_t b_row = dynamic, b_column = dynamic;
  index_t c_row = dynamic, c_column = dynamic;
  index_t batch = dynamic;
  bool sums_b = false;  ///< a is a single 1 at a.p, in host memory: columns of b are summed

  friend constexpr bool operator==(const contraction_shape&, const contraction_shape&) = default;

  /// The shape without sizes and strides, for code shared by calls of all shapes.
  constexpr contraction_shape erased() const { return {.chunk = chunk, .b = b}; }
};

/// One call.
template <class T, epilogue E, contraction_shape S>
struct contraction {
  using value_type = T;
  static constexpr epilogue after = E;
  static constexpr contraction_shape shape = S;
  static constexpr index_t chunk = S.chunk;

  index_t m = 0, n = 0, k = 0, batch = 1;
  operand<const T> a;
  operand<const T> b;         ///< strided weights
  const T* packed = nullptr;  ///< packed weights
  operand<T> c;
  epilogue_operands<T> with;

  /// The right operand for models that pack weights as packed_rows.
  TERN_FN operand<const T> right_by_rows() const {
    if constexpr (S.b == weights::packed)
      return {packed, n, 1, 0};
    else if constexpr (S.b == weights::packed_transposed)
      return {packed, 1, k, 0};
    else
      return b;
  }

  /// The same call without compile-time sizes.
  TERN_FN contraction<T, E, S.erased()> erased() const { return {m, n, k, batch, a, b, packed, c, with}; }
  /// The same call without a compile-time epilogue, too.
  /// \param store  applies the epilogue
  TERN_FN contraction<T, E.opened(), S.erased()> opened(typename epilogue_operands<T>::store_function store) const {
    contraction<T, E.opened(), S.erased()> q{m, n, k, batch, a, b, packed, c, with};
    q.with.store = store;
    return q;
  }
  /// The same contraction of transposed matrices, c^T = b^T a^T: the chains of every element are unchanged.
  TERN_FN contraction<T, E, S.erased()> transposed() const
    requires(S.b == weights::strided)
  {
    return {n, m, k, batch, b.transposed(), a.transposed(), nullptr, c.transposed(), with.transposed()};
  }
};

}  // namespace tern::inline TERN_ISA
