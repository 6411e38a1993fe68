// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single instructions of the executor against C: every type, special numbers and random ones.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/simt/ptx/operations.hpp"
#include "tests/simt/ptx/run_text.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

template <class T>
std::string type_name() {
  return (std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}
template <class T>
std::string register_name(int i) {
  const char* const kind = std::is_same_v<T, float>    ? "%f"
                           : std::is_same_v<T, double> ? "%fd"
                           : sizeof(T) == 8            ? "%rd"
                           : sizeof(T) == 4            ? "%r"
                                                       : "%rs";
  return kind + std::to_string(i);
}

/// Zeros, ones, the ends of the range, subnormals, infinities and NaN, and random bits.
template <class T>
std::vector<T> inputs(std::size_t n, std::mt19937_64& random) {
  std::vector<T> x;
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    x = {T(0),
         -T(0),
         T(1),
         -T(1),
         T(1.5),
         T(2.5),
         -T(2.5),
         limits::min(),
         limits::denorm_min(),
         -limits::denorm_min(),
         limits::max(),
         limits::lowest(),
         limits::infinity(),
         -limits::infinity(),
         limits::quiet_NaN(),
         T(2147483648.0),
         T(-2147483904.0),
         T(9.3e18),
         T(0.49999997),
         T(1e-30),
         limits::epsilon()};
  else
    x = {T(0),
         T(1),
         static_cast<T>(-1),
         T(2),
         limits::min(),
         limits::max(),
         static_cast<T>(limits::max() - 1),
         T(7),
         T(8),
         T(31),
         T(32),
         T(33),
         T(63),
         T(64),
         T(65),
         T(15),
         T(16),
         T(17)};
  while (x.size() < n)
    if constexpr (std::is_floating_point_v<T>)
      x.push_back(random() % 2 ? std::bit_cast<T>(static_cast<std::conditional_t<sizeof(T) == 4, u32, u64>>(random()))
                               : static_cast<T>(static_cast<double>(static_cast<s64>(random())) * 0x1p-60));
    else
      x.push_back(static_cast<T>(random() >> (random() % 2 ? 0 : random() % 60)));
  std::shuffle(x.begin(), x.end(), random);
  return x;
}

template <class T>
bool same(T a, T b) {
  // Payloads of NaN in float64 are not defined.
  if constexpr (std::is_same_v<T, double>)
    if (std::isnan(a) && std::isnan(b)) return true;
  return std::memcmp(&a, &b, sizeof a) == 0;
}
template <class T>
T canonical(T x) {
  if constexpr (std::is_same_v<T, float>)
    return std::isnan(x) ? std::bit_cast<float>(0x7fffffffu) : x;
  else
    return x;
}

std::vector<std::string>& tested() {
  static std::vector<std::string> names;
  return names;
}

/// Runs `name` on n threads with operands of their own, and compares each result with f.
template <class D, class... S, class F>
void check(const std::string& name, F f) {
  INFO(name);
  tested().push_back(name);
  constexpr std::size_t n = 512;
  std::mt19937_64 random(Catch::rngSeed());
  std::tuple<std::vector<S>...> from(inputs<S>(n, random)...);
  std::vector<D> got(n);
  const bool predicate = name.starts_with("setp.");
  std::string body;
  const auto load = [&]<class T>(std::vector<T>&, int i) {
    const std::string at = std::to_string(i);
    body += "mul.wide.u32 %rd5, %r0, " + std::to_string(sizeof(T)) + ";\nld.param.u64 %rd6, [p" + at +
            "];\nadd.s64 %rd6, %rd6, %rd5;\nld.global." + type_name<T>() + " " + register_name<T>(10 + i) +
            ", [%rd6];\n";
  };
  const auto all = [&]<std::size_t... I>(std::index_sequence<I...>) {
    (load(std::get<I>(from), static_cast<int>(I)), ...);
    body += name + " " + (predicate ? std::string("%p1") : register_name<D>(20));
    ((body += ", " + register_name<S>(10 + static_cast<int>(I))), ...);
    body += ";\n";
    if (predicate) body += "selp.u32 %r20, 1, 0, %p1;\n";
    body += "mul.wide.u32 %rd5, %r0, " + std::to_string(sizeof(D)) + ";\nld.param.u64 %rd6, [p" +
            std::to_string(sizeof...(S)) + "];\nadd.s64 %rd6, %rd6, %rd5;\nst.global." + type_name<D>() + " [%rd6], " +
            register_name<D>(20) + ";\n";
    REQUIRE(run_ptx(ptx_kernel(static_cast<int>(sizeof...(S)) + 1, body), {.threads = {n}}, std::get<I>(from)..., got)
                .empty());
    int wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const D wanted = f(std::get<I>(from)[i]...);
      if (same(wanted, got[i])) continue;
      ++wrong;
      UNSCOPED_INFO("of " << ((std::to_string(std::get<I>(from)[i]) + " ") + ...) << ": " << std::to_string(got[i])
                          << ", not " << std::to_string(wanted));
      if (wrong == 5) break;
    }
    CHECK(wrong == 0);
  };
  all(std::index_sequence_for<S...>());
}

