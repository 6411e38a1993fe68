// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of layers: its size, and its offsets in buffers of the caller. Everything but the number of samples is
// known while compiling.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/list.hpp"

namespace tern {

/// A number of elements per sample of a call, and a number for all samples together.
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
/// The maximum of both, component by component.
TERN_FN constexpr memory_need most(const memory_need& a, const memory_need& b) {
  return {a.per_sample > b.per_sample ? a.per_sample : b.per_sample, a.fixed > b.fixed ? a.fixed : b.fixed};
}

/// The uses of a layer's memory.
enum class memory_use { result, kept, forward_scratch, gradient, backward_scratch };
inline constexpr int memory_uses = 5;

/// The name of the use, for messages and reports.
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

/// Tensors begin at multiples of this number of elements, a cache line of float.
inline constexpr index_t memory_grain = 16;
TERN_FN constexpr index_t in_memory_grains(index_t elements) {
  return (elements + memory_grain - 1) / memory_grain * memory_grain;
}
TERN_FN constexpr memory_need need_per_sample(index_t elements) { return {in_memory_grains(elements), 0}; }
TERN_FN constexpr memory_need need_fixed(index_t elements) { return {0, in_memory_grains(elements)}; }

/// A memory need from one step of a schedule to another, both included.
struct lifetime {
  memory_need need;
  int first = 0, last = -1;  ///< never, by default
  constexpr bool lives() const { return last >= first; }
};

/// Assigns offsets to tensors with known lifetimes. Tensors that live across the middle of the schedule form a stack at
/// the bottom, as the backward pass frees the forward pass's tensors in reverse. The others are placed in the order of
/// their first steps, each in the lowest gap that holds it; before the middle, only gaps above the stack count. Gaps
/// are a sorted list, so that networks of hundreds of layers are planned within the default limits of constant
/// expressions.
///
/// \param part    &memory_need::per_sample or &memory_need::fixed
/// \param steps   number of steps of the schedule
/// \param middle  the first step after the middle
/// \param at      offsets, by tensor: only `part` is written
/// \return        total number of elements
constexpr index_t assign_offsets(index_t memory_need::* part, int steps, int middle, const list<lifetime>& tensors,
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
  const auto is_stacked = [&](int i) { return tensors[i].first < middle && tensors[i].last >= middle; };
  list<index_t> stack(middle, 0);  // its height in every step
  index_t height = 0;
  for (int s = 0; s < middle; ++s) {
    for (int i = first.head[s]; i >= 0; i = first.next[i])
      if (is_stacked(i)) at[i].*part = height, height += tensors[i].need.*part;
    stack[s] = height;
  }
  struct gap {
    index_t begin, end;
  };
  list<gap> gaps;  // below `total`
  index_t total = 0;
  for (int s = 0; s < steps; ++s) {
    if (s == middle) {  // only the stack is alive
      while (gaps.size() > 0) gaps.remove(gaps.size() - 1);
      if (height < total) gaps.add({height, total});
      if (total < height) total = height;
    }
    for (int i = first.head[s]; i >= 0; i = first.next[i]) {
      if (is_stacked(i)) continue;
      const index_t size = tensors[i].need.*part, floor = s < middle ? stack[tensors[i].last] : 0;
      const auto above = [&](index_t offset) { return offset < floor ? floor : offset; };
      int g = 0;
      while (g < gaps.size() && gaps[g].end < above(gaps[g].begin) + size && (gaps[g].end != total || floor > total))
        ++g;
      const index_t offset = above(g < gaps.size() ? gaps[g].begin : total), end = offset + size;
      at[i].*part = offset;
      if (g == gaps.size() && offset > total) gaps.add({total, offset});
      if (end > total) total = end;
      if (g == gaps.size() || gaps[g].end <= offset) continue;
      const gap whole = gaps[g];
      if (whole.begin < offset && end < whole.end) {
        gaps[g].end = offset;
        gaps.insert(g + 1, {end, whole.end});
      } else if (whole.begin < offset) {
        gaps[g].end = offset;
      } else {
        gaps[g].begin = end;
        if (end >= whole.end) gaps.remove(g);
      }
    }
    for (int i = last.head[s]; i >= 0; i = last.next[i]) {
      const index_t begin = at[i].*part, end = begin + tensors[i].need.*part;
      int g = 0;
      while (g < gaps.size() && gaps[g].begin < begin) ++g;
      const bool before = g > 0 && gaps[g - 1].end == begin, after = g < gaps.size() && gaps[g].begin == end;
      if (before) gaps[g - 1].end = after ? gaps[g].end : end;
      if (after && before) gaps.remove(g);
      if (after && !before) gaps[g].begin = begin;
      if (!after && !before) gaps.insert(g, {begin, end});
    }
  }
  return total;
}

/// The indices of numbers, the largest number first; equal ones keep their order.
constexpr list<int> in_falling_order(const list<index_t>& of) {
  const int n = of.size();
  list<int> order(n, 0), merged(n, 0);
  for (int i = 0; i < n; ++i) order[i] = i;
  for (int width = 1; width < n; width *= 2) {
    for (int begin = 0; begin < n; begin += 2 * width) {
      const int middle = begin + width < n ? begin + width : n, end = middle + width < n ? middle + width : n;
      int a = begin, b = middle;
      for (int k = begin; k < end; ++k)
        merged[k] = a < middle && (b == end || of[order[a]] >= of[order[b]]) ? order[a++] : order[b++];
    }
    order = static_cast<list<int>&&>(merged);  // swaps both
  }
  return order;
}

/// The cost of assign_offsets_by_breadth: the sum over all steps of the squared number of living tensors.
constexpr index_t cost_of_breadth(index_t memory_need::* part, int steps, const list<lifetime>& tensors) {
  list<int> change(steps + 1, 0);
  for (const lifetime& t : tensors)
    if (t.lives() && t.need.*part > 0) ++change[t.first], --change[t.last + 1];
  index_t cost = 0, alive = 0;
  for (int s = 0; s < steps; ++s) alive += change[s], cost += alive * alive;
  return cost;
}
/// The largest cost at which it stays far from clang's default limit of constant evaluation, about a million steps.
inline constexpr index_t most_cost_of_breadth = 20000;

/// Assigns offsets to tensors with short lifetimes: "greedy by breadth" of Pisarchyk and Lee 2020, arXiv 2001.03288. The
/// step that needs the most memory comes first; its largest tensor gets the lowest offset at which it meets no other.
/// Parameters and result as for assign_offsets.
constexpr index_t assign_offsets_by_breadth(index_t memory_need::* part, int steps, const list<lifetime>& tensors,
                                            list<memory_need>& at) {
  // Two linked lists per step: all tensors that live in it, and those that have an offset, the lowest one first.
  struct by_step {
    struct item {
      int tensor, next;
    };
    list<int> head;
    list<item> items;
  };
  by_step living{{steps, -1}, {}}, placed{{steps, -1}, {}};
  list<index_t> breadth(steps, 0);
  for (int i = tensors.size() - 1; i >= 0; --i) {
    if (tensors[i].need.*part == 0) continue;
    for (int s = tensors[i].first; s <= tensors[i].last; ++s)
      living.head[s] = living.items.add({i, living.head[s]}), breadth[s] += tensors[i].need.*part;
  }
  const auto lowest_offset = [&](const lifetime& t) {
    index_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (int s = t.first; s <= t.last; ++s)
        for (int k = placed.head[s]; k >= 0; k = placed.items[k].next) {
          const int other = placed.items[k].tensor;
          const index_t begin = at[other].*part, end = begin + tensors[other].need.*part;
          if (begin >= offset + t.need.*part) break;
          if (end > offset) offset = end, moved = true;
        }
    }
    return offset;
  };
  const auto place = [&](int i, index_t offset) {
    at[i].*part = offset;
    for (int s = tensors[i].first; s <= tensors[i].last; ++s) {
      const int added = placed.items.add({i, -1});
      int* link = &placed.head[s];
      while (*link >= 0 && at[placed.items[*link].tensor].*part < offset) link = &placed.items[*link].next;
      placed.items[added].next = *link, *link = added;
    }
  };
  index_t total = 0;
  list<char> is_placed(tensors.size(), 0);
  for (const int s : in_falling_order(breadth))
    while (true) {
      int largest = -1;
      for (int k = living.head[s]; k >= 0; k = living.items[k].next) {
        const int i = living.items[k].tensor;
        if (!is_placed[i] && (largest < 0 || tensors[i].need.*part > tensors[largest].need.*part)) largest = i;
      }
      if (largest < 0) break;
      const index_t offset = lowest_offset(tensors[largest]), end = offset + tensors[largest].need.*part;
      place(largest, offset), is_placed[largest] = 1;
      if (end > total) total = end;
    }
  return total;
}

/// Memory for a call: a block for the elements of all samples, and one for the fixed elements.
template <class T>
struct memory {
  T* samples = nullptr;
  T* fixed = nullptr;
  index_t batch = 0;

  TERN_FN memory at(const memory_need& offset) const {
    return {samples + batch * offset.per_sample, fixed + offset.fixed, batch};
  }
};
/// Splits a span of need.elements(batch) elements.
template <class T>
TERN_FN memory<T> memory_in(T* p, const memory_need& need, index_t batch) {
  return {p, p + batch * need.per_sample, batch};
}

}  // namespace detail
}  // namespace tern
