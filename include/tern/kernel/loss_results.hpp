// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Totals of losses over samples or rows, their options, and the factor of gradients.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/family/reduction/place_sums.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/op/loss.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA::declare {

template <>
inline constexpr const char* name_of_option<loss_scale> = "a tern::loss_scale";
template <>
inline constexpr const char* name_of_option<label_smoothing> = "a tern::label_smoothing";

template <template <class> class Family, class Policy>
  requires requires { sizeof(Family<Policy>); }
struct loss_and_total_kernel;

/// A call that writes losses and their total, a sum by grains like a bias gradient of one channel.
/// \tparam Family  the kernels of losses
template <template <class> class Family, class Losses, bool Average, bool Add>
struct loss_and_total : Losses {
  using T = typename Losses::value_type;
  using losses = Losses;
  static constexpr bool averages = Average;
  template <class Policy>
  using kernel = loss_and_total_kernel<Family, Policy>;

  place_sums<T, tile::bias_terms<activation::none, Add>> sum;
  T divisor = 1;
};

template <template <class> class Family, class Policy>
  requires requires { sizeof(Family<Policy>); }
struct loss_and_total_kernel : Family<Policy> {
  template <class State, class Call>
  static void run(State& state, const Call& q) {
    impl::check_fit<place_sums_kernel<Policy>>(state, q.sum);
    Family<Policy>::run(state, static_cast<const typename Call::losses&>(q));
    place_sums_kernel<Policy>::run(state, q.sum);
    if constexpr (Call::averages) {
      using T = typename Call::value_type;
      mapping<T, tile::quotient_map<T>> total;
      total.batch = total.channels = 1;
      total.in[0].p = total.out[0].p = q.sum.out[0].p, total.f.divisor = q.divisor;
      mapping_kernel<Policy>::run(state, total);
    }
  }
  /// Describes the losses, not the total.
  template <class Call, class... How, class Losses = Family<Policy>>
    requires requires(const typename Call::losses& q, plan& p, How... how) { Losses::describe(q, p, how...); }
  static void describe(const Call& q, plan& p, How... how) {
    Losses::describe(static_cast<const typename Call::losses&>(q), p, how...);
  }
  /// The partition of the losses or of their total, whichever needs more memory per tile.
  template <class Call, class Have>
  static auto partition_for(const Call& q, Have have) {
    const auto losses = Family<Policy>::partition_for(static_cast<const typename Call::losses&>(q), have);
    const auto sum = Family<Policy>::partition_for(q.sum, have);
    return losses.bytes_per_tile < sum.bytes_per_tile ? sum : losses;
  }
};

/// Base of the passes of losses.
/// \tparam Family  the kernels of losses
template <loss_config C, class T, template <class> class Family = loss_kernel>
struct loss_pass {
  using value_type = T;
  using required = options<>;
  static constexpr bool reduced = C.reduce != reduction::none, sums = C.reduce == reduction::sum;
  static constexpr tensor total = out("total", "1").when(reduced, ".reduce", "not none");
  /// \param shape  that of losses
  static constexpr tensor dlosses(const char* shape) { return in("dlosses", shape).when(!reduced, ".reduce", "none"); }

  template <class Policy>
  using forward_kernel = std::conditional_t<reduced, loss_and_total_kernel<Family, Policy>, Family<Policy>>;
  template <class... More>
  using forward_options = std::conditional_t<sums, options<accumulate_t, More...>, options<More...>>;
  template <class... More>
  using gradient_options =
      std::conditional_t<reduced, options<accumulate_t, loss_scale, More...>, options<accumulate_t, More...>>;

  /// A call that writes losses, with their total if there is one.
  template <class Losses, bool Add>
  using with_total = std::conditional_t<reduced, loss_and_total<Family, Losses, !sums, Add>, Losses>;
  /// Sets the total, which follows the inputs and the losses among the arguments.
  /// \param terms   the number of terms of the mean
  /// \param losses  one of `extent` per sample
  template <bool Add, int Inputs, class Call, class U, class... Any>
  TERN_INLINE static void set_total(const char* op, const char* name, Call& q, double terms,
                                    const scattered_image<U>& losses, const place_box& summed, const Any&... any) {
    if constexpr (reduced) {
      scattered_image<const T> from{.p = losses.p, .sample = losses.sample};
      for (int r = 0; r < 3; ++r) from.axis[r] = losses.axis[r];
      q.sum = image_sums<Add>(summed, 1, from, operand<T>{impl::nth_tensor<Inputs + 1>(any...).data(), 1, 0, 0});
      q.divisor = static_cast<T>(divisor(op, name, terms, summed.batch, any...));
    }
  }
  /// The factor of the terms' gradients, without dlosses.
  template <class... Any>
  static T weight(const char* op, const char* name, double terms, index_t batch, const Any&... any) {
    const double scale = impl::find_argument<loss_scale>(any...).value;
    if (scale - scale != 0) violation("%s: loss_scale is %g: it must be finite", op, scale);
    return static_cast<T>(scale / divisor(op, name, terms, batch, any...));
  }

 private:
  /// The divisor of the sum of all terms; throws if it is zero.
  template <class... Any>
  static double divisor(const char* op, const char* name, double terms, index_t batch, const Any&... any) {
    if constexpr (!reduced || sums) return 1;
    const double n = C.reduce == reduction::batch_mean ? static_cast<double>(batch) : terms;
    if (n == 0)
      violation("%s: %s is %s: there is nothing to average", op, name, impl::text_of(impl::nth_tensor<0>(any...)).text);
    return n;
  }
};

}  // namespace tern::inline TERN_ISA::declare
