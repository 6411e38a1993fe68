// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images and filters for tests, in any layout, in memory that ends where they end.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#include "tern/family/contraction/convolution.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test::inline TERN_ISA {

using extents3 = std::array<index_t, 3>;

/// Elements of T that start as a pattern which no test computes. The first begins a cache line.
template <class T>
class poisoned {
 public:
  explicit poisoned(index_t size)
      : size_(size),
        p_(static_cast<T*>(::operator new(static_cast<std::size_t>(size > 0 ? size : 1) * sizeof(T), line))) {
    again();
  }
  void again() { std::fill_n(p_.get(), size_, pattern()); }
  T* data() const { return p_.get(); }
  index_t size() const { return size_; }
  static T pattern() {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(-77777);
    else
      return static_cast<T>(-7.7e33f);
  }

 private:
  static constexpr std::align_val_t line{64};
  struct release {
    void operator()(T* p) const { ::operator delete(p, line); }
  };
  index_t size_;
  std::unique_ptr<T, release> p_;
};

/// Samples of channels and positions.
template <class T>
class picture {
 public:
  enum class order {
    last,    ///< channels last, dense
    padded,  ///< channels last, a part of the channels of a larger tensor, with gaps between rows and samples
    blocks4,
    blocks16,
    blocks_across,  ///< of 96 bytes: whole vectors of channels cross from one to the next
    planes          ///< channel by channel
  };
  picture(index_t samples, index_t channels, extents3 extent, order o = order::last, index_t shift = 0)
      : samples_(samples), channels_(channels), extent_(extent), memory_(0) {
    const index_t b = o == order::blocks4         ? 4
                      : o == order::blocks16      ? 16
                      : o == order::blocks_across ? 96 / static_cast<index_t>(sizeof(T))
                      : o == order::planes        ? 1
                                                  : channels;
    const bool padded = o == order::padded;
    image_.block = b;
    index_t stride = padded ? channels + 3 : b;
    for (int r = 2; r >= 0; --r) {
      image_.axis[r] = stride;
      stride = stride * extent[static_cast<std::size_t>(r)] + (padded && r == 1 ? 5 : 0);
    }
    image_.block_stride = stride;
    image_.sample = stride * ((channels + b - 1) / b) + (padded ? 7 : 0);
    const bool empty = samples == 0 || extent[0] * extent[1] * extent[2] == 0;
    // Padding after the last channel of a block belongs to the tensor.
    const index_t size =
        empty ? 0
              : at_offset(samples - 1, (channels + b - 1) / b * b - 1, extent[0] - 1, extent[1] - 1, extent[2] - 1) + 1;
    memory_ = poisoned<T>(size + shift);
    image_.p = memory_.data() + shift;
  }

  image<T> get() const { return image_; }
  operator image<const T>() const {
    image<const T> i{
        .p = image_.p, .sample = image_.sample, .block = image_.block, .block_stride = image_.block_stride};
    for (int r = 0; r < 3; ++r) i.axis[r] = image_.axis[r];
    return i;
  }
  T& operator()(index_t n, index_t c, index_t z, index_t y, index_t x) const { return *image_.at(n, c, z, y, x); }
  /// Where the elements are, and everything between them.
  const poisoned<T>& memory() const { return memory_; }
  index_t samples() const { return samples_; }
  index_t channels() const { return channels_; }
  extents3 extent() const { return extent_; }

  /// f(n, c, z, y, x) for every element.
  template <class F>
  void each(F f) const {
    for (index_t n = 0; n < samples_; ++n)
      for (index_t z = 0; z < extent_[0]; ++z)
        for (index_t y = 0; y < extent_[1]; ++y)
          for (index_t x = 0; x < extent_[2]; ++x)
            for (index_t c = 0; c < channels_; ++c) f(n, c, z, y, x);
  }
  template <class Random>
  void fill(Random&& next) {
    each([&](auto... i) { (*this)(i...) = static_cast<T>(next()); });
  }
  void copy(const picture& other) {
    each([&](auto... i) { (*this)(i...) = other(i...); });
  }
  void poison() { memory_.again(); }
  /// True if everything outside the elements still holds the pattern.
  bool gaps_untouched() const {
    std::unique_ptr<bool[]> mine(new bool[static_cast<std::size_t>(memory_.size()) + 1]());
    each([&](auto... i) { mine[static_cast<std::size_t>(image_.at(i...) - memory_.data())] = true; });
    for (index_t i = 0; i < memory_.size(); ++i)
      if (!mine[static_cast<std::size_t>(i)] && !equal_bits(memory_.data()[i], memory_.pattern())) return false;
    return true;
  }
  friend bool equal_bits(const picture& a, const picture& b) {
    bool equal = true;
    a.each([&](auto... i) { equal = equal && equal_bits(a(i...), b(i...)); });
    return equal;
  }

 private:
  index_t at_offset(index_t n, index_t c, index_t z, index_t y, index_t x) const {
    return n * image_.sample + c / image_.block * image_.block_stride + c % image_.block + z * image_.axis[0] +
           y * image_.axis[1] + x * image_.axis[2];
  }

  index_t samples_, channels_;
  extents3 extent_;
  image<T> image_;
  poisoned<T> memory_;
};

/// Weights (taps, c, o), dense; `by_output` stores them as (o, c, taps), as PyTorch does.
template <class T>
class filter_bank {
 public:
  filter_bank(const conv_shape& s, bool by_output) : shape_(s), memory_(s.taps() * s.in * s.groups * s.out) {
    const index_t outputs = s.groups * s.out;
    f_.p = memory_.data();
    f_.out = by_output ? s.in * s.taps() : 1;
    f_.in = by_output ? s.taps() : outputs;
    index_t stride = by_output ? 1 : s.in * outputs;
    for (int r = 2; r >= 0; --r) f_.tap[r] = stride, stride *= s.axis[r].kernel;
    f_.block = s.out, f_.group = s.out * f_.out;
  }
  filters<T> get() const { return f_; }
  const poisoned<T>& memory() const { return memory_; }
  operator filters<const T>() const {
    return {f_.p, {f_.tap[0], f_.tap[1], f_.tap[2]}, f_.in, f_.out, f_.group, f_.block, f_.block_stride};
  }
  T& operator()(index_t tz, index_t ty, index_t tx, index_t c, index_t o) const {
    return *f_.at(tz, ty, tx, o / shape_.out, c, o % shape_.out);
  }
  template <class F>
  void each(F f) const {
    for (index_t tz = 0; tz < shape_.axis[0].kernel; ++tz)
      for (index_t ty = 0; ty < shape_.axis[1].kernel; ++ty)
        for (index_t tx = 0; tx < shape_.axis[2].kernel; ++tx)
          for (index_t c = 0; c < shape_.in; ++c)
            for (index_t o = 0; o < shape_.groups * shape_.out; ++o) f(tz, ty, tx, c, o);
  }
  template <class Random>
  void fill(Random&& next) {
    each([&](auto... i) { (*this)(i...) = static_cast<T>(next()); });
  }
  friend bool equal_bits(const filter_bank& a, const filter_bank& b) {
    bool equal = true;
    a.each([&](auto... i) { equal = equal && equal_bits(a(i...), b(i...)); });
    return equal;
  }

 private:
  conv_shape shape_;
  filters<T> f_;
  poisoned<T> memory_;
};

}  // namespace tern::test::inline TERN_ISA
