// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of oneDNN on dense tensors with channels last. "packed": weights in the layout that the library likes
// best, arranged before the clock starts. "plain": weights as tern's plain ones, (kernel..., in / groups, out).
#include "bench/peers/onednn.hpp"

#include <memory>

#if DNNL_VERSION_MAJOR >= 3  // the interface of primitives was another one before
namespace tern::bench {
namespace {

using namespace onednn;
constexpr auto direct = dnnl::algorithm::convolution_direct;

/// The descriptions of a call's tensors and its window. Transposed ones have x and y of their own, and so weights with
/// the channels the other way round.
struct description {
  memory::desc x, y, w, any_w;
  memory::dims strides, dilates, before, behind;

  explicit description(const convolution_of& q) {
    const conv_shape& s = q.shape;
    const index_t x_channels = q.transposed ? s.out : s.in, y_channels = q.transposed ? s.in : s.out;
    memory::dims xd{s.batch, s.groups * x_channels}, yd{s.batch, s.groups * y_channels}, wd, ws;
    if (s.groups > 1) wd.push_back(s.groups), ws.push_back(q.transposed ? 0 : s.out);
    wd.push_back(y_channels), wd.push_back(x_channels);
    // Weights lie as (kernel..., s.in, groups s.out); the library names them (groups, y's, x's, kernel...).
    const index_t row = s.groups * s.out;
    ws.push_back(q.transposed ? row : 1), ws.push_back(q.transposed ? 1 : row);
    if (s.groups > 1) ws[0] = s.out;
    index_t stride = s.in * row;
    memory::dims taps;
    for (int r = 2; r >= 3 - q.rank; --r) taps.insert(taps.begin(), stride), stride *= s.axis[r].kernel;
    for (int r = 3 - q.rank; r < 3; ++r) {
      const window_axis& a = s.axis[r];
      xd.push_back(q.transposed ? a.out : a.in), yd.push_back(q.transposed ? a.in : a.out), wd.push_back(a.kernel);
      strides.push_back(a.stride), dilates.push_back(a.dilation - 1), before.push_back(a.pad);
      behind.push_back((a.out - 1) * a.stride + a.reach() - a.pad - a.in);
    }
    ws.insert(ws.end(), taps.begin(), taps.end());
    const tag last = q.rank == 1 ? tag::nwc : q.rank == 2 ? tag::nhwc : tag::ndhwc;
    x = memory::desc(xd, f32, last), y = memory::desc(yd, f32, last);
    w = memory::desc(wd, f32, ws), any_w = memory::desc(wd, f32, tag::any);
  }
};

auto forward_of(const description& d, const memory::desc& w, dnnl::prop_kind kind) {
  return dnnl::convolution_forward::primitive_desc(engine(), kind, direct, d.x, w, d.y, d.strides, d.dilates, d.before,
                                                   d.behind);
}

prepared convolution(const problem& p, const operands& x, bool packed) {
  const convolution_of& q = *p.conv;
  const description d(q);
  const memory::desc& w = packed ? d.any_w : d.w;
  const auto with_weights = [&](const memory::desc& wanted) { return reordered(over(d.w, x.right<float>()), wanted); };
  if (q.transposed) {
    const dnnl::deconvolution_forward::primitive_desc how(engine(), dnnl::prop_kind::forward_inference,
                                                          dnnl::algorithm::deconvolution_direct, d.x, w, d.y, d.strides,
                                                          d.dilates, d.before, d.behind);
    return run(dnnl::deconvolution_forward(how), {{DNNL_ARG_SRC, over(d.x, x.left<float>())},
                                                  {DNNL_ARG_WEIGHTS, with_weights(how.weights_desc())},
                                                  {DNNL_ARG_DST, over(d.y, x.out<float>())}});
  }
  const bool forward = p.direction == pass::forward;
  const auto how = forward_of(d, w, forward ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training);
  if (forward)
    return run(dnnl::convolution_forward(how), {{DNNL_ARG_SRC, over(d.x, x.left<float>())},
                                                {DNNL_ARG_WEIGHTS, with_weights(how.weights_desc())},
                                                {DNNL_ARG_DST, over(d.y, x.out<float>())}});
  if (p.direction == pass::backward_data) {
    const dnnl::convolution_backward_data::primitive_desc back(engine(), direct, d.x, w, d.y, d.strides, d.dilates,
                                                               d.before, d.behind, how);
    return run(dnnl::convolution_backward_data(back), {{DNNL_ARG_DIFF_DST, over(d.y, x.left<float>())},
                                                       {DNNL_ARG_WEIGHTS, with_weights(back.weights_desc())},
                                                       {DNNL_ARG_DIFF_SRC, over(d.x, x.out<float>())}});
  }
  const dnnl::convolution_backward_weights::primitive_desc back(engine(), direct, d.x, w, d.y, d.strides, d.dilates,
                                                                d.before, d.behind, how);
  if (back.diff_weights_desc() == d.w)
    return run(dnnl::convolution_backward_weights(back), {{DNNL_ARG_SRC, over(d.x, x.left<float>())},
                                                          {DNNL_ARG_DIFF_DST, over(d.y, x.right<float>())},
                                                          {DNNL_ARG_DIFF_WEIGHTS, over(d.w, x.out<float>())}});
  // A layout of the library's choice: bringing it into a plain one is part of the call, as tern's are plain.
  memory dw(back.diff_weights_desc(), engine()), plain = over(d.w, x.out<float>());
  const dnnl::convolution_backward_weights compute(back);
  const dnnl::reorder arrange(dw, plain);
  const arguments of_call{{DNNL_ARG_SRC, over(d.x, x.left<float>())},
                          {DNNL_ARG_DIFF_DST, over(d.y, x.right<float>())},
                          {DNNL_ARG_DIFF_WEIGHTS, dw}};
  return repeated([=] {
    compute.execute(stream(), of_call);
    memory from = dw, to = plain;
    arrange.execute(stream(), from, to);
  });
}

/// Choosing an implementation, making its primitive, which generates code, and bringing the weights into its layout.
prepared construction(const problem& p, const operands& x) {
  struct made {
    dnnl::convolution_forward primitive;
    memory weights;
  };
  const description d(*p.conv);
  const memory plain = over(d.w, x.right<float>());
  const auto last = std::make_shared<made>();
  prepared r = repeated([=] {
    const auto how = forward_of(d, d.any_w, dnnl::prop_kind::forward_inference);
    *last = {dnnl::convolution_forward(how), reordered(plain, how.weights_desc())};
  });
  r.run(1);  // throws here if it is not supported
  r.finish = [=, from = over(d.x, x.left<float>()), to = over(d.y, x.out<float>())] {
    last->primitive.execute(stream(), {{DNNL_ARG_SRC, from}, {DNNL_ARG_WEIGHTS, last->weights}, {DNNL_ARG_DST, to}});
    stream().wait();
  };
  return r;
}

const at_start add(TERN_BENCH_NAME, [] {
  dnnl::set_primitive_cache_capacity(0);  // so that constructions construct; calls never make primitives
  for (const bool packed : {false, true})
    add_conv_peer(
        packed ? "packed" : "plain", "onednn", [](const problem& p, const setting&) { return !p.f64; },
        [packed](const problem& p, const operands& x, const setting&) {
          return if_offered([&] { return convolution(p, x, packed); });
        });
  add_construction_peer(
      "onednn", [](const problem& p, const setting&) { return !p.f64; },
      [](const problem& p, const operands& x, const setting&) {
        return if_offered([&] { return construction(p, x); });
      });
});

}  // namespace
}  // namespace tern::bench
#endif
