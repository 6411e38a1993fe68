// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the calls of a translation unit, and checksums of their results.
#pragma once

#include <cstdint>
#include <cstring>

#include "tern/simd.hpp"
#include "tests/compiled/calls.hpp"

#if defined(TERN_COMPILED) && __has_include(<xsimd/xsimd.hpp>) && defined(XSIMD_HPP)
#error "files that link the compiled part include no xsimd"
#endif

namespace tern::test::inline TERN_ISA {

constexpr index_t room = 1 << 17;

/// Numbers for inputs, and room for results that holds other numbers before.
template <class T>
struct memory {
  T number[room], result[room];
  std::int32_t indices[room];
  index_t used = 0;
  record to;

  explicit memory(record r) : to(r) {
    std::uint32_t state = 1;
    for (T& x : number) {
      state = state * 1664525u + 1013904223u;
      x = static_cast<T>(static_cast<double>(state >> 8) * 0x1p-23 - 1);
    }
  }
  /// An input of these extents.
  template <class Layout = layout_channels_last, class... Extent>
  auto in(Extent... extent) {
    used = (used + 977) % (room / 2);
    if constexpr (sizeof...(Extent) == 1)
      return view<const T, dims<1>>(unchecked, number + used, dims<1>(extent...));
    else
      return view<const T, dims<sizeof...(Extent)>, Layout>(unchecked, number + used,
                                                            dims<sizeof...(Extent)>(extent...));
  }
  /// The output, which holds numbers to add to.
  template <class Layout = layout_channels_last, class... Extent>
  auto out(Extent... extent) {
    std::memcpy(result, number + room / 4, sizeof(T) * room / 2);
    if constexpr (sizeof...(Extent) == 1)
      return view<T, dims<1>>(unchecked, result, dims<1>(extent...));
    else
      return view<T, dims<sizeof...(Extent)>, Layout>(unchecked, result, dims<sizeof...(Extent)>(extent...));
  }
  void done(const char* name, index_t elements) {
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (index_t i = 0; i < elements + 16; ++i) {  // and nothing after them
      std::uint64_t bits = 0;
      std::memcpy(&bits, result + i, sizeof(T));
      sum = (sum ^ bits) * 0x100000001b3u;
    }
    to(name, sum);
  }
};

/// f(operand) where it is given, or f().
template <bool Given, class Operand, class F>
void with(const Operand& operand, F f) {
  if constexpr (Given)
    f(operand);
  else
    f();
}

/// The calls of floats(memory<float>&) and doubles(memory<double>&).
template <class Floats, class Doubles>
void calls_of_both(record to, Floats floats, Doubles doubles) {
  static memory<float> of_floats(to);
  static memory<double> of_doubles(to);
  of_floats.to = of_doubles.to = to;
  of_floats.used = of_doubles.used = 0;
  floats(of_floats);
  doubles(of_doubles);
}

}  // namespace tern::test::inline TERN_ISA
