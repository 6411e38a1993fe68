// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the vector code for row programs: row pointers and step lists.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/family/reduction/row_program.hpp"

namespace tern::tile::inline TERN_ISA {

template <class Tensor>
struct row_pointer {
  typename Tensor::element* p;
};
/// The first elements of a row in all tensors of a program.
template <class... Tensors>
struct row_pointers : row_pointer<Tensors>... {
  template <class Tensor>
  TERN_INLINE auto* of() const {
    return static_cast<const row_pointer<Tensor>&>(*this).p;
  }
};

/// A cursor over the rows of a call. Only the first row is found by multiplications and divisions.
template <class... Tensors>
class cursor_of_rows {
 public:
  /// \param multiple_rows  true if next() will be called
  template <class Call>
  TERN_INLINE cursor_of_rows(const Call& q, index_t first, bool multiple_rows) : extent_(q.shape.extent) {
    const index_t width = extent_[2], height = extent_[1], depth = extent_[0];
    index_t n = 0;
    if (first > 0)
      x_ = first % width, y_ = first / width % height, z_ = first / width / height % depth,
      n = first / width / height / depth;
    (begin<Tensors>(Tensors::of(q), n, multiple_rows), ...);
  }
  TERN_INLINE const row_pointers<Tensors...>& row() const { return row_; }
  /// The number of rows up to the end of a line.
  TERN_INLINE index_t left_of_line() const { return extent_[2] - x_; }
  /// \param by  at most left_of_line()
  TERN_INLINE void next(index_t by = 1) {
    int ends = 0;  // of a line, of all lines of a plane, ...
    if ((x_ += by) == extent_[2]) {
      x_ = 0, ends = 1;
      if (++y_ == extent_[1]) {
        y_ = 0, ends = 2;
        if (++z_ == extent_[0]) z_ = 0, ends = 3;
      }
    }
    (move<Tensors>(by, ends), ...);
  }

 private:
  /// The distance between rows, and from the end of a line, plane, ... to the start of the next.
  template <class Tensor>
  struct stride {
    index_t row, after[4];
  };
  struct strides : stride<Tensors>... {};

  template <class Tensor, class Image>
  TERN_INLINE void begin(const Image& i, index_t n, bool multiple_rows) {
    static_cast<row_pointer<Tensor>&>(row_).p = i.at(n, 0, z_, y_, x_);
    if (!multiple_rows) return;
    stride<Tensor>& s = strides_;
    s.row = i.axis[2];
    s.after[1] = i.axis[1] - extent_[2] * i.axis[2];
    s.after[2] = s.after[1] + i.axis[0] - extent_[1] * i.axis[1];
    s.after[3] = s.after[2] + i.sample - extent_[0] * i.axis[0];
  }
  template <class Tensor>
  TERN_INLINE void move(index_t by, int ends) {
    const stride<Tensor>& s = strides_;
    static_cast<row_pointer<Tensor>&>(row_).p += by * s.row + s.after[ends];
  }

  const index_t (&extent_)[3];
  index_t z_ = 0, y_ = 0, x_ = 0;
  row_pointers<Tensors...> row_;
  strides strides_{};
};

/// \tparam V  vectors
template <class V, class Call>
struct row_types {
  using T = typename V::value_type;
  using program = row::program<Call>;
  using tensors = typename program::tensors;
  using steps = typename program::steps;
  static constexpr int count = steps::size;
  using row_at = typename tensors::template in<row_pointers>;
  using cursor = typename tensors::template in<cursor_of_rows>;

  template <int I>
  using step_at = typename steps::template at<I>;
  using result = typename step_at<count - 1>::output;
  /// True if a tensor has elements T; others are masks.
  template <class Tensor>
  static constexpr bool has_elements = std::is_same_v<std::remove_const_t<typename Tensor::element>, T>;

  /// True if f(image) is true for all tensors of features with elements T.
  template <class F>
  static bool all_of(const Call& q, F f) {
    return tensors::apply([&](auto... x) { return ((x.of_rows || !has_elements<decltype(x)> || f(x.of(q))) && ...); });
  }

  using word = decltype(math::bits(T()));
  using index = typename row::index_of<tensors>::type;
  static constexpr bool has_index = !std::is_void_v<index>;
  /// The feature that a row names.
  TERN_INLINE static index_t named_by(const row_at& row) {
    if constexpr (has_index)
      return *row.template of<index>();
    else
      return 0;
  }
  /// `yes` in lane k, if it exists, and `no` in the others.
  TERN_INLINE static V at_lane(index_t k, V yes, V no) {
    if constexpr (V::size == 1)
      return k == 0 ? yes : no;
    else
      return select_equal(V::bits_type::load(numbers_of_lanes.of), static_cast<word>(k), yes, no);
  }

  /// `yes` in lanes with named[lane] == k, and `no` in the others.
  TERN_INLINE static V where(const word (&named)[V::size], index_t k, V yes, V no) {
    if constexpr (V::size == 1)
      return named[0] == static_cast<word>(k) ? yes : no;
    else
      return select_equal(V::bits_type::load(named), static_cast<word>(k), yes, no);
  }

  /// The mask of `valid` lanes in which byte(k) is not 0.
  template <class N, class Byte>
  TERN_INLINE static auto mask_of(N valid, Byte byte) {
    T there[V::size] = {};
    for (index_t k = 0; k < valid; ++k) there[k] = byte(k) != 0 ? T(1) : T(0);
    return V::load(there) == V(T(1));
  }
  /// A sum with the features of e added.
  template <class Step, class E>
  TERN_INLINE static V added(const E& e, V sum) {
    if constexpr (requires { Step::add(e, sum); }) {
      return Step::add(e, sum);
    } else {
      const V term = e.active(Step::of(e));
      if constexpr (row::keeps<Step>) e.keep(term);
      return sum + term;
    }
  }

 private:
  struct lane_numbers {
    word of[V::size];
    constexpr lane_numbers() : of() {
      for (int k = 0; k < V::size; ++k) of[k] = static_cast<word>(k);
    }
  };
  static constexpr lane_numbers numbers_of_lanes{};
};

}  // namespace tern::tile::inline TERN_ISA
