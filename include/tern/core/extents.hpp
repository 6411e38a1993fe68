// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes: one extent per dimension, each static or `dynamic`, as in std::extents.
#pragma once

#include <concepts>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"

namespace tern {

/// The sizes of an index space. `extents<64, dynamic>` has 64 rows and a run-time number of columns.
template <index_t... E>
class extents {
  static_assert(((E >= 0 || E == dynamic) && ...), "extents: every extent must be at least 0 or tern::dynamic");

 public:
  static constexpr int rank = sizeof...(E);
  static constexpr bool is_static = ((E != dynamic) && ...);

  /// The extent of dimension `r` as far as the type knows it; `dynamic` otherwise.
  TERN_FN static constexpr index_t static_extent(int r) {
    const index_t e[] = {E..., 0};
    return e[r];
  }

  /// Static extents take their values from the type, dynamic ones are 0.
  TERN_FN constexpr extents() : value_{(E == dynamic ? 0 : E)..., 0} {}

  /// One value per dimension. Throws where a value differs from a static extent or is negative.
  template <std::integral... I>
    requires(sizeof...(I) == sizeof...(E) && sizeof...(E) > 0)
  TERN_FN constexpr extents(I... values) : value_{static_cast<index_t>(values)..., 0} {  // NOLINT: implicit as in std
    check();
  }

  /// From extents of the same rank.
  template <index_t... F>
    requires(sizeof...(F) == sizeof...(E) && sizeof...(E) > 0)
  TERN_FN constexpr extents(const extents<F...>& other) {  // NOLINT: implicit as in std
    static_assert(((E == F || E == dynamic || F == dynamic) && ...), "extents: static extents must agree");
    for (int r = 0; r < rank; ++r) value_[r] = other.extent(r);
    check();
  }

  TERN_FN constexpr index_t extent(int r) const {
    return static_extent(r) == dynamic ? value_[r] : static_extent(r);
  }

  /// The number of elements of the index space.
  TERN_FN constexpr index_t size() const {
    index_t n = 1;
    for (int r = 0; r < rank; ++r) n *= extent(r);
    return n;
  }

  template <index_t... F>
  friend TERN_FN constexpr bool operator==(const extents& a, const extents<F...>& b) {
    if constexpr (sizeof...(F) != sizeof...(E)) {
      return false;
    } else {
      for (int r = 0; r < rank; ++r)
        if (a.extent(r) != b.extent(r)) return false;
      return true;
    }
  }

 private:
  TERN_FN constexpr void check() const {
#if !defined(__CUDA_ARCH__)
    for (int r = 0; r < rank; ++r) {
      if (value_[r] < 0) violation("extents: dimension %d is %td: it must be at least 0", r, value_[r]);
      if (static_extent(r) != dynamic && static_extent(r) != value_[r])
        violation("extents: dimension %d is %td where the type says %td", r, value_[r], static_extent(r));
    }
#endif
  }

  index_t value_[rank + 1];  // one more than needed: an array may not be empty
};

template <std::integral... I>
extents(I...) -> extents<(static_cast<void>(sizeof(I)), dynamic)...>;

namespace detail {
template <int R, index_t... E>
struct dynamic_extents : dynamic_extents<R - 1, dynamic, E...> {};
template <index_t... E>
struct dynamic_extents<0, E...> {
  using type = extents<E...>;
};
}  // namespace detail

/// R run-time extents.
template <int R>
using dims = typename detail::dynamic_extents<R>::type;

}  // namespace tern
