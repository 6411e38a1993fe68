// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planned calls: problems on tensors without memory, and their costs.
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/layout.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/call_options.hpp"
#include "tern/kernel/checked_call.hpp"
#include "tern/kernel/declaration.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA::declare {

/// The cost of a call: elements of the op's type read and written, operations, and sizes for a plan.
struct cost {
  index_t moved = 0, m = 0, n = 0;
  double operations = 0;
  index_t k = 1;
};

/// The plan of a call. `how` are further arguments of the model.
template <class Op, class Policy, class Pass, class Problem, class... How>
tern::plan plan_of_call(tern::pass which, const Problem& q, How... how) {
  using kernels = typename Pass::template kernel<Policy>;
  if constexpr (requires { Pass::template plan_of<kernels>(q, how...); }) {
    tern::plan p = Pass::template plan_of<kernels>(q, how...);
    p.op = Op::name, p.of = which;
    return p;
  } else {
    const cost c = Pass::cost_of(q);
    tern::plan p = impl::plan_of_moves<kernels, Policy, typename Pass::value_type>(Op::name, which, c.moved, q, how...);
    p.m = c.m, p.n = c.n, p.k = c.k, p.flops = c.operations;
    return p;
  }
}

/// Tensor I of a planned call, without memory. Its axes have the extents of x's axes of the same names, or the shape is
/// derived from x's. x stands for the first tensor with an independent shape. For tensors that may be vectors, bits of
/// `ones` select the axes of extent 1.
template <class Pass, int I, class X>
auto planned_view(const X& x, unsigned ones = 0) {
  using T = typename Pass::value_type;
  constexpr declaration d = Pass::declared;
  constexpr tensor t = d[I];
  using stored = std::conditional_t<t.of == element::op, T,
                                    std::conditional_t<t.of == element::uint8, std::uint8_t, std::int32_t>>;
  using element_type = std::conditional_t<t.is == role::input, const stored, stored>;
  constexpr bool made = d.source_of(I) >= 0;
  constexpr const char* shape = d.first_of_own_shape().shape;
  constexpr int rank = made ? X::rank : declaration::rank_beside(t.shape, shape, X::rank);
  index_t extent[rank];
  for (int r = 0; r < rank; ++r) {
    const axis_name name = declaration::name_of(made ? shape : t.shape, rank, r);
    extent[r] = d.extent_of(name).value != dynamic ? d.extent_of(name).value : 1;
    for (int q = 0; q < X::rank; ++q)
      if (declaration::name_of(shape, X::rank, q) == name) extent[r] = x.extent(q);
    if (t.may_be_vector() && (ones >> r & 1) != 0 && name.name.or_one) extent[r] = 1;
  }
  if constexpr (made) static_cast<void>(Pass::made(extent, rank));  // checked later
  return [&]<std::size_t... R>(std::index_sequence<R...>) {
    using layout = std::conditional_t<t.adjacent, layout_channels_last, layout_row>;
    return view<element_type, dims<rank>, layout>(unchecked, nullptr, dims<rank>(extent[R]...));
  }(std::make_index_sequence<rank>{});
}
/// The problem of a planned call on a tensor of x's shape.
/// \tparam Add  true if it accumulates
/// \param ones_of_inputs, ones_of_outputs  as for planned_view
template <class Op, class Pass, bool Add, class X>
auto planned(const X& x, unsigned ones_of_inputs = 0, unsigned ones_of_outputs = 0) {
  return [&]<int... I, class... R>(std::integer_sequence<int, I...>, options<R...>) {
    const auto call = [](const auto&... view) {
      judge_shapes<Pass>(Op::name, view...);
      return Pass::template problem<Add>(Op::name, R{}..., view...);
    };
    return call(planned_view<Pass, I>(x, Pass::declared[I].is == role::input ? ones_of_inputs : ones_of_outputs)...);
  }(std::make_integer_sequence<int, Pass::declared.given()>{}, values_of<Pass>{});
}
/// The problems for which a state must have room, on tensors of x's shape. They accumulate if calls may; an output that
/// may be a vector contributes one problem for every shape.
template <class Op, class Pass, class X>
auto planned_for_state(const X& x) {
  if constexpr (std::is_void_v<Pass>) {
    return std::tuple{};
  } else {
    constexpr tensor last = Pass::declared[Pass::declared.given() - 1];
    constexpr unsigned shapes = last.may_be_vector() ? 1u << (X::rank - 1) : 1u;  // axis 1 holds the channels
    return [&]<unsigned... Ones>(std::integer_sequence<unsigned, Ones...>) {
      return std::tuple{
          planned<Op, Pass, Pass::optional::template has<accumulate_t>>(x, 0, (Ones & 1u) | (Ones >> 1 << 2))...};
    }(std::make_integer_sequence<unsigned, shapes>{});
  }
}
}  // namespace tern::inline TERN_ISA::declare
