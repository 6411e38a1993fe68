// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of images and volumes. Logical indices are always (sample, channel, spatial...); the layout gives their order
// in memory.
#pragma once

#include <concepts>

#include "tern/core/config.hpp"
#include "tern/core/extents.hpp"
#include "tern/core/layout.hpp"

namespace tern {

/// Channels last: (n, c, y, x) is at ((n * Y + y) * X + x) * C + c. Known as NHWC.
struct layout_channels_last {
  template <class Extents>
  class mapping {
    static_assert(Extents::rank >= 2, "layout_channels_last: the rank must be at least 2: sample and channel");

   public:
    using layout_type = layout_channels_last;
    using extents_type = Extents;
    TERN_FN constexpr mapping() {}
    TERN_FN constexpr mapping(const Extents& e) : extents_(e) {}  // NOLINT: implicit as in std
    TERN_FN constexpr const Extents& extents() const { return extents_; }
    TERN_FN static constexpr index_t static_stride(int r) {
      if (r == 1) return 1;
      if (r == 0) return detail::static_product<Extents>(1, Extents::rank);
      const index_t inner = detail::static_product<Extents>(r + 1, Extents::rank);
      const index_t channels = Extents::static_extent(1);
      return inner == dynamic || channels == dynamic ? dynamic : inner * channels;
    }
    TERN_FN constexpr index_t stride(int r) const {
      if (r == 1) return 1;
      index_t s = extents_.extent(1);
      for (int q = r == 0 ? 2 : r + 1; q < Extents::rank; ++q) s *= extents_.extent(q);
      return s;
    }
    template <std::integral... Index>
    TERN_FN constexpr index_t operator()(Index... i) const {
      return detail::strided_offset(*this, i...);
    }
    TERN_FN constexpr index_t required_span_size() const { return extents_.size(); }

   private:
    [[no_unique_address]] Extents extents_;
  };
};

/// Blocks of B channels: (n, c, y, x) is at (((n * ceil(C/B) + c/B) * Y + y) * X + x) * B + c%B. The last block is
/// padded to B channels; the padding belongs to the tensor and is never read or written. Known as NCHWc.
template <int B>
struct layout_channel_blocked {
  static_assert(B >= 1, "layout_channel_blocked: the block must be at least 1 channel");

  template <class Extents>
  class mapping {
    static_assert(Extents::rank >= 2, "layout_channel_blocked: the rank must be at least 2: sample and channel");

   public:
    using layout_type = layout_channel_blocked;
    using extents_type = Extents;
    static constexpr int block = B;
    TERN_FN constexpr mapping() {}
    TERN_FN constexpr mapping(const Extents& e) : extents_(e) {}  // NOLINT: implicit as in std
    TERN_FN constexpr const Extents& extents() const { return extents_; }
    /// Channel blocks per sample.
    TERN_FN constexpr index_t blocks() const { return (extents_.extent(1) + B - 1) / B; }
    template <std::integral... Index>
    TERN_FN constexpr index_t operator()(Index... i) const {
      static_assert(sizeof...(Index) == Extents::rank);
      const index_t at[] = {static_cast<index_t>(i)...};
      index_t offset = at[0] * blocks() + at[1] / B;
      for (int r = 2; r < Extents::rank; ++r) offset = offset * extents_.extent(r) + at[r];
      return offset * B + at[1] % B;
    }
    TERN_FN constexpr index_t required_span_size() const {
      index_t n = extents_.extent(0) * blocks() * B;
      for (int r = 2; r < Extents::rank; ++r) n *= extents_.extent(r);
      return n;
    }

   private:
    [[no_unique_address]] Extents extents_;
  };
  template <class Extents>
  mapping(const Extents&) -> mapping<Extents>;  // clang 16 deduces none by itself in a specialisation
};

}  // namespace tern
