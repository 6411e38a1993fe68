// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix in memory, or a batch of matrices.
#pragma once

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA {

/// A matrix per batch item: element (i, j) of item q is p[q * batch + i * row + j * column].
template <class T>
struct operand {
  T* p = nullptr;
  index_t row = 0;
  index_t column = 0;
  index_t batch = 0;

  TERN_FN T* at(index_t i, index_t j) const { return p + i * row + j * column; }
  TERN_FN operand item(index_t q) const { return {p + q * batch, row, column, batch}; }
  TERN_FN operand shifted(index_t i, index_t j) const { return {at(i, j), row, column, batch}; }
  TERN_FN operand transposed() const { return {p, column, row, batch}; }
};

}  // namespace tern::inline TERN_ISA
