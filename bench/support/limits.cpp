// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/support/limits.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "bench/harness/operands.hpp"
#include "bench/support/caches.hpp"
#include "bench/support/peak.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace tern::bench {

namespace {

using V = lanes<float, arch_of<devices::native>>;

/// Bytes of the data cache of a level, from the operating system, or else a typical size.
double cache_bytes(int wanted) {
  for (const cache& c : caches())
    if (c.level == wanted && c.type != "Instruction") return static_cast<double>(c.bytes);
  return wanted == 1 ? 32e3 : wanted == 2 ? 512e3 : 8e6;
}

/// Bytes that one thread works on at a level: most of its private caches, a part of the shared one, far more than that.
index_t block_bytes(level l, int threads) {
  double bytes = 0;
  switch (l) {
    case level::l1: bytes = cache_bytes(1) * 2 / 3; break;
    case level::l2: bytes = cache_bytes(2) * 5 / 8; break;
    case level::l3: bytes = std::max(cache_bytes(2) * 2, std::min(6e6, cache_bytes(3) / 4 / threads)); break;
    case level::memory: bytes = std::min(4 * cache_bytes(3), 1e9) / threads; break;
  }
  return static_cast<index_t>(bytes) / 4096 * 4096;
}

/// Twelve vectors at a time: loads are not held up by the additions that use them.
__attribute__((noinline)) void read(const float* p, index_t bytes) {
  constexpr int wide = 12;
  const index_t n = bytes / static_cast<index_t>(sizeof(float)), step = wide * V::size;
  V sums[wide];
  for (V& s : sums) s = V(0.0f);
  for (index_t i = 0; i + step <= n; i += step) TERN_UNROLL
  for (int j = 0; j < wide; ++j) sums[j] = sums[j] + V::load(p + i + j * V::size);
  for (V& s : sums) {
    float sink[V::size];
    s.store(sink);
    __asm__ volatile("" ::"m"(sink));
  }
}

__attribute__((noinline)) void copy(float* to, const float* from, index_t bytes) {
  constexpr int wide = 4;
  const index_t n = bytes / static_cast<index_t>(sizeof(float)), step = wide * V::size;
  for (index_t i = 0; i + step <= n; i += step) TERN_UNROLL
  for (int j = 0; j < wide; ++j) V::load(from + i + j * V::size).store(to + i + j * V::size);
}

__attribute__((noinline)) bool stream([[maybe_unused]] float* to, [[maybe_unused]] const float* from,
                                      [[maybe_unused]] index_t bytes) {
#if defined(__AVX512F__)
  for (index_t i = 0; i < bytes / 4; i += 16) _mm512_stream_ps(to + i, _mm512_load_ps(from + i));
  _mm_sfence();
  return true;
#elif defined(__AVX__)
  for (index_t i = 0; i < bytes / 4; i += 8) _mm256_stream_ps(to + i, _mm256_load_ps(from + i));
  _mm_sfence();
  return true;
#else
  return false;
#endif
}

/// The memory all loops work on, made when it is first needed.
char* memory() {
  static const buffer b = [] {
    const index_t bytes = std::max(block_bytes(level::memory, 1), block_bytes(level::l3, 1) * 64);
    buffer fresh(bytes);
    std::memset(fresh.as<char>(), 0, static_cast<std::size_t>(bytes));
    return fresh;
  }();
  return b.as<char>();
}

/// f(thread) on every thread of the setting, `n` times.
template <class F>
std::function<void(long)> on_all_threads(const setting& s, F f) {
  return [f, executor = s.executor](long n) {
    const auto task = [&](index_t thread) {
      for (long i = 0; i < n; ++i) f(thread);
    };
    if (executor)
      (*executor)(executor->concurrency(), task);
    else
      task(0);
  };
}

/// A loop over a block of memory per thread, repeated until a call takes some time.
template <class F>
limit on_blocks(const setting& s, level l, F f) {
  const index_t bytes = block_bytes(l, s.threads), times = std::max<index_t>(1, 2'000'000 / bytes);
  char* const base = memory();
  return {on_all_threads(s,
                         [=](index_t thread) {
                           for (index_t t = 0; t < times; ++t)
                             f(reinterpret_cast<float*>(base + thread * bytes), bytes);
                         }),
          static_cast<double>(bytes * times * s.threads)};
}

}  // namespace

const char* name_of(level l) {
  const char* names[] = {"L1", "L2", "L3", "memory"};
  return names[static_cast<int>(l)];
}

level level_of(double bytes, int threads) {
  if (bytes <= cache_bytes(1) * threads) return level::l1;
  if (bytes <= cache_bytes(2) * threads) return level::l2;
  return bytes <= cache_bytes(3) ? level::l3 : level::memory;
}

limit peak_limit(const setting& s, bool f64) {
  constexpr long steps = 20000;
  if (f64)
    return {on_all_threads(s, [](index_t) { multiply_add<double>(steps); }), multiply_add<double>(steps) * s.threads};
  return {on_all_threads(s, [](index_t) { multiply_add<float>(steps); }), multiply_add<float>(steps) * s.threads};
}

limit read_limit(const setting& s, level l) {
  return on_blocks(s, l, [](float* p, index_t bytes) { read(p, bytes); });
}

limit copy_limit(const setting& s, level l) {
  return on_blocks(s, l, [](float* p, index_t bytes) { copy(p + bytes / 8, p, bytes / 2); });
}

limit stream_limit(const setting& s, level l) {
  alignas(64) float from[16] = {}, to[16];
  if (!stream(to, from, sizeof to)) return {{}, 0};
  return on_blocks(s, l, [](float* p, index_t bytes) { stream(p + bytes / 8, p, bytes / 2); });
}

}  // namespace tern::bench
