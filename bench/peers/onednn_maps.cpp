// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax, activations and sums of oneDNN.
#include "bench/peers/onednn.hpp"

#include "bench/harness/moving.hpp"

#if DNNL_VERSION_MAJOR >= 3  // the interface of primitives was another one before
namespace tern::bench {
namespace {

using namespace onednn;
using dnnl::prop_kind;

prepared softmax(const problem& p, const operands& x) {
  const memory::desc d({p.moving->batch, p.moving->channels}, f32, tag::ab);
  const bool forward = p.direction == pass::forward;
  const auto algorithm = dnnl::algorithm::softmax_accurate;
  const dnnl::softmax_forward::primitive_desc how(
      engine(), forward ? prop_kind::forward_inference : prop_kind::forward_training, algorithm, d, d, 1);
  const memory left = over(d, x.left<float>()), to = over(d, x.out<float>());
  if (forward) return run(dnnl::softmax_forward(how), {{DNNL_ARG_SRC, left}, {DNNL_ARG_DST, to}});
  return run(dnnl::softmax_backward(dnnl::softmax_backward::primitive_desc(engine(), algorithm, d, d, d, 1, how)),
             {{DNNL_ARG_DST, over(d, x.right<float>())}, {DNNL_ARG_DIFF_DST, left}, {DNNL_ARG_DIFF_SRC, to}});
}

prepared elementwise(const problem& p, const operands& x) {
  const memory_bound_op& m = *p.moving;
  const memory::desc d = m.extent > 1 ? memory::desc({m.batch, m.channels, m.extent, m.extent}, f32, tag::nhwc)
                                      : memory::desc({m.batch, m.channels}, f32, tag::ab);
  const memory left = over(d, x.left<float>()), to = over(d, x.out<float>());
  if (p.op.residual)
    return run(dnnl::binary(dnnl::binary::primitive_desc(engine(), dnnl::algorithm::binary_add, d, d, d)),
               {{DNNL_ARG_SRC_0, left}, {DNNL_ARG_SRC_1, over(d, x.residual<float>())}, {DNNL_ARG_DST, to}});
  const bool forward = p.direction == pass::forward, relu = p.op.act == activation::relu;
  const auto algorithm = relu ? dnnl::algorithm::eltwise_relu : dnnl::algorithm::eltwise_gelu_erf;
  const dnnl::eltwise_forward::primitive_desc how(
      engine(), forward ? prop_kind::forward_inference : prop_kind::forward_training, algorithm, d, d, 0.0f, 0.0f);
  if (forward) return run(dnnl::eltwise_forward(how), {{DNNL_ARG_SRC, left}, {DNNL_ARG_DST, to}});
  return run(
      dnnl::eltwise_backward(dnnl::eltwise_backward::primitive_desc(engine(), algorithm, d, d, d, 0.0f, 0.0f, how)),
      {{DNNL_ARG_SRC, over(d, x.right<float>())}, {DNNL_ARG_DIFF_DST, left}, {DNNL_ARG_DIFF_SRC, to}});
}

const at_start add(TERN_BENCH_NAME, [] {
  using variants::moving_op;
  const auto takes = [](const problem& p, const setting&) {
    return p.moving->what == moving_op::softmax || p.moving->what == moving_op::elementwise;
  };
  add_moving_peer("onednn", takes, [](const problem& p, const operands& x, const setting&) {
    return if_offered([&] { return p.moving->what == moving_op::softmax ? softmax(p, x) : elementwise(p, x); });
  });
});

}  // namespace
}  // namespace tern::bench
#endif