/// Arithmetic modulo 2^bits, as C does it without a sign.
template <class T>
using word = std::conditional_t<sizeof(T) == 8, u64, u32>;
template <class T>
T wrapped(word<T> x) {
  return static_cast<T>(x);
}
__extension__ using wide = __int128;

template <class T>
void integers() {
  const std::string t = "." + type_name<T>();
  using W = word<T>;
  check<T, T, T>("add" + t, [](T a, T b) { return wrapped<T>(W(a) + W(b)); });
  check<T, T, T>("sub" + t, [](T a, T b) { return wrapped<T>(W(a) - W(b)); });
  check<T, T, T>("mul.lo" + t, [](T a, T b) { return wrapped<T>(W(a) * W(b)); });
  check<T, T, T, T>("mad.lo" + t, [](T a, T b, T c) { return wrapped<T>(W(a) * W(b) + W(c)); });
  check<T, T, T>("min" + t, [](T a, T b) { return b < a ? b : a; });
  check<T, T, T>("max" + t, [](T a, T b) { return b > a ? b : a; });
  // Quotients round to zero; of zero nothing is said.
  const auto divisor = [](T b) { return b == 0 ? T(1) : b; };
  check<T, T, T>("div" + t, [&](T a, T b) {
    return b == 0 ? static_cast<T>(~T(0)) : static_cast<T>(static_cast<wide>(a) / static_cast<wide>(divisor(b)));
  });
  check<T, T, T>("rem" + t, [&](T a, T b) {
    return b == 0 ? a : static_cast<T>(static_cast<wide>(a) % static_cast<wide>(divisor(b)));
  });
  // Shifts by the width or more leave zeros, or the sign.
  check<T, T, u32>("shr" + t, [](T a, u32 n) { return static_cast<T>(static_cast<wide>(a) >> std::min(n, 100u)); });
  if constexpr (std::is_signed_v<T>) {
    check<T, T>("neg" + t, [](T a) { return wrapped<T>(W(0) - W(a)); });
    check<T, T>("abs" + t, [](T a) { return a < 0 ? wrapped<T>(W(0) - W(a)) : a; });
  }
  if constexpr (sizeof(T) >= 4)
    check<T, T, T>("mul.hi" + t, [](T a, T b) {
      if constexpr (sizeof(T) == 8 && !std::is_signed_v<T>) {
        __extension__ using uwide = unsigned __int128;
        return static_cast<T>(static_cast<uwide>(a) * b >> 64);
      } else {
        return static_cast<T>(static_cast<wide>(a) * b >> (8 * sizeof(T)));
      }
    });
}
template <class T>
void bits() {
  const std::string t = ".b" + std::to_string(8 * sizeof(T));
  check<T, T, T>("and" + t, [](T a, T b) { return static_cast<T>(a & b); });
  check<T, T, T>("or" + t, [](T a, T b) { return static_cast<T>(a | b); });
  check<T, T, T>("xor" + t, [](T a, T b) { return static_cast<T>(a ^ b); });
  check<T, T>("not" + t, [](T a) { return static_cast<T>(~a); });
  check<T, T, u32>("shl" + t, [](T a, u32 n) { return n >= 8 * sizeof(T) ? T(0) : static_cast<T>(u64{a} << n); });
  check<T, T, u32>("shr" + t, [](T a, u32 n) { return n >= 8 * sizeof(T) ? T(0) : static_cast<T>(u64{a} >> n); });
}
template <class T>
void floats() {
  const std::string t = "." + type_name<T>();
  for (const char* const rounding : {"", ".rn"}) {
    check<T, T, T>(std::string("add") + rounding + t, [](T a, T b) { return canonical(a + b); });
    check<T, T, T>(std::string("sub") + rounding + t, [](T a, T b) { return canonical(a - b); });
    check<T, T, T>(std::string("mul") + rounding + t, [](T a, T b) { return canonical(a * b); });
  }
  check<T, T, T, T>("fma.rn" + t, [](T a, T b, T c) { return canonical(std::fma(a, b, c)); });
  check<T, T, T>("div.rn" + t, [](T a, T b) { return canonical(a / b); });
  check<T, T>("sqrt.rn" + t, [](T a) { return canonical(std::sqrt(a)); });
  check<T, T>("rcp.rn" + t, [](T a) { return canonical(T(1) / a); });
  check<T, T>("neg" + t, [](T a) { return -a; });
  check<T, T>("abs" + t, [](T a) { return std::fabs(a); });
  const auto less = [](T a, T b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); };
  check<T, T, T>("min" + t, [&](T a, T b) {
    return std::isnan(a) ? canonical(b) : std::isnan(b) ? a : less(b, a) ? b : a;
  });
  check<T, T, T>("max" + t, [&](T a, T b) {
    return std::isnan(a) ? canonical(b) : std::isnan(b) ? a : less(a, b) ? b : a;
  });
  check<T, T>("cvt.rni" + t + t, [](T a) { return std::nearbyint(a); });
  check<T, T>("cvt.rzi" + t + t, [](T a) { return std::trunc(a); });
  check<T, T>("cvt.rmi" + t + t, [](T a) { return std::floor(a); });
  check<T, T>("cvt.rpi" + t + t, [](T a) { return std::ceil(a); });
}

