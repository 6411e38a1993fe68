// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Winograd's algorithm under relaxed numerics: the tolerance of docs/numerics.md, which is computed here from the
// points of the algorithm, and the same bits whatever the workspace, the threads and the layout.
#include <algorithm>
#include <cstring>
#include <span>

#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"
#include "tests/kernel/conv_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {
namespace {

using policy = simd<devices::native, numerics::relaxed>;
using family = convolution_kernel<policy>;

/// F(4, 3) over the points 0, +-sqrt(1/2), +-sqrt(2) and infinity, from their definition: rows of `sums` and `weights`
/// are powers of the points, those of `inputs` the coefficients of the polynomials that vanish at all other points.
struct transforms {
  long double sums[4][6] = {}, weights[6][3] = {}, inputs[6][6] = {};

  transforms() {
    const long double a = std::sqrt(0.5L), point[5] = {0, a, -a, 2 * a, -2 * a};
    for (int p = 0; p < 5; ++p) {
      long double power = 1, others = 1, product[6] = {1};  // of (x - q) over other points q, ascending
      int degree = 0;
      for (int q = 0; q < 5; ++q)
        if (q != p) others *= point[p] - point[q], multiply(product, degree, point[q]);
      for (int i = 0; i < 6; ++i) inputs[p][i] = product[i];
      for (int i = 0; i < 4; ++i, power *= point[p]) {
        sums[i][p] = power;
        if (i < 3) weights[p][i] = power / others;
      }
    }
    long double all[6] = {1};
    int degree = 0;
    for (const long double q : point) multiply(all, degree, q);
    for (int i = 0; i < 6; ++i) inputs[5][i] = all[i];
    sums[3][5] = weights[5][2] = 1;
  }
  /// Times (x - root).
  static void multiply(long double (&of)[6], int& degree, long double root) {
    ++degree;
    for (int i = degree; i > 0; --i) of[i] = of[i - 1] - root * of[i];
    of[0] *= -root;
  }
};

/// One result from the transforms: their sum, and the same with the magnitudes of everything.
template <class T>
expected by_transforms(const transforms& f, const conv_shape& s, const picture<T>& x, const filter_bank<T>& w,
                       index_t n, index_t o, index_t z, index_t py, index_t px) {
  const index_t y0 = py / 4 * 4, x0 = px / 4 * 4, sz = s.axis[0].input(z, 0);
  expected e;
  if (!s.axis[0].has(sz)) return e;
  for (index_t c = 0; c < s.in; ++c) {
    long double u[2][6][6] = {}, v[2][6][6] = {};
    const auto add = [](long double(&to)[2][6][6], int i, int j, long double term) {
      to[0][i][j] += term, to[1][i][j] += std::fabs(term);
    };
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) add(u, i, j, f.weights[i][k] * f.weights[j][l] * w(0, k, l, c, o));
        for (int k = 0; k < 6; ++k)
          for (int l = 0; l < 6; ++l) {
            const index_t iy = s.axis[1].input(y0, 0) + k, ix = s.axis[2].input(x0, 0) + l;
            if (s.axis[1].has(iy) && s.axis[2].has(ix))
              add(v, i, j, f.inputs[i][k] * f.inputs[j][l] * x(n, c, sz, iy, ix));
          }
        const long double factor = f.sums[py - y0][i] * f.sums[px - x0][j];
        e.value += factor * u[0][i][j] * v[0][i][j];
        e.magnitude += std::fabs(factor) * u[1][i][j] * v[1][i][j];
      }
  }
  return e;
}

conv_shape random_shape(std::mt19937& engine, index_t lanes) {
  const auto below = [&](index_t n) { return static_cast<index_t>(engine() % static_cast<unsigned>(n)); };
  const index_t unit = lanes < 4 ? 4 : lanes;
  conv_shape s{.batch = 1 + below(3), .groups = 1, .in = unit * (1 + below(3)), .out = unit * (1 + below(4))};
  s.axis[0] = window_over(1 + below(2), 1, 1, 1, padding::given, 0, below(2));
  for (int r = 1; r < 3; ++r) s.axis[r] = window_over(6 + below(13), 3, 1, 1, padding::given, below(3), below(3));
  return s;
}

