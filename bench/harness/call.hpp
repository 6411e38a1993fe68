// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of tern's kernels as variants.
//
// A call goes through a function that is not inlined and reads its views from memory. So every timed call checks its
// arguments and computes its addresses again, as in a program that does other work in between.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "bench/harness/variant.hpp"
#include "bench/support/names.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/policy/simd.hpp"

namespace tern::bench::inline TERN_ISA {

/// True if this file is compiled to list its variants (tern_bench_index), without kernels and in a second.
#if defined(TERN_BENCH_INDEX)
constexpr bool only_lists = true;
#else
constexpr bool only_lists = false;
#endif

/// Adds a variant that `prepare` makes ready. If variants are only listed, a generic `prepare` is not compiled.
template <class Prepare>
void add_variant(variant v, [[maybe_unused]] Prepare prepare) {
  if constexpr (!only_lists) v.prepare = prepare;
  variants_of_all().push_back(std::move(v));
}

/// Calls add<I>() for workload I of `Count`: for those of one part of `Parts`, which are called name_0, name_1, ..., or
/// of all where `Part` is -1.
template <int Count, int Parts, int Part, int I = 0, class Add>
void add_in_parts(const std::string& name, Add add) {
  if constexpr (I < Count) {
    if constexpr (Part < 0 || I % Parts == Part)
      at_start(name + "_" + std::to_string(I % Parts), [&] { add.template operator()<I>(); });
    add_in_parts<Count, Parts, Part, I + 1>(name, add);
  }
}

template <class Call>
__attribute__((noinline)) void call_once(const Call& call) {
  call();
}

/// Repeats `call`, which owns its captures, in the arena of the setting, if there is one.
template <class Call>
prepared repeated_in(const setting& s, Call call, index_t workspace_bytes = 0) {
  const auto kept = std::make_shared<const Call>(std::move(call));
  const auto repeat = [kept](long n) {
    for (; n > 0; --n) call_once(*kept);
  };
  if (!s.within) return {repeat, workspace_bytes};
  return {[repeat, within = s.within](long n) { within([&] { repeat(n); }); }, workspace_bytes};
}

/// Calls f(pointer to the run-time state) for simd: the setting's executor, or the calling thread.
template <class F>
prepared on_executor(const setting& s, F f) {
  if (s.executor) return f(std::shared_ptr<any_executor>(s.executor, [](any_executor*) {}));
  return f(std::make_shared<serial>());
}

/// A variant of tern under the policy P, without `takes` and `prepare`.
template <class P>
variant variant_under(const std::string& weights) {
  variant v;
  v.weights = weights;
  v.policy = policy_name<P>();
  v.exact = std::is_same_v<typename P::numerics_type, numerics::exact>;
  v.judged = std::is_same_v<P, simd<>>;
  return v;
}

}  // namespace tern::bench::inline TERN_ISA
