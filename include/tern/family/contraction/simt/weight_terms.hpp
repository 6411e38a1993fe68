// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weight gradients of convolutions with few channels per group, as sums of exec/simt/sample_sums_block.hpp.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/simt/conv_window.hpp"

namespace tern::inline TERN_ISA::impl {

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

}  // namespace tern::inline TERN_ISA::impl
