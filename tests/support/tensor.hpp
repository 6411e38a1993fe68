// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices for tests: any layout and alignment, memory that ends where the matrix ends (so that address sanitizers see
// reads past it), elements between the rows that must not be written.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <random>

#include "tern/core/layout.hpp"
#include "tern/core/view.hpp"
#include "tests/support/bits.hpp"

namespace tern::test {

enum class order { row, column, padded };

/// A batch of rows x columns matrices. `padded` leaves gaps in both directions, `shift` elements lie before the first.
template <class T>
class matrix {
 public:
  matrix(index_t batch, index_t rows, index_t columns, order o = order::row, index_t shift = 0)
      : batch_(batch), rows_(rows), columns_(columns), shift_(shift) {
    row_ = o == order::row ? columns : o == order::column ? 1 : 2 * columns + 3;
    column_ = o == order::row ? 1 : o == order::column ? rows : 2;
    item_ = o == order::padded ? rows * row_ + 5 : rows * columns;
    size_ = batch > 0 && rows > 0 && columns > 0 ? (batch - 1) * item_ + (rows - 1) * row_ + (columns - 1) * column_ + 1
                                                 : 0;
    memory_ = std::make_unique<T[]>(static_cast<std::size_t>(size_ + shift_));
    poison();
  }

  T& operator()(index_t q, index_t i, index_t j) { return data()[q * item_ + i * row_ + j * column_]; }
  T operator()(index_t q, index_t i, index_t j) const { return data()[q * item_ + i * row_ + j * column_]; }

  /// Everything, also between the rows, becomes a pattern that no test computes.
  void poison() {
    for (index_t i = 0; i < size_ + shift_; ++i) memory_[static_cast<std::size_t>(i)] = pattern();
  }

  /// True if every element outside the matrix still holds the pattern.
  bool gaps_untouched() const {
    auto copy = std::make_unique<bool[]>(static_cast<std::size_t>(size_ + shift_ + 1));
    for (index_t q = 0; q < batch_; ++q)
      for (index_t i = 0; i < rows_; ++i)
        for (index_t j = 0; j < columns_; ++j)
          copy[static_cast<std::size_t>(shift_ + q * item_ + i * row_ + j * column_)] = true;
    for (index_t i = 0; i < size_ + shift_; ++i)
      if (!copy[static_cast<std::size_t>(i)] && !equal_bits(memory_[static_cast<std::size_t>(i)], pattern()))
        return false;
    return true;
  }

  template <class Random>
  void fill(Random&& next) {
    for (index_t q = 0; q < batch_; ++q)
      for (index_t i = 0; i < rows_; ++i)
        for (index_t j = 0; j < columns_; ++j) (*this)(q, i, j) = static_cast<T>(next());
  }

  T* data() { return memory_.get() + shift_; }
  const T* data() const { return memory_.get() + shift_; }
  index_t rows() const { return rows_; }
  index_t columns() const { return columns_; }
  index_t batch() const { return batch_; }

  view<T, dims<2>, layout_strided> strided() { return {unchecked, data(), {dims<2>(rows_, columns_), row_, column_}}; }
  view<T, dims<3>, layout_strided> strided_batch() {
    return {unchecked, data(), {dims<3>(batch_, rows_, columns_), item_, row_, column_}};
  }
  /// For matrices made with the same order.
  view<T, dims<2>, layout_row> row_major() { return {unchecked, data(), dims<2>(rows_, columns_)}; }
  view<T, dims<2>, layout_column> column_major() { return {unchecked, data(), dims<2>(rows_, columns_)}; }
  view<T, dims<3>, layout_row> row_major_batch() { return {unchecked, data(), dims<3>(batch_, rows_, columns_)}; }

 private:
  static T pattern() { return static_cast<T>(-7.7e33); }

  index_t batch_, rows_, columns_, shift_;
  index_t row_, column_, item_, size_;
  std::unique_ptr<T[]> memory_;
};

template <class T>
bool equal_bits(const matrix<T>& a, const matrix<T>& b) {
  for (index_t q = 0; q < a.batch(); ++q)
    for (index_t i = 0; i < a.rows(); ++i)
      for (index_t j = 0; j < a.columns(); ++j)
        if (!equal_bits(a(q, i, j), b(q, i, j))) return false;
  return true;
}

/// Random numbers of one kind, from one seed.
class numbers {
 public:
  enum class kind {
    uniform,   ///< [-1, 1)
    extremes,  ///< signs, zeros, subnormals and large numbers: sums underflow, cancel and overflow
    special    ///< uniform with a NaN or an infinity now and then
  };
  explicit numbers(unsigned seed, kind k = kind::uniform) : engine_(seed), kind_(k) {}
  double operator()() {
    const double u = std::uniform_real_distribution<double>(-1, 1)(engine_);
    const unsigned pick = static_cast<unsigned>(engine_() % 64u);
    if (kind_ == kind::extremes) {
      if (pick < 8) return pick % 2 ? 0.0 : -0.0;
      if (pick < 24) return u * 1e-30;
      if (pick < 32) return u * 1e-44;
      if (pick < 36) return u * 1e19;
    }
    if (kind_ == kind::special) {
      if (pick == 0) return NAN;
      if (pick == 1) return INFINITY;
      if (pick == 2) return -INFINITY;
    }
    return u;
  }

 private:
  std::mt19937 engine_;
  kind kind_;
};

}  // namespace tern::test
