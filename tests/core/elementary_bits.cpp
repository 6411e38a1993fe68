// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementary functions give the same bits for numbers and for every vector type that this file is compiled for,
// and the bits on record whatever the instruction set, the compiler and its -ffp-contract.
#if __has_include(<xsimd/types/xsimd_emulated_register.hpp>)
#define XSIMD_WITH_EMULATED 1
#endif
#include "tern/exec/cpu/lanes.hpp"

#include <cinttypes>
#include <cstdio>
#include <random>
#include <string>

#include "tern/device/catalog.hpp"
#include "tests/core/elementary.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

/// Some of everything: special numbers, all exponents, and where the functions are not yet constant.
template <class T>
std::vector<T> mixed_numbers(unsigned seed) {
  std::vector<T> x = special_numbers<T>();
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(of_bits<T>(engine()));
    x.push_back(static_cast<T>(normal(engine)));
    x.push_back(static_cast<T>(normal(engine) * 30));
  }
  return x;
}

template <class F, class T>
std::vector<T> by_number(const std::vector<T>& x) {
  std::vector<T> y;
  for (const T v : x) y.push_back(F::template of<T>(v));
  return y;
}

/// Compares with vectors of the unit Arch, if this file has it. The last vector is loaded and stored in part.
template <class F, class Arch, class T>
void compare(const std::vector<T>& x, const std::vector<T>& wanted) {
  if constexpr (!std::is_void_v<Arch>) {
    using V = lanes<T, Arch>;
    T y[V::size];
    std::string wrong;
    for (std::size_t i = 0; i < x.size() && wrong.empty(); i += V::size) {
      const auto n = static_cast<index_t>(x.size() - i < V::size ? x.size() - i : V::size);
      F::template of<V>(V::load(&x[i], n)).store(y, n);
      for (index_t k = 0; k < n && wrong.empty(); ++k) {
        const std::size_t at = i + static_cast<std::size_t>(k);
        if (equal_bits(y[k], wanted[at])) continue;
        char text[120];
        std::snprintf(text, sizeof text, "%s(%a) is %a as a number and %a in lane %td of %d", F::name,
                      static_cast<double>(x[at]), static_cast<double>(wanted[at]), static_cast<double>(y[k]), k,
                      V::size);
        wrong = text;
      }
    }
    CHECK(wrong == "");
  }
}

template <class F, class T>
void compare_all(const std::vector<T>& x) {
  const std::vector<T> wanted = by_number<F>(x);
  compare<F, scalar_arch>(x, wanted);
  compare<F, arch_for_t<isa::avx512, 64>>(x, wanted);
  compare<F, arch_for_t<isa::avx2, 32>>(x, wanted);
  compare<F, arch_for_t<isa::neon64, 16>>(x, wanted);
  compare<F, arch_for_t<isa::emulated, 16>>(x, wanted);
  compare<F, arch_for_t<isa::emulated, 32>>(x, wanted);
  compare<F, arch_for_t<isa::emulated, 64>>(x, wanted);
}

TEMPLATE_LIST_TEST_CASE("elementary functions of vectors give the bits of numbers", "[math]", recorded_functions) {
  const unsigned seed = Catch::rngSeed();
  INFO("seed " << seed);
  compare_all<TestType>(mixed_numbers<float>(seed));
  compare_all<TestType>(mixed_numbers<double>(seed));
}

/// F(x) + c in one expression, which invites compilers to fuse a product at the end of F into the sum.
template <class F, class V, class T>
__attribute__((noinline)) void function_plus(V x, const T* c, T* sum) {
  if constexpr (std::is_same_v<V, T>)
    *sum = F::template of<V>(x) + *c;
  else
    (F::template of<V>(x) + V::load(c)).store(sum);
}

/// The number of times that F(x) + -F(x) is not 0.
template <class F, class V, class T>
int fused(const std::vector<T>& x) {
  int count = 0;
  for (const T value : x) {
    T minus[64 / sizeof(T)], sum[64 / sizeof(T)];
    for (T& m : minus) m = -F::template of<T>(value);
    if (!std::isfinite(minus[0])) continue;
    function_plus<F, V>(V(value), minus, sum);
    count += sum[0] != 0;
  }
  return count;
}

TEMPLATE_LIST_TEST_CASE("no compiler fuses a function into the sum after it", "[math]", recorded_functions) {
  const unsigned seed = Catch::rngSeed();
  INFO("seed " << seed);
  const auto check = [&]<class T>(const std::vector<T>& x) {
    CHECK(fused<TestType, T>(x) == 0);
    CHECK(fused<TestType, lanes<T, scalar_arch>>(x) == 0);
    CHECK(fused<TestType, lanes<T, arch_of<devices::native>>>(x) == 0);
  };
  check(mixed_numbers<float>(seed));
  check(mixed_numbers<double>(seed));
}

template <class F, class T>
std::string bits_of_function() {
  checksum sum;
  for (const T y : by_number<F>(fixed_numbers<T>())) sum.add(y);
  char text[20];
  std::snprintf(text, sizeof text, "%016" PRIx64, sum.value());
  return text;
}

TEMPLATE_LIST_TEST_CASE("elementary functions give the bits on record", "[math]", recorded_functions) {
  INFO(TestType::name);
  CHECK(bits_of_function<TestType, float>() == TestType::bits_float);
  CHECK(bits_of_function<TestType, double>() == TestType::bits_double);
}

}  // namespace tern::test
