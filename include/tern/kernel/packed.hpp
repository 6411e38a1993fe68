// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "tern/core/config.hpp"
#include "tern/core/extents.hpp"
#include "tern/core/view.hpp"
#include "tern/exec/cpu/memory.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA {

namespace impl {
template <class, class, class, bool>
struct conv_operations;
}

/// The layout of weights packed for a pass: a shape, and memory in an order private to the kernels.
template <pass For>
struct layout_packed {
  static constexpr pass for_pass = For;
  template <class Extents>
  class mapping {
   public:
    using layout_type = layout_packed;
    using extents_type = Extents;
    TERN_FN constexpr mapping(const Extents& e = {}, index_t size = 0) : extents_(e), size_(size) {}
    TERN_FN constexpr const Extents& extents() const { return extents_; }
    TERN_FN constexpr index_t required_span_size() const { return size_; }

   private:
    Extents extents_;
    index_t size_;
  };
};

/// Weights arranged for one op under one policy. Move-only; made by `pack`, which documents their storage. The type
/// carries op, policy and pass, so weights packed for another kernel do not compile.
template <class Op, class Policy, pass For = pass::forward>
class packed {
 public:
  using value_type = typename Op::value_type;
  using op_type = Op;
  using policy_type = Policy;
  static constexpr pass for_pass = For;

  packed(packed&& other) noexcept { swap(other); }
  packed& operator=(packed&& other) noexcept {
    packed(static_cast<packed&&>(other)).swap(*this);
    return *this;
  }
  packed(const packed&) = delete;
  packed& operator=(const packed&) = delete;
  ~packed() {
    if (owned_) deallocate(owned_, static_cast<std::size_t>(size_) * sizeof(value_type));
  }

  const value_type* data() const { return data_; }
  /// Rows and columns of the weights as given to `pack`. Of a convolution k counts all (tap, input channel of a group),
  /// n all output channels.
  index_t k() const { return k_; }
  index_t n() const { return n_; }

  /// The view that the checks of a call use.
  TERN_INLINE friend auto as_view(const packed& w) {
    constexpr bool op_knows_shape = requires { typename Op::weights_extents; };
    if constexpr (op_knows_shape)
      return w.view_of(typename Op::weights_extents{});
    else
      return w.view_of(dims<2>(w.k_, w.n_));
  }

 private:
  template <class, class, class>
  friend struct operations;
  template <class, class, class, bool>
  friend struct impl::conv_operations;

  template <class Shape>
  TERN_INLINE auto view_of(const Shape& shape) const {
    using layout = layout_packed<For>;
    return view<const value_type, Shape, layout>(unchecked, data_,
                                                 typename layout::template mapping<Shape>(shape, size_));
  }

  packed(index_t k, index_t n, index_t size)
      : size_(size),
        owned_(static_cast<value_type*>(allocate(static_cast<std::size_t>(size) * sizeof(value_type)))),
        data_(owned_),
        k_(k),
        n_(n) {}
  packed(index_t k, index_t n, index_t size, const value_type* data) : size_(size), data_(data), k_(k), n_(n) {}

  void swap(packed& other) noexcept {
    swap(size_, other.size_);
    swap(owned_, other.owned_);
    swap(data_, other.data_);
    swap(k_, other.k_);
    swap(n_, other.n_);
  }
  /// Not std::swap, which other translation units share.
  template <class V>
  TERN_INLINE static void swap(V& a, V& b) {
    const V c = a;
    a = b;
    b = c;
  }

  index_t size_ = 0;  // elements in storage
  value_type* owned_ = nullptr;
  const value_type* data_ = nullptr;
  index_t k_ = 0;
  index_t n_ = 0;
};

template <class W>
inline constexpr bool is_packed = false;
template <class Op, class Policy, pass For>
inline constexpr bool is_packed<packed<Op, Policy, For>> = true;

}  // namespace tern::inline TERN_ISA