template <class T, class F>
void comparison(const std::string& name, F f) {
  check<u32, T, T>("setp." + name + "." + type_name<T>(), [&](T a, T b) { return u32{f(a, b)}; });
}
template <class T>
void comparisons() {
  comparison<T>("eq", [](T a, T b) { return a == b; });
  comparison<T>("lt", [](T a, T b) { return a < b; });
  comparison<T>("le", [](T a, T b) { return a <= b; });
  comparison<T>("gt", [](T a, T b) { return a > b; });
  comparison<T>("ge", [](T a, T b) { return a >= b; });
  if constexpr (std::is_floating_point_v<T>) {
    const auto nan = [](T a, T b) { return std::isnan(a) || std::isnan(b); };
    comparison<T>("ne", [&](T a, T b) { return a < b || a > b; });
    comparison<T>("equ", [&](T a, T b) { return nan(a, b) || a == b; });
    comparison<T>("neu", [&](T a, T b) { return nan(a, b) || a != b; });
    comparison<T>("ltu", [&](T a, T b) { return nan(a, b) || a < b; });
    comparison<T>("leu", [&](T a, T b) { return nan(a, b) || a <= b; });
    comparison<T>("gtu", [&](T a, T b) { return nan(a, b) || a > b; });
    comparison<T>("geu", [&](T a, T b) { return nan(a, b) || a >= b; });
    comparison<T>("num", [&](T a, T b) { return !nan(a, b); });
    comparison<T>("nan", [&](T a, T b) { return nan(a, b); });
  } else {
    comparison<T>("ne", [](T a, T b) { return a != b; });
  }
}

