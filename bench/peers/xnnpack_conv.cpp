// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of XNNPACK, which packs weights when an operator is made: forward, of one and two axes.
#include "bench/peers/xnnpack.hpp"

#include <xnnpack.h>

#include <vector>

#if TERN_BENCH_XNNPACK_RESHAPES
namespace tern::bench {
namespace {

/// Weights as the library wants them: (groups y's, kernel..., x's of a group).
std::vector<float> arranged(const convolution_of& q, const float* w) {
  const conv_shape& s = q.shape;
  std::vector<float> to;
  const index_t ys = q.transposed ? s.in : s.out, xs = q.transposed ? s.out : s.in;
  for (index_t g = 0; g < s.groups; ++g)
    for (index_t y = 0; y < ys; ++y)
      for (index_t t = 0; t < s.taps(); ++t)
        for (index_t x = 0; x < xs; ++x) {
          const index_t in = q.transposed ? y : x, out = q.transposed ? x : y;
          to.push_back(w[(t * s.in + in) * s.groups * s.out + g * s.out + out]);
        }
  to.resize(to.size() + 64);  // it may read a little further
  return to;
}

/// An operator with its weights packed.
std::shared_ptr<xnn_operator> made_of(const convolution_of& q, const std::vector<float>& weights) {
  const conv_shape& s = q.shape;
  const window_axis &h = s.axis[1], &w = s.axis[2];
  xnn_operator_t op = nullptr;
  expect(xnn_create_convolution2d_nhwc_f32(u(h.pad), u(behind(w)), u(behind(h)), u(w.pad), u(h.kernel), u(w.kernel),
                                           u(h.stride), u(w.stride), u(h.dilation), u(w.dilation), u(s.groups), z(s.in),
                                           z(s.out), z(s.groups * s.in), z(s.groups * s.out), weights.data(), nullptr,
                                           -infinity, infinity, 0, nullptr, nullptr, &op));
  return owned(op);
}
/// Ready for calls on tensors of these sizes; nothing if the library infers other ones.
prepared ready(const std::shared_ptr<xnn_operator>& op, const convolution_of& q, const operands& x) {
  const conv_shape& s = q.shape;
  std::size_t height = 0, width = 0, bytes = 0, alignment = 0;
  expect(xnn_reshape_convolution2d_nhwc_f32(op.get(), z(s.batch), z(s.axis[1].in), z(s.axis[2].in), &bytes, &alignment,
                                            &height, &width, pool()));
  const auto memory = std::make_shared<buffer>(static_cast<index_t>(bytes));
  expect(xnn_setup_convolution2d_nhwc_f32(op.get(), memory->as<float>(), x.left<float>(), x.out<float>()));
  if (height != z(s.axis[1].out) || width != z(s.axis[2].out)) return {};
  return run(op, memory, static_cast<index_t>(bytes));
}

prepared construction(const problem& p, const operands& x) {
  const auto last = std::make_shared<prepared>();
  prepared r = repeated([last, weights = arranged(*p.conv, x.right<float>()), q = *p.conv, x = &x] {
    *last = ready(made_of(q, weights), q, *x);
  });
  r.run(1);  // throws here if it is not supported
  r.finish = [last] { last->run(1); };
  return r;
}

prepared convolution(const problem& p, const operands& x) {
  const convolution_of& q = *p.conv;
  const conv_shape& s = q.shape;
  const window_axis &h = s.axis[1], &w = s.axis[2];
  const auto behind_of = [](const window_axis& a) { return (a.out - 1) * a.stride + a.reach() - a.pad - a.in; };
  const std::vector<float> weights = arranged(q, x.right<float>());
  const index_t xs = q.transposed ? s.out : s.in, ys = q.transposed ? s.in : s.out;
  xnn_operator_t op = nullptr;
  std::size_t height = 0, width = 0;
  if (q.transposed) {
    if (behind_of(h) < 0 || behind_of(w) < 0) return {};
    expect(xnn_create_deconvolution2d_nhwc_f32(u(h.pad), u(behind_of(w)), u(behind_of(h)), u(w.pad), u(h.kernel),
                                               u(w.kernel), u(h.stride), u(w.stride), u(h.dilation), u(w.dilation),
                                               u(s.groups), z(xs), z(ys), z(s.groups * xs), z(s.groups * ys),
                                               weights.data(), nullptr, -infinity, infinity, 0, nullptr, nullptr, &op));
    const auto made = owned(op);
    expect(xnn_reshape_deconvolution2d_nhwc_f32(op, z(s.batch), z(h.out), z(w.out), 0, 0, &height, &width, pool()));
    expect(xnn_setup_deconvolution2d_nhwc_f32(op, x.left<float>(), x.out<float>()));
    if (height != z(h.in) || width != z(w.in)) return {};
    return run(made, nullptr, 0);
  }
  return ready(made_of(q, weights), q, x);
}

const at_start add(TERN_BENCH_NAME, [] {
  if (xnn_initialize(nullptr) != xnn_status_success) return;
  add_conv_peer(
      "packed", "xnnpack",
      [](const problem& p, const setting&) { return !p.f64 && p.direction == pass::forward && p.conv->rank < 3; },
      [](const problem& p, const operands& x, const setting&) {
        return if_offered([&] { return convolution(p, x); });
      });
  add_construction_peer(
      "xnnpack", [](const problem& p, const setting&) { return !p.f64; },
      [](const problem& p, const operands& x, const setting&) {
        return if_offered([&] { return construction(p, x); });
      });
});

}  // namespace
}  // namespace tern::bench
#endif