template <class T>
void check_random(int cases) {
  std::mt19937 engine(Catch::rngSeed());
  using core = family::winograd<T>;
  const transforms f;
  constexpr index_t size = lanes<T, arch_of<devices::native>>::size;
  team threads({.threads = 3, .oversubscribe = true});
  int paid = 0;
  for (int i = 0; i < cases; ++i) {
    const conv_shape s = random_shape(engine, size);
    INFO(text(s) << ", case " << i << " of seed " << Catch::rngSeed());
    using order = typename picture<T>::order;
    const order orders[] = {order::last, order::padded, order::last};
    const order from_order = orders[engine() % 3], to_order = orders[engine() % 3];
    picture<T> x(s.batch, s.in, wide(s), from_order), y(s.batch, s.out, narrow(s), to_order, 1);
    picture<T> again(s.batch, s.out, narrow(s), orders[engine() % 3]), direct(s.batch, s.out, narrow(s));
    filter_bank<T> w(s, false);
    numbers next(static_cast<unsigned>(engine()), numbers::kind::uniform);
    x.fill(next), w.fill(next);
    poisoned<T> packed(family::template packed_size<T>(s));
    family::pack(s, static_cast<filters<const T>>(w), packed.data());
    conv_sums<T, conv_pass::forward, epilogue{}> q;
    q.shape = s, q.from = x, q.w = family::packed(static_cast<const T*>(packed.data()), s);
    const index_t wanted = family::template plan_for<T>(conv_work::forward, s).workspace_bytes;
    const index_t least = core::bytes_for(s, core::least_block);
    CHECK((wanted > 0) == core::pays(s));
    if (wanted == 0) continue;
    ++paid;
    poisoned<char> memory(3 * least + wanted + 512);
    q.to = y.get();
    family::run(serial{}, q, workspace{memory.data() + 8, wanted});
    CHECK(y.gaps_untouched());
    q.to = direct.get();
    family::run(serial{}, q);
    bool near = true, true_value = true, other = false;
    const long double u = std::numeric_limits<T>::epsilon() / 2.0L;
    const unsigned one_of = static_cast<unsigned>(s.batch * s.positions() * s.out / 100) + 1;  // each takes long
    y.each([&](index_t n, index_t o, index_t z, index_t py, index_t px) {
      other = other || !equal_bits(y(n, o, z, py, px), direct(n, o, z, py, px));
      if (engine() % one_of != 0) return;
      const expected e = by_transforms(f, s, x, w, n, o, z, py, px);
      const long double got = static_cast<long double>(y(n, o, z, py, px));
      near = near && std::fabs(got - e.value) <= static_cast<long double>(s.in + 24) * u * e.magnitude;
      true_value = true_value && std::fabs(static_cast<long double>(direct(n, o, z, py, px)) - e.value) <=
                                     static_cast<long double>(s.in * 9 + 2) * u * e.magnitude;
    });
    CHECK(near);
    CHECK(true_value);
    CHECK(other);  // or it was never used
    // The least workspace, at another place; threads.
    q.to = again.get();
    family::run(serial{}, q, workspace{memory.data() + 16, least + 64});
    CHECK(equal_bits(y, again));
    again.poison();
    family::run(threads, q, workspace{memory.data() + 64, 3 * ((least + 63) / 64 * 64)});
    CHECK(equal_bits(y, again));
  }
  CHECK(paid > cases / 3);
}

}  // namespace

TEST_CASE("Winograd's results are within the tolerance, the same bits from any workspace", "[conv][relaxed]") {
  check_random<float>(thinned(60));
  check_random<double>(thinned(20));
}

