// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the calls of convolutions and transposed convolutions, and their problems for the kernels.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/workspace.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/place_sums.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/checked_call.hpp"
#include "tern/kernel/declaration.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA::declare {

/// The gradients of weights and, on demand, of the bias.
template <class Weights, class Bias>
struct conv_gradients {
  Weights weights;
  Bias bias;
};
template <class Policy>
struct conv_gradients_kernel : convolution_kernel<Policy> {
  template <class State, class Weights, class Bias>
  static void run(State&& state, const conv_gradients<Weights, Bias>& q) {
    impl::check_fit<place_sums_kernel<Policy>>(state, q.bias);
    convolution_kernel<Policy>::run(state, q.weights), place_sums_kernel<Policy>::run(state, q.bias);
  }
};

/// Windows slide over the wide tensor and have one position per element of the narrow one: x and y of a convolution, y
/// and x of a transposed one.
template <class OpType, class Policy, bool Transposed>
struct conv_passes {
  using T = typename OpType::value_type;
  static constexpr auto C = OpType::config;
  static constexpr int Rank = OpType::rank;

  static constexpr conv_pass forward_pass = Transposed ? conv_pass::data : conv_pass::forward,
                             backward_pass = Transposed ? conv_pass::forward : conv_pass::data;
  template <tern::pass For>
  static constexpr conv_pass direction_of = For == tern::pass::forward ? forward_pass : backward_pass;
  static constexpr index_t wide_channels = Transposed ? C.out : C.in, narrow_channels = Transposed ? C.in : C.out;

  /// The sizes of the weights.
  static constexpr conv_shape weights_shape() {
    conv_shape s;
    s.groups = C.groups, s.in = wide_channels / C.groups, s.out = narrow_channels / C.groups;
    for (int r = 0; r < Rank; ++r) {
      window_axis& a = s.axis[3 - Rank + r];
      a.kernel = C.kernel[r], a.stride = C.stride[r], a.dilation = C.dilation[r];
    }
    return s;
  }
  template <conv_work W>
  static constexpr conv_paths paths_of = paths_for(W, weights_shape());

  /// The extent of the result along an axis.
  static constexpr index_t result_of(const window_axis& a) { return Transposed ? a.in : a.out; }
  static constexpr index_t size_of(int r, index_t given) { return C.extent[r] == dynamic ? given : C.extent[r]; }
  /// The sizes of a call, from its x or dx.
  template <class X>
  TERN_INLINE static conv_shape shape_of(const X& x) {
    conv_shape s = weights_shape();
    s.batch = C.batch == dynamic ? x.extent(0) : C.batch;
    for (int r = 0; r < Rank; ++r) s.axis[3 - Rank + r] = C.axis(r, size_of(r, x.extent(2 + r)));
    return s;
  }

  static constexpr const char *x_shape = "n in spatial...", *y_shape = "n out results...",
                              *w_shape = Transposed ? "kernel... out/groups in" : "kernel... in/groups out";
  template <class... Tensor>
  static constexpr declaration taking(const char* pass, const Tensor&... all) {
    declaration d = declaration(pass, Rank, Rank, all...)
                        .where("n", C.batch, ".batch")
                        .where("in", C.in, ".in")
                        .where("out", C.out, ".out")
                        .where(Transposed ? "out/groups" : "in/groups", wide_channels / C.groups,
                               Transposed ? ".out / .groups" : ".in / .groups");
    for (int r = 0; r < Rank; ++r)
      d = d.where("spatial...", C.extent[r], ".extent", r).where("kernel...", C.kernel[r], ".kernel", r);
    return d;
  }
  /// Declares a call with an epilogue. A tensor without a name is absent.
  static constexpr declaration with_epilogue(const char* pass, const tensor& slope, const tensor& y,
                                             const tensor& history) {
    return taking(pass, in("x", x_shape).with_adjacent_channels(), in("w", w_shape).with_strides().or_packed(),
                  in("scale", "out").or_number().when(C.scale, ".scale"),
                  in("bias", "out").or_number().when(C.bias, ".bias"),
                  in("residual", y_shape).with_adjacent_channels().when(C.residual, ".residual"),
                  slope.when(C.act.takes_slope(), ".act", "prelu"), y.with_adjacent_channels(), history);
  }

