// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax, activations and sums of XNNPACK: forward. It has no norms.
#include "bench/peers/xnnpack.hpp"

#include "bench/harness/moving.hpp"

#if TERN_BENCH_XNNPACK_ELEMENTWISE
namespace tern::bench {
namespace {

prepared softmax(const problem& p, const operands& x) {
  const std::size_t rows = z(p.moving->batch), n = z(p.moving->channels);
  xnn_operator_t op = nullptr;
  expect(xnn_create_softmax_nc_f32(0, &op));
  const auto made = owned(op);
  expect(xnn_reshape_softmax_nc_f32(op, n, n, n, rows, pool()));
  expect(xnn_setup_softmax_nc_f32(op, x.left<float>(), x.out<float>()));
  return run(made, nullptr, 0);
}

prepared elementwise(const problem& p, const operands& x) {
  const std::size_t rows = z(p.moving->batch), n = z(p.moving->size() / p.moving->batch);
  xnn_operator_t op = nullptr;
  if (p.op.residual) {
    const std::size_t shape[] = {rows, n};
    expect(xnn_create_binary_elementwise_nd(xnn_binary_add, xnn_datatype_fp32, nullptr, nullptr, nullptr, 0, &op));
    const auto made = owned(op);
    expect(xnn_reshape_binary_elementwise_nd(op, 2, shape, 2, shape, pool()));
    expect(xnn_setup_binary_elementwise_nd(op, x.left<float>(), x.residual<float>(), x.out<float>()));
    return run(made, nullptr, 0);
  }
  const bool relu = p.op.act == activation::relu;
  xnn_unary_params bounds;
  bounds.clamp.min = 0, bounds.clamp.max = infinity;
  expect(xnn_create_unary_elementwise_nc(relu ? xnn_unary_clamp : xnn_unary_gelu, xnn_datatype_fp32, xnn_datatype_fp32,
                                         relu ? &bounds : nullptr, nullptr, nullptr, 0, &op));
  const auto made = owned(op);
  expect(xnn_reshape_unary_elementwise_nc(op, rows, n, n, n, pool()));
  expect(xnn_setup_unary_elementwise_nc(op, x.left<float>(), x.out<float>()));
  return run(made, nullptr, 0);
}

const at_start add(TERN_BENCH_NAME, [] {
  if (xnn_initialize(nullptr) != xnn_status_success) return;
  using variants::moving_op;
  const auto takes = [](const problem& p, const setting&) {
    const moving_op what = p.moving->what;
    return p.direction == pass::forward && (what == moving_op::softmax || what == moving_op::elementwise);
  };
  add_moving_peer("xnnpack", takes, [](const problem& p, const operands& x, const setting&) {
    return if_offered([&] { return p.moving->what == moving_op::softmax ? softmax(p, x) : elementwise(p, x); });
  });
});

}  // namespace
}  // namespace tern::bench
#endif
