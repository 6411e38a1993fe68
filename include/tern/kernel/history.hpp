// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a convolution that is streamed remembers of its signals, in memory of the caller.
#pragma once

#include <cstdint>
#include <cstring>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/family/contraction/convolution.hpp"

namespace tern::inline TERN_ISA::impl {

/// The latest samples of some signals: rings that are written twice, one copy behind the other, so that as many samples
/// as a ring holds always lie in a row. Memory of zeros is a history of nothing. Cost of a sample: two copies; what is
/// there never moves, so no call takes longer than others.
template <class T>
class signal_history {
 public:
  /// Elements of memory, for rings of so many samples.
  TERN_FN static constexpr index_t size(index_t signals, index_t channels, index_t samples) {
    return head + signals * 2 * samples * channels;
  }

  signal_history(T* memory, index_t signals, index_t channels, index_t samples)
      : memory_(memory), signals_(signals), channels_(channels), samples_(samples) {
    std::memcpy(&past_, memory, sizeof past_);
  }
  /// Whether the memory holds zeros, or what a history of this size has left.
  bool is_valid() const { return past_.size == own_size() ? past_.seen > 0 : past_.size == 0 && past_.seen == 0; }
  /// How many samples of each signal there have been.
  index_t seen() const { return static_cast<index_t>(past_.seen); }

  /// Takes `count` samples of each signal of x, from position `first` on. No more than a ring holds.
  void append(const image<const T>& x, index_t first, index_t count) {
    for (index_t n = 0; n < signals_; ++n)
      for (index_t done = 0, run; done < count; done += run) {
        const index_t slot = (seen() + done) % samples_;
        run = count - done < samples_ - slot ? count - done : samples_ - slot;
        T* to = ring(n) + slot * channels_;
        copy(x, n, first + done, run, to);
        std::memcpy(to + samples_ * channels_, to, bytes(run * channels_));
      }
    past_.seen += count, past_.size = own_size();
    std::memcpy(memory_, &past_, sizeof past_);
  }
  /// The signals from sample number `begin` on, which the rings still hold; as if it were number 0.
  image<const T> from(index_t begin) const {
    image<const T> i{.p = ring(0) + begin % samples_ * channels_, .sample = 2 * samples_ * channels_};
    i.block = i.axis[2] = channels_;
    return i;
  }

 private:
  static constexpr index_t head = 64 / static_cast<index_t>(sizeof(T));  ///< a cache line; rings begin behind it
  struct progress {
    std::int64_t seen, size;  ///< samples so far, and elements of all memory
  };
  static_assert(sizeof(progress) <= 64);

  std::int64_t own_size() const { return size(signals_, channels_, samples_); }
  T* ring(index_t n) const { return memory_ + head + n * 2 * samples_ * channels_; }
  static std::size_t bytes(index_t elements) { return static_cast<std::size_t>(elements) * sizeof(T); }

  /// Samples `first` to first + count - 1 of signal n of x, channels next to each other.
  void copy(const image<const T>& x, index_t n, index_t first, index_t count, T* to) const {
    if (x.block >= channels_ && x.axis[2] == channels_) {
      std::memcpy(to, x.at(n, 0, 0, 0, first), bytes(count * channels_));
      return;
    }
    for (index_t t = first; t < first + count; ++t)
      for (index_t c = 0, run; c < channels_; c += run, to += run) {
        run = neighbours(x, c, channels_ - c);
        std::memcpy(to, x.at(n, c, 0, 0, t), bytes(run));
      }
  }

  T* memory_;
  index_t signals_, channels_, samples_;
  progress past_;
};

}  // namespace tern::inline TERN_ISA::impl
