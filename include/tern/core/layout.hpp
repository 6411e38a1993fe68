// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of dense tensors: from a multi-index to an offset in elements.
//
// A layout is any class with a nested `mapping<Extents>` as in std::mdspan, so users can add their own. A mapping has
// `extents()`, `operator()(i...)` and `required_span_size()`. A strided one, whose offsets are a sum of index times
// stride, also has `stride(r)` and `static_stride(r)`, which is `dynamic` if the type lacks it. Kernels read strides
// only; so matmul takes row, column and strided views alike, and a transposed operand is a layout.
#pragma once

#include <concepts>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/extents.hpp"

namespace tern {

/// Mappings whose offset is the sum of index times stride.
template <class M>
concept strided_mapping = requires(const M& m) {
  { m.stride(0) } -> std::convertible_to<index_t>;
  { M::static_stride(0) } -> std::convertible_to<index_t>;
};

namespace detail {

/// Offsets of a strided mapping; the layouts below supply stride(r).
template <class M, std::integral... Index>
TERN_FN constexpr index_t strided_offset(const M& m, Index... i) {
  index_t offset = 0;
  int r = 0;
  ((offset += static_cast<index_t>(i) * m.stride(r++)), ...);
  return offset;
}

/// One past the largest offset; 0 for an empty index space.
template <class M, class E>
TERN_FN constexpr index_t strided_span(const M& m, const E& e) {
  index_t last = 0;
  for (int r = 0; r < E::rank; ++r) {
    if (e.extent(r) == 0) return 0;
    last += (e.extent(r) - 1) * m.stride(r);
  }
  return last + 1;
}

/// The product of the static extents of dimensions [first, last), or `dynamic`.
template <class E>
TERN_FN constexpr index_t static_product(int first, int last) {
  index_t n = 1;
  for (int r = first; r < last; ++r) {
    if (E::static_extent(r) == dynamic) return dynamic;
    n *= E::static_extent(r);
  }
  return n;
}

}  // namespace detail

/// C order: the last index is the fastest.
struct layout_row {
  template <class Extents>
  class mapping {
   public:
    using layout_type = layout_row;
    using extents_type = Extents;
    TERN_FN constexpr mapping() {}
    TERN_FN constexpr mapping(const Extents& e) : extents_(e) {}  // NOLINT: implicit as in std
    TERN_FN constexpr const Extents& extents() const { return extents_; }
    TERN_FN static constexpr index_t static_stride(int r) {
      return detail::static_product<Extents>(r + 1, Extents::rank);
    }
    TERN_FN constexpr index_t stride(int r) const {
      index_t s = 1;
      for (int q = r + 1; q < Extents::rank; ++q) s *= extents_.extent(q);
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

/// Fortran order: the first index is the fastest. The transpose of `layout_row`.
struct layout_column {
  template <class Extents>
  class mapping {
   public:
    using layout_type = layout_column;
    using extents_type = Extents;
    TERN_FN constexpr mapping() {}
    TERN_FN constexpr mapping(const Extents& e) : extents_(e) {}  // NOLINT: implicit as in std
    TERN_FN constexpr const Extents& extents() const { return extents_; }
    TERN_FN static constexpr index_t static_stride(int r) { return detail::static_product<Extents>(0, r); }
    TERN_FN constexpr index_t stride(int r) const {
      index_t s = 1;
      for (int q = 0; q < r; ++q) s *= extents_.extent(q);
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

/// A batch of column-major matrices: the last index but one is the fastest, then the last, then the others as in
/// `layout_row`. The layout of a row-major batch after `transposed`.
struct layout_transposed {
  template <class Extents>
  class mapping {
    static_assert(Extents::rank >= 2, "layout_transposed: the rank must be at least 2: rows and columns");
    static constexpr int last = Extents::rank - 1;

   public:
    using layout_type = layout_transposed;
    using extents_type = Extents;
    TERN_FN constexpr mapping() {}
    TERN_FN constexpr mapping(const Extents& e) : extents_(e) {}  // NOLINT: implicit as in std
    TERN_FN constexpr const Extents& extents() const { return extents_; }
    TERN_FN static constexpr index_t static_stride(int r) {
      if (r == last - 1) return 1;
      return r == last ? Extents::static_extent(last - 1) : detail::static_product<Extents>(r + 1, Extents::rank);
    }
    TERN_FN constexpr index_t stride(int r) const {
      if (r == last - 1) return 1;
      if (r == last) return extents_.extent(last - 1);
      index_t s = 1;
      for (int q = r + 1; q < Extents::rank; ++q) s *= extents_.extent(q);
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

/// One run-time stride per dimension, in elements: submatrices, padded rows, broadcast dimensions (stride 0).
struct layout_strided {
  template <class Extents>
  class mapping {
   public:
    using layout_type = layout_strided;
    using extents_type = Extents;
    TERN_FN constexpr mapping() : mapping(Extents{}) {}
    /// The strides of `layout_row`.
    TERN_FN constexpr explicit mapping(const Extents& e) : extents_(e) {
      for (int r = 0; r < Extents::rank; ++r) stride_[r] = typename layout_row::mapping<Extents>(e).stride(r);
    }
    /// One stride per dimension. Throws if one is negative.
    template <std::integral... S>
      requires(sizeof...(S) == Extents::rank)
    TERN_FN constexpr mapping(const Extents& e, S... strides)
        : extents_(e), stride_{static_cast<index_t>(strides)..., 0} {
#if !defined(__CUDA_ARCH__)
      for (int r = 0; r < Extents::rank; ++r)
        if (stride_[r] < 0) violation("layout_strided: stride %d is %td: it must be at least 0", r, stride_[r]);
#endif
    }
    TERN_FN constexpr const Extents& extents() const { return extents_; }
    TERN_FN static constexpr index_t static_stride(int) { return dynamic; }
    TERN_FN constexpr index_t stride(int r) const { return stride_[r]; }
    template <std::integral... Index>
    TERN_FN constexpr index_t operator()(Index... i) const {
      return detail::strided_offset(*this, i...);
    }
    TERN_FN constexpr index_t required_span_size() const { return detail::strided_span(*this, extents_); }

   private:
    [[no_unique_address]] Extents extents_;
    index_t stride_[Extents::rank + 1] = {};
  };
};

}  // namespace tern
