// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// argmax, a whole op in one file: config, row program, reference and call.
#pragma once

#include <cstdint>

#include "tern/core/dtype.hpp"
#include "tern/family/reduction/reference_loops.hpp"
#include "tern/family/reduction/row_program.hpp"
#include "tern/kernel/row_calls.hpp"
#include "tern/op/config_rules.hpp"

namespace tern {

/// Configuration of an argmax.
struct argmax_config {
  int axis = -1;  ///< the axis to search, counted from 0, or from the end if negative

  friend TERN_FN constexpr bool operator==(const argmax_config&, const argmax_config&) = default;
  TERN_FN constexpr int axis_of(int rank) const { return axis < 0 ? axis + rank : axis; }
};

/// y = the index of the largest element along one axis, the first one on ties. NaN compares larger than any number. x
/// has two to five axes, in any layout.
template <argmax_config C = argmax_config{}, element T = float>
struct argmax {
  using op_type = argmax;
  using value_type = T;
  static constexpr argmax_config config = C;
  static constexpr const char* name = "argmax";

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const argmax_config& c = C) { return detail::broken_config(c); }
};

namespace row::inline TERN_ISA {

template <class T>
struct argmax_rows : elements<T, 1, false, std::int32_t> {
  using x = typename argmax_rows::template in<0>;
  struct y : argmax_step<typename argmax_rows::out> {
    static TERN_FN auto of(const auto& e) { return e[x()]; }
  };
  using steps = list<y>;
  static constexpr int operations = 4;

  static void reference(const call<argmax_rows>& q) {
    impl::each_feature_row(q.shape, [&](index_t n, index_t z, index_t y, index_t x) {
      const auto in = [&](index_t i) { return *q.in[0].at(n, i, z, y, x); };
      index_t first = 0;
      for (index_t i = 1; i < q.shape.features; ++i)
        if (in(i) > in(first) || (in(i) != in(i) && in(first) == in(first))) first = i;
      *q.out.at(n, 0, z, y, x) = static_cast<std::int32_t>(first);
    });
  }
};

}  // namespace row::inline TERN_ISA

inline namespace TERN_ISA {

namespace declare {

template <argmax_config C, class T>
struct argmax_pass : row_pass<argmax_pass<C, T>, C, row::argmax_rows<T>> {
  static constexpr declaration declared{"", 2, 5, in("x", "axes..."),
                                        out("y", "rows...").made_of("x").elements_are(element::int32)};

  static constexpr bool made(index_t* extent, int rank) {
    if (const int axis = C.axis_of(rank); axis >= 0 && axis < rank) extent[axis] = 1;
    return true;
  }
  static constexpr void demand(sentence&, const fact&) {}
  static constexpr void validate(sentence& s, const char* op, const fact* t) {
    row_pass<argmax_pass, C, row::argmax_rows<T>>::validate(s, op, t);
    if (s.size() > 0) return;
    if (const int axis = C.axis_of(t[0].rank); t[0].extent[axis] > 0x7fffffff)
      s << op << ": x is " << t[0] << ": indices along axis " << axis << " must fit std::int32_t";
  }
};

}  // namespace declare

template <argmax_config C, class T, class Op, class Policy>
struct operations<argmax<C, T>, Op, Policy>
    : declare::declared_operations<Op, Policy, declare::argmax_pass<C, T>, void> {
  /// y = the index of the largest element along the axis, the first one on ties.
  ///
  ///     k([state,] x, y)
  ///
  /// \param y  of std::int32_t: shape of x, but 1 along the axis
  /// A NaN is larger than any number: the first one is found. Throws std::invalid_argument, before anything is written,
  /// if shapes disagree, the axis has no elements, a view is null, y shares elements with x, or tiles are too small.
  /// Cost: x is read once.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::argmax_pass<C, T>>(args...);
  }
};

}  // namespace TERN_ISA

}  // namespace tern
