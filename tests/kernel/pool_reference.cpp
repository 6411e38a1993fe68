// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools under the reference against higher precision, gone through the other way: every input is spread over the
// windows that hold it.
#include <cmath>
#include <cstdint>
#include <vector>

#include "tern/reference.hpp"

#include "tests/kernel/conv_cases.hpp"
#include "tests/kernel/pool_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {
namespace {

constexpr int cases = thinned(1000);
using kernel_of = pooling_kernel<reference>;

/// Values per window, one for each channel and result.
template <class T>
class per_result {
 public:
  explicit per_result(const pool_shape& s)
      : s_(s), v_(static_cast<std::size_t>(s.batch * s.channels * s.positions())) {}
  T& operator()(index_t n, index_t c, index_t z, index_t y, index_t x) {
    const index_t position = (z * s_.axis[1].out + y) * s_.axis[2].out + x;
    return v_[static_cast<std::size_t>((n * s_.channels + c) * s_.positions() + position)];
  }

 private:
  pool_shape s_;
  std::vector<T> v_;
};

/// f(n, c, input, result) for every tap on an input, inputs ascending.
template <class F>
void every_tap(const pool_shape& p, F f) {
  conv_shape s;
  s.batch = p.batch, s.groups = p.channels;
  for (int r = 0; r < 3; ++r) s.axis[r] = p.axis[r];
  every_product(
      s, [&](index_t n, index_t c, index_t, index_t, extents3 from, extents3, extents3 to) { f(n, c, from, to); });
}

/// Positions that the divisor counts, one after the other.
index_t divisor(const pool_shape& s, extents3 result) {
  if (s.fixed_divisor > 0) return s.fixed_divisor;
  index_t d = 1;
  for (int r = 0; r < 3; ++r) {
    const window_axis& a = s.axis[r];
    index_t count = 0;
    for (index_t t = 0; t < a.kernel; ++t) {
      const index_t at = result[static_cast<std::size_t>(r)] * a.stride + t * a.dilation;  // from the padding's begin
      count += s.count_padding ? at < a.pad + a.in + a.pad_end : at >= a.pad && at < a.pad + a.in;
    }
    d *= count;
  }
  return d;
}

template <class T>
picture<T> make(const pool_shape& s, extents3 e, std::mt19937& engine) {
  return picture<T>(s.batch, s.channels, e, static_cast<typename picture<T>::order>(engine() % 5));
}

}  // namespace

TEMPLATE_TEST_CASE("a maximum is the first of the largest inputs of its window, or NaN", "[pool][reference]", float,
                   double) {
  using T = TestType;
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    const pool_shape s = random_pool(engine);
    INFO(text(s) << ", case " << i << " of seed " << Catch::rngSeed());
    auto x = make<T>(s, inputs(s), engine), y = make<T>(s, results(s), engine), z = make<T>(s, results(s), engine),
         dy = make<T>(s, results(s), engine), dx = make<T>(s, inputs(s), engine);
    auto at = make<std::int32_t>(s, results(s), engine);
    fill_somehow(x, engine);
    pool_values<T, pool_kind::max, true> q;
    q.shape = s, q.x = x, q.y = y.get(), q.indices = at.get();
    kernel_of::run({}, q);
    pool_values<T, pool_kind::max, false> plain;
    plain.shape = s, plain.x = x, plain.y = z.get();
    kernel_of::run({}, plain);

    struct winner {
      T value = -std::numeric_limits<T>::infinity();
      index_t position = -1;
    };
    per_result<winner> w(s);
    every_tap(s, [&](index_t n, index_t c, extents3 from, extents3 to) {
      const T v = x(n, c, from[0], from[1], from[2]);
      winner& best = w(n, c, to[0], to[1], to[2]);
      if (best.position < 0 || (!std::isnan(best.value) && (v > best.value || std::isnan(v))))
        best = {v, (from[0] * s.axis[1].in + from[1]) * s.axis[2].in + from[2]};
    });
    bool right = y.gaps_untouched() && at.gaps_untouched() && equal_bits(y, z);
    y.each([&](auto... j) { right = right && equal_bits(y(j...), w(j...).value) && at(j...) == w(j...).position; });
    CHECK(right);

    // The gradient goes to the winners.
    numbers next(static_cast<unsigned>(engine()));
    dy.fill(next);
    pool_gradient<T, pool_shares::given, false> g;
    g.shape = s, g.dy = dy, g.indices = at, g.dx = dx.get();
    kernel_of::run({}, g);
    expected_picture e(s.batch, s.channels, inputs(s));
    dy.each([&](index_t n, index_t c, auto... j) {
      const index_t p = at(n, c, j...), width = s.axis[2].in, height = s.axis[1].in;
      if (p >= 0) e(n, c, p / width / height, p / width % height, p % width).add(dy(n, c, j...));
    });
    bool near = dx.gaps_untouched();
    dx.each([&](auto... j) { near = near && within_rounding(dx(j...), e(j...), s.taps(), s.taps() + 1, 0); });
    CHECK(near);
  }
}

TEMPLATE_TEST_CASE("an average is the sum of its window, divided by the counted elements", "[pool][reference]", float,
                   double) {
  using T = TestType;
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    const pool_shape s = random_pool(engine);
    INFO(text(s) << ", case " << i << " of seed " << Catch::rngSeed());
    auto x = make<T>(s, inputs(s), engine), y = make<T>(s, results(s), engine), dy = make<T>(s, results(s), engine),
         dx = make<T>(s, inputs(s), engine);
    numbers next(static_cast<unsigned>(engine()), engine() % 4 ? numbers::kind::uniform : numbers::kind::extremes);
    x.fill(next), dy.fill(next);
    pool_values<T, pool_kind::average, false> q;
    q.shape = s, q.x = x, q.y = y.get();
    kernel_of::run({}, q);
    pool_gradient<T, pool_shares::all, false> g;
    g.shape = s, g.dy = dy, g.dx = dx.get();
    kernel_of::run({}, g);

    per_result<expected> sums(s);
    expected_picture gradient(s.batch, s.channels, inputs(s));
    every_tap(s, [&](index_t n, index_t c, extents3 from, extents3 to) {
      const auto d = static_cast<long double>(divisor(s, to));
      sums(n, c, to[0], to[1], to[2]).add(x(n, c, from[0], from[1], from[2]) / d);
      gradient(n, c, from[0], from[1], from[2]).add(dy(n, c, to[0], to[1], to[2]) / d);
    });
    bool near = y.gaps_untouched() && dx.gaps_untouched();
    y.each([&](auto... j) { near = near && within_rounding(y(j...), sums(j...), s.taps(), dot_chunk, 1); });
    dx.each([&](auto... j) { near = near && within_rounding(dx(j...), gradient(j...), s.taps(), s.taps() + 1, 1); });
    CHECK(near);
  }
}

}  // namespace tern::test
