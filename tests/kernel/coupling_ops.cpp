// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Couplings there and back, at any depth; their calls under every policy; what wrong calls say. Parity is in
// tests/driver/coupling.hpp.
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "tests/kernel/coupling_cases.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using enum stream_kind;

template <coupling_config C, class T = float, class Policy = simd<>>
using op = kernel<coupling<C, T>, Policy>;

template <class T>
auto rows(std::vector<T>& v, index_t n) {
  return view<T, dims<2>>(unchecked, v.data(), dims<2>(n, static_cast<index_t>(v.size()) / n));
}
// --- There and back
// ------------------------------------------------------------------------------------------------------

/// Many couplings in place and back again.
/// \param next  what is added, with any numbers where the stream bears them
template <coupling_config C, class T, class Policy, class Next, class... State>
void check_way_back(int depth, std::vector<T> x, Next next, State&... state) {
  const op<C, T, Policy> k;
  const index_t c = 13, l = static_cast<index_t>(x.size()) / (2 * c);
  const auto image = [&](std::vector<T>& v) { return last(v, index_t{2}, c, l); };
  std::vector<T> s(x.size()), now, there(x.size());
  k.to_stream(state..., image(x), image(s));
  now = s;
  std::vector<std::vector<T>> added;
  for (int i = 0; i < depth; ++i) {
    added.emplace_back(x.size());
    for (T& f : added.back()) f = next();
    k(state..., image(now), image(added.back()), image(now));
  }
  there = now;
  for (int i = depth; i-- > 0;) k.inverse(state..., image(now), image(added[static_cast<std::size_t>(i)]), image(now));
  CHECK(same_memory(now, s));
  CHECK(!same_memory(there, s));
  k.from_stream(state..., image(now), image(now));
  const T step = std::ldexp(T(1), -coupling<C, T>::bits);
  bool near = true;
  for (std::size_t i = 0; i < x.size(); ++i) near = near && std::fabs(now[i] - x[i]) <= step / 2;
  CHECK(near);
}

TEMPLATE_TEST_CASE("an inverse returns all bits of a fixed-point stream, whatever was added", "[coupling][law]", float,
                   double) {
  std::mt19937 engine(Catch::rngSeed());
  constexpr coupling_config C{};
  constexpr int bits = coupling<C, TestType>::bits;
  const auto x = random_vector<TestType>(2 * 13 * 29, 1);
  for (const int depth : {1, 2, 17, 200})  // sums wrap around many times
    check_way_back<C, TestType, simd<>>(depth, x, [&] { return any_number<TestType, bits>(engine); });
  check_way_back<C, TestType, reference>(20, x, [&] { return any_number<TestType, bits>(engine); });
}

TEMPLATE_TEST_CASE("an inverse returns all bits of a stream on a grid", "[coupling][law]", float, double) {
  std::mt19937 engine(Catch::rngSeed());
  constexpr coupling_config C{.stream = grid};
  const auto x = random_vector<TestType>(2 * 13 * 29, 1);
  const auto next = [&] {  // 200 of them stay within the range
    const TestType odd[] = {TestType(NAN), TestType(-0.0), std::numeric_limits<TestType>::denorm_min()};
    const TestType f = static_cast<TestType>(static_cast<std::int32_t>(engine())) * TestType(0x1p-28);
    return engine() % 16 == 0 ? odd[engine() % 3] : f;
  };
  for (const int depth : {1, 2, 17, 200}) check_way_back<C, TestType, simd<>>(depth, x, next);
  check_way_back<C, TestType, reference>(20, x, next);
}

TEST_CASE("a float stream drifts, and little", "[coupling][law]") {
  auto x = random_vector(4096, 1), f = random_vector(4096, 2);
  auto y = x;
  const op<coupling_config{.stream = drifting}> k;
  k(rows(y, 8), rows(f, 8), rows(y, 8));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == x[i] + f[i]);
  k.inverse(rows(y, 8), rows(f, 8), rows(y, 8));
  CHECK(!same_memory(x, y));
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::fabs(x[i] - y[i]) <= 0x1p-22f);
}

// --- Calls
// -----------------------------------------------------------------------------------------------------------------

