// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of convolutions and transposed ones. Channels, groups and windows that only the run knows stand for all
// configs: so a pass is compiled once.
#pragma once

#include <type_traits>

#include "tern/kernel/conv_passes.hpp"
#include "tern/kernel/packed.hpp"
#include "tests/driver/packed.hpp"
#include "tests/driver/parity.hpp"
#include "tests/driver/places.hpp"

namespace tern::test::inline TERN_ISA {

/// The convolution that any_conv computes.
extern conv_shape current_conv;

/// The rules for calls on current_conv. \param transposed  true if x is the narrow tensor
call_rules conv_calls(std::mt19937& engine, double most, bool transposed);

/// A pass of a convolution of three axes, with the shape of current_conv instead of that of its config, and all ways to
/// compute it.
/// \tparam Transposed  true for transposed convolutions
/// \tparam Channel     true if slopes are per channel only: others make another kernel
template <class Pass, class Policy, bool Transposed = false, bool Channel = false>
struct any_conv : Pass {
  using T = typename Pass::value_type;

  static constexpr declare::declaration declared = [] {
    declare::declaration d = Pass::declared;
    d.extents = 0;
    for (declare::tensor& t : d.of)
      if (Channel && t.may_be_vector()) t.shape = t.vector, t.vector = "";
    return d;
  }();
  static constexpr bool made(index_t* extent, int) {
    if (std::is_constant_evaluated()) {
      for (int i = 1; i < 5; ++i) extent[i] = dynamic;
      return true;
    }
    const conv_shape& s = current_conv;
    extent[1] = s.groups * (Transposed ? s.in : s.out);
    for (int r = 0; r < 3; ++r) extent[2 + r] = Transposed ? s.axis[r].in : s.axis[r].out;
    return true;
  }

  template <bool Add, class A, class B, class C, class... More>
  static auto problem(const char* op, const A& a, const B& b, const C& c, const More&... more) {
    auto q = Pass::template problem<Add>(op, a, b, c, more...);
    if constexpr (requires { q.bias.summed; })
      return with_bias<Add>(any(q.weights), more...);
    else if constexpr (declare::is_packed_view<B>)
      return any(q, convolution_kernel<Policy>::packed(b.data(), current_conv, pass_of<B::layout_type::for_pass>));
    else
      return any(q);
  }

  /// Weights as the policy packs them.
  template <pass For, class W>
  static auto packed(const W& w) {
    constexpr conv_pass direction = pass_of<For>;
    using kernels = convolution_kernel<Policy>;
    T* const to = packed_memory<T>(kernels::template packed_size<T>(current_conv, direction));
    filters<const T> from{.p = w.data(), .tap = {w.stride(0), w.stride(1), w.stride(2)}};
    from.in = w.stride(3), from.out = w.stride(4);
    kernels::pack(current_conv, cut(from), to, direction);
    return packed_view<For>(to, w);
  }

 private:
  template <pass For>
  static constexpr conv_pass pass_of = (For == pass::forward) != Transposed ? conv_pass::forward : conv_pass::data;

  template <class U>
  static filters<U> cut(filters<U> f) {
    f.block = current_conv.out, f.group = f.block * f.out;
    return f;
  }
  template <conv_pass P, epilogue E>
  static auto any(conv_sums<T, P, E> q) {
    return any(q, cut(q.w));
  }
  template <conv_pass P, epilogue E>
  static auto any(conv_sums<T, P, E> q, const filters<const T>& w) {
    q.shape = current_conv, q.w = w;
    return q;
  }
  template <bool Add>
  static auto any(conv_gradient<T, Add> q) {
    q.shape = current_conv, q.dw = cut(q.dw);
    return q;
  }
  /// The gradient of the bias is the sum of the result's.
  template <bool Add, class Weights, class Sums>
  static auto with_bias(const Weights& q, const Sums& to) {
    const conv_shape& s = current_conv;
    place_box all{s.batch};
    for (int r = 0; r < 3; ++r) all.extent[r] = Transposed ? s.axis[r].in : s.axis[r].out;
    const auto sums = image_sums<Add>(all, s.groups * (Transposed ? s.in : s.out), scattered(Transposed ? q.x : q.dy),
                                      operand<T>{to.data(), to.stride(0), 0, 0});
    return declare::conv_gradients<Weights, std::remove_const_t<decltype(sums)>>{q, sums};
  }
};

struct conv_family {
  static constexpr int cases = 2000;
  static constexpr double most = 4e5;              ///< products
  static constexpr index_t large_bytes = 1 << 14;  ///< of tensors that count as out of cache
  static constexpr tiles_used on_tiles{.spread = 2500, .stepped = 1500, .cut_in_both = 100, .folded = 50};

  /// A call of every pass.
  template <class T, class Run>
  static void calls(Run& run) {
    using policy = typename Run::policy;
    constexpr conv3d_config plain{.in = 1, .out = 1},
        rest{.in = 1, .out = 1, .scale = true, .bias = true, .residual = true, .act = activation::prelu};
    constexpr conv_transpose3d_config back{.in = 1, .out = 1, .bias = true, .act = activation::prelu};
    using sums = conv3d<plain, T>;
    using everything = conv3d<rest, T>;
    using transposed = conv_transpose3d<back, T>;
    using of_sums = declare::conv_passes<typename sums::op_type, policy, false>;
    using of_everything = declare::conv_passes<typename everything::op_type, policy, false>;
    using of_transposed = declare::conv_passes<typename transposed::op_type, policy, true>;
    constexpr int across = 96 / sizeof(T);  // whole vectors cross from one block to the next
    const auto call = [&]<class Op, class Pass, class... Layouts>(bool is_transposed = false) {
      run.template call<Op, Pass, 5, Layouts...>(conv_calls(run.engine, run.few_or_many(), is_transposed));
    };
    using for_forward = packed_for<pass::forward>;
    using for_data = packed_for<pass::backward_data>;
    call.template
    operator()<sums, any_conv<typename of_sums::forward, policy>, blocks<4, 0, 16>, for_forward, for_data>();
    call.template operator()<everything, adding<any_conv<typename of_everything::forward, policy>>,
                             blocks<across, 0, 0, 0, 4, 16, 1>, for_forward>();
    call.template
    operator()<sums, any_conv<typename of_sums::backward_data, policy>, blocks<across, 0, 4>, for_forward, for_data>();
    call.template
    operator()<sums, any_conv<typename of_sums::template backward_weights<false>, policy>, blocks<16, across>>();
    call.template operator()<transposed, not_adding<any_conv<typename of_transposed::forward, policy, true, true>>,
                             blocks<16, 0, 0, 0, across>, for_forward, for_data>(true);
    call.template operator()<transposed, not_adding<any_conv<typename of_transposed::backward_data, policy, true>>>(
        true);
    call.template operator()<
        transposed, any_conv<typename of_transposed::template backward_weights<true>, policy, true>, blocks<4, 16>>(
        true);
  }
};

}  // namespace tern::test::inline TERN_ISA
