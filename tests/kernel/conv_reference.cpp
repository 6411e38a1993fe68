// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions under the reference against higher precision, in every pass.
#include "tern/reference.hpp"

#include "tests/kernel/conv_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

constexpr int cases = thinned(2000);
using kernel_of = convolution_kernel<reference>;

template <class T, conv_pass P>
void check_sums() {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    const conv_shape s = random_conv(engine);
    INFO(text(s) << ", case " << i << " of seed " << Catch::rngSeed());
    constexpr bool forward = P == conv_pass::forward;
    const auto random_order = [&] { return static_cast<typename picture<T>::order>(engine() % 5); };
    picture<T> from(s.batch, s.groups * (forward ? s.in : s.out), forward ? wide(s) : narrow(s), random_order());
    picture<T> to(s.batch, s.groups * (forward ? s.out : s.in), forward ? narrow(s) : wide(s), random_order());
    filter_bank<T> w(s, engine() % 2);
    numbers next(static_cast<unsigned>(engine()), engine() % 4 ? numbers::kind::uniform : numbers::kind::extremes);
    from.fill(next), w.fill(next);
    conv_sums<T, P, epilogue{}> q;
    q.shape = s, q.from = from, q.w = w, q.to = to.get();
    kernel_of::run({}, q);
    expected_picture e = expected_sums(s, P, from, w);
    bool near = to.gaps_untouched();
    const index_t k = s.taps() * q.summed(), chunks = s.taps() + k / dot_chunk + 1;
    to.each([&](auto... at) {
      near = near && within_rounding(to(at...), e(at...), k, dot_chunk, static_cast<int>(chunks));
    });
    CHECK(near);
  }
}

TEMPLATE_TEST_CASE("a convolution is the sum of its products", "[conv][reference]", float, double) {
  check_sums<TestType, conv_pass::forward>();
}

TEMPLATE_TEST_CASE("a data gradient is the sum of its products", "[conv][reference]", float, double) {
  check_sums<TestType, conv_pass::data>();
}

TEMPLATE_TEST_CASE("weight and bias gradients are the sums of their products", "[conv][reference]", float, double) {
  using T = TestType;
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < cases; ++i) {
    const conv_shape s = random_conv(engine);
    INFO(text(s) << ", case " << i << " of seed " << Catch::rngSeed());
    const auto random_order = [&] { return static_cast<typename picture<T>::order>(engine() % 5); };
    picture<T> x(s.batch, s.groups * s.in, wide(s), random_order()),
        dy(s.batch, s.groups * s.out, narrow(s), random_order());
    filter_bank<T> dw(s, engine() % 2);
    numbers next(static_cast<unsigned>(engine()));
    x.fill(next), dy.fill(next);
    conv_gradient<T, false> q;
    q.shape = s, q.x = x, q.dy = dy, q.dw = dw.get();
    kernel_of::run({}, q);

    std::vector<expected> e(static_cast<std::size_t>(s.taps() * s.in * s.groups * s.out));
    const auto at = [&](index_t tz, index_t ty, index_t tx, index_t c, index_t o) -> expected& {
      const index_t tap = (tz * s.axis[1].kernel + ty) * s.axis[2].kernel + tx;
      return e[static_cast<std::size_t>((tap * s.in + c) * s.groups * s.out + o)];
    };
    every_product(s, [&](index_t n, index_t g, index_t c, index_t o, extents3 from, extents3 t, extents3 p) {
      at(t[0], t[1], t[2], c, g * s.out + o)
          .add(static_cast<long double>(x(n, g * s.in + c, from[0], from[1], from[2])) *
               dy(n, g * s.out + o, p[0], p[1], p[2]));
    });
    const index_t k = s.batch * s.positions();
    const int chunks = static_cast<int>(s.batch + k / dot_chunk + 1);
    bool near = true;
    dw.each([&](auto... j) { near = near && within_rounding(dw(j...), at(j...), k, dot_chunk, chunks); });
    CHECK(near);

    std::vector<T> dbias(static_cast<std::size_t>(s.groups * s.out));
    const place_box all{s.batch, {s.axis[0].out, s.axis[1].out, s.axis[2].out}};
    place_sums_kernel<reference>::run(
        {}, image_sums<false>(all, s.groups * s.out, scattered(static_cast<image<const T>>(dy)),
                              operand<T>{dbias.data(), 1, 0, 0}));
    std::vector<expected> b(dbias.size());
    dy.each([&](index_t n, index_t c, index_t z, index_t y, index_t z2) {
      b[static_cast<std::size_t>(c)].add(dy(n, c, z, y, z2));
    });
    for (std::size_t c = 0; c < b.size(); ++c) near = near && within_rounding(dbias[c], b[c], k, dot_chunk, chunks);
    CHECK(near);
  }
}

}  // namespace tern::test
