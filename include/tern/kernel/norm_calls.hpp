// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the calls of norms, and their problems: forward, and gradients.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/image.hpp"
#include "tern/core/layout.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/normalization.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/images.hpp"
#include "tern/op/norm.hpp"

namespace tern::inline TERN_ISA::declare {

template <>
inline constexpr const char* name_of_option<epsilon> = "a tern::epsilon";

/// The epsilon of a call in the element type, where it must be positive and finite, too.
template <class T>
T checked_epsilon(const char* op, const epsilon& given, double of_config) {
  const double eps = given.value == epsilon::of_config ? of_config : given.value;
  const T value = static_cast<T>(eps);
  if (!(eps > 0)) violation("%s: epsilon is %g: it must be positive", op, eps);
  if (value - value != T(0) || value == T(0))
    violation("%s: epsilon is %g, which is %g in %s: it must be positive and finite", op, eps,
              static_cast<double>(value), dtype<T>::name);
  return value;
}

/// Numbers per channel, or per sample and group.
template <class U, class View>
TERN_INLINE operand<U> numbers_of(const View& v) {
  constexpr bool strided = strided_mapping<typename View::mapping_type>;
  static_assert(strided, "norm: numbers of channels and groups must be in a layout with strides");
  if constexpr (strided)
    return {v.data(), v.stride(0), View::rank > 1 ? v.stride(View::rank - 1) : 0, 0};
  else
    return {};
}
/// Sets an image to tensor I of a call; -1: leaves it unset.
template <int I, class U, class... View>
TERN_INLINE void set(image<U>& to, const View&... view) {
  if constexpr (I >= 0) to = impl::image_of<U>(impl::nth_tensor<I>(view...));
}
template <int I, class U, class... View>
TERN_INLINE void set(operand<U>& to, const View&... view) {
  if constexpr (I >= 0) to = numbers_of<U>(impl::nth_tensor<I>(view...));
}

/// The rules of a norm's passes. The first tensor has x's shape.
template <norm_kind K, norm_config C, class T>
struct norm_rules {
  using value_type = T;
  using required = options<>;
  static constexpr bool center = K != norm_kind::rms, whole_batch = K == norm_kind::batch,
                        by_channel = whole_batch || K == norm_kind::instance;