TEST_CASE("Winograd's sums go through the epilogue", "[conv][relaxed]") {
  constexpr index_t n = 2, in = 16, out = 48;
  constexpr conv2d_config plain{.in = in, .out = out, .kernel = {3, 3}, .rule = padding::same_torch};
  constexpr conv2d_config full{.in = in,
                               .out = out,
                               .kernel = {3, 3},
                               .rule = padding::same_torch,
                               .scale = true,
                               .bias = true,
                               .residual = true,
                               .act = activation::relu};
  const kernel<conv2d<plain>, policy> sums;
  const kernel<conv2d<full>, policy> all;
  const conv_sizes<2> sizes{.batch = n, .extent = {10, 13}};
  const index_t bytes = sums.workspace_bytes(sizes);
  REQUIRE(bytes > 0);
  CHECK(all.workspace_bytes(sizes) == bytes);
  CHECK(sums.workspace_bytes(sizes, 2) >= bytes / 2);
#if !defined(TERN_TEST_SSE2)
  CHECK(kernel<conv2d<plain>, simd<>>::workspace_bytes(sizes) == 0);
#endif
  numbers next(Catch::rngSeed(), numbers::kind::uniform);
  const auto random_values = [&](index_t size) {
    std::vector<float> v(static_cast<std::size_t>(size));
    for (float& x : v) x = static_cast<float>(next());
    return v;
  };
  const auto last = [](auto* p, index_t c) {
    return view<std::remove_pointer_t<decltype(p)>, dims<4>, layout_channels_last>(unchecked, p, dims<4>(n, c, 10, 13));
  };
  constexpr index_t pixels = n * 10 * 13;
  auto x = random_values(pixels * in), w = random_values(9 * in * out), scale = random_values(out),
       bias = random_values(out), r = random_values(pixels * out);
  auto y = random_values(pixels * out), start = random_values(pixels * out), z = start;
  std::vector<char> memory(static_cast<std::size_t>(bytes));
  const workspace lent{memory.data(), bytes};
  const view weights(w, extents<3, 3, in, out>{});
  const auto packed = sums.pack(weights);
  sums(last(x.data(), in), packed, last(y.data(), out), lent);
  sums(last(x.data(), in), packed, last(z.data(), out), accumulate, lent);
  auto fused = random_values(pixels * out);
  all(last(x.data(), in), all.pack(weights), scale, bias, last(r.data(), out), last(fused.data(), out), lent);
  bool added = true, equal = true;
  for (std::size_t i = 0; i < y.size(); ++i) {
    added = added && equal_bits(z[i], start[i] + y[i]);
    const std::size_t c = i % out;
    const float scaled = math::product(y[i], scale[c]);
    const float sum = scaled + bias[c] + r[i];
    equal = equal && equal_bits(fused[i], sum > 0 ? sum : 0.0f);
  }
  CHECK(added);
  CHECK(equal);

  const auto said = [&](index_t size, index_t shift) {
    return message(
        [&] { sums(last(x.data(), in), packed, last(y.data(), out), workspace{memory.data() + shift, size}); });
  };
  const index_t least =
      family::winograd<float>::bytes_for(conv_shape{.in = in, .out = out}, family::winograd<float>::least_block);
  CHECK(said(64, 0) == "simd: the workspace has 64 bytes: it must have at least " + std::to_string(least) +
                           ", or workspace_bytes() for full speed");
  CHECK(said(bytes - 8, 2) == "simd: the workspace must begin at a multiple of 4 bytes, as its elements do");
  CHECK(message([&] {
          sums(last(x.data(), in), packed, last(y.data(), out), workspace{y.data(), bytes});
        }).starts_with("conv2d: the workspace shares memory with "));
  CHECK(message([&] { sums(last(x.data(), in), packed, last(y.data(), out), workspace{x.data(), bytes}); }) ==
        "conv2d: the workspace shares memory with x");
}

TEST_CASE("Packed weights are inputs with all that they hold", "[conv][relaxed][contract]") {
  constexpr conv2d_config cfg{.in = 16, .out = 16, .kernel = {3, 3}, .rule = padding::same_torch};
  const kernel<conv2d<cfg>, policy> k;
  const index_t bytes = k.workspace_bytes({.batch = 1, .extent = {16, 16}});
  const auto packed_size = static_cast<std::size_t>(k.packed_size());
  // The packed weights begin this memory, which the workspace and y fit into.
  std::vector<float> w(9 * 16 * 16, 1), x(16 * 16 * 16, 1), y(x.size()),
      memory(std::max({packed_size, static_cast<std::size_t>(bytes) / sizeof(float), y.size()}));
  const auto packed = k.pack(view(w, extents<3, 3, 16, 16>()), std::span(memory).first(packed_size));
  const auto image = [](float* p) {
    return view<float, dims<4>, layout_channels_last>(unchecked, p, dims<4>(1, 16, 16, 16));
  };
  std::vector<char> lent(static_cast<std::size_t>(bytes));
  CHECK(message([&] { k(image(x.data()), packed, image(memory.data())); }) == "conv2d: y shares elements with w");
  CHECK(message([&] { k(image(x.data()), packed, image(y.data()), workspace{memory.data(), bytes}); }) ==
        "conv2d: the workspace shares memory with w");
  CHECK(message([&] { k(image(x.data()), packed, image(y.data()), workspace{lent.data(), bytes}); }) == "no error");
}