  /// Members of all passes.
  struct shared {
    using value_type = T;
    using required = options<>;
    using optional = options<accumulate_t, workspace>;
    template <class P>
    using kernel = convolution_kernel<P>;

    /// The plan of a call; if it has several problems, that of its weight gradient.
    template <class Kernels, conv_pass P, epilogue E, class... How>
    static plan plan_of(const conv_sums<T, P, E>& q, How... how) {
      return Kernels::template plan_for<T>(P == conv_pass::forward ? conv_work::forward : conv_work::data, q.shape, E,
                                           how...);
    }
    template <class Kernels, bool Add, class... How>
    static plan plan_of(const conv_gradient<T, Add>& q, How... how) {
      return Kernels::template plan_for<T>(conv_work::weights, q.shape, epilogue{}, how...);
    }
    template <class Kernels, class Weights, class Bias, class... How>
    static plan plan_of(const conv_gradients<Weights, Bias>& q, How... how) {
      return plan_of<Kernels>(q.weights, how...);
    }

    /// Derives the results' extents from x or dx.
    static constexpr bool made(index_t* extent, int) {
      extent[1] = C.out;
      for (int r = 0; r < Rank; ++r) {
        index_t& size = extent[2 + r];
        size = size_of(r, size);
        if (size == dynamic) continue;
        if (size > largest_extent) return false;
        const index_t results = result_of(C.axis(r, size));
        if (size > 0 && results < 1) return false;
        size = results;
      }
      return true;
    }
    static constexpr void demand(sentence& s, const fact& x) {
      for (int r = 0; r < Rank; ++r) {
        const index_t size = size_of(r, x.extent[2 + r]);
        if (size < 1) continue;
        const window_axis a = C.axis(r, size);
        if (result_of(a) >= 1) continue;
        if constexpr (Transposed) {
          const index_t all = (size - 1) * a.stride + a.reach() + C.output_padding[r];
          s << "on axis " << r << " the crops take " << all - a.in << " of the " << all
            << " elements of its result: nothing is left";
        } else {
          a.add_no_result(s << "on axis " << r << " ");
        }
        return;
      }
    }
  };

  template <class U, class View>
  TERN_INLINE static filters<U> strided_filters(const View& v) {
    filters<U> f{.p = v.data()};
    for (int r = 0; r < Rank; ++r) f.tap[3 - Rank + r] = v.stride(r);
    f.in = v.stride(Rank), f.out = v.stride(Rank + 1);
    f.block = v.extent(Rank + 1) / C.groups, f.group = f.block * f.out;
    return f;
  }
  template <class W>
  TERN_INLINE static filters<const T> filters_of(const W& w, const conv_shape& s) {
    if constexpr (is_packed_view<W>)
      return convolution_kernel<Policy>::packed(w.data(), s, direction_of<W::layout_type::for_pass>);
    else
      return strided_filters<const T>(w);
  }
  /// One number per output channel.
  template <class U, class View>
  TERN_INLINE static operand<U> per_channel(const View& v) {
    return {v.data(), v.stride(0), 0, 0};
  }
  /// One number per output channel and position, broadcast along axes of extent 1.
  template <class View>
  TERN_INLINE static image<const T> per_position(const View& v) {
    image<const T> i = impl::image_of<const T>(v);
    i.sample = 0;
    for (int r = 0; r < Rank; ++r)
      if (v.extent(2 + r) == 1) i.axis[3 - Rank + r] = 0;
    return i;
  }

