// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host and device see the same layout of everything that they share: each argument and each `shared` of all kernels.
// Sizes, offsets of members and strides of arrays in executed device code are those of the host compiler.
// (In nvcc 13.0 an array of structs of 40 bytes whose last member is [[no_unique_address]] has a stride of 80 bytes.)
//
// usage: a program per value of TERN_ELEMENT, float or double
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "tests/simt/device_calls.cuh"
#include "tests/simt/device_memory.cuh"
#include "tests/simt/ptx/executor.hpp"

namespace tern::test {

// ---------------------------------------------------------------------------------------------------------------------
// The members of a struct. An aggregate has as many as it takes initialisers.

template <class Of>
struct anything {
  template <class T>
    requires(!std::is_same_v<T, Of>)
  operator T() const;
};

// TERN_UP_TO_20(f, x): f(n, n times x, a list of n names) for n = 1 to 20.
#define TERN_UP_TO_20(f, x)                                                                                           \
  f(1, (x), (a)) f(2, (x, x), (a, b)) f(3, (x, x, x), (a, b, c)) f(4, (x, x, x, x), (a, b, c, d))                     \
      f(5, (x, x, x, x, x), (a, b, c, d, e)) f(6, (x, x, x, x, x, x), (a, b, c, d, e, g))                             \
          f(7, (x, x, x, x, x, x, x), (a, b, c, d, e, g, h)) f(8, (x, x, x, x, x, x, x, x), (a, b, c, d, e, g, h, i)) \
              f(9, (x, x, x, x, x, x, x, x, x), (a, b, c, d, e, g, h, i, j)) f(10, (x, x, x, x, x, x, x, x, x, x),    \
                                                                               (a, b, c, d, e, g, h, i, j, k))        \
                  f(11, (x, x, x, x, x, x, x, x, x, x, x), (a, b, c, d, e, g, h, i, j, k, l)) f(                      \
                      12, (x, x, x, x, x, x, x, x, x, x, x, x), (a, b, c, d, e, g, h, i, j, k, l, m))                 \
                      f(13, (x, x, x, x, x, x, x, x, x, x, x, x, x), (a, b, c, d, e, g, h, i, j, k, l, m, n)) f(      \
                          14, (x, x, x, x, x, x, x, x, x, x, x, x, x, x), (a, b, c, d, e, g, h, i, j, k, l, m, n, o)) \
                          f(15, (x, x, x, x, x, x, x, x, x, x, x, x, x, x, x),                                        \
                            (a, b, c, d, e, g, h, i, j, k, l, m, n, o, q))                                            \
                              f(16, (x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x),                                 \
                                (a, b, c, d, e, g, h, i, j, k, l, m, n, o, q, r))                                     \
                                  f(17, (x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x),                          \
                                    (a, b, c, d, e, g, h, i, j, k, l, m, n, o, q, r, s))                              \
                                      f(18, (x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x),                   \
                                        (a, b, c, d, e, g, h, i, j, k, l, m, n, o, q, r, s, t))                       \
                                          f(19, (x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x),            \
                                            (a, b, c, d, e, g, h, i, j, k, l, m, n, o, q, r, s, t, u))                \
                                              f(20, (x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x),     \
                                                (a, b, c, d, e, g, h, i, j, k, l, m, n, o, q, r, s, t, u, v))
#define TERN_EXPAND(...) __VA_ARGS__

/// Members of an aggregate. Those without a default constructor take no {}; arrays take several of anything.
template <class T>
TERN_HD constexpr int initializers() {
  int most = 0;
#define TERN_COUNT(n, values, names) \
  if constexpr (requires { T{TERN_EXPAND values}; }) most = most < n ? n : most;
  TERN_UP_TO_20(TERN_COUNT, {})
  if (most > 0) return most;
  TERN_UP_TO_20(TERN_COUNT, anything<T>{})
#undef TERN_COUNT
  return most;
}
/// Members of a class; of one that keeps them to itself, 0. A wrong number here does not compile.
template <class T>
TERN_HD constexpr int members() {
  if constexpr (!std::is_class_v<T> || std::is_empty_v<T>)
    return 0;
  else if constexpr (requires { &T::w_access; })
    return 14;  // conv_sums_block::problem
  else if constexpr (requires { &T::dy_access; })
    return 13;  // conv_gradient_block::problem
  else if constexpr (requires { &T::parts_of_row; })
    return 16;  // narrow_sums_block::problem
  else if constexpr (requires { &T::threads_per_row; })
    return 4;  // row_block::problem
  else if constexpr (requires {
                       &T::q;
                       &T::terms;
                       &T::slabs;
                     })
    return 3;  // batch_norm_block::problem
  else if constexpr (requires {
                       &T::terms;
                       &T::slabs;
                     })
    return 2;  // sample_sums_block::problem
  else if constexpr (requires {
                       &T::along_outer;
                       &T::access;
                     })
    return 5;  // slab_source
  else if constexpr (std::is_aggregate_v<T>)
    return initializers<T>();
  else
    return 0;
}
/// f(references to all members).
template <class T, class F>
TERN_HD void with_members(const T& x, F f) {
  constexpr int count = members<T>();
#define TERN_WITH(n, values, names)      \
  if constexpr (count == n) {            \
    const auto& [TERN_EXPAND names] = x; \
    f(TERN_EXPAND names);                \
  }
  TERN_UP_TO_20(TERN_WITH, 0)
#undef TERN_WITH
}

// ---------------------------------------------------------------------------------------------------------------------
// Layouts

// One function per type on the host, where inlining all of them takes minutes; device code has no calls.
#if defined(__CUDA_ARCH__)
#define TERN_OUTLINE
#else
#define TERN_OUTLINE __attribute__((noinline))
#endif

template <class T>
struct followed {
  T first;
  char next;
};

/// Calls see(number) for everything there is to see of the layout of T. `p` points to no object: addresses are computed
/// and nothing is read. `one` is 1, which the compiler of the device does not know.
template <class T, class See>
TERN_HD TERN_OUTLINE void layout(const T* p, index_t one, See& see) {
  const auto from = [p](const volatile void* address) {
    return reinterpret_cast<std::intptr_t>(address) - reinterpret_cast<std::intptr_t>(p);
  };
  see(static_cast<std::intptr_t>(sizeof(T)));
  see(static_cast<std::intptr_t>(alignof(T)));
  see(from(p + one));
  if constexpr (std::is_array_v<T>) {
    layout(&(*p)[0], one, see);
  } else if constexpr (std::is_class_v<T>) {
    see(from(&reinterpret_cast<const followed<T>*>(p)->next));
    with_members(*p, [&](const auto&... member) { (..., (see(from(&member)), layout(&member, one, see))); });
  }
}

/// Writes what it sees, or counts it.
struct numbers_to {
  std::int64_t* out;
  index_t count = 0;
  TERN_HD void operator()(std::intptr_t x) {
    if (out) out[count] = x;
    ++count;
  }
};
template <class T>
__global__ void layout_on_device(const T* p, index_t one, std::int64_t* out) {
  numbers_to see{out};
  layout(p, one, see);
}
template <class T>
__global__ void takes(const T) {}

/// \param Passed  whether kernels take it as an argument, not as shared memory
template <class T, bool Passed>
void compare(tally& count) {
  const std::vector<std::max_align_t> memory(2 * sizeof(followed<T>) / sizeof(std::max_align_t) + 1);
  const T* const p = reinterpret_cast<const T*>(memory.data());
  numbers_to counter{nullptr};
  layout(p, 1, counter);
  std::vector<std::int64_t> host(static_cast<std::size_t>(counter.count)), device(host.size());
  numbers_to see{host.data()};
  layout(p, 1, see);
  const device_array<std::int64_t> on_device(counter.count);
  layout_on_device<T><<<1, 1>>>(p, 1, on_device.data());
  on_device.copy_to(device.data());
  for (std::size_t i = 0; i < device.size(); ++i)
    count(device[i] == host[i], ptx::readable(typeid(T).name()) + ": number " + std::to_string(i) +
                                    " of its layout is " + std::to_string(device[i]) + " in device code, " +
                                    std::to_string(host[i]) + " on the host");
  if constexpr (Passed) {
    const std::vector<std::uint32_t> bytes = ptx::parameter_bytes(reinterpret_cast<const void*>(&takes<T>));
    count(bytes == std::vector<std::uint32_t>{static_cast<std::uint32_t>(sizeof(T))},
          ptx::readable(typeid(T).name()) + ": has another size as a kernel's argument");
  }
}

std::vector<void (*)(tally&)>& comparisons() {
  static std::vector<void (*)(tally&)> all;
  return all;
}
/// Exists once per type that a kernel has, whether it is launched or not.
template <class T, bool Passed>
const bool noted = (comparisons().push_back(&compare<T, Passed>), true);

/// A state whose launches note the types of a kernel.
struct layout_probe {};
template <class Kernel, class... Arguments>
void launch(const layout_probe&, index_t, const Arguments&...) {
  (void)noted<typename Kernel::shared, false>;
  ((void)noted<Arguments, true>, ...);
}

/// A struct whose layout differs in nvcc 13.0: the mistake that this check is for.
struct nothing {};
struct strided_by_80 {
  std::int64_t from[3];
  std::int32_t step[3];
  [[no_unique_address]] nothing slope;
};
struct of_strided_by_80 {
  strided_by_80 rows[4];
};

}  // namespace tern::test

namespace tern {
template <>
inline constexpr bool is_simt_state<test::layout_probe> = true;
template <>
inline constexpr bool is_on_device<test::layout_probe> = true;
}  // namespace tern

namespace tern::test {
template void every_call<TERN_ELEMENT>(const layout_probe&, TERN_ELEMENT*, std::int32_t*, const std::uint8_t*, int);
}  // namespace tern::test

int main() {
  using namespace tern::test;
  tally count;
  for (const auto compare_type : comparisons()) compare_type(count);
  const bool all_equal = count.failures == 0;
  std::printf("%zu types, %d numbers of their layouts, %d of them other in device code\n", comparisons().size(),
              count.checks, count.failures);
  tally seeded;
  compare<of_strided_by_80, false>(seeded);
  std::printf("the seeded difference %s\n", seeded.failures > 0 ? "was found" : "does not exist under this nvcc");
  return all_equal && comparisons().size() > 50 ? 0 : 1;
}
