// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/simt/ptx/operations.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <unordered_map>

namespace ptx {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f32 = float;
using f64 = double;

// ---------------------------------------------------------------------------------------------------------------------
// Computations of instructions for one lane

template <class T>
constexpr bool floating = std::is_floating_point_v<T>;
template <class T>
using unsigned_of = std::make_unsigned_t<T>;

/// Arithmetic of float32 gives one NaN only (PTX ISA, "Floating-Point Instructions").
inline f32 number(f32 x) { return x != x ? std::bit_cast<f32>(0x7fffffffu) : x; }
inline f64 number(f64 x) { return x; }

/// Integers wrap around: computed without a sign, in at least 32 bits.
template <class T>
using modular = std::conditional_t<sizeof(T) == 8, u64, u32>;

struct add {
  template <class T>
  static T of(T a, T b) {
    if constexpr (floating<T>)
      return number(a + b);
    else
      return static_cast<T>(static_cast<modular<T>>(a) + static_cast<modular<T>>(b));
  }
};
struct sub {
  template <class T>
  static T of(T a, T b) {
    if constexpr (floating<T>)
      return number(a - b);
    else
      return static_cast<T>(static_cast<modular<T>>(a) - static_cast<modular<T>>(b));
  }
};
struct mul {
  template <class T>
  static T of(T a, T b) {
    if constexpr (floating<T>)
      return number(a * b);
    else
      return static_cast<T>(static_cast<modular<T>>(a) * static_cast<modular<T>>(b));
  }
};
struct mul_hi {
  static u32 of(u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }
  static s32 of(s32 a, s32 b) { return static_cast<s32>(s64{a} * b >> 32); }
  __extension__ static u64 of(u64 a, u64 b) { return static_cast<u64>(static_cast<unsigned __int128>(a) * b >> 64); }
  __extension__ static s64 of(s64 a, s64 b) { return static_cast<s64>(static_cast<__int128>(a) * b >> 64); }
};
struct mad {
  template <class T>
  static T of(T a, T b, T c) {
    return add::of(mul::of(a, b), c);
  }
};
template <class W>
struct mul_wide {
  template <class T>
  static W of(T a, T b) {
    return mul::of(static_cast<W>(a), static_cast<W>(b));
  }
};
template <class W>
struct mad_wide {
  template <class T>
  static W of(T a, T b, W c) {
    return add::of(mul::of(static_cast<W>(a), static_cast<W>(b)), c);
  }
};
struct fma {
  static f32 of(f32 a, f32 b, f32 c) { return number(__builtin_fmaf(a, b, c)); }
  static f64 of(f64 a, f64 b, f64 c) { return number(__builtin_fma(a, b, c)); }
};
struct div {
  template <class T>
  static T of(T a, T b) {
    if constexpr (floating<T>) {
      return number(a / b);
    } else {
      // Division by zero gives an unspecified number, and compilers move divisions in front of the test for it.
      if (b == 0) return static_cast<T>(~T(0));
      if constexpr (std::is_signed_v<T>)
        if (b == T(-1)) return sub::of(T(0), a);
      return static_cast<T>(a / b);
    }
  }
};
struct rem {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1)) return T(0);
    return static_cast<T>(a % b);
  }
};
/// NaN is ignored where the other operand is a number, and -0 is less than +0.
struct min {
  template <class T>
  static T of(T a, T b) {
    if constexpr (floating<T>) {
      if (a != a) return number(b);
      if (b != b) return a;
      return a < b || (a == b && std::signbit(a)) ? a : b;
    } else {
      return a < b ? a : b;
    }
  }
};
struct max {
  template <class T>
  static T of(T a, T b) {
    if constexpr (floating<T>) {
      if (a != a) return number(b);
      if (b != b) return a;
      return a > b || (a == b && !std::signbit(a)) ? a : b;
    } else {
      return a > b ? a : b;
    }
  }
};
struct neg {
  template <class T>
  static T of(T a) {
    if constexpr (floating<T>)
      return -a;
    else
      return sub::of(T(0), a);
  }
};
struct abs {
  template <class T>
  static T of(T a) {
    if constexpr (floating<T>)
      return std::fabs(a);
    else
      return a < 0 ? neg::of(a) : a;
  }
};
struct sqrt {
  template <class T>
  static T of(T a) {
    return number(std::sqrt(a));
  }
};
struct rcp {
  template <class T>
  static T of(T a) {
    return number(T(1) / a);
  }
};
struct bit_and {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct bit_or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct bit_xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct bit_not {
  template <class T>
  static T of(T a) {
    return static_cast<T>(~a);
  }
};
/// Shifts by more than the width shift everything out.
struct shl {
  template <class T>
  static T of(T a, u32 n) {
    return n >= 8 * sizeof(T) ? T(0) : static_cast<T>(static_cast<modular<T>>(a) << n);
  }
};
struct shr {
  template <class T>
  static T of(T a, u32 n) {
    constexpr u32 width = 8 * sizeof(T);
    if (n >= width) return std::is_signed_v<T> && a < 0 ? static_cast<T>(-1) : T(0);
    return static_cast<T>(a >> n);
  }
};
struct same {
  template <class T>
  static T of(T a) {
    return a;
  }
};

/// Conversions. To integers out of range: the nearest; of NaN: 0, but 1 << (bits - 1) where the source is float64 or
/// the result has 64 bits (PTX ISA 9.0, "cvt").
template <class D>
struct convert {
  template <class S>
  static D of(S a) {
    if constexpr (floating<S> && !floating<D>) {
      if (a != a) {
        if (sizeof(S) < 8 && sizeof(D) < 8) return D(0);
        return static_cast<D>(std::make_unsigned_t<D>(1) << (8 * sizeof(D) - 1));
      }
      constexpr S above = -2 * static_cast<S>(std::numeric_limits<std::make_signed_t<D>>::min());
      constexpr S end = std::is_signed_v<D> ? above / 2 : above;
      if (a >= end) return std::numeric_limits<D>::max();
      if (a <= static_cast<S>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
      return static_cast<D>(a);
    } else if constexpr (floating<D>) {
      return number(static_cast<D>(a));
    } else {
      return static_cast<D>(a);
    }
  }
};
struct to_nearest {
  template <class T>
  static T of(T a) {
    return std::nearbyint(a);
  }
};
struct to_zero {
  template <class T>
  static T of(T a) {
    return std::trunc(a);
  }
};
struct to_below {
  template <class T>
  static T of(T a) {
    return std::floor(a);
  }
};
struct to_above {
  template <class T>
  static T of(T a) {
    return std::ceil(a);
  }
};
template <class D, class Rounding>
struct rounded {
  template <class S>
  static D of(S a) {
    return convert<D>::of(Rounding::of(a));
  }
};

template <class T>
bool unordered(T a, T b) {
  if constexpr (floating<T>)
    return a != a || b != b;
  else
    return false;
}
struct eq {
  template <class T>
  static bool of(T a, T b) {
    return a == b;
  }
};
struct ne {
  template <class T>
  static bool of(T a, T b) {
    return a != b && !unordered(a, b);
  }
};
struct lt {
  template <class T>
  static bool of(T a, T b) {
    return a < b;
  }
};
struct le {
  template <class T>
  static bool of(T a, T b) {
    return a <= b;
  }
};
struct gt {
  template <class T>
  static bool of(T a, T b) {
    return a > b;
  }
};
struct ge {
  template <class T>
  static bool of(T a, T b) {
    return a >= b;
  }
};
struct is_number {
  template <class T>
  static bool of(T a, T b) {
    return !unordered(a, b);
  }
};
/// True also where an operand is NaN.
template <class Compare>
struct or_nan {
  template <class T>
  static bool of(T a, T b) {
    return unordered(a, b) || Compare::of(a, b);
  }
};
struct is_nan {
  template <class T>
  static bool of(T a, T b) {
    return unordered(a, b);
  }
};

// ---------------------------------------------------------------------------------------------------------------------
// For the lanes of a warp

template <class T>
constexpr u8 bits_of = 8 * sizeof(T);

template <class T>
struct [[gnu::may_alias]] aliased {
  T value;
};

/// Lane `l` of a register as a T.
template <class T>
struct lanes {
  explicit lanes(registers& r, slot s) {
    if constexpr (sizeof(T) == 8)
      p = r.wide(s);
    else
      p = r.word(s);
  }
  T get(int l) const {
    if constexpr (sizeof(T) >= 4)
      return reinterpret_cast<const aliased<T>*>(p)[l].value;
    else
      return static_cast<T>(p[l]);
  }
  void set(int l, T x) const {
    if constexpr (sizeof(T) >= 4)
      reinterpret_cast<aliased<T>*>(p)[l].value = x;
    else  // a conversion may have a wider register: extended by zeros or by the sign
      p[l] = static_cast<u32>(std::conditional_t<std::is_signed_v<T>, s32, u32>{x});
  }
  std::conditional_t<sizeof(T) == 8, u64, u32>* p;
};

template <class... S>
lane_mask undefined_of(registers& r, const instruction& i) {
  lane_mask u = 0;
  for (std::size_t k = 0; k < sizeof...(S); ++k) u |= r.undefined(i.from[k]);
  return u;
}

template <class F, class D, class... S>
void map(registers& r, const instruction& i, lane_mask m) {
  const auto run = [&]<std::size_t... K>(std::index_sequence<K...>) {
    const lanes<D> to(r, i.to);
    const std::tuple<lanes<S>...> from(lanes<S>(r, i.from[K])...);
    if (m == all_lanes) {
      for (int l = 0; l < warp_lanes; ++l) to.set(l, F::of(std::get<K>(from).get(l)...));
    } else {
      for (int l = 0; l < warp_lanes; ++l)
        if (m >> l & 1) to.set(l, F::of(std::get<K>(from).get(l)...));
    }
  };
  run(std::index_sequence_for<S...>());
  r.taint(i.to, m, undefined_of<S...>(r, i));
}
template <class F, class T>
void compare(registers& r, const instruction& i, lane_mask m) {
  const lanes<T> a(r, i.from[0]), b(r, i.from[1]);
  lane_mask result = 0;
  for (int l = 0; l < warp_lanes; ++l) result |= lane_mask{F::of(a.get(l), b.get(l))} << l;
  lane_mask& to = r.predicate(i.to);
  to = (to & ~m) | (result & m);
  r.taint(i.to, m, undefined_of<T, T>(r, i));
}
template <class T>
void select(registers& r, const instruction& i, lane_mask m) {
  const lanes<T> to(r, i.to), a(r, i.from[0]), b(r, i.from[1]);
  const lane_mask p = r.predicate(i.from[2]);
  for (int l = 0; l < warp_lanes; ++l)
    if (m >> l & 1) to.set(l, p >> l & 1 ? a.get(l) : b.get(l));
  r.taint(i.to, m, r.undefined(i.from[2]) | (r.undefined(i.from[0]) & p) | (r.undefined(i.from[1]) & ~p));
}
template <class F, int Operands>
void combine(registers& r, const instruction& i, lane_mask m) {
  lane_mask result, u = 0;
  if constexpr (Operands == 1)
    result = F::of(r.predicate(i.from[0]));
  else
    result = F::of(r.predicate(i.from[0]), r.predicate(i.from[1]));
  for (int k = 0; k < Operands; ++k) u |= r.undefined(i.from[k]);
  lane_mask& to = r.predicate(i.to);
  to = (to & ~m) | (result & m);
  r.taint(i.to, m, u);
}

/// Two words become one wide register, and the other way round.
void pack(registers& r, const instruction& i, lane_mask m) {
  const lanes<u64> to(r, i.to);
  const lanes<u32> low(r, i.from[0]), high(r, i.from[1]);
  for (int l = 0; l < warp_lanes; ++l)
    if (m >> l & 1) to.set(l, u64{high.get(l)} << 32 | low.get(l));
  r.taint(i.to, m, undefined_of<u32, u32>(r, i));
}
void unpack(registers& r, const instruction& i, lane_mask m) {
  const lanes<u64> from(r, i.from[0]);
  for (int l = 0; l < warp_lanes; ++l) {
    if (!(m >> l & 1)) continue;
    if (i.to) r.set(i.to, l, from.get(l) & 0xffffffffu);
    if (i.second) r.set(i.second, l, from.get(l) >> 32);
  }
  if (i.to) r.taint(i.to, m, r.undefined(i.from[0]));
  if (i.second) r.taint(i.second, m, r.undefined(i.from[0]));
}

// ---------------------------------------------------------------------------------------------------------------------
// Names

template <class T>
std::string type_name() {
  return std::string(floating<T> ? "f" : std::is_signed_v<T> ? "s" : "u") + std::to_string(bits_of<T>);
}

class table {
 public:
  table() {
    integers<s16>(), integers<u16>(), integers<s32>(), integers<u32>(), integers<s64>(), integers<u64>();
    bits<u16>(), bits<u32>(), bits<u64>();
    floats<f32>(), floats<f64>();
    wide<s16, s32>(), wide<u16, u32>(), wide<s32, s64>(), wide<u32, u64>();
    add_map<mul_hi, u32, u32, u32>("mul.hi.u32", group::integer);
    add_map<mul_hi, s32, s32, s32>("mul.hi.s32", group::integer);
    add_map<mul_hi, u64, u64, u64>("mul.hi.u64", group::integer);
    add_map<mul_hi, s64, s64, s64>("mul.hi.s64", group::integer);
    conversions(types<u8, s8, u16, s16, u32, s32, u64, s64>());
    add_map<convert<f64>, f64, f32>("cvt.f64.f32", group::floating);
    add_map<convert<f32>, f32, f64>("cvt.rn.f32.f64", group::floating);
    all_["pack"] = {&pack, group::move, 2, {64, 32, 32}};
    all_["unpack"] = {&unpack, group::move, 1, {32, 64}};
    predicates();
  }
  const operation* find(std::string_view name) const {
    const auto i = all_.find(std::string(name));
    return i == all_.end() ? nullptr : &i->second;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& [name, o] : all_) found.push_back(name);
    return found;
  }