template <class D, class S>
void conversion() {
  check<D, S>("cvt." + type_name<D>() + "." + type_name<S>(), [](S a) { return static_cast<D>(a); });
}
template <class D>
void integer_conversions() {
  conversion<D, u16>(), conversion<D, s16>(), conversion<D, u32>(), conversion<D, s32>();
  conversion<D, u64>(), conversion<D, s64>();
}
/// To integers: clamped to their range, NaN to 0, or to the highest bit where 64 bits take part.
template <class D, class S>
void rounding() {
  const auto clamped = [](S x) {
    if (std::isnan(x))
      return sizeof(S) == 8 || sizeof(D) == 8 ? static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1)) : D(0);
    const long double least = std::numeric_limits<D>::min(), most = std::numeric_limits<D>::max();
    return static_cast<D>(std::clamp(static_cast<long double>(x), least, most));
  };
  const std::string types = "." + type_name<D>() + "." + type_name<S>();
  check<D, S>("cvt.rni" + types, [&](S a) { return clamped(std::nearbyint(a)); });
  check<D, S>("cvt.rzi" + types, [&](S a) { return clamped(std::trunc(a)); });
  check<D, S>("cvt.rmi" + types, [&](S a) { return clamped(std::floor(a)); });
  check<D, S>("cvt.rpi" + types, [&](S a) { return clamped(std::ceil(a)); });
  check<S, D>("cvt.rn." + type_name<S>() + "." + type_name<D>(), [](D a) { return static_cast<S>(a); });
}

void all_integers() {
  integers<s16>(), integers<u16>(), integers<s32>(), integers<u32>(), integers<s64>(), integers<u64>();
  bits<u16>(), bits<u32>(), bits<u64>();
  check<s32, s16, s16>("mul.wide.s16", [](s16 a, s16 b) { return s32{a} * b; });
  check<u32, u16, u16>("mul.wide.u16", [](u16 a, u16 b) { return u32{a} * b; });
  check<s64, s32, s32>("mul.wide.s32", [](s32 a, s32 b) { return s64{a} * b; });
  check<u64, u32, u32>("mul.wide.u32", [](u32 a, u32 b) { return u64{a} * b; });
  check<s32, s16, s16, s32>("mad.wide.s16", [](s16 a, s16 b, s32 c) { return wrapped<s32>(u32(a * b) + u32(c)); });
  check<u32, u16, u16, u32>("mad.wide.u16", [](u16 a, u16 b, u32 c) { return u32{a} * b + c; });
  check<u64, u32, u32, u64>("mad.wide.u32", [](u32 a, u32 b, u64 c) { return u64{a} * b + c; });
  check<s64, s32, s32, s64>("mad.wide.s32", [](s32 a, s32 b, s64 c) {
    return static_cast<s64>(static_cast<u64>(s64{a} * b) + static_cast<u64>(c));
  });
}
void all_comparisons() {
  comparisons<s16>(), comparisons<u16>(), comparisons<s32>(), comparisons<u32>(), comparisons<s64>(),
      comparisons<u64>();
  comparisons<float>(), comparisons<double>();
}
void all_conversions() {
  integer_conversions<u16>(), integer_conversions<s16>(), integer_conversions<u32>(), integer_conversions<s32>();
  integer_conversions<u64>(), integer_conversions<s64>();
  rounding<s32, float>(), rounding<u32, float>(), rounding<s64, float>(), rounding<u64, float>();
  rounding<s32, double>(), rounding<u32, double>(), rounding<s64, double>(), rounding<u64, double>();
  rounding<s16, float>(), rounding<u16, float>(), rounding<s16, double>(), rounding<u16, double>();
  check<double, float>("cvt.f64.f32", [](float a) { return static_cast<double>(a); });
  check<float, double>("cvt.rn.f32.f64", [](double a) { return canonical(static_cast<float>(a)); });
}