  static constexpr const char *of_x = "n channels spatial...", *of_groups = whole_batch             ? "channels"
                                                                            : by_channel            ? "n channels"
                                                                            : K == norm_kind::group ? "n groups"
                                                                                                    : "n 1";
  static constexpr tensor x = in("x", of_x), dy = in("dy", of_x),
                          scale = in("scale", "channels").when(C.scale, ".scale"),
                          shift = in("shift", "channels").when(C.shift, ".shift"),
                          residual = in("residual", of_x).when(C.residual, ".residual");
  /// RMS norms have no mean.
  static constexpr tensor statistic(const char* name, role is = role::input) {
    return !center && same_text(name, "mean")
               ? tensor{}
               : tensor{name, of_groups, is}.or_vector(same_text(of_groups, "n 1") ? "n" : "");
  }
  template <class... Tensor>
  static constexpr declaration taking(const char* pass, const Tensor&... all) {
    const declaration d(pass, 0, 3, same_text(all.shape, of_x) ? all.with_adjacent_channels() : all...);
    return K == norm_kind::group ? d.where("groups", C.groups, ".groups") : d;
  }
  static constexpr void validate(sentence& s, const char* op, const fact* t) {
    bool empty = whole_batch && t[0].extent[0] == 0;
    for (int r = 1; r < t[0].rank; ++r) empty = empty || t[0].extent[r] == 0;
    const index_t channels = t[0].extent[1];
    if (empty)
      s << op << ": x is " << t[0] << ": there are no elements to normalise";
    else if (channels != dynamic && channels % C.groups != 0)
      s << op << ": x has " << channels << " channels, which .groups = " << C.groups << " does not divide";
  }
  TERN_COLD static void refuse(const char* op, const fact& given) {
    sentence s;
    validate(s, op, &given);
    violation("%s", s.text());
  }
  /// The sizes of a call. Throws the errors that `validate` finds.
  template <class X, class... More>
  TERN_INLINE static norm_shape shape_of(const char* op, const X& v, const More&...) {
    norm_shape s{.batch = v.extent(0), .channels = v.extent(1), .groups = by_channel ? v.extent(1) : C.groups};
    for (int r = 2; r < X::rank; ++r) s.extent[3 - X::rank + r] = v.extent(r);
    if (s.channels * s.positions() == 0 || (whole_batch && s.batch == 0) || s.channels % s.groups != 0) [[unlikely]]
      refuse(op, fact_of<T>(v));
    return s;
  }
  /// False in files that link the compiled part, whose norms take any shape.
  template <class... View>
  static constexpr bool rows =
#if defined(TERN_COMPILED)
      false;
#else
      !whole_batch && ((View::rank <= 2 && strided_mapping<typename View::mapping_type>) && ...);
#endif
  template <class... View>
  static constexpr norm_steps steps{center, C.scale, C.shift, C.residual, C.act, whole_batch, rows<View...>};
  static constexpr cost cost_of(const place_box& of, index_t channels, index_t tensors, int operations) {
    const index_t elements = of.places() * channels;
    return {tensors * elements, of.places(), channels, static_cast<double>(elements) * operations};
  }
};

/// \tparam Statistics  the number of outputs asked for: 0, or mean and rstd, of RMS norms rstd; of batch norms
///                     variance, too
template <norm_kind K, norm_config C, class T, int Statistics>
struct norm_pass : norm_rules<K, C, T> {
  using rules = norm_rules<K, C, T>;
  using optional = options<epsilon>;
  template <class Policy>
  using kernel = normalization_kernel<Policy>;
  static constexpr declaration declared = rules::taking(
      "", rules::x, rules::scale, rules::shift, rules::residual, out("y", rules::of_x).may_be("x residual"),
      rules::statistic("mean", role::output).if_given(Statistics > 0),
      rules::statistic("rstd", role::output).if_given(Statistics > 0),
      rules::statistic(rules::whole_batch ? "variance" : "", role::output).if_given(Statistics > 2));
  static constexpr int at(const char* name) { return declared.number_of(name); }
  static constexpr cost cost_of(const auto& q) {
    return rules::cost_of(q.shape.places(), q.shape.channels, 2 + C.residual, 8);
  }

  template <bool, class... View>
  TERN_INLINE static auto problem(const char* op, const epsilon& eps, const View&... view) {
    norm_values<T, rules::template steps<View...>> q{.shape = rules::shape_of(op, view...)};
    set<at("x")>(q.x, view...), set<at("residual")>(q.residual, view...), set<at("y")>(q.y, view...);
    set<at("scale")>(q.scale, view...), set<at("shift")>(q.shift, view...);
    set<at("mean")>(q.mean, view...), set<at("rstd")>(q.rstd, view...), set<at("variance")>(q.variance, view...);
    if constexpr (rules::whole_batch)
      q.mean = q.mean.transposed(), q.rstd = q.rstd.transposed(), q.variance = q.variance.transposed();
    q.eps = checked_epsilon<T>(op, eps, C.epsilon);
    return q;
  }
};

/// Gradients of x, scale and shift: fused, or for as many samples at a time as stay in caches, or one after the other.
/// \tparam Adds  true if those of scale and shift accumulate
template <class Policy, bool Adds>
struct norm_gradients_kernel : normalization_kernel<Policy> {
  template <class State, class Gradient>
  static void run(State&& state, const Gradient& all) {
    using norms = normalization_kernel<Policy>;
    constexpr norm_steps steps = Gradient::steps;
    Gradient part = all;
    part.dscale = part.dshift = {};
    const auto run_part = [&]<bool Add>(std::bool_constant<Add>) {
      place_sums_kernel<Policy>::run(state, sums_of<Add>(part, all));
      norms::run(state, part);
    };
    if constexpr (steps.batch && !Adds) {
      norms::run(state, all);
    } else if constexpr (!steps.batch && requires { norms::samples_in_cache(state, all); }) {
      for (index_t c = 0; !Adds && c < all.shape.channels; ++c) {
        *all.dscale.at(c, 0) = 0;
        if (all.dshift.p != nullptr) *all.dshift.at(c, 0) = 0;
      }
      const index_t batch = all.shape.batch, at_once = norms::samples_in_cache(state, all);
      for (index_t first = 0; first < batch; first += at_once) {
        part.shape.batch = batch - first < at_once ? batch - first : at_once;
        part.dy.p = all.dy.p + first * all.dy.sample, part.x.p = all.x.p + first * all.x.sample;
        part.dx.p = all.dx.p + first * all.dx.sample, part.rstd.p = all.rstd.p + first * all.rstd.row;
        if constexpr (steps.center) part.mean.p = all.mean.p + first * all.mean.row;
        run_part(std::true_type());
      }
    } else {
      impl::check_fit<norms>(state, part);
      run_part(std::bool_constant<Adds>());
    }
  }
  /// The partition of the gradient of x, with memory for the others. Without samples only the others run.
  template <class Gradient, class Have>
  static auto partition_for(const Gradient& all, Have have) {
    auto p = normalization_kernel<Policy>::partition_for(all, have);
    if constexpr (!Gradient::steps.batch || Adds) {
      const auto sums = place_sums_kernel<Policy>::partition_for(sums_of<Adds>(all, all), have);
      if (all.shape.batch == 0) return sums;
      p.fits = p.fits && sums.fits;
      if (p.bytes_per_tile < sums.bytes_per_tile) p.bytes_per_tile = sums.bytes_per_tile;
    }
    return p;
  }

