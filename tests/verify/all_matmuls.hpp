// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tests/verify/matmuls.hpp"

namespace tern::test::inline TERN_ISA {

/// The passes of an op to run.
enum class passes {
  forward,    ///< with weights as they are
  epilogue,   ///< forward, also packed and accumulating
  batched,    ///< every pass
  everything  ///< every pass, packed and accumulating
};

/// Runs an op's problems in one way.
/// \param turning  true if the form changes from problem to problem: f, then the next
template <passes What, class Op, class Policy, class Make, class Problems>
void run_matmul(recorder& to, const char* policy, const char* way, form f, bool turning, const Problems& list,
                Make& make) {
  constexpr bool all = What == passes::everything, packs = all || What == passes::epilogue;
  int turn = 0;
  for (const problem& p : list) {
    if (!takes<Op>(p)) continue;
    const form now = turning ? static_cast<form>((static_cast<int>(f) + turn++) % 5) : f;
    if (!packs && now == form::packed && !turning) continue;
    matmul_way<Op, Policy, Make, packs> w(to, policy, way, p, now, make);
    w.forward();
    if constexpr (packs) w.template forward<true>();
    if constexpr (all || What == passes::batched) {
      w.backward_data();
      w.backward_weights(false);
    }
    if constexpr (all) w.backward_weights(true);
  }
}

/// The epilogues that a policy runs. Each costs seconds of compile time; code for an epilogue is shared.
enum class epilogues { all, few };

/// Every case of elements T under one policy, in one way.
template <class Policy, class T, epilogues Which = epilogues::all, class Make>
void all_matmuls(recorder& to, const char* policy, const char* way, form f, Make make, bool turning = false) {
  const auto run = [&]<passes What, class Op>(const auto& list) {
    run_matmul<What, Op, Policy>(to, policy, way, f, turning, list, make);
  };
  run.template operator()<passes::everything, plain_matmul<T>>(problems);
  run.template operator()<passes::batched, batched_matmul<T>>(batches);
  run.template operator()<passes::epilogue, full_matmul<T>>(epilogue_problems);
  run.template operator()<passes::forward, biased_matmul<activation::gelu, T>>(epilogue_problems);
  if constexpr (Which == epilogues::all) {
    run.template operator()<passes::forward, matmul<matmul_config{.bias = true}, T>>(epilogue_problems);
    run.template operator()<passes::forward, matmul<matmul_config{.residual = true}, T>>(epilogue_problems);
    run.template operator()<passes::forward, biased_matmul<activation::sigmoid, T>>(epilogue_problems);
    run.template operator()<passes::forward, biased_matmul<activation::tanh, T>>(epilogue_problems);
    run.template operator()<passes::forward, biased_matmul<activation::silu, T>>(epilogue_problems);
  }
}

}  // namespace tern::test::inline TERN_ISA