TEST_CASE("every instruction of the table gives the bits of C", "[ptx]") {
  all_integers();
  floats<float>(), floats<double>();
  all_comparisons();
  all_conversions();
  // Names that other tests of this file use, or that are the same under another name.
  const auto elsewhere = [](const std::string& name) {
    for (const char* const part :
         {"mov.", "selp.", ".pred", "pack", "setp.lo.", "setp.ls.", "setp.hi.", "setp.hs.", "setp.eq.b", "setp.ne.b"})
      if (name.find(part) != std::string::npos) return true;
    return name.find("8") != std::string::npos && name.starts_with("cvt.");  // bytes: by loads and stores
  };
  for (const std::string& name : ptx::operation_names())
    if (!elsewhere(name) && std::find(tested().begin(), tested().end(), name) == tested().end())
      FAIL_CHECK(name << " was not compared");
}

TEST_CASE("conversions take the low part of a wider register", "[ptx]") {
  std::vector<u64> from{0x89abcdef01234567u, 0x00000000ffffffffu};
  std::vector<s64> to(2);
  REQUIRE(run_ptx(ptx_kernel(2,
                             "mul.wide.u32 %rd5, %r0, 8;\nadd.s64 %rd6, %rd0, %rd5;\nld.global.u64 %rd7, [%rd6];\n"
                             "cvt.s64.s32 %rd8, %rd7;\nadd.s64 %rd6, %rd1, %rd5;\nst.global.u64 [%rd6], %rd8;"),
                  {.threads = {2}}, from, to)
              .empty());
  CHECK(to == std::vector<s64>{0x01234567, -1});
}

TEST_CASE("conversions to narrow numbers extend them to the width of the register", "[ptx]") {
  std::vector<u32> to(4);
  REQUIRE(run_ptx(ptx_kernel(1,
                             "mov.u32 %r1, 0x8001ff80;\ncvt.s8.s32 %r10, %r1;\ncvt.u8.u32 %r11, %r1;\n"
                             "cvt.s16.s32 %r12, %r1;\ncvt.u16.u32 %r13, %r1;\n"
                             "st.global.u32 [%rd0], %r10;\nst.global.u32 [%rd0+4], %r11;\n"
                             "st.global.u32 [%rd0+8], %r12;\nst.global.u32 [%rd0+12], %r13;"),
                  {.threads = {1}}, to)
              .empty());
  CHECK(to == std::vector<u32>{0xffffff80u, 0x80u, 0xffffff80u, 0xff80u});
}

TEST_CASE("predicates, selections and packed registers", "[ptx]") {
  // Eight results per thread: of its lowest two bits a and b, and of a wide register made of two words.
  std::vector<u32> out(4 * 10);
  REQUIRE(run_ptx(ptx_kernel(1, R"(
and.b32 %r1, %r0, 1;
and.b32 %r2, %r0, 2;
setp.ne.s32 %p1, %r1, 0;
setp.ne.s32 %p2, %r2, 0;
and.pred %p3, %p1, %p2;
or.pred %p4, %p1, %p2;
xor.pred %p5, %p1, %p2;
not.pred %p6, %p1;
mov.pred %p7, %p2;
mov.pred %p8, -1;
mul.wide.u32 %rd5, %r0, 40;
add.s64 %rd6, %rd0, %rd5;
selp.u32 %r10, 1, 0, %p3;
st.global.u32 [%rd6], %r10;
selp.u32 %r10, 1, 0, %p4;
st.global.u32 [%rd6+4], %r10;
selp.u32 %r10, 1, 0, %p5;
st.global.u32 [%rd6+8], %r10;
selp.u32 %r10, 1, 0, %p6;
st.global.u32 [%rd6+12], %r10;
selp.u32 %r10, 1, 0, %p7;
st.global.u32 [%rd6+16], %r10;
selp.u32 %r10, 1, 0, %p8;
st.global.u32 [%rd6+20], %r10;
mov.u32 %r11, 7;
@%p1 mov.u32 %r11, 9;
@!%p2 add.s32 %r11, %r11, 100;
st.global.u32 [%rd6+24], %r11;
mov.b64 %rd7, {%r0, %r11};
mov.b64 {%r12, %r13}, %rd7;
mov.b64 {%r14, _}, %rd7;
st.global.v2.u32 [%rd6+32], {%r13, %r12};
st.global.u32 [%rd6+28], %r14;)"),
                  {.threads = {4}}, out)
              .empty());
  for (u32 t = 0; t < 4; ++t) {
    const u32 a = t & 1, b = t >> 1, last = (a ? 9u : 7u) + (b ? 0u : 100u);
    const u32 wanted[] = {a & b, a | b, a ^ b, 1 - a, b, 1, last, t, last, t};
    for (u32 i = 0; i < 10; ++i) {
      INFO("thread " << t << " result " << i);
      CHECK(out[10 * t + i] == wanted[i]);
    }
  }
}

