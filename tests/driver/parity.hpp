// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of declared passes under a policy against the reference, bit by bit: in any layout, at any alignment, in
// place where that is allowed. What is not an element of an output must stay as it was.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tern/kernel/declared_call.hpp"
#include "tern/reference.hpp"
#include "tests/driver/call_in_memory.hpp"
#include "tests/driver/drawn_call.hpp"
#include "tests/driver/placed_tensor.hpp"
#include "tests/support/catch.hpp"

/// For functions that only prepare calls: without optimisation they compile in half the time. Kernels are optimised.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define TERN_TEST_FRONT __attribute__((noinline, optimize("O0")))
#else
#define TERN_TEST_FRONT __attribute__((noinline))
#endif

namespace tern::test::inline TERN_ISA {

/// The number of channels per block of each tensor of a call, in order; 0, and for further tensors: strides.
template <int... Block>
struct blocks {
  static constexpr int of(int i) {
    const int block[] = {Block..., 0};
    return i < static_cast<int>(sizeof...(Block)) ? block[i] : 0;
  }
};

/// Strides; tensors that may be vectors are vectors.
struct vectors : blocks<> {};

/// Strides; weights are packed for a pass by Pass::packed<For>(view).
template <tern::pass For>
struct packed_for : blocks<> {
  static constexpr tern::pass for_pass = For;
};

/// The tensors of a call, where a policy or the reference has them.
struct placed_in {
  const call_in_memory& call;
  const placed_tensor& (call_in_memory::*which)(int) const;
  const placed_tensor& operator()(int i) const { return (call.*which)(i); }
};

/// Tensor I of a call, in blocks of channels or with strides.
template <class Pass, int I, int Rank, int Block>
auto view_of(const placed_tensor& t) {
  constexpr declare::tensor d = Pass::declared[I];
  using stored = std::conditional_t<d.of == declare::element::op, typename Pass::value_type,
                                    std::conditional_t<d.of == declare::element::uint8, std::uint8_t, std::int32_t>>;
  using type = std::conditional_t<d.is == declare::role::input, const stored, stored>;
  type* const p = reinterpret_cast<type*>(t.data());
  const index_t *e = t.shape().extent, *stride = t.at().stride;
  return [&]<std::size_t... R>(std::index_sequence<R...>) {
    using extents = dims<Rank>;
    if constexpr (Block > 0)
      return view<type, extents, layout_channel_blocked<Block>>(unchecked, p, extents(e[R]...));
    else
      return view<type, extents, layout_strided>(unchecked, p, {extents(e[R]...), stride[R]...});
  }(std::make_index_sequence<static_cast<std::size_t>(Rank)>{});
}

/// The axes of tensor I of a call, where the first one has `Rank`.
template <class Pass, int I, int Rank, class Layout>
constexpr int rank_of() {
  constexpr declare::tensor t = Pass::declared[I], first = Pass::declared[0];
  return std::is_same_v<Layout, vectors> && t.may_be_vector()
             ? 1
             : declare::declaration::rank_beside(t.shape, first.shape, Rank);
}

/// The same as a call gives it: perhaps packed.
template <class Pass, int I, int Rank, class Layout>
TERN_TEST_FRONT auto argument_of(const placed_tensor& t) {
  const auto v = view_of<Pass, I, rank_of<Pass, I, Rank, Layout>(), Layout::of(I)>(t);
  constexpr bool packs = requires { Layout::for_pass; };
  if constexpr (packs && Pass::declared[I].packable)
    return Pass::template packed<Layout::for_pass>(v);
  else
    return v;
}

/// The arguments of kernels: the problem of a call on tensors in memory.
template <class Op, class Pass, int Rank, bool Add, class Layout, class... Option>
TERN_TEST_FRONT auto problem_of(const placed_in& tensor, const Option&... option) {
  return [&]<int... I, class... R>(std::integer_sequence<int, I...>, declare::options<R...>) TERN_TEST_FRONT {
    return Pass::template problem<Add>(Op::name, impl::find_argument<R>(option...)...,
                                       argument_of<Pass, I, Rank, Layout>(tensor(I))...);
  }(std::make_integer_sequence<int, Pass::declared.given()>{}, declare::values_of<Pass>{});
}

/// A call that a state is made for, with the problem that its kernels get.
template <class Kernels, class Problem>
struct call_for_state {
  using kernels = Kernels;
  Problem make;
  std::string text;
  auto problem() const { return make(0); }
};

/// Random calls under a policy.
/// \tparam MakeState  make_state(call_for_state): the run-time state of a call
template <class Policy, class MakeState>
class parity : public call_driver {
 public:
  using policy = Policy;
  static constexpr bool is_reference = std::is_same_v<Policy, reference>;