  /// The problem of the forward pass, from the tensors of a call in order.
  template <bool Add, class X, class W, class... More>
  TERN_INLINE static auto sums_of(const conv_shape& shape, const X& x, const W& w, const More&... more) {
    constexpr int bias = C.scale ? 1 : 0, residual = bias + (C.bias ? 1 : 0), slope = residual + (C.residual ? 1 : 0),
                  y = slope + (C.act.takes_slope() ? 1 : 0);
    using slope_view = std::remove_cvref_t<decltype(impl::nth_tensor<slope>(more...))>;
    constexpr epilogue after{.accumulate = Add,
                             .bias = C.bias,
                             .residual = C.residual,
                             .act = C.act,
                             .scale = C.scale,
                             .slope_by_position = C.act.takes_slope() && slope_view::rank > 1};
    on_paths<conv_sums<T, forward_pass, after>, paths_of<Transposed ? conv_work::data : conv_work::forward>> q;
    q.from = impl::image_of<const T>(x), q.to = impl::image_of<T>(impl::nth_tensor<y>(more...));
    q.shape = shape, q.w = filters_of(w, shape);
    if constexpr (C.scale) q.scale = per_channel<const T>(impl::nth_tensor<0>(more...));
    if constexpr (C.bias) q.bias = per_channel<const T>(impl::nth_tensor<bias>(more...));
    if constexpr (C.residual) q.residual = impl::image_of<const T>(impl::nth_tensor<residual>(more...));
    if constexpr (after.slope_by_position)
      q.slopes = per_position(impl::nth_tensor<slope>(more...));
    else if constexpr (C.act.takes_slope())
      q.slope = per_channel<const T>(impl::nth_tensor<slope>(more...));
    return q;
  }
  struct forward : shared {
    static constexpr declaration declared =
        with_epilogue("", in("slope", "1 out results...|1").or_vector("out").or_number().with_adjacent_channels(),
                      out("y", y_shape).made_of("x"), tensor{});
    template <bool Add, class X, class... More>
    TERN_INLINE static auto problem(const char*, const X& x, const More&... more) {
      return sums_of<Add>(shape_of(x), x, more...);
    }
  };

  struct backward_data : shared {
    static constexpr declaration declared =
        taking("backward_data", in("dy", y_shape).with_adjacent_channels().made_of("dx"),
               in("w", w_shape).with_strides().or_packed(), out("dx", x_shape).with_adjacent_channels());
    template <bool Add, class Dy, class W, class Dx>
    TERN_INLINE static auto problem(const char*, const Dy& dy, const W& w, const Dx& dx) {
      on_paths<conv_sums<T, backward_pass, epilogue{Add}>, paths_of<Transposed ? conv_work::forward : conv_work::data>>
          q;
      q.from = impl::image_of<const T>(dy), q.to = impl::image_of<T>(dx);
      q.shape = shape_of(dx), q.w = filters_of(w, q.shape);
      return q;
    }
  };

  /// \tparam Bias  true if the call has a bias gradient
  template <bool Bias>
  struct backward_weights : shared {
    using optional = options<accumulate_t>;
    template <class P>
    using kernel = std::conditional_t<Bias, conv_gradients_kernel<P>, convolution_kernel<P>>;
    static constexpr declaration declared =
        taking("backward_weights", in("x", x_shape).with_adjacent_channels(),
               in("dy", y_shape).with_adjacent_channels().made_of("x"), out("dw", w_shape).with_strides(),
               C.scale ? tensor{} : out("dbias", "out").if_given(Bias));
    template <bool Add, class X, class Dy, class Dw, class... Dbias>
    TERN_INLINE static auto problem(const char*, const X& x, const Dy& dy, const Dw& dw, const Dbias&... dbias) {
      on_paths<conv_gradient<T, Add>, paths_of<conv_work::weights>> q;
      const image<const T> x_image = impl::image_of<const T>(x), dy_image = impl::image_of<const T>(dy);
      q.x = Transposed ? dy_image : x_image, q.dy = Transposed ? x_image : dy_image;
      q.dw = strided_filters<T>(dw), q.shape = shape_of(x);
      if constexpr (Bias) {
        place_box all{q.shape.batch};
        for (int r = 0; r < 3; ++r) all.extent[r] = result_of(q.shape.axis[r]);
        const auto sums = image_sums<Add>(all, C.out, scattered(dy_image), per_channel<T>(dbias...));
        return conv_gradients<decltype(q), std::remove_const_t<decltype(sums)>>{q, sums};
      } else {
        return q;
      }
    }
  };

  /// The weights to be packed.
  struct packing : shared {
    using optional = options<>;
    static constexpr declaration declared = taking("pack", in("w", w_shape).with_strides());
  };
};

}  // namespace tern::inline TERN_ISA::declare
