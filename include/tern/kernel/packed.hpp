// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/memory.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA {

namespace impl {
template <class, class, class, bool>
struct conv_operations;
}

/// Weights arranged for one op under one policy. Move-only; made by `pack`, which says how they are stored. The type
/// carries op and policy, so weights packed for another kernel do not compile, and the pass that they are for.
template <class Op, class Policy, pass For = pass::forward>
class packed {
 public:
  using value_type = typename Op::value_type;
  static constexpr pass for_pass = For;

  packed(packed&& other) noexcept { swap(other); }
  packed& operator=(packed&& other) noexcept {
    packed(static_cast<packed&&>(other)).swap(*this);
    return *this;
  }
  packed(const packed&) = delete;
  packed& operator=(const packed&) = delete;
  ~packed() {
    if (owned_) deallocate(owned_, bytes_);
  }

  const value_type* data() const { return data_; }
  /// Rows and columns of the weights as they were given; of a convolution all (tap, input channel of a group), and all
  /// output channels.
  index_t k() const { return k_; }
  index_t n() const { return n_; }

 private:
  template <class, class, class>
  friend struct operations;
  template <class, class, class, bool>
  friend struct impl::conv_operations;

  packed(index_t k, index_t n, index_t size)
      : bytes_(static_cast<std::size_t>(size) * sizeof(value_type)),
        owned_(static_cast<value_type*>(allocate(bytes_))),
        data_(owned_),
        k_(k),
        n_(n) {}
  packed(index_t k, index_t n, const value_type* data) : data_(data), k_(k), n_(n) {}

  void swap(packed& other) noexcept {
    swap(bytes_, other.bytes_);
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

  std::size_t bytes_ = 0;
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