TEST_CASE("The data gradient of a transposed convolution is Winograd's, too", "[conv][relaxed]") {
  constexpr conv2d_config forward{.in = 16, .out = 32, .kernel = {3, 3}, .rule = padding::same_torch};
  constexpr conv_transpose2d_config back{.in = 32, .out = 16, .kernel = {3, 3}, .crop = {1, 1}, .crop_end = {1, 1}};
  const kernel<conv2d<forward>, policy> k;
  const kernel<conv_transpose2d<back>, policy> t;
  const conv_sizes<2> sizes{.batch = 1, .extent = {12, 15}};
  const index_t bytes = k.workspace_bytes(sizes);
  CHECK(t.workspace_bytes(sizes) == 0);
  CHECK(t.plan(sizes, pass::backward_data).workspace_bytes == bytes);
  numbers next(Catch::rngSeed(), numbers::kind::uniform);
  std::vector<float> x(12 * 15 * 16), w(9 * 16 * 32), y(12 * 15 * 32), dx(y.size()), direct(y.size());
  for (float& v : x) v = static_cast<float>(next());
  for (float& v : w) v = static_cast<float>(next());
  const auto last = [](float* p, index_t c) {
    return view<float, dims<4>, layout_channels_last>(unchecked, p, dims<4>(1, c, 12, 15));
  };
  std::vector<char> memory(static_cast<std::size_t>(bytes));
  const workspace lent{memory.data(), bytes};
  const view weights(w, extents<3, 3, 16, 32>{});
  k(last(x.data(), 16), k.pack(weights), last(y.data(), 32), lent);
  const auto packed = t.pack<pass::backward_data>(weights);
  t.backward_data(last(x.data(), 16), packed, last(dx.data(), 32), lent);
  t.backward_data(last(x.data(), 16), packed, last(direct.data(), 32));
  CHECK(std::memcmp(y.data(), dx.data(), y.size() * sizeof(float)) == 0);
  CHECK(std::memcmp(y.data(), direct.data(), y.size() * sizeof(float)) != 0);
}

TEST_CASE("No workspace is larger than 2 MiB for each thread", "[conv][relaxed]") {
  const auto bytes = []<index_t In>(std::integral_constant<index_t, In>) {
    constexpr conv2d_config cfg{.in = In, .out = 64, .kernel = {3, 3}, .rule = padding::same_torch};
    return kernel<conv2d<cfg>, policy>::workspace_bytes({.batch = 2, .extent = {56, 56}});
  };
  CHECK(bytes(std::integral_constant<index_t, 256>{}) > 0);
  CHECK(bytes(std::integral_constant<index_t, 256>{}) <= 2 << 20);
  CHECK(bytes(std::integral_constant<index_t, 1024>{}) <= 2 << 20);
  CHECK(bytes(std::integral_constant<index_t, 8192>{}) == 0);
}

#if !defined(TERN_TEST_SSE2)  // which has no exact numerics
TEST_CASE("Calls that Winograd's algorithm is not for give the exact bits", "[conv][relaxed]") {
  constexpr conv2d_config strided{
      .in = 16, .out = 16, .kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}, .pad_end = {1, 1}};
  numbers next(Catch::rngSeed(), numbers::kind::uniform);
  std::vector<float> x(16 * 16 * 16), w(9 * 16 * 16), y(8 * 8 * 16), z(y.size());
  for (float& v : x) v = static_cast<float>(next());
  for (float& v : w) v = static_cast<float>(next());
  const auto last = [](float* p, index_t size) {
    return view<float, dims<4>, layout_channels_last>(unchecked, p, dims<4>(1, 16, size, size));
  };
  const view weights(w, extents<3, 3, 16, 16>{});
  std::vector<float> memory(1 << 16);
  const workspace lent{memory.data(), 4 << 16};
  const kernel<conv2d<strided>, policy> relaxed;
  CHECK(relaxed.workspace_bytes({.batch = 1, .extent = {16, 16}}) == 0);
  relaxed(last(x.data(), 16), relaxed.pack(weights), last(y.data(), 8), lent);
  kernel<conv2d<strided>, simd<>>{}(last(x.data(), 16), weights, last(z.data(), 8), lent);
  bool equal = true;
  for (std::size_t i = 0; i < y.size(); ++i) equal = equal && equal_bits(y[i], z[i]);
  CHECK(equal);
}
#endif

}  // namespace tern::test