 private:
  template <class... T>
  struct types {};

  template <class F, class D, class... S>
  void add_map(const std::string& name, group g) {
    all_[name] = {&map<F, D, S...>, g, sizeof...(S), {bits_of<D>, bits_of<S>...}};
  }
  template <class F, class T>
  void add_compare(const std::string& name, const std::string& type) {
    all_["setp." + name + "." + type] = {&compare<F, T>, group::predicate, 2, {1, bits_of<T>, bits_of<T>}};
  }
  template <class T>
  void add_moves(const std::string& type) {
    add_map<same, T, T>("mov." + type, group::move);
    all_["selp." + type] = {&select<T>, group::move, 3, {bits_of<T>, bits_of<T>, bits_of<T>, 1}};
  }
  template <class T>
  void compare_all(const std::string& type) {
    add_compare<eq, T>("eq", type), add_compare<ne, T>("ne", type);
    add_compare<lt, T>("lt", type), add_compare<le, T>("le", type);
    add_compare<gt, T>("gt", type), add_compare<ge, T>("ge", type);
  }

  template <class T>
  void integers() {
    const std::string t = "." + type_name<T>();
    add_map<add, T, T, T>("add" + t, group::integer);
    add_map<sub, T, T, T>("sub" + t, group::integer);
    add_map<mul, T, T, T>("mul.lo" + t, group::integer);
    add_map<mad, T, T, T, T>("mad.lo" + t, group::integer);
    add_map<div, T, T, T>("div" + t, group::integer);
    add_map<rem, T, T, T>("rem" + t, group::integer);
    add_map<min, T, T, T>("min" + t, group::integer);
    add_map<max, T, T, T>("max" + t, group::integer);
    add_map<shr, T, T, u32>("shr" + t, group::integer);
    if constexpr (std::is_signed_v<T>) {
      add_map<neg, T, T>("neg" + t, group::integer);
      add_map<abs, T, T>("abs" + t, group::integer);
    }
    compare_all<T>(type_name<T>());
    if constexpr (!std::is_signed_v<T>)  // other names of unsigned comparisons
      for (const auto& [other, name] : {std::pair{"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}})
        all_["setp." + std::string(other) + t] = all_["setp." + std::string(name) + t];
    add_moves<T>(type_name<T>());
  }
  template <class T>
  void bits() {
    const std::string type = "b" + std::to_string(bits_of<T>), t = "." + type;
    add_map<bit_and, T, T, T>("and" + t, group::integer);
    add_map<bit_or, T, T, T>("or" + t, group::integer);
    add_map<bit_xor, T, T, T>("xor" + t, group::integer);
    add_map<bit_not, T, T>("not" + t, group::integer);
    add_map<shl, T, T, u32>("shl" + t, group::integer);
    add_map<shr, T, T, u32>("shr" + t, group::integer);
    add_compare<eq, T>("eq", type), add_compare<ne, T>("ne", type);
    add_moves<T>(type);
  }
  template <class T, class W>
  void wide() {
    add_map<mul_wide<W>, W, T, T>("mul.wide." + type_name<T>(), group::integer);
    add_map<mad_wide<W>, W, T, T, W>("mad.wide." + type_name<T>(), group::integer);
  }
  template <class T>
  void floats() {
    const std::string type = type_name<T>(), t = "." + type;
    for (const char* rounding : {"", ".rn"}) {
      add_map<add, T, T, T>(std::string("add") + rounding + t, group::floating);
      add_map<sub, T, T, T>(std::string("sub") + rounding + t, group::floating);
      add_map<mul, T, T, T>(std::string("mul") + rounding + t, group::floating);
    }
    add_map<fma, T, T, T, T>("fma.rn" + t, group::fma);
    add_map<div, T, T, T>("div.rn" + t, group::floating);
    add_map<sqrt, T, T>("sqrt.rn" + t, group::floating);
    add_map<rcp, T, T>("rcp.rn" + t, group::floating);
    add_map<neg, T, T>("neg" + t, group::floating);
    add_map<abs, T, T>("abs" + t, group::floating);
    add_map<min, T, T, T>("min" + t, group::floating);
    add_map<max, T, T, T>("max" + t, group::floating);
    add_map<to_nearest, T, T>("cvt.rni" + t + t, group::floating);
    add_map<to_zero, T, T>("cvt.rzi" + t + t, group::floating);
    add_map<to_below, T, T>("cvt.rmi" + t + t, group::floating);
    add_map<to_above, T, T>("cvt.rpi" + t + t, group::floating);
    compare_all<T>(type);
    add_compare<or_nan<eq>, T>("equ", type), add_compare<or_nan<ne>, T>("neu", type);
    add_compare<or_nan<lt>, T>("ltu", type), add_compare<or_nan<le>, T>("leu", type);
    add_compare<or_nan<gt>, T>("gtu", type), add_compare<or_nan<ge>, T>("geu", type);
    add_compare<is_number, T>("num", type), add_compare<is_nan, T>("nan", type);
    add_moves<T>(type);
  }
  template <class D, class... S>
  void conversions_to(types<S...>) {
    (add_map<convert<D>, D, S>("cvt." + type_name<D>() + "." + type_name<S>(), group::integer), ...);
    const auto of_float = [&]<class S1>(const std::string& s) {
      if constexpr (sizeof(D) >= 2) {
        add_map<rounded<D, to_nearest>, D, S1>("cvt.rni." + type_name<D>() + s, group::floating);
        add_map<rounded<D, to_zero>, D, S1>("cvt.rzi." + type_name<D>() + s, group::floating);
        add_map<rounded<D, to_below>, D, S1>("cvt.rmi." + type_name<D>() + s, group::floating);
        add_map<rounded<D, to_above>, D, S1>("cvt.rpi." + type_name<D>() + s, group::floating);
      }
      add_map<convert<S1>, S1, D>("cvt.rn" + s + "." + type_name<D>(), group::floating);
    };
    of_float.template operator()<f32>(".f32");
    of_float.template operator()<f64>(".f64");
  }
  template <class... T>
  void conversions(types<T...> all) {
    (conversions_to<T>(all), ...);
  }
  void predicates() {
    all_["and.pred"] = {&combine<bit_and, 2>, group::predicate, 2, {1, 1, 1}};
    all_["or.pred"] = {&combine<bit_or, 2>, group::predicate, 2, {1, 1, 1}};
    all_["xor.pred"] = {&combine<bit_xor, 2>, group::predicate, 2, {1, 1, 1}};
    all_["not.pred"] = {&combine<bit_not, 1>, group::predicate, 1, {1, 1}};
    all_["mov.pred"] = {&combine<same, 1>, group::predicate, 1, {1, 1}};
  }

  std::unordered_map<std::string, operation> all_;
};

const table& all_operations() {
  static const table all;
  return all;
}

}  // namespace

const operation* find_operation(std::string_view name) { return all_operations().find(name); }
std::vector<std::string> operation_names() { return all_operations().names(); }

}  // namespace ptx
