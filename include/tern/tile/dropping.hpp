// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropout: the call.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/tile/philox.hpp"
#include "tern/tile/rearrangement.hpp"

namespace tern::inline TERN_ISA {

/// One call: y = x scale, or 0 where the word of an element is below the threshold.
/// \tparam Whole  whether all elements of a sample have the word of its first one
template <class T, bool Whole, bool Accumulate>
struct dropping {
  using value_type = T;
  static constexpr bool whole = Whole, accumulates = Accumulate;

  index_t batch = 0, channels = 0;
  index_t extent[3] = {1, 1, 1};
  scattered_image<const T> x{};
  scattered_image<T> y{};
  tile::random_key key{};
  std::uint32_t threshold = 0;
  T scale = 1;

  TERN_FN constexpr index_t rows() const { return batch * extent[0] * extent[1]; }
  TERN_FN constexpr index_t row_elements() const { return extent[2] * channels; }
  TERN_FN constexpr index_t elements() const { return rows() * row_elements(); }
  /// The element of its sample with which a row begins; channels are the fastest.
  TERN_FN constexpr index_t first_of_row(index_t z, index_t y_) const { return (z * extent[1] + y_) * row_elements(); }

  TERN_FN std::uint32_t word(index_t n, index_t e) const { return tile::random_word(key, n, Whole ? 0 : e); }
  /// What an element is multiplied by; 0 where it is dropped.
  TERN_FN T factor(std::uint32_t w) const {
    using bits = decltype(math::bits(scale));  // no branch: it would be a guess
    return math::from_bits<T>(math::bits(scale) & (bits{0} - static_cast<bits>(w >= threshold)));
  }
  /// One result.
  TERN_FN void at(index_t n, index_t c, index_t z, index_t y_, index_t x_) const {
    const T f = factor(word(n, first_of_row(z, y_) + x_ * channels + c));
    const T d = f == T(0) ? T(0) : math::product(*x.at(n, c, z, y_, x_), f);
    T& to = *y.at(n, c, z, y_, x_);
    to = Accumulate ? to + d : d;
  }
};

}  // namespace tern::inline TERN_ISA
