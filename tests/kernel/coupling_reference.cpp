// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Couplings and streams under the reference against integers and long double, and by hand; what leaves a stream.
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "tern/reference.hpp"
#include "tests/kernel/coupling_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using enum stream_kind;

template <coupling_config C, class T = float>
using op = kernel<coupling<C, T>, reference>;
template <class T>
using integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
template <class T>
inline constexpr int digits = std::numeric_limits<T>::digits;

template <class T>
auto rows(std::vector<T>& v, index_t n) {
  return view<T, dims<2>>(unchecked, v.data(), dims<2>(n, static_cast<index_t>(v.size()) / n));
}

/// Whole steps of 2^-bits, or the nearest that is within bounds.
template <class T>
long double steps(T f, int bits, long double least, long double most) {
  if (std::isnan(f)) return 0;
  const long double s = std::ldexp(static_cast<long double>(f), bits);
  return std::nearbyint(s < least ? least : s > most ? most : s) + 0.0L;
}
template <class T>
integer<T> fixed_steps(T f, int bits) {
  const long double end = std::ldexp(1.0L, 8 * sizeof(T) - 1);
  return static_cast<integer<T>>(
      steps(f, bits, -end, static_cast<long double>(std::nextafter(static_cast<T>(end), T(0)))));
}
template <class T>
T fixed_sum(T x, T f, int bits, bool inverse) {
  using word = std::make_unsigned_t<integer<T>>;
  const word a = __builtin_bit_cast(word, x), b = static_cast<word>(fixed_steps(f, bits));
  return __builtin_bit_cast(T, static_cast<word>(inverse ? a - b : a + b));
}
template <class T>
T in_range(long double x, int bits) {
  return std::fabs(x) < std::ldexp(1.0L, digits<T> - bits) ? static_cast<T>(x) : std::numeric_limits<T>::quiet_NaN();
}
template <class T>
T grid_sum(T x, T f, int bits, bool inverse) {
  const long double most = std::ldexp(1.0L, digits<T> - 2), s = std::ldexp(steps(f, bits, -most, most), -bits);
  return in_range<T>(inverse ? static_cast<long double>(x) - s : static_cast<long double>(x) + s, bits);
}

