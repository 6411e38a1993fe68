// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What losses have in common: numbers of samples or rows, their totals, and what gradients are multiplied by.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/family/reduction/place_sums.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/loss.hpp"

namespace tern::inline TERN_ISA::impl {

/// \tparam C  loss_config
template <loss_config C, class T, class Op, class Policy>
struct loss_results {
  static constexpr const char* op = Op::name;
  static constexpr bool reduced = C.reduce != reduction::none;
  using family = loss_kernel<Policy>;

  template <class... Args>
  static constexpr bool well_formed = with_options<loss_scale, label_smoothing>::template well_formed<Args...>;

  /// By what the sum of all terms is divided; throws where that is nothing.
  template <class View>
  static double divisor(const char* name, const View& x, index_t terms, index_t samples) {
    if constexpr (C.reduce == reduction::none || C.reduce == reduction::sum) return 1;
    const index_t n = C.reduce == reduction::mean ? terms : samples;
    if (n == 0) violation("%s: %s is %s: there is nothing to average", op, name, text_of(x).text);
    return static_cast<double>(n);
  }
  /// What gradients of terms are multiplied by, without dlosses.
  template <class... Args>
  static T weight(double divisor, const Args&... args) {
    const double scale = find_argument<loss_scale>(args...).value;
    if (scale - scale != 0) violation("%s: loss_scale is %g: it must be finite", op, scale);
    return static_cast<T>(scale / divisor);
  }

  /// Where the numbers of samples or rows lie that `v` holds; checks that they can.
  template <class U, class View>
  static U* numbers(const char* name, const View& v) {
    constexpr bool right = std::is_same_v<std::remove_const_t<typename View::element_type>, std::remove_const_t<U>>,
                   writable = std::is_const_v<U> || !std::is_const_v<typename View::element_type>;
    static_assert(right,
                  "losses: losses, their gradients and total must have the element type of the op, and targets of a "
                  "cross-entropy must be std::int32_t");
    static_assert(writable, "losses: the output must be a view of elements that are not const");
    static_assert(strided_mapping<typename View::mapping_type>,
                  "losses: the layout of losses, targets and total must be row, column or strided");
    if (v.data() == nullptr && v.size() > 0) null_violation(op, name, v);
    if constexpr (right && writable)
      return v.data();
    else
      return nullptr;
  }
  /// A number per sample of x, which is called so.
  template <class U, class View, class X>
  static operand<U> per_sample(const char* name, const View& v, const char* x_name, const X& x) {
    static_assert(View::rank == 1, "losses: losses and dlosses must have rank 1, an element per sample");
    U* const p = numbers<U>(name, v);
    if (v.extent(0) != x.extent(0))
      violation("%s: %s has %td elements and %s is %s: one per sample is needed", op, name, v.extent(0), x_name,
                text_of(x).text);
    return {p, v.stride(0), 0, 0};
  }
  /// The element that a total goes to.
  template <class View>
  static T* total_operand(const View& v) {
    static_assert(View::rank == 1, "losses: total must have rank 1 and one element");
    if (v.extent(0) != 1) violation("%s: total has %td elements: it must have one", op, v.extent(0));
    return numbers<T>("total", v);
  }
  static interval_set interval_of(const T* p) {
    interval_set b;
    b.begin_at(p);
    return b;
  }

  /// The sum of losses, by grains: what a bias gradient is of one channel.
  template <bool Add, class U>
  static auto sum_of(const scattered_image<U>& losses, index_t batch, const index_t (&extent)[3], T* total) {
    scattered_image<const T> from{.p = losses.p, .sample = losses.sample};
    for (int r = 0; r < 3; ++r) from.axis[r] = losses.axis[r];
    return image_sums<Add>({batch, {extent[0], extent[1], extent[2]}}, 1, from, operand<T>{total, 1, 0, 0});
  }
  /// One that is only planned.
  static auto planned_sum(index_t batch, const index_t (&extent)[3]) {
    const image_shape s{batch, 1, {extent[0], extent[1], extent[2]}};
    return sum_of<true>(planned_image<T>(s), batch, extent, nullptr);
  }

  /// Runs a call that writes losses, and, where there is one, the total of them.
  template <bool Add, class State, class Call, class U>
  static void run(State& state, const Call& call, const scattered_image<U>& losses, index_t batch,
                  const index_t (&extent)[3], T* total, double divisor) {
    if constexpr (reduced) {
      const auto sum = sum_of<Add>(losses, batch, extent, total);
      check_fit<place_sums_kernel<Policy>>(state, sum);
      family::run(state, call);
      place_sums_kernel<Policy>::run(state, sum);
      if constexpr (C.reduce != reduction::sum) {
        mapping<T, tile::quotient_map<T>> q;
        q.batch = q.channels = 1;
        q.in[0].p = q.out[0].p = total, q.f.divisor = static_cast<T>(divisor);
        mapping_kernel<Policy>::run(state, q);
      }
    } else {
      family::run(state, call);
    }
  }
};

}  // namespace tern::inline TERN_ISA::impl
