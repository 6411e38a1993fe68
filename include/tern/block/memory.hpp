// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of layers: how much each takes, and where it lies in buffers of the caller. Everything is known while
// compiling but the number of samples.
#pragma once

#include <array>
#include <cstddef>

#include "tern/core/config.hpp"

namespace tern {

/// So many elements for every sample of a call, and so many for all of them together.
struct memory_need {
  index_t per_sample = 0, fixed = 0;

  TERN_FN constexpr index_t elements(index_t batch) const { return per_sample * batch + fixed; }
  friend TERN_FN constexpr bool operator==(const memory_need& a, const memory_need& b) {
    return a.per_sample == b.per_sample && a.fixed == b.fixed;
  }
  friend TERN_FN constexpr memory_need operator+(const memory_need& a, const memory_need& b) {
    return {a.per_sample + b.per_sample, a.fixed + b.fixed};
  }
  friend TERN_FN constexpr memory_need operator*(index_t n, const memory_need& a) {
    return {n * a.per_sample, n * a.fixed};
  }
};
/// Room for either.
TERN_FN constexpr memory_need most(const memory_need& a, const memory_need& b) {
  return {a.per_sample > b.per_sample ? a.per_sample : b.per_sample, a.fixed > b.fixed ? a.fixed : b.fixed};
}

/// What a piece of memory of a layer is for.
enum class memory_use { result, kept, forward_scratch, gradient, backward_scratch };
inline constexpr int memory_uses = 5;

TERN_FN constexpr const char* name(memory_use u) {
  switch (u) {
    case memory_use::result: return "result";
    case memory_use::kept: return "kept";
    case memory_use::forward_scratch: return "scratch";
    case memory_use::gradient: return "gradient";
    case memory_use::backward_scratch: return "backward scratch";
  }
  return "?";
}

namespace detail {

/// Tensors begin at multiples of so many elements, a cache line of float.
inline constexpr index_t memory_grain = 16;
TERN_FN constexpr index_t in_memory_grains(index_t elements) {
  return (elements + memory_grain - 1) / memory_grain * memory_grain;
}
TERN_FN constexpr memory_need need_per_sample(index_t elements) { return {in_memory_grains(elements), 0}; }
TERN_FN constexpr memory_need need_fixed(index_t elements) { return {0, in_memory_grains(elements)}; }

/// Memory that is needed from one step of a schedule to another, both included.
struct lifetime {
  memory_need need;
  int first = 0, last = -1;  ///< never, by default
  constexpr bool lives() const { return last >= first; }
};

/// Where tensors lie whose lifetimes are known.
template <std::size_t N>
struct memory_places {
  std::array<memory_need, N> at{};  ///< offsets
  memory_need total;
};

/// Finds a place for every tensor: in the order of their first steps, the lowest where nothing lies that lives at the
/// same time.
template <std::size_t N>
constexpr memory_places<N> place_tensors(const std::array<lifetime, N>& tensors) {
  memory_places<N> r;
  std::array<std::size_t, N> order{};
  for (std::size_t i = 0; i < N; ++i) {
    std::size_t at = i;
    for (; at > 0 && tensors[order[at - 1]].first > tensors[i].first; --at) order[at] = order[at - 1];
    order[at] = i;
  }
  const auto place = [&](index_t memory_need::* part) {
    for (std::size_t k = 0; k < N; ++k) {
      const lifetime& t = tensors[order[k]];
      if (!t.lives() || t.need.*part == 0) continue;
      index_t offset = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t j = 0; j < k; ++j) {
          const lifetime& other = tensors[order[j]];
          const index_t begin = r.at[order[j]].*part, end = begin + other.need.*part;
          const bool together = other.lives() && other.last >= t.first && t.last >= other.first;
          if (together && begin < offset + t.need.*part && offset < end) offset = end, moved = true;
        }
      }
      r.at[order[k]].*part = offset;
      if (offset + t.need.*part > r.total.*part) r.total.*part = offset + t.need.*part;
    }
  };
  place(&memory_need::per_sample);
  place(&memory_need::fixed);
  return r;
}

/// Memory for a call of so many samples: a block of it for what every sample has, and one for the rest.
template <class T>
struct memory {
  T* samples = nullptr;
  T* fixed = nullptr;
  index_t batch = 0;

  TERN_FN memory at(const memory_need& offset) const {
    return {samples + batch * offset.per_sample, fixed + offset.fixed, batch};
  }
};
/// Memory from one span, of need.elements(batch) elements.
template <class T>
TERN_FN memory<T> memory_in(T* p, const memory_need& need, index_t batch) {
  return {p, p + batch * need.per_sample, batch};
}

}  // namespace detail
}  // namespace tern