TEST_CASE("couplings have the same calls under every policy", "[coupling]") {
  std::mt19937 engine(Catch::rngSeed());
  constexpr coupling_config C{};
  const index_t n = 3, c = 19, h = 7, w = 9;
  std::vector<float> x(static_cast<std::size_t>(n * c * h * w)), f(x.size());
  for (float& v : x) v = any_number<float, 16>(engine);
  for (float& v : f) v = any_number<float, 16>(engine);
  const auto results = [&]<class Policy>(std::type_identity<Policy>, auto&&... state) {
    const op<C, float, Policy> k;
    const view planes(f, dims<4>(n, c, h, w));
    std::vector<float> y(x.size()), back(x.size()), s(x.size()), real(x.size());
    k(state..., last(x, n, c, h, w), planes, last(y, n, c, h, w));
    k.inverse(state..., last(y, n, c, h, w), planes, last(back, n, c, h, w));
    CHECK(same_memory(back, x));
    k.to_stream(state..., planes, last(s, n, c, h, w));
    k.from_stream(state..., last(s, n, c, h, w), last(real, n, c, h, w));
    y.insert(y.end(), s.begin(), s.end());
    y.insert(y.end(), real.begin(), real.end());
    return y;
  };
  const std::vector<float> wanted = results(std::type_identity<reference>{});
  CHECK(same_memory(wanted, results(std::type_identity<simd<>>{})));
  team four({.threads = 4, .oversubscribe = true});
  CHECK(same_memory(wanted, results(std::type_identity<simd<>>{}, four)));
  const auto shape = last(x, n, c, h, w);
  CHECK(same_memory(wanted, results(std::type_identity<mimd<>>{}, op<C, float, mimd<>>::make_state(shape))));
  using tiles = mimd<few_tiles>;
  CHECK(same_memory(wanted, results(std::type_identity<tiles>{}, op<C, float, tiles>::make_state(shape))));
  CHECK(same_memory(wanted, results(std::type_identity<simt<>>{})));
  CHECK(same_memory(wanted, results(std::type_identity<simt<>>{}, simt_host{.reverse = true})));
}

TEST_CASE("wrong calls of couplings are named, and nothing is written", "[coupling][contract]") {
  std::vector<float> memory(200, 1), out(200, 7);
  float *p = memory.data(), *q = out.data(), *none = nullptr;
  const auto at = [](float* to, index_t n, index_t c) { return view<float, dims<2>>(unchecked, to, dims<2>(n, c)); };
  const op<coupling_config{}> k;
  const auto x = at(p, 4, 6), f = at(p + 50, 4, 6), y = at(q, 4, 6);
  CHECK(message([&] { k(x, at(p + 50, 4, 5), y); }) == "coupling: f is 4x5 and x is 4x6: their shapes must be equal");
  CHECK(message([&] { k(x, f, at(q, 6, 4)); }) == "coupling: y is 6x4 and x is 4x6: their shapes must be equal");
  CHECK(message([&] { k.inverse(x, f, at(q, 6, 4)); }) ==
        "coupling: x is 6x4 and y is 4x6: their shapes must be equal");
  CHECK(message([&] { k.to_stream(x, at(q, 3, 6)); }) == "coupling: s is 3x6 and x is 4x6: their shapes must be equal");
  CHECK(message([&] { k.from_stream(x, at(q, 3, 6)); }) ==
        "coupling: y is 3x6 and s is 4x6: their shapes must be equal");
  CHECK(message([&] { k(at(none, 4, 6), f, y); }) == "coupling: x is a null view of 4x6 elements");
  CHECK(message([&] { k(x, at(none, 4, 6), y); }) == "coupling: f is a null view of 4x6 elements");
  CHECK(message([&] { k.inverse(x, f, at(none, 4, 6)); }) == "coupling: x is a null view of 4x6 elements");
  CHECK(message([&] { k(at(q, 4, 6), f, at(q + 1, 4, 6)); }) ==
        "coupling: y shares elements with x, and is not that tensor itself");
  CHECK(message([&] { k(x, at(q + 2, 4, 6), y); }) ==
        "coupling: y shares elements with f, and is not that tensor itself");
  CHECK(message([&] { k.to_stream(at(q + 2, 4, 6), y); }) ==
        "coupling: s shares elements with x, and is not that tensor itself");
  const view folded(unchecked, q, layout_strided::mapping(dims<2>(4, 6), 3, 1));
  CHECK(message([&] { k(x, f, folded); }) == "coupling: the strides of y give two results one element");
  CHECK(message([&] { k.to_stream(at(none, index_t{1} << 40, 1 << 20), y); }) ==
        "coupling: x is 1099511627776x1048576: no machine can address so many elements");
  CHECK(out == std::vector<float>(200, 7));
  CHECK(message([&] { k(x, f, x), k.inverse(x, f, x), k(x, f, f); }) == "no error");
  CHECK(message([&] { k(at(none, 0, 6), at(none, 0, 6), at(none, 0, 6)); }) == "no error");
}

TEST_CASE("plans of couplings state bytes read and written, and operations", "[coupling][contract]") {
  float* const none = nullptr;
  const view<float, dims<3>, layout_channels_last> x(unchecked, none, dims<3>(4, 6, 5));
  const plan p = op<coupling_config{}>::plan(x);
  CHECK(std::string(p.op) == "coupling");
  CHECK(p.bytes_moved == 3 * 4 * 6 * 5 * 4);
  CHECK(p.m == 20);
  CHECK(p.n == 6);
  CHECK(op<coupling_config{.stream = drifting}>::plan(x).flops == 4 * 6 * 5);
  CHECK(op<coupling_config{}>::plan(view<float, dims<2>>(unchecked, none, dims<2>(1 << 20, 64)), pass::forward, 4)
            .units == 4);
  CHECK(message([&] { op<coupling_config{}>::plan(x, pass::backward_data); }) ==
        "coupling: it has no gradients of its own: the pass of a plan must be forward");
}

}  // namespace
}  // namespace tern::test
