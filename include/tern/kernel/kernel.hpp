// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/sentence.hpp"
#include "tern/device/device.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA {

/// An op: the mathematics, without hardware.
template <class Op>
concept op = requires {
  typename Op::op_type;
  Op::name;
};

/// A policy: how and where an op runs, without shapes.
template <class P>
concept policy = requires {
  typename P::numerics_type;
  { P::execution } -> std::convertible_to<model>;
};

/// True if the calling thread can read the memory of calls under a policy.
template <class Policy>
inline constexpr bool reads_on_host = Policy::execution != model::simt;

/// The member functions of kernels of one op; specialised in kernel/<op>.hpp.
template <class OpType, class Op, class Policy>
struct operations;

namespace impl {

/// The member functions of a kernel whose error is reported: they take anything, so that no further error follows.
struct no_operations {
  template <class... Args>
  void operator()(Args&&...) const {}
  template <class... Args>
  void backward_data(Args&&...) const {}
  template <class... Args>
  void backward_weights(Args&&...) const {}
};

/// True if a policy has reported that its device is of another model.
template <class Policy>
concept on_another_model = requires { requires Policy::machine.execution != Policy::execution; };

/// The broken rule of an op's config; empty if it keeps all.
template <class Op>
constexpr declare::sentence error_of_config() {
  declare::sentence s;
  if constexpr (requires { Op::broken_rule(); })
    if (const char* const why = Op::broken_rule()) s << Op::name << ": " << why;
  return s;
}

/// The third argument completes both types first, so that their errors are reported at the kernel.
template <class Op, class Policy, std::size_t>
constexpr auto operations_of() {
  if constexpr (!op<Op>) {
    static_assert(!std::is_same_v<Op, Op>,
                  "kernel: the first template argument must be an op, such as tern::matmul<cfg, float>");
    return std::type_identity<no_operations>{};
  } else if constexpr (!policy<Policy>) {
    static_assert(!std::is_same_v<Policy, Policy>,
                  "kernel: the second template argument must be a policy, such as tern::simd<>");
    return std::type_identity<no_operations>{};
  } else if constexpr (on_another_model<Policy>) {
    return std::type_identity<no_operations>{};
  } else if constexpr (constexpr declare::text error(error_of_config<Op>()); !error.empty()) {
    static_cast<void>(sizeof(declare::wrong_call<error>));
    return std::type_identity<no_operations>{};
#if defined(TERN_FAST_MATH)
  } else if constexpr (std::is_same_v<typename Policy::numerics_type, numerics::exact>) {
    static_assert(
        !std::is_same_v<typename Policy::numerics_type, numerics::exact>,
        "kernel: exact numerics cannot be kept under fast-math: compile this file without -ffast-math and its "
        "parts, or use tern::numerics::relaxed");
    return std::type_identity<no_operations>{};
#endif
  } else {
    return std::type_identity<operations<typename Op::op_type, Op, Policy>>{};
  }
}

/// An op without weights has two passes.
inline void require_pass_of_elements(const char* op, pass which) {
  if (which != pass::forward && which != pass::backward_data)
    violation("%s: there are no weights: the pass of a plan must be forward or backward_data", op);
}

/// The plan of a call that reads and writes `elements` elements and multiplies none. `describe` of the model's kernels
/// adds what the model knows.
/// \param how  further arguments of describe: the concurrency of the executor under simd, tiles under mimd
template <class Family, class Policy, class T, class Call, class... How>
plan plan_of_moves(const char* op, pass which, index_t elements, const Call& call, How... how) {
  plan p{.op = op,
         .of = which,
         .execution = Policy::execution,
         .element = dtype<T>::name,
         .numerics = Policy::numerics_type::name};
  if constexpr (requires { Policy::machine; }) p.device = Policy::machine.name;
  p.bytes_moved = elements * static_cast<index_t>(sizeof(T));
  if constexpr (requires { Family::describe(call, p, how...); })
    Family::describe(call, p, how...);
  else
    static_assert(sizeof...(How) == 0,
                  "kernel: plan takes a tensor and a pass, and under simd and mimd what their models take");
  return p;
}

}  // namespace impl

/// The op `Op` under the policy `Policy`. Stateless, const-callable, shared between threads; a call allocates nothing.
/// Its member functions depend on the op: see kernel/<op>.hpp.
template <class Op, class Policy>
struct kernel : decltype(impl::operations_of<Op, Policy, sizeof(Op) + sizeof(Policy)>())::type {
  using op_type = Op;
  using policy_type = Policy;
};

}  // namespace tern::inline TERN_ISA
