// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over samples and positions, one per channel of an image: bias gradients, and the weight gradients of
// convolutions whose groups have a few channels each.
//
// Canonical order: docs/numerics.md, "by grains". The warps of a block take turns with the chunks; their sums go
// through shared memory, and one warp adds them in order.
// Cost: per product the elements it is made of, read from memory; neighbouring threads read neighbouring channels.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/kernel/simt/conv_slabs.hpp"
#include "tern/kernel/simt/conv_window.hpp"
#include "tern/tile/convolution.hpp"

namespace tern::inline TERN_ISA::impl {

/// \tparam Terms  what is summed: `value_type`, `accumulate`, channels(), parts() per channel, batch() and positions()
///                of a sample, the element to(part, channel) of the result, and sum(part, channel, sample, position,
///                count), the chain of some terms
template <class Terms, int Threads>
struct sample_sums_block {
  using T = typename Terms::value_type;
  static constexpr int threads = Threads;
  static constexpr int warps = Threads / warp_threads;

  struct shared {
    T sums[warps][warp_threads];
  };

  /// The problem as blocks see it; blocks are numbered part by part.
  struct problem {
    Terms terms;
    sample_slabs slabs;  ///< the chunks

    explicit problem(const Terms& x) : terms(x), slabs(x.batch(), x.positions(), static_cast<int>(dot_chunk)) {}

    TERN_FN int parts_of_channels() const { return (terms.channels() + warp_threads - 1) / warp_threads; }
    index_t blocks() const { return index_t{1} * terms.parts() * parts_of_channels(); }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared& s, const problem& p) {
    const int index = static_cast<int>(block.index()), part = index / p.parts_of_channels();
    const int channel0 = index % p.parts_of_channels() * warp_threads;
    const int chunks = static_cast<int>(p.slabs.count());
    const auto first_warp = [&](int t, auto f) {
      if (t < warp_threads && channel0 + t < p.terms.channels()) f(p.terms.to(part, channel0 + t));
    };

    typename Block::template per_thread<T> total;
    block.step([&](int t) {
      total[t] = T(0);
      if constexpr (Terms::accumulate) first_warp(t, [&](const T* to) { total[t] = *to; });
    });
    for (int chunk = 0; chunk < chunks; chunk += warps) {
      const int turns = chunks - chunk < warps ? chunks - chunk : warps;
      block.step([&](int t) {
        const int warp = t / warp_threads, lane = t % warp_threads;
        if (warp >= turns || channel0 + lane >= p.terms.channels()) return;
        const sample_slab r = p.slabs[chunk + warp];
        s.sums[warp][lane] = p.terms.sum(part, channel0 + lane, r.sample, r.position, r.steps);
      });
      block.step([&](int t) {
        first_warp(t, [&](const T*) {
          for (int warp = 0; warp < turns; ++warp) total[t] = total[t] + s.sums[warp][t];
        });
      });
    }
    block.step([&](int t) { first_warp(t, [&](T* to) { *to = total[t]; }); });
  }
};

/// The elements of an image: bias gradients.
template <class T, bool Accumulate>
class channel_terms {
 public:
  using value_type = T;
  static constexpr bool accumulate = Accumulate;

  /// \param q  what tern::channel_sums makes
  explicit channel_terms(const conv_gradient<T, Accumulate>& q)
      : channels_(static_cast<int>(q.shape.out)),
        batch_(q.shape.batch),
        from_(q.dy),
        channel_(q.dy),
        sums_{q.dw.p, q.dw.out, 0, 0} {
    for (int r = 0; r < 3; ++r) extent_[r] = static_cast<int>(q.shape.axis[r].out);
  }

  TERN_FN int channels() const { return channels_; }
  TERN_FN int parts() const { return 1; }
  index_t batch() const { return batch_; }
  index_t positions() const { return index_t{1} * extent_[0] * extent_[1] * extent_[2]; }
  TERN_FN T* to(int, int channel) const { return sums_.at(channel, 0); }

  TERN_FN T sum(int, int channel, index_t sample, int position, int count) const {
    T chain = 0;
    each_row(extent_, sample, position, count, [&](index_t n, int z, int y, int x, int size) {
      const T* const from = from_.p + offset(from_, n, {z, y, x}) + channel_(channel);
      for (int i = 0; i < size; ++i) chain = math::fma(T(1), from[i * from_.axis[2]], chain);
    });
    return chain;
  }

 private:
  int channels_;
  int extent_[3];
  index_t batch_;
  image<const T> from_;
  channel_offset channel_;
  operand<T> sums_;
};

/// The products of weight gradients. Channels are output channels, and parts (tap, input channel of the group).
template <class T, bool Accumulate>
class weight_terms {
 public:
  using value_type = T;
  static constexpr bool accumulate = Accumulate;

  explicit weight_terms(const conv_gradient<T, Accumulate>& q)
      : in_(static_cast<int>(q.shape.in)),
        out_(static_cast<int>(q.shape.out)),
        groups_(static_cast<int>(q.shape.groups)),
        taps_(static_cast<int>(q.shape.taps())),
        batch_(q.shape.batch),
        x_(q.x),
        dy_(q.dy),
        dw_(q.dw),
        x_channel_(q.x),
        dy_channel_(q.dy),
        window_(q.shape) {
    for (int r = 0; r < 3; ++r) extent_[r] = static_cast<int>(q.shape.axis[r].out);
  }

  TERN_FN int channels() const { return groups_ * out_; }
  TERN_FN int parts() const { return taps_ * in_; }
  index_t batch() const { return batch_; }
  index_t positions() const { return index_t{1} * extent_[0] * extent_[1] * extent_[2]; }
  TERN_FN T* to(int part, int channel) const {
    return dw_.p + offset(dw_, window_.tap(part / in_)) + channel / out_ * dw_.group + part % in_ * dw_.in +
           channel % out_ * dw_.out;
  }

  TERN_FN T sum(int part, int channel, index_t sample, int position, int count) const {
    const point tap = window_.tap(part / in_);
    const index_t in_x = x_channel_(channel / out_ * in_ + part % in_), in_dy = dy_channel_(channel);
    T chain = 0;
    each_row(extent_, sample, position, count, [&](index_t n, int z, int y, int x, int size) {
      const point source = window_.source({z, y, 0}, {tap.z, tap.y, 0});
      if (!window_.axis[0].has(source.z) || !window_.axis[1].has(source.y)) return;
      const T* const from = x_.p + offset(x_, n, {source.z, source.y, 0}) + in_x;
      const T* const dy = dy_.p + offset(dy_, n, {z, y, x}) + in_dy;
      for (int i = 0; i < size; ++i) {
        const int at = window_.axis[2].source(x + i, tap.x);
        if (window_.axis[2].has(at)) chain = math::fma(from[at * x_.axis[2]], dy[i * dy_.axis[2]], chain);
      }
    });
    return chain;
  }

 private:
  int in_, out_, groups_, taps_;
  int extent_[3];
  index_t batch_;
  image<const T> x_, dy_;
  filters<T> dw_;
  channel_offset x_channel_, dy_channel_;
  source_window<conv_pass::forward> window_;
};

}  // namespace tern::inline TERN_ISA::impl
