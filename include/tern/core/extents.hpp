// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes: one extent per dimension, each static or `dynamic`, as in std::extents.
#pragma once

#include <concepts>
#include <cstddef>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"

namespace tern {

namespace detail {

/// The run-time values of N extents; empty for 0, so that static shapes use no memory.
template <int N>
struct extent_values {
  index_t value[N];
};
template <>
struct extent_values<0> {};

}  // namespace detail

/// The sizes of an index space. `extents<64, dynamic>` has 64 rows and a run-time number of columns.
template <index_t... E>
class extents : detail::extent_values<(0 + ... + (E == dynamic))> {
  static_assert(((E >= 0 || E == dynamic) && ...), "extents: every extent must be at least 0 or tern::dynamic");

 public:
  static constexpr int rank = sizeof...(E);
  static constexpr bool is_static = ((E != dynamic) && ...);

  /// The extent of dimension `r` if static, otherwise `dynamic`.
  TERN_FN static constexpr index_t static_extent(int r) {
    const index_t e[] = {E..., 0};
    return e[r];
  }

  /// Static extents take their values from the type, dynamic ones are 0.
  TERN_FN constexpr extents() : values{} {}

  /// One value per dimension, or one per dynamic dimension. Throws if a value differs from a static extent or is
  /// negative.
  template <std::integral... Index>
    requires(sizeof...(Index) > 0 &&
             (sizeof...(Index) == sizeof...(E) || sizeof...(Index) == (std::size_t{0} + ... + (E == dynamic))))
  TERN_FN constexpr extents(Index... v) : values{} {  // NOLINT: implicit as in std
    const index_t given[] = {static_cast<index_t>(v)...};
    constexpr bool all = sizeof...(Index) == sizeof...(E);
    for (int r = 0; r < rank; ++r)
      if (all || static_extent(r) == dynamic) set(r, given[all ? r : position(r)]);
  }

  /// Converts extents of the same rank.
  template <index_t... F>
    requires(sizeof...(F) == sizeof...(E) && sizeof...(E) > 0)
  TERN_FN constexpr extents(const extents<F...>& other) : values{} {  // NOLINT: implicit as in std
    static_assert(((E == F || E == dynamic || F == dynamic) && ...), "extents: static extents must agree");
    for (int r = 0; r < rank; ++r) set(r, other.extent(r));
  }

  TERN_FN constexpr index_t extent(int r) const {
    if constexpr (!is_static)
      if (static_extent(r) == dynamic) return this->value[position(r)];
    return static_extent(r);
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
  using values = detail::extent_values<(0 + ... + (E == dynamic))>;

  /// The index of dimension r among the dynamic dimensions.
  TERN_FN static constexpr int position(int r) {
    int p = 0;
    for (int q = 0; q < r; ++q) p += static_extent(q) == dynamic;
    return p;
  }

  TERN_FN constexpr void set(int r, index_t v) {
#if !defined(__CUDA_ARCH__)
    if (v < 0) violation("extents: dimension %d is %td: it must be at least 0", r, v);
    if (static_extent(r) != dynamic && static_extent(r) != v)
      violation("extents: dimension %d is %td where the type says %td", r, v, static_extent(r));
#endif
    if constexpr (!is_static)
      if (static_extent(r) == dynamic) this->value[position(r)] = v;
  }
};

template <std::integral... Index>
extents(Index...) -> extents<(static_cast<void>(sizeof(Index)), dynamic)...>;

/// An instance of `extents`.
template <class E>
concept shape = requires(const E& e) {
  { E::rank } -> std::convertible_to<int>;
  { e.extent(0) } -> std::convertible_to<index_t>;
  { E::static_extent(0) } -> std::convertible_to<index_t>;
};

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
