// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of layers: how much each takes, and where it lies in buffers of the caller. Everything is known while
// compiling but the number of samples.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/list.hpp"

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

/// Assigns offsets to tensors whose lifetimes are known: in the order of their first steps, each to the lowest gap that
/// holds it. Gaps are a sorted list, so that networks of hundreds of layers are planned within the default limits of
/// constant expressions.
///
/// \param part   &memory_need::per_sample or &memory_need::fixed
/// \param steps  of the schedule
/// \param at     offsets, by tensor: only `part` is written
/// \return       elements in all
constexpr index_t assign_offsets(index_t memory_need::* part, int steps, const list<lifetime>& tensors,
                                 list<memory_need>& at) {
  // Tensors by their first and by their last step, as linked lists.
  struct by_step {
    list<int> head, next;
  };
  const auto sorted = [&](int lifetime::* step) {
    by_step r{{steps, -1}, {tensors.size(), -1}};
    for (int i = tensors.size() - 1; i >= 0; --i) {
      if (!tensors[i].lives() || tensors[i].need.*part == 0) continue;
      int& head = r.head[tensors[i].*step];
      r.next[i] = head, head = i;
    }
    return r;
  };
  const by_step first = sorted(&lifetime::first), last = sorted(&lifetime::last);
  struct gap {
    index_t begin, end;
  };
  list<gap> gaps;  // below `total`
  index_t total = 0;
  for (int s = 0; s < steps; ++s) {
    for (int i = first.head[s]; i >= 0; i = first.next[i]) {
      const index_t size = tensors[i].need.*part;
      int g = 0;
      while (g < gaps.size() && gaps[g].end - gaps[g].begin < size && gaps[g].end != total) ++g;
      index_t& offset = at[i].*part;
      offset = g < gaps.size() ? gaps[g].begin : total;
      if (offset + size > total) total = offset + size;
      if (g == gaps.size()) continue;
      gaps[g].begin += size;
      if (gaps[g].begin >= gaps[g].end) gaps.remove(g);
    }
    for (int i = last.head[s]; i >= 0; i = last.next[i]) {
      const index_t begin = at[i].*part, end = begin + tensors[i].need.*part;
      int g = 0;
      while (g < gaps.size() && gaps[g].begin < begin) ++g;
      const bool before = g > 0 && gaps[g - 1].end == begin, behind = g < gaps.size() && gaps[g].begin == end;
      if (before) gaps[g - 1].end = behind ? gaps[g].end : end;
      if (behind && before) gaps.remove(g);
      if (behind && !before) gaps[g].begin = begin;
      if (!behind && !before) gaps.insert(g, {begin, end});
    }
  }
  return total;
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
