// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementary functions: of numbers, and of the lanes of the instruction set.
#include <cstdio>

#include "tern/core/dtype.hpp"
#include "tern/device/catalog.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tests/core/elementary.hpp"
#include "tests/support/bits.hpp"
#include "tests/verify/inputs.hpp"
#include "tests/verify/recorder.hpp"

namespace tern::test {
namespace {

/// Special numbers, all exponents, and where the functions are not yet constant.
template <class T>
std::vector<T> arguments() {
  std::vector<T> x = special_numbers<T>();
  input_sequence<T> next(8, inputs::uniform);
  for (int i = 0; i < 20000; ++i) x.push_back(next() * 32);
  const std::vector<T> all = fixed_numbers<T>();
  for (std::size_t i = 0; i < all.size(); i += 50) x.push_back(all[i]);
  return x;
}

template <class F, class V, class T>
void run_function(recorder& to, const char* way, const std::vector<T>& x) {
  checksum sum;
  T y[V::size];
  for (std::size_t i = 0; i < x.size(); i += V::size) {
    const auto n = static_cast<index_t>(x.size() - i < V::size ? x.size() - i : V::size);
    F::template of<V>(V::load(&x[i], n)).store(y, n);
    for (index_t k = 0; k < n; ++k) sum.add(y[k]);
  }
  char name[60];
  std::snprintf(name, sizeof name, "%s %s", F::name, dtype<T>::name);
  to.add(to, "functions", way, name, sum.value());
}

template <class T, class... F>
void run_functions(recorder& to, std::tuple<F...>) {
  const std::vector<T> x = arguments<T>();
  (run_function<F, lanes<T, scalar_arch>>(to, "one lane", x), ...);
  using arch = arch_of<devices::native>;
  if constexpr (!std::is_same_v<arch, scalar_arch>) (run_function<F, lanes<T, arch>>(to, "vectors", x), ...);
}

template <class T>
void run_all(recorder& to) {
  run_functions<T>(to, recorded_functions{});
}

void run(recorder& to, executor_list) {
  run_all<float>(to);
  run_all<double>(to);
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) { return run; }

}  // namespace tern::test