  /// \param operations  about how many a call has at most
  parity(MakeState& make_state, double operations)
      : call_driver(Catch::rngSeed(), operations), make_state_(make_state) {}
  ~parity() { CHECK(10 * skipped <= calls); }

  /// One call of a pass.
  /// \tparam Rank     axes of the first tensor
  /// \tparam Layouts  some `blocks` or `vectors`, one of which is drawn, or none besides strides
  template <class Op, class Pass, int Rank, class... Layouts, class... Option>
  TERN_TEST_FRONT void call(const call_rules& rules, const Option&... option) {
    constexpr bool may_add = Pass::optional::template has<accumulate_t>, must_add = requires {
      requires Pass::always_adds;  // of a pass whose results without are those of another one
    };
    static constexpr tested_pass pass{
        Op::name,
        &Pass::declared,
        number_of<typename Pass::value_type>,
        Rank,
        may_add,
        must_add,
        made_by<Pass>(),
        [](const declare::fact* f) { return declare::validated<Pass>(Op::name, f).size() > 0; }};
    static constexpr tested_layout layouts[] = {{&blocks<>::of}, {&Layouts::of, std::is_same_v<Layouts, vectors>}...};
    if (!draw(pass, rules, layouts, sizeof...(Layouts) + 1)) return;
    int left = layout_;
    const auto run_in = [&]<class Layout>(Layout) TERN_TEST_FRONT {
      if (left-- != 0) return;
      if (may_add && adds_)
        run<Op, Pass, Rank, may_add, Layout>(option...);
      else
        run<Op, Pass, Rank, must_add, Layout>(option...);
    };
    run_in(blocks<>());
    (run_in(Layouts()), ...);
    check();
  }

 private:
  template <class Pass>
  static constexpr auto made_by() -> bool (*)(index_t*, int) {
    if constexpr (declare::makes_shapes<Pass>)
      return &Pass::made;
    else
      return nullptr;
  }

  /// Under the reference, tensors of float with strides go through the public call, whose checks are the same for all
  /// policies and elements. Others, and those of which the results are known, are given to the kernels.
  template <class Op, class Pass, int Rank, bool Add, class Layout, class... Option>
  TERN_TEST_FRONT void run(const Option&... option) {
    using kernels = typename Pass::template kernel<Policy>;
    using plain_loops = typename Pass::template kernel<reference>;
    using plain_layout = std::conditional_t<std::is_same_v<Layout, vectors>, vectors, blocks<>>;
    const impl::no_state none;
    plain_loops::run(none,
                     problem_of<Op, Pass, Rank, Add, plain_layout>({*call_, &call_in_memory::expected}, option...));
    const auto make = [&](auto) TERN_TEST_FRONT {
      return problem_of<Op, Pass, Rank, Add, Layout>({*call_, &call_in_memory::got}, option...);
    };
    auto&& state = make_state_(call_for_state<kernels, decltype(make)>{make, text()});
    if constexpr (is_reference && std::is_same_v<Layout, plain_layout> &&
                  std::is_same_v<typename Pass::value_type, float>) {
      const auto call = [&](const auto&... a) TERN_TEST_FRONT { declare::run<Op, Policy, Pass>(state, a...); };
      const auto call_on = [&](const placed_in& tensor, const auto&... lent) TERN_TEST_FRONT {
        [&]<int... I>(std::integer_sequence<int, I...>) TERN_TEST_FRONT {
          if constexpr (Add)
            call(view_of<Pass, I, rank_of<Pass, I, Rank, Layout>(), 0>(tensor(I))..., option..., accumulate, lent...);
          else
            call(view_of<Pass, I, rank_of<Pass, I, Rank, Layout>(), 0>(tensor(I))..., option..., lent...);
        }(std::make_integer_sequence<int, Pass::declared.given()>{});
      };
      call_on({*call_, &call_in_memory::got});
      try_overlap([&] { call_on({*call_, &call_in_memory::overlapping}); });
      if constexpr (Pass::optional::template has<workspace>)
        try_workspace([&](workspace lent) { call_on({*call_, &call_in_memory::got}, lent); });
    } else {
      kernels::run(state, make(0));
    }
  }
  void check() {
    const std::string wrong = complaint();
    if (complaints != nullptr) {
      if (!wrong.empty()) complaints->push_back(wrong);
      return;
    }
    INFO(text() << ", call " << calls << " of --rng-seed " << Catch::rngSeed());
    INFO(wrong);
    CHECK(wrong.empty());
  }

  MakeState& make_state_;
};

/// Calls of a family which tiles cut over several of them, over time, along both axes, and within sums: at least so
/// many of those under tests of tiles.
struct tiles_used {
  int spread, stepped, cut_in_both, folded = -1;
};

}  // namespace tern::test::inline TERN_ISA
