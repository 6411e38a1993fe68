// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and maps under simd. CMake compiles this file twice, with TERN_BENCH_NORMS and without. All sizes but the
// groups of a norm are known when the program runs.
#include "bench/harness/call.hpp"
#include "tern/simd.hpp"
#if TERN_BENCH_NORMS
#include "bench/moving/norms.hpp"
#else
#include "bench/moving/others.hpp"
#endif

namespace tern::bench::inline TERN_ISA {
namespace {

template <class P>
prepared prepare(const problem& p, const operands& x, const setting& s) {
  const auto repeat = [&](auto call) { return repeated_in(s, std::move(call)); };
  return on_executor(s, [&](auto state) {
#if TERN_BENCH_NORMS
    return with_norm_of<P>(p, tensors_of(x), repeat, state);
#else
    prepared r = with_other<P>(p, tensors_of(x), repeat, state);
    if (p.moving->what == variants::moving_op::adam)
      r.finish = [n = p.moving->size(), start = x.right<float>(), to = x.out<float>(), run = r.run] {
        restart_adam(n, start, to);
        run(1);
      };
    return r;
#endif
  });
}

const at_start add(TERN_BENCH_NAME, [] {
  variant v = variant_under<simd<>>("none");
  v.takes = [](const problem& p, const setting&) {
    return p.moving && !p.f64 && p.moving->norm() == bool(TERN_BENCH_NORMS);
  };
  add_variant(v, [](const problem& p, const auto& x, const setting& s) { return prepare<simd<>>(p, x, s); });
#if TERN_BENCH_NORMS
  v.policy = "simd<native,exact,parts>";
  v.judged = v.exact = false;  // bits of its own
  v.takes = [](const problem& p, const setting& s) {
    return s.usual() && p.moving && !p.f64 && p.moving->what == variants::moving_op::batch_norm &&
           p.moving->all_gradients;
  };
  add_variant(v, [](const problem& p, const auto& x, const setting& s) {
    return on_executor(s, [&](auto state) {
      return with_norm_in_parts<simd<>>(
          p, tensors_of(x), [&](auto call) { return repeated_in(s, std::move(call)); }, state);
    });
  });
#endif
});

}  // namespace
}  // namespace tern::bench::inline TERN_ISA
