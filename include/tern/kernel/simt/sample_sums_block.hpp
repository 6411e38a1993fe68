// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over samples and positions, some per channel of an image (tile/place_sums.hpp), and the weight gradients of
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
#include "tern/tile/place_sums.hpp"

namespace tern::inline TERN_ISA::impl {

/// \tparam Terms  what is summed: `value_type`, `results` of a channel and part, channels(), parts(), batch() and
///                positions() of a sample; begin(part, channel, totals), end(...) for what results hold;
///                chunk(part, channel, sample, position, count, sums) and join(totals, sums, before, count)
template <class Terms, int Threads>
struct sample_sums_block {
  using T = typename Terms::value_type;
  static constexpr int threads = Threads;
  static constexpr int warps = Threads / warp_threads;
  static constexpr int resident_blocks = 1;  // as many registers as a thread needs

  struct sums {
    T of[Terms::results];
  };
  struct shared {
    sums of[warps][warp_threads];
  };

  /// The problem as blocks see it; blocks are numbered part by part.
  struct problem {
    Terms terms;
    sample_slabs slabs;  ///< the chunks

    explicit problem(const Terms& x) : terms(x), slabs(x.batch(), x.positions(), static_cast<int>(dot_chunk)) {}

    TERN_FN int parts_of_channels() const { return (terms.channels() + warp_threads - 1) / warp_threads; }
    index_t blocks() const { return terms.parts() * parts_of_channels(); }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared& s, const problem& p) {
    const index_t part = block.index() / p.parts_of_channels();
    const int channel0 = static_cast<int>(block.index() % p.parts_of_channels()) * warp_threads;
    const int chunks = static_cast<int>(p.slabs.count());
    const auto has_total = [&](int t) { return t < warp_threads && channel0 + t < p.terms.channels(); };

    typename Block::template per_thread<sums> total;
    typename Block::template per_thread<index_t> before;
    block.step([&](int t) {
      before[t] = p.terms.seen(), total[t] = {};
      if (has_total(t)) p.terms.begin(part, channel0 + t, total[t].of);
    });
    for (int chunk = 0; chunk < chunks; chunk += warps) {
      const int turns = chunks - chunk < warps ? chunks - chunk : warps;
      block.step([&](int t) {
        const int warp = t / warp_threads, lane = t % warp_threads;
        if (warp >= turns || channel0 + lane >= p.terms.channels()) return;
        const sample_slab r = p.slabs[chunk + warp];
        sums chain;
        p.terms.chunk(part, channel0 + lane, r.sample, r.position, r.steps, chain.of);
        s.of[warp][lane] = chain;
      });
      block.step([&](int t) {
        if (!has_total(t)) return;
        for (int warp = 0; warp < turns; ++warp) {
          const int count = p.slabs[chunk + warp].steps;
          p.terms.join(total[t].of, s.of[warp][t].of, before[t], count);
          before[t] += count;
        }
      });
    }
    block.step([&](int t) {
      if (has_total(t)) p.terms.end(part, channel0 + t, total[t].of);
    });
  }
};

/// The products of weight gradients. Channels are output channels, and parts (tap, input channel of the group).
template <class T, bool Accumulate>
class weight_terms {
 public:
  using value_type = T;
  static constexpr int results = 1;

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
  TERN_FN index_t parts() const { return taps_ * in_; }
  index_t batch() const { return batch_; }
  index_t positions() const { return index_t{1} * extent_[0] * extent_[1] * extent_[2]; }
  TERN_FN index_t seen() const { return 0; }

  TERN_FN void begin(index_t part, int channel, T (&total)[1]) const {
    total[0] = Accumulate ? *to(static_cast<int>(part), channel) : T(0);
  }
  TERN_FN void end(index_t part, int channel, const T (&total)[1]) const {
    *to(static_cast<int>(part), channel) = total[0];
  }
  TERN_FN void join(T (&total)[1], const T (&chain)[1], index_t, int) const { total[0] = total[0] + chain[0]; }

  TERN_FN void chunk(index_t whole_part, int channel, index_t sample, int position, int count, T (&sum)[1]) const {
    const int part = static_cast<int>(whole_part);
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
    sum[0] = chain;
  }

 private:
  TERN_FN T* to(int part, int channel) const {
    return dw_.p + offset(dw_, window_.tap(part / in_)) + channel / out_ * dw_.group + part % in_ * dw_.in +
           channel % out_ * dw_.out;
  }

  int in_, out_, groups_, taps_;
  int extent_[3];
  index_t batch_;
  image<const T> x_, dy_;
  filters<T> dw_;
  channel_offset x_channel_, dy_channel_;
  source_window<conv_pass::forward> window_;
};

/// A call of the place_sums family. Parts are places with results of their own.
template <class T, class F>
class place_terms {
 public:
  using value_type = T;
  static constexpr int results = F::results;

  explicit place_terms(const place_sums<T, F>& q) : q_(q) {}

  TERN_FN int channels() const { return static_cast<int>(q_.channels); }
  TERN_FN index_t parts() const { return q_.of.places(); }
  index_t batch() const { return q_.summed.batch; }
  index_t positions() const { return q_.summed.positions(); }
  TERN_FN index_t seen() const { return q_.seen; }

  TERN_FN void begin(index_t part, int channel, T (&total)[results]) const {
    q_.begin(q_.origin_of(part, channel), total);
  }
  TERN_FN void end(index_t part, int channel, const T (&total)[results]) const {
    q_.end(q_.origin_of(part, channel), total);
  }
  TERN_FN void chunk(index_t part, int channel, index_t sample, int position, int count, T (&chain)[results]) const {
    q_.chunk(q_.origin_of(part, channel), sample, position, count, chain);
  }
  TERN_FN void join(T (&total)[results], const T (&chain)[results], index_t before, int count) const {
    q_.f.join(total, chain, before, count);
  }

 private:
  place_sums<T, F> q_;
};

}  // namespace tern::inline TERN_ISA::impl
