// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers as values. Batches are xsimd's or, in files that link the compiled part, wrap vectors of the compiler:
// these files do not include xsimd's header of 25,000 lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/cpu/arch.hpp"

#if defined(TERN_HAS_AVX2) || (defined(TERN_HAS_VECTORS) && defined(__SSE2__))
#include <immintrin.h>
#endif

#if defined(TERN_HAS_XSIMD)

namespace tern::inline TERN_ISA::impl {
using xsimd::batch, xsimd::batch_bool, xsimd::select, xsimd::sqrt;
}  // namespace tern::inline TERN_ISA::impl

#elif defined(TERN_HAS_VECTORS)

namespace tern::inline TERN_ISA::impl {

/// The vector type of intrinsics: on x86 one type serves all integers.
template <class T, int Bytes>
struct register_of {
#if defined(__x86_64__)
  using element = std::conditional_t<std::is_integral_v<T>, long long, T>;
#else
  using element = T;
#endif
  typedef element type __attribute__((vector_size(Bytes), may_alias));
};

/// The result of a comparison: all bits set in the lanes where it holds.
template <class T, class Arch>
class batch_bool {
 public:
  using integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef integer lanes_type __attribute__((vector_size(Arch::bytes)));

  TERN_INLINE batch_bool() = default;
  TERN_INLINE batch_bool(lanes_type m) : m_(m) {}  // NOLINT: the compiler's own comparisons
  TERN_INLINE operator lanes_type() const { return m_; }

  friend TERN_INLINE batch_bool operator&(batch_bool a, batch_bool b) { return a.m_ & b.m_; }
  friend TERN_INLINE batch_bool operator|(batch_bool a, batch_bool b) { return a.m_ | b.m_; }
  friend TERN_INLINE batch_bool operator!(batch_bool a) { return ~a.m_; }

 private:
  lanes_type m_;
};

/// One register, with those members and operators of xsimd::batch that lanes use.
template <class T, class Arch>
class batch {
 public:
  using value_type = T;
  using arch_type = Arch;
  using register_type = typename register_of<T, Arch::bytes>::type;
  using mask = batch_bool<T, Arch>;
  typedef T lanes_type __attribute__((vector_size(Arch::bytes)));
  static constexpr std::size_t size = Arch::bytes / sizeof(T);

  TERN_INLINE batch() = default;
  TERN_INLINE explicit batch(T x) : v_(same(x)) {}
  TERN_INLINE batch(register_type v) : v_((lanes_type)v) {}  // NOLINT: the result of intrinsics
  TERN_INLINE operator register_type() const { return (register_type)v_; }

  TERN_INLINE static batch load_unaligned(const T* p) {
    batch x;
    __builtin_memcpy(&x.v_, p, sizeof(x.v_));
    return x;
  }
  TERN_INLINE void store_unaligned(T* p) const { __builtin_memcpy(p, &v_, sizeof(v_)); }

  friend TERN_INLINE batch operator+(batch a, batch b) { return of(a.v_ + b.v_); }
  friend TERN_INLINE batch operator-(batch a, batch b) { return of(a.v_ - b.v_); }
  friend TERN_INLINE batch operator*(batch a, batch b) { return of(a.v_ * b.v_); }
  friend TERN_INLINE batch operator/(batch a, batch b) { return of(a.v_ / b.v_); }
  friend TERN_INLINE batch operator&(batch a, batch b) { return of(a.v_ & b.v_); }
  friend TERN_INLINE batch operator|(batch a, batch b) { return of(a.v_ | b.v_); }
  friend TERN_INLINE batch operator^(batch a, batch b) { return of(a.v_ ^ b.v_); }
  friend TERN_INLINE batch operator~(batch a) { return of(~a.v_); }
  friend TERN_INLINE batch operator<<(batch a, int n) { return of(a.v_ << static_cast<T>(n)); }
  friend TERN_INLINE batch operator>>(batch a, int n) { return of(a.v_ >> static_cast<T>(n)); }
  friend TERN_INLINE mask operator<(batch a, batch b) { return mask(a.v_ < b.v_); }
  friend TERN_INLINE mask operator>(batch a, batch b) { return mask(a.v_ > b.v_); }
  friend TERN_INLINE mask operator==(batch a, batch b) { return mask(a.v_ == b.v_); }
  friend TERN_INLINE mask operator!=(batch a, batch b) { return mask(a.v_ != b.v_); }

 private:
  template <class U, class A>
  friend batch<U, A> select(batch_bool<U, A>, batch<U, A>, batch<U, A>);
  template <class U, class A>
  friend batch<U, A> sqrt(batch<U, A>);

  TERN_INLINE static batch of(lanes_type v) {
    batch x;
    x.v_ = v;
    return x;
  }
  TERN_INLINE static lanes_type same(T x) { return x - lanes_type{}; }

  lanes_type v_;
};

template <class T, class Arch>
TERN_INLINE batch<T, Arch> select(batch_bool<T, Arch> m, batch<T, Arch> yes, batch<T, Arch> no) {
  return batch<T, Arch>::of(static_cast<typename batch_bool<T, Arch>::lanes_type>(m) ? yes.v_ : no.v_);
}
template <class T, class Arch>
TERN_INLINE batch<T, Arch> sqrt(batch<T, Arch> a) {
  for (std::size_t i = 0; i < batch<T, Arch>::size; ++i) a.v_[i] = math::sqrt(a.v_[i]);
  return a;
}

}  // namespace tern::inline TERN_ISA::impl

#endif
