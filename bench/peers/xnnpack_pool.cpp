// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools of XNNPACK: forward. Global averages, too: the mean over axes of Debian 13's version calls a null pointer.
#include "bench/peers/xnnpack.hpp"

#if TERN_BENCH_XNNPACK_RESHAPES
namespace tern::bench {
namespace {

prepared pooling(const problem& p, const operands& x) {
  const pool_shape& s = p.pool->shape;
  const window_axis &h = s.axis[1], &w = s.axis[2];
  const std::size_t channels = z(s.channels);
  xnn_operator_t op = nullptr;
  std::size_t height = 0, width = 0, bytes = 0, alignment = 0;
  if (p.pool->kind == pool_kind::max) {
    expect(xnn_create_max_pooling2d_nhwc_f32(u(h.pad), u(behind(w)), u(behind(h)), u(w.pad), u(h.kernel), u(w.kernel),
                                             u(h.stride), u(w.stride), u(h.dilation), u(w.dilation), -infinity,
                                             infinity, 0, &op));
    const auto made = owned(op);
    expect(xnn_reshape_max_pooling2d_nhwc_f32(op, z(s.batch), z(h.in), z(w.in), channels, channels, channels, &height,
                                              &width, pool()));
    expect(xnn_setup_max_pooling2d_nhwc_f32(op, x.left<float>(), x.out<float>()));
    if (height != z(h.out) || width != z(w.out)) return {};
    return run(made, nullptr, 0);
  }
  expect(xnn_create_average_pooling2d_nhwc_f32(u(h.pad), u(behind(w)), u(behind(h)), u(w.pad), u(h.kernel), u(w.kernel),
                                               u(h.stride), u(w.stride), -infinity, infinity, 0, &op));
  const auto made = owned(op);
  expect(xnn_reshape_average_pooling2d_nhwc_f32(op, z(s.batch), z(h.in), z(w.in), channels, channels, channels, &bytes,
                                                &alignment, &height, &width, pool()));
  const auto memory = std::make_shared<buffer>(static_cast<index_t>(bytes));
  expect(xnn_setup_average_pooling2d_nhwc_f32(op, memory->as<float>(), x.left<float>(), x.out<float>()));
  if (height != z(h.out) || width != z(w.out)) return {};
  return run(made, memory, static_cast<index_t>(bytes));
}

const at_start add(TERN_BENCH_NAME, [] {
  if (xnn_initialize(nullptr) != xnn_status_success) return;
  const auto takes = [](const problem& p, const setting&) { return !p.f64 && p.direction == pass::forward; };
  add_pool_peer("xnnpack", takes, [](const problem& p, const operands& x, const setting&) {
    return if_offered([&] { return pooling(p, x); });
  });
});

}  // namespace
}  // namespace tern::bench
#endif