 private:
  /// The gradients of scale and shift over some samples of `all`.
  template <bool Add, class Gradient>
  static auto sums_of(const Gradient& part, const Gradient& all) {
    return norm_weight_sums<typename Gradient::value_type, Gradient::steps.center, Add>(
        part.shape, part.dy, part.x, part.mean, part.rstd, all.dscale, all.dshift);
  }
};

enum class norm_gradients_of : unsigned char { x, weights, all };

/// \tparam Adds   true if the call asks for all gradients, and those of weights accumulate
/// \tparam Shift  true if the call has dshift
template <norm_kind K, norm_config C, class T, norm_gradients_of Of, bool Adds = false, bool Shift = true>
struct norm_backward_pass : norm_rules<K, C, T> {
  using rules = norm_rules<K, C, T>;
  static constexpr bool of_x = Of != norm_gradients_of::weights, of_weights = Of != norm_gradients_of::x;
  using optional =
      std::conditional_t<of_x && of_weights, options<accumulate_t, accumulate_weights_t>, options<accumulate_t>>;
  template <class Policy>
  using kernel = std::conditional_t<
      !of_x, place_sums_kernel<Policy>,
      std::conditional_t<of_weights, norm_gradients_kernel<Policy, Adds>, normalization_kernel<Policy>>>;
  static constexpr declaration declared = rules::taking(
      !of_weights ? "backward_data"
      : of_x      ? "backward"
                  : "backward_weights",
      rules::dy, rules::x, of_x ? rules::scale : tensor{}, rules::statistic("mean"), rules::statistic("rstd"),
      out(of_x ? "dx" : "", rules::of_x).may_be("dy"), out(of_weights ? "dscale" : "", "channels"),
      out(of_weights ? "dshift" : "", "channels").if_given(Shift));
  static constexpr int at(const char* name) { return declared.number_of(name); }
  static constexpr cost cost_of(const auto& q) {
    if constexpr (of_x)
      return rules::cost_of(q.shape.places(), q.shape.channels, 3, 12);
    else
      return rules::cost_of(q.summed, q.channels, 2, 5);
  }

  template <bool Add, class... View>
  TERN_INLINE static auto problem(const char* op, const View&... view) {
    norm_gradient<T, rules::template steps<View...>.of_gradient(), Add> q{.shape = rules::shape_of(op, view...)};
    set<at("dy")>(q.dy, view...), set<at("x")>(q.x, view...), set<at("dx")>(q.dx, view...);
    set<at("scale")>(q.scale, view...), set<at("mean")>(q.mean, view...), set<at("rstd")>(q.rstd, view...);
    set<at("dscale")>(q.dscale, view...), set<at("dshift")>(q.dshift, view...);
    if constexpr (rules::whole_batch) q.mean = q.mean.transposed(), q.rstd = q.rstd.transposed();
    if constexpr (of_x)
      return q;
    else
      return norm_weight_sums<T, rules::center, Add>(q.shape, q.dy, q.x, q.mean, q.rstd, q.dscale, q.dshift);
  }
};

}  // namespace tern::inline TERN_ISA::declare