template <stream_kind S, class T, int Bits>
void check_recipe() {
  std::mt19937 engine(Catch::rngSeed());
  constexpr coupling_config C{.stream = S, .bits = Bits};
  std::vector<T> x(4096), f(x.size()), y(x.size()), back(x.size()), s(x.size()), number(x.size());
  for (T& v : x) v = any_number<T, Bits>(engine);
  for (T& v : f) v = any_number<T, Bits>(engine);
  if constexpr (S == grid)  // a stream, not just any number
    for (T& v : x)
      v = in_range<T>(std::ldexp(std::nearbyint(std::ldexp(static_cast<long double>(v), Bits)), -Bits) + 0.0L, Bits);
  const op<C, T> k;
  k(rows(x, 8), rows(f, 8), rows(y, 8));
  k.inverse(rows(x, 8), rows(f, 8), rows(back, 8));
  k.to_stream(rows(f, 8), rows(s, 8));
  k.from_stream(rows(x, 8), rows(number, 8));
  int wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if constexpr (S == fixed_point) {
      const T n = std::ldexp(static_cast<T>(__builtin_bit_cast(integer<T>, x[i])), -Bits);
      wrong += !same_memory(y[i], fixed_sum(x[i], f[i], Bits, false)) ||
               !same_memory(back[i], fixed_sum(x[i], f[i], Bits, true)) ||
               !same_memory(s[i], fixed_sum(T(0), f[i], Bits, false)) || !same_memory(number[i], n);
    } else {
      const long double steps_of_f = std::ldexp(static_cast<long double>(f[i]), Bits);
      const T nearest = in_range<T>(std::ldexp(std::nearbyint(steps_of_f), -Bits) + 0.0L, Bits);
      wrong += !same_memory(y[i], grid_sum(x[i], f[i], Bits, false)) ||
               !same_memory(back[i], grid_sum(x[i], f[i], Bits, true)) || !same_memory(s[i], nearest) ||
               !same_memory(number[i], x[i]);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("couplings and streams agree with their definitions", "[coupling]") {
  check_recipe<fixed_point, float, 1>();
  check_recipe<fixed_point, float, 16>();
  check_recipe<fixed_point, float, 30>();
  check_recipe<fixed_point, double, 1>();
  check_recipe<fixed_point, double, 32>();
  check_recipe<fixed_point, double, 62>();
  check_recipe<grid, float, 1>();
  check_recipe<grid, float, 12>();
  check_recipe<grid, float, 22>();
  check_recipe<grid, double, 26>();
  check_recipe<grid, double, 51>();
}

TEST_CASE("steps of fixed-point streams are counted by hand", "[coupling]") {
  const auto steps_of = [](float f) {
    std::vector<float> x{f}, s(1);
    op<coupling_config{.bits = 16}>{}.to_stream(rows(x, 1), rows(s, 1));
    return __builtin_bit_cast(std::int32_t, s[0]);
  };
  CHECK(steps_of(1) == 65536);
  CHECK(steps_of(-1.5f) == -98304);
  CHECK(steps_of(0x1p-17f) == 0);  // halves go to what is even
  CHECK(steps_of(0x3p-17f) == 2);
  CHECK(steps_of(-0x1p-17f) == 0);
  CHECK(steps_of(-0x3p-17f) == -2);
  CHECK(steps_of(100.0f + 0x1p-17f) == 6553600);
  CHECK(steps_of(INFINITY) == 0x7fffff80);
  CHECK(steps_of(-INFINITY) == std::numeric_limits<std::int32_t>::min());
  CHECK(steps_of(NAN) == 0);
  CHECK(steps_of(-0.0f) == 0);
}

TEST_CASE("the default of .bits is half of the precision of an element", "[coupling]") {
  CHECK(coupling<>::bits == 16);
  CHECK(coupling<coupling_config{}, double>::bits == 32);
  CHECK(coupling<coupling_config{.stream = grid}>::bits == 12);
  CHECK(coupling<coupling_config{.stream = grid}, double>::bits == 26);
  CHECK(coupling<coupling_config{.stream = drifting}>::bits == 0);
  CHECK(coupling<coupling_config{.bits = 20}>::bits == 20);
}

TEST_CASE("sums that leave a grid are NaN, and stay it", "[coupling]") {
  const op<coupling_config{.stream = grid, .bits = 12}> k;  // below 4096
  std::vector<float> x{4095, -4095, 4095, 0, 0}, f{1 - 0x1p-12f, -1, 1, 1e30f, -INFINITY}, y(5), none(5, 0);
  k(rows(x, 1), rows(f, 1), rows(y, 1));
  CHECK(y[0] == 4096 - 0x1p-12f);
  CHECK(std::isnan(y[1]));
  CHECK(std::isnan(y[2]));
  CHECK(y[3] == 1024);  // cut off
  CHECK(y[4] == -1024);
  k.inverse(rows(y, 1), rows(f, 1), rows(y, 1));
  CHECK((std::isnan(y[1]) && std::isnan(y[2])));
  k(rows(y, 1), rows(none, 1), rows(y, 1));
  CHECK((std::isnan(y[1]) && std::isnan(y[2])));
  CHECK(y[0] == 4095);
  k.from_stream(rows(y, 1), rows(y, 1));
  CHECK((std::isnan(y[1]) && std::isnan(y[2])));
  std::vector<float> extreme{4096 - 0x1p-12f, 4096, -INFINITY, NAN, -0.0f};
  k.to_stream(rows(extreme, 1), rows(extreme, 1));
  CHECK(extreme[0] == 4096 - 0x1p-12f);
  CHECK((std::isnan(extreme[1]) && std::isnan(extreme[2]) && std::isnan(extreme[3])));
  CHECK(!std::signbit(extreme[4]));  // or 0 + 0 would not give it back
}

TEST_CASE("fixed-point streams wrap around, and back", "[coupling]") {
  const op<coupling_config{}> k;
  std::vector<float> x{32767.5f}, f{1}, s(1), y(1), number(1);
  k.to_stream(rows(x, 1), rows(s, 1));
  k(rows(s, 1), rows(f, 1), rows(y, 1));
  k.from_stream(rows(y, 1), rows(number, 1));
  CHECK(number[0] == -32767.5f);
  k.inverse(rows(y, 1), rows(f, 1), rows(y, 1));
  CHECK(same_memory(s, y));
}

}  // namespace
}  // namespace tern::test
