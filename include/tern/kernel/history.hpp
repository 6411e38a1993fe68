// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The history of a streamed convolution's signals, in memory of the caller.
#pragma once

#include <cstdint>
#include <cstring>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/family/contraction/convolution.hpp"

namespace tern::inline TERN_ISA::impl {

/// The latest samples of some signals, in rings that are stored twice, one copy after the other: any window as long as
/// a ring is contiguous. Memory of zeros is an empty history. Cost of a sample: two copies; stored samples never move,
/// so every call takes equally long.
template <class T>
class signal_history {
 public:
  /// Elements of memory for rings of `samples` samples.
  TERN_FN static constexpr index_t size(index_t signals, index_t channels, index_t samples) {
    return head + signals * 2 * samples * channels;
  }

  signal_history(T* memory, index_t signals, index_t channels, index_t samples)
      : memory_(memory), signals_(signals), channels_(channels), samples_(samples) {
    std::memcpy(&past_, memory, sizeof past_);
  }
  /// True if the memory holds zeros, or a history of this size.
  bool is_valid() const { return past_.size == own_size() ? past_.seen > 0 : past_.size == 0 && past_.seen == 0; }
  /// The number of samples of each signal so far.
  index_t seen() const { return static_cast<index_t>(past_.seen); }

  /// Appends samples first to first + count - 1 of each signal of x; count is at most a ring.
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
  /// The signals from sample `begin` on, which becomes sample 0. The rings must still hold it.
  image<const T> from(index_t begin) const {
    image<const T> i{.p = ring(0) + begin % samples_ * channels_, .sample = 2 * samples_ * channels_};
    i.block = i.axis[2] = channels_;
    return i;
  }

 private:
  static constexpr index_t head = 64 / static_cast<index_t>(sizeof(T));  ///< a cache line; rings begin after it
  struct progress {
    std::int64_t seen, size;  ///< samples so far, and elements of all memory
  };
  static_assert(sizeof(progress) <= 64);

  std::int64_t own_size() const { return size(signals_, channels_, samples_); }
  T* ring(index_t n) const { return memory_ + head + n * 2 * samples_ * channels_; }
  static std::size_t bytes(index_t elements) { return static_cast<std::size_t>(elements) * sizeof(T); }

  /// Copies samples first to first + count - 1 of signal n of x, with contiguous channels.
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
