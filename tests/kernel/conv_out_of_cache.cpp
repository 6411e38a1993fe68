// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions on tensors that count as out of cache: non-temporal stores and prefetching change no bit, at any
// alignment.
#include <cstring>

#include "tern/reference.hpp"
#include "tern/simd.hpp"
#include "tests/kernel/all_in_memory.hpp"
#include "tests/kernel/conv_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {
namespace {

using beyond_cache = convolution_kernel<out_of_cache_policy>;
using near = convolution_kernel<simd<>>;

/// An image with channels last, `shift` elements after the beginning of a cache line, and guards around it.
template <class T>
class placed_image {
 public:
  placed_image(index_t samples, index_t channels, extents3 e, index_t shift)
      : size_(samples * channels * e[0] * e[1] * e[2]), memory_(static_cast<std::size_t>(size_) + 2 * line + 2, guard) {
    const auto at = reinterpret_cast<std::uintptr_t>(memory_.data());
    first_ = line - static_cast<index_t>(at % 64 / sizeof(T)) + shift;
    axis_[2] = channels, axis_[1] = channels * e[2], axis_[0] = axis_[1] * e[1], sample_ = axis_[0] * e[0];
  }
  image<T> get() { return {begin(), sample_, axis_[2], 1, {axis_[0], axis_[1], axis_[2]}}; }
  image<const T> read() { return {begin(), sample_, axis_[2], 1, {axis_[0], axis_[1], axis_[2]}}; }
  T* begin() { return memory_.data() + first_; }
  T* end() { return begin() + size_; }
  bool guards_stand() const {
    for (index_t i = 0; i < static_cast<index_t>(memory_.size()); ++i)
      if ((i < first_ || i >= first_ + size_) && memory_[static_cast<std::size_t>(i)] != guard) return false;
    return true;
  }

 private:
  static constexpr index_t line = 64 / sizeof(T);
  static constexpr T guard = 12345;
  index_t size_, first_ = 0, sample_ = 0, axis_[3] = {};
  std::vector<T> memory_;
};

/// Depthwise, or of one group, of groups that fill a vector or more, or of groups that share one.
conv_shape some_shape(std::mt19937& engine) {
  const auto below = [&](index_t n) { return static_cast<index_t>(engine() % static_cast<unsigned>(n)); };
  conv_shape s{.batch = 1 + below(3)};
  switch (below(4)) {
    case 0: s.groups = 8 * (1 + below(9)) + (below(4) == 0 ? below(8) : 0); break;
    case 1: s.in = 1 + below(20), s.out = 8 * (1 + below(6)) + (below(4) == 0 ? below(8) : 0); break;
    case 2: s.groups = 1 + below(4), s.in = 16 * (1 + below(2)), s.out = 16 * (1 + below(2)); break;
    default: s.in = s.out = index_t(2) << below(3), s.groups = 16 / s.in * (1 + below(4)) + (below(4) == 0); break;
  }
  s.axis[0] = window_over(1 + below(2), 1, 1, 1, padding::given, 0, 0);
  for (int r = 1; r < 3; ++r) {
    const index_t kernel = 1 + 2 * below(3), stride = 1 + below(2);
    s.axis[r] = window_over(5 + below(25), kernel, stride, 1, padding::given, below(kernel), below(kernel));
  }
  // Without pixels, but with padding that makes results.
  if (const index_t r = 1 + below(20); r < 3) s.axis[r] = window_over(0, 3, 1, 1, padding::given, 2, 2);
  return s;
}

template <class T, conv_pass P, epilogue E>
void check(std::mt19937& engine) {
  const auto below = [&](index_t n) { return static_cast<index_t>(engine() % static_cast<unsigned>(n)); };
  const conv_shape s = some_shape(engine);
  const bool forward = P == conv_pass::forward;
  const index_t shift = below(3) == 0 ? below(64 / sizeof(T)) : 0;
  INFO(text(s) << " shift " << shift << " seed " << Catch::rngSeed());
  const index_t results = s.groups * (forward ? s.out : s.in);
  placed_image<T> from(s.batch, s.groups * (forward ? s.in : s.out), forward ? wide(s) : narrow(s), below(3));
  placed_image<T> wanted(s.batch, results, forward ? narrow(s) : wide(s), 0),
      got(s.batch, results, forward ? narrow(s) : wide(s), shift);
  filter_bank<T> w(s, false);
  numbers next(static_cast<unsigned>(engine()), numbers::kind::uniform);
  for (T& x : from) x = static_cast<T>(next());
  for (T& x : wanted) x = static_cast<T>(next());
  std::copy(wanted.begin(), wanted.end(), got.begin());
  w.fill(next);
  poisoned<T> packed(near::packed_size<T>(s, P));
  near::pack(s, static_cast<filters<const T>>(w), packed.data(), P);
  std::vector<T> scale(static_cast<std::size_t>(results)), bias(scale.size());
  for (T& v : scale) v = static_cast<T>(next());
  for (T& v : bias) v = static_cast<T>(next());
  conv_sums<T, P, E> q;
  q.shape = s, q.from = from.read(), q.w = near::packed(static_cast<const T*>(packed.data()), s, P);
  q.scale = {scale.data(), 1, 0, 0}, q.bias = {bias.data(), 1, 0, 0};
  q.to = wanted.get();
  convolution_kernel<reference>::run({}, q);
  q.to = got.get();
  beyond_cache::run(serial{}, q);
  CHECK(std::memcmp(wanted.begin(), got.begin(), static_cast<std::size_t>(wanted.end() - wanted.begin()) * sizeof(T)) ==
        0);
  CHECK(got.guards_stand());
}

template <class T, bool Accumulate>
void check_gradient(std::mt19937& engine) {
  const conv_shape s = some_shape(engine);
  INFO(text(s) << " seed " << Catch::rngSeed());
  const auto random_order = [&] { return static_cast<typename picture<T>::order>(engine() % 5); };
  picture<T> x(s.batch, s.groups * s.in, wide(s), random_order()),
      dy(s.batch, s.groups * s.out, narrow(s), random_order());
  filter_bank<T> wanted(s, false), got(s, false);
  numbers next(static_cast<unsigned>(engine()), numbers::kind::uniform);
  x.fill(next), dy.fill(next), wanted.fill(next), got.each([&](auto... i) { got(i...) = wanted(i...); });
  conv_gradient<T, Accumulate> q;
  q.shape = s, q.x = x, q.dy = dy, q.dw = wanted.get();
  convolution_kernel<reference>::run({}, q);
  q.dw = got.get();
  beyond_cache::run(serial{}, q);
  CHECK(equal_bits(wanted, got));
}

}  // namespace

TEMPLATE_TEST_CASE("convolutions out of cache give the bits of the reference", "[conv][simd]", float, double) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < thinned(300); ++i) {
    check<TestType, conv_pass::forward, epilogue{}>(engine);
    check<TestType, conv_pass::data, epilogue{}>(engine);
    check<TestType, conv_pass::forward, epilogue{.bias = true, .act = activation::relu, .scale = true}>(engine);
    check<TestType, conv_pass::forward, epilogue{.accumulate = true}>(engine);
    check_gradient<TestType, false>(engine);
    check_gradient<TestType, true>(engine);
  }
}

}  // namespace tern::test