TEST_CASE("loads and stores extend and cut", "[ptx]") {
  std::vector<std::uint8_t> in{0x80, 0x7f, 0xff, 0x01};
  std::vector<u32> out(8);
  REQUIRE(run_ptx(ptx_kernel(2, R"(
ld.global.s8 %r10, [%rd0];
ld.global.u8 %r11, [%rd0];
ld.global.s16 %r12, [%rd0+2];
ld.global.u16 %rs1, [%rd0+2];
cvt.u32.u16 %r13, %rs1;
ld.global.v4.u8 {%rs2, %rs3, %rs4, %rs5}, [%rd0];
cvt.u32.u16 %r14, %rs4;
ld.global.nc.u32 %r15, [%rd0];
ld.global.s32 %rd7, [%rd0];
st.global.v4.u32 [%rd1], {%r10, %r11, %r12, %r13};
st.global.v2.u32 [%rd1+16], {%r14, %r15};
st.global.u64 [%rd1+24], %rd7;
st.global.u8 [%rd1+19], %r11;)"),
                  {.threads = {1}}, in, out)
              .empty());
  CHECK(out == std::vector<u32>{0xffffff80u, 0x80u, 0x1ffu, 0x1ffu, 0x800000ffu, 0x01ff7f80u, 0x01ff7f80u, 0u});
}

TEST_CASE("special registers say where a thread is", "[ptx]") {
  const ptx::dimensions blocks{2, 2, 2}, threads{4, 3, 6};
  std::vector<u32> out(8 * 72 * 8);
  std::string body =
      "mov.u32 %r1, %tid.y;\nmov.u32 %r2, %tid.z;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ctaid.y;\n"
      "mov.u32 %r5, %ctaid.z;\nmov.u32 %r6, %laneid;\nmov.u32 %r7, %warpid;\nmov.u32 %r8, %ntid.x;\n"
      "mov.u32 %r9, %nctaid.x;\nmov.u32 %r10, %ntid.y;\nmov.u32 %r15, %nctaid.y;\n"
      // ((z * ny + y) * nx + x) of the thread, the block, and both
      "mad.lo.s32 %r11, %r2, %r10, %r1;\nmad.lo.s32 %r11, %r11, %r8, %r0;\n"
      "mad.lo.s32 %r12, %r5, %r15, %r4;\nmad.lo.s32 %r12, %r12, %r9, %r3;\n"
      "mov.u32 %r13, %ntid.z;\nmul.lo.s32 %r13, %r13, %r8;\nmul.lo.s32 %r13, %r13, %r10;\n"
      "mad.lo.s32 %r14, %r12, %r13, %r11;\nmul.wide.u32 %rd5, %r14, 32;\nadd.s64 %rd6, %rd0, %rd5;\n"
      "st.global.v4.u32 [%rd6], {%r0, %r1, %r2, %r3};\nst.global.v4.u32 [%rd6+16], {%r4, %r5, %r6, %r7};\n";
  REQUIRE(run_ptx(ptx_kernel(1, body), {.blocks = blocks, .threads = threads}, out).empty());
  for (u32 b = 0; b < 8; ++b)
    for (u32 t = 0; t < 72; ++t) {
      const u32 wanted[] = {t % 4, t / 4 % 3, t / 12, b % 2, b / 2 % 2, b / 4, t % 32, t / 32};
      REQUIRE(std::equal(wanted, wanted + 8, out.begin() + (b * 72 + t) * 8));
    }
}

}  // namespace
}  // namespace tern::test
