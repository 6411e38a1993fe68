// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of views to images, and the memory that tensors occupy.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/kernel/operands.hpp"

namespace tern::inline TERN_ISA::impl {

/// Channels of a block in a channel-blocked layout, else 0.
template <class Mapping>
inline constexpr int channel_block = 0;
template <class Mapping>
  requires requires { Mapping::block; }
inline constexpr int channel_block<Mapping> = Mapping::block;

/// The offsets of a tensor's elements, from the strides of its axes. Axes added from the inside out need no loop later.
class interval_set {
 public:
  TERN_INLINE constexpr void add(index_t stride, index_t count) {
    steps_[used_++] = {stride, count};
    empty_ = empty_ || count == 0;
    ascends_ = ascends_ && (count < 2 || stride > reach_);
    reach_ += (count - 1) * stride;
  }
  /// Sets the address of the first element, after all axes.
  template <class T>
  TERN_INLINE const interval_set& begin_at(const T* p) {
    element_bytes_ = sizeof(T);
    first_ = reinterpret_cast<std::uintptr_t>(p);
    last_ = first_ + static_cast<std::uintptr_t>(empty_ ? 0 : (reach_ + 1) * element_bytes_);
    return *this;
  }
  /// True if no two elements share an address.
  TERN_INLINE bool nested() const { return ascends_ || empty_ || injective(); }
  /// True if the tensors share elements, as far as periodic intervals tell: those of one period may interleave.
  TERN_INLINE bool meets(const interval_set& y) const {
    return last_ > y.first_ && y.last_ > first_ && !empty_ && !y.empty_ && !interleaves(y);
  }

 private:
  struct step {  // not in braces: only used entries are written
    index_t stride, count;
  };

  /// Exact; slow only if no stride exceeds the span of the smaller ones.
  TERN_COLD bool injective() const {
    interval_set s;  // axes of extent above 1, by ascending stride
    step order[7];
    int found = 0;
    for (int i = 0; i < used_; ++i) {
      if (steps_[i].count < 2) continue;
      int at = found++;
      for (; at > 0 && order[at - 1].stride > steps_[i].stride; --at) order[at] = order[at - 1];
      order[at] = steps_[i];
    }
    double elements = 1;
    for (int i = 0; i < found; ++i)
      s.add(order[i].stride, order[i].count), elements *= static_cast<double>(order[i].count);
    if (s.ascends_) return true;
    // more elements than addresses
    if (order[0].stride == 0 || elements > static_cast<double>(s.reach_ + 1)) return false;
    return !s.has_zero_combination(found, s.reach_, 0, false);
  }
  /// True if steps along the first `axes` axes, which span `reach`, can lead from `distance` back to 0.
  TERN_COLD bool has_zero_combination(int axes, index_t reach, index_t distance, bool moved) const {
    if (axes == 0) return moved && distance == 0;
    const step& s = steps_[axes - 1];
    const index_t rest = reach - (s.count - 1) * s.stride;
    index_t first = (-rest - distance) / s.stride, last = (rest - distance) / s.stride;  // rounded towards 0
    if (first < 1 - s.count) first = 1 - s.count;
    if (last > s.count - 1) last = s.count - 1;
    for (index_t i = first; i <= last; ++i)
      if (has_zero_combination(axes - 1, rest, distance + i * s.stride, moved || i != 0)) return true;
    return false;
  }
  /// True if, for some stride, the spans of the smaller strides are disjoint within its period.
  TERN_COLD bool interleaves(const interval_set& other) const {
    const interval_set* const both[] = {this, &other};
    for (const interval_set* of : both)
      for (int cut = 0; cut < of->used_; ++cut) {
        const index_t least = of->steps_[cut].stride * of->element_bytes_;
        index_t interval[2], period = 0;
        for (int w = 0; w < 2; ++w) {
          const index_t bytes = both[w]->element_bytes_;
          interval[w] = bytes;
          for (int i = 0; i < both[w]->used_; ++i) {
            const step& s = both[w]->steps_[i];
            if (s.count < 2) continue;
            if (s.stride * bytes < least)
              interval[w] += (s.count - 1) * s.stride * bytes;
            else if (period != 1)
              period = greatest_common_divisor(s.stride * bytes, period);
          }
        }
        if (interval[0] <= period && interval[1] <= period &&
            apart(interval[0], interval[1], static_cast<index_t>(other.first_) - static_cast<index_t>(first_), period))
          return true;
      }
    return false;
  }

  std::uintptr_t first_ = 0, last_ = 0;  // the smallest address, and one past the largest
  step steps_[7];
  int used_ = 0;
  index_t reach_ = 0, element_bytes_ = 1;
  bool empty_ = false, ascends_ = true;
};

/// The address of null tensors without elements: kernels add to addresses that they do not read.
template <class T>
T* place_of_nothing() {
  static std::remove_const_t<T> nothing;
  return &nothing;
}

/// A tensor (sample, channel, spatial...) with contiguous channels as an image. Checks nothing.
template <class T, class View>
TERN_INLINE image<T> image_of(const View& v) {
  using mapping = typename View::mapping_type;
  constexpr int Rank = View::rank - 2;
  image<T> i{.p = v.data() == nullptr ? place_of_nothing<T>() : v.data()};
  if constexpr (channel_block < mapping >> 0) {
    i.block = channel_block<mapping>;
    index_t stride = i.block;
    for (int r = Rank - 1; r >= 0; --r) i.axis[3 - Rank + r] = stride, stride *= v.extent(2 + r);
    i.block_stride = stride;
    i.sample = stride * v.mapping().blocks();
  } else {
    i.block = v.extent(1) > 0 ? v.extent(1) : 1;
    for (int r = 0; r < Rank; ++r) i.axis[3 - Rank + r] = v.stride(2 + r);
    i.sample = v.stride(0);
  }
  return i;
}

}  // namespace tern::inline TERN_ISA::impl
