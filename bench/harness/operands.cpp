// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/operands.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <random>

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

}  // namespace

operands::operands(const problem& p) : f64_(p.f64) {
  out_size_ = p.out_size();
  const auto make = [&](index_t size, unsigned seed) {
    return f64_ ? filled<double>(size, seed) : filled<float>(size, seed);
  };
  left_ = make(p.left_size(), 1);
  right_ = make(p.right_size(), 2);
  out_ = make(out_size_, 3);
  if (p.op.bias || p.parameter_size() > 0) bias_ = make(p.op.bias ? p.op.n : p.parameter_size(), 4);
  if (p.op.residual) residual_ = make(out_size_, 5);
}

void operands::poison() const {
  if (f64_)
    std::fill_n(out<double>(), out_size_, -7.7e33);
  else
    std::fill_n(out<float>(), out_size_, -7.7e33f);
}

}  // namespace tern::bench
