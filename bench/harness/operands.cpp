// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/operands.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <random>

#include "tests/support/bits.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tern::bench {

buffer::buffer(index_t bytes) : memory_(nullptr, [](void* p) { std::free(p); }) {
  const std::size_t huge_page = std::size_t(2) << 20, alignment = std::size_t(bytes) >= huge_page ? huge_page : 64;
  const std::size_t whole = (static_cast<std::size_t>(bytes) + 64 * 8 + alignment - 1) / alignment * alignment;
  memory_.reset(std::aligned_alloc(alignment, whole));
  if (!memory_) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (alignment > 64) ::madvise(memory_.get(), whole, MADV_HUGEPAGE);
#endif
}

namespace {

/// Uniform in [-1, 1), from the engine's bits alone: standard distributions differ between libraries.
template <class T>
T next(std::mt19937& engine) {
  if constexpr (sizeof(T) == 4)
    return static_cast<T>(static_cast<std::int32_t>(engine()) >> 8) * static_cast<T>(0x1p-23);
  const std::uint64_t high = engine(), low = engine();
  return static_cast<T>(static_cast<std::int64_t>(high << 32 | low) >> 11) * static_cast<T>(0x1p-52);
}

template <class T>
buffer filled(index_t size, unsigned seed) {
  buffer b(size * static_cast<index_t>(sizeof(T)));
  std::mt19937 engine(seed);
  std::generate_n(b.as<T>(), size, [&] { return next<T>(engine); });
  std::fill_n(b.as<T>() + size, 64, T(0));
  return b;
}

/// One element of the result: in the canonical order, and as precisely as the machine can.
template <class T>
struct element_of_result {
  T canonical;
  long double precise;
};

template <class T>
element_of_result<T> element_at(const problem& p, const product& q, const operands& x, index_t item, index_t i,
                                index_t j) {
  using wide = std::conditional_t<sizeof(T) == 4, double, long double>;
  const T* a = x.left<T>() + item * q.a_size() + (q.ta ? i : i * q.k);
  const T* b = x.right<T>() + item * q.b_size() + (q.tb ? j * q.k : j);
  const index_t a_step = q.ta ? q.m : 1, b_step = q.tb ? 1 : q.n;
  T total = 0;
  wide precise = 0;
  for (index_t k0 = 0; k0 < q.k; k0 += q.chunk) {
    T sum = 0;
    for (index_t k = k0; k < std::min(q.k, k0 + q.chunk); ++k) {
      sum = std::fma(a[k * a_step], b[k * b_step], sum);
      precise += static_cast<wide>(a[k * a_step]) * static_cast<wide>(b[k * b_step]);
    }
    total = total + sum;
  }
  const auto add = [&](T y) {
    total = total + y;
    precise += y;
  };
  if (p.op.bias) add(x.bias<T>()[j]);
  if (p.op.residual) add(x.residual<T>()[item * q.c_size() + i * q.n + j]);
  if (p.op.act == activation::relu) {
    total = T(0) > total ? T(0) : total;
    precise = precise < 0 ? 0 : precise;
  }
  return {total, precise};
}

template <class T>
verdict check_elements(const problem& p, const operands& x) {
  const product q = p.as_product();
  const index_t total = q.batch * q.c_size();
  const double affordable = 2e7 / static_cast<double>(q.k);
  const index_t count = std::min(total, std::max<index_t>(200, static_cast<index_t>(affordable)));
  std::mt19937_64 engine(7);
  long double difference = 0, size = 0;
  verdict v;
  v.canonical = true;
  for (index_t s = 0; s < count; ++s) {  // all of it, or one element of every count-th part
    const index_t low = total * s / count, high = total * (s + 1) / count;
    const index_t at = low + static_cast<index_t>(engine() % static_cast<std::uint64_t>(high - low));
    const auto wanted = element_at<T>(p, q, x, at / q.c_size(), at / q.n % q.m, at % q.n);
    const T got = x.out<T>()[at];
    difference += (got - wanted.precise) * (got - wanted.precise);
    size += wanted.precise * wanted.precise;
    v.canonical = v.canonical && test::equal_bits(got, wanted.canonical);
  }
  v.error = static_cast<double>(std::sqrt(difference / std::max(size, 1e-300L)));
  // Rounding errors of k steps of either sign; any order of evaluation stays far below.
  v.tolerance = 4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::sqrt(static_cast<double>(q.k + 8));
  v.checksum = checksum_of(p, x);
  return v;
}

template <class T>
std::uint64_t checksum_of_elements(const problem& p, const operands& x) {
  const product q = p.as_product();
  test::checksum sum;
  for (index_t i = 0; i < q.batch * q.c_size(); ++i) sum.add(x.out<T>()[i]);
  return sum.value();
}

}  // namespace

operands::operands(const problem& p) : f64_(p.f64) {
  const product q = p.as_product();
  out_size_ = q.batch * q.c_size();
  const auto make = [&](index_t size, unsigned seed) {
    return f64_ ? filled<double>(size, seed) : filled<float>(size, seed);
  };
  left_ = make(q.batch * q.a_size(), 1);
  right_ = make(q.batch * q.b_size(), 2);
  out_ = make(out_size_, 3);
  if (p.op.bias) bias_ = make(q.n, 4);
  if (p.op.residual) residual_ = make(out_size_, 5);
}

void operands::poison() const {
  if (f64_)
    std::fill_n(out<double>(), out_size_, -7.7e33);
  else
    std::fill_n(out<float>(), out_size_, -7.7e33f);
}

verdict check(const problem& p, const operands& x) {
  return p.f64 ? check_elements<double>(p, x) : check_elements<float>(p, x);
}

std::uint64_t checksum_of(const problem& p, const operands& x) {
  return p.f64 ? checksum_of_elements<double>(p, x) : checksum_of_elements<float>(p, x);
}

}  // namespace tern::bench
