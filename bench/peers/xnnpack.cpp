// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XNNPACK: the fully connected operator, which packs its weights when it is made, and the product of batches where this
// version has it. Its threads are a pthreadpool, pinned like all others.
#include "bench/peers/xnnpack.hpp"

#include <atomic>
#include <cstdlib>

namespace tern::bench {

pthreadpool_t& pool() {
  static pthreadpool_t p = nullptr;
  return p;
}

namespace {

void set_threads(int threads) {
  if (pool()) pthreadpool_destroy(pool());
  pool() = nullptr;
  if (threads == 1) return;
  bind_to_cpu(-1);
  pool() = pthreadpool_create(static_cast<std::size_t>(threads));
  struct shared {
    std::atomic<int> started{0};
    int wanted;
  } s{{}, threads};
  pthreadpool_parallelize_1d(
      pool(),
      [](void* context, std::size_t i) {  // each task waits for all of them, so that every thread gets one
        auto& c = *static_cast<shared*>(context);
        bind_to_cpu(static_cast<int>(i));
        ++c.started;
        while (c.started < c.wanted) {
        }
      },
      &s, static_cast<std::size_t>(threads), 0);
  bind_to_cpu(0);
}

/// Later versions take two caches before the result.
template <class Create>
xnn_operator_t create_fully_connected(Create create, const problem& p, const operands& x) {
  const product q = p.as_product();
  const std::size_t k = z(q.k), n = z(q.n);
  const float least = p.op.act == activation::relu ? 0 : -infinity;
  const std::uint32_t flags = q.tb ? 0 : XNN_FLAG_TRANSPOSE_WEIGHTS;
  const float* bias = p.op.bias ? x.bias<float>() : nullptr;
  xnn_operator_t op = nullptr;
  if constexpr (requires { create(k, n, k, n, bias, bias, least, infinity, flags, &op); })
    expect(create(k, n, k, n, x.right<float>(), bias, least, infinity, flags, &op));
  else
    expect(create(k, n, k, n, x.right<float>(), bias, least, infinity, flags, nullptr, nullptr, &op));
  return op;
}

prepared fully_connected(const problem& p, const operands& x) {
  const auto op = owned(create_fully_connected(xnn_create_fully_connected_nc_f32, p, x));
  const std::size_t rows = z(p.as_product().m);
#if TERN_BENCH_XNNPACK_RESHAPES
  expect(xnn_reshape_fully_connected_nc_f32(op.get(), rows, pool()));
  expect(xnn_setup_fully_connected_nc_f32(op.get(), x.left<float>(), x.out<float>()));
#else
  expect(xnn_setup_fully_connected_nc_f32(op.get(), rows, x.left<float>(), x.out<float>(), pool()));
#endif
  return run(op, nullptr, 0);
}

#if TERN_BENCH_XNNPACK_RESHAPES
prepared batch_matrix_multiply(const problem& p, const operands& x) {
  const product q = p.as_product();
  const std::size_t batch[1] = {z(q.batch)};
  std::size_t bytes = 0, alignment = 0;
  xnn_operator_t made = nullptr;
  expect(xnn_create_batch_matrix_multiply_nc_f32(q.tb ? XNN_FLAG_TRANSPOSE_B : 0, &made));
  const auto op = owned(made);
  expect(xnn_reshape_batch_matrix_multiply_nc_f32(made, 1, batch, batch, z(q.m), z(q.k), z(q.n), &bytes, &alignment,
                                                  pool()));
  const auto memory = std::make_shared<buffer>(static_cast<index_t>(bytes));
  expect(xnn_setup_batch_matrix_multiply_nc_f32(made, memory->as<float>(), x.left<float>(), x.right<float>(),
                                                x.out<float>()));
  return run(op, memory, static_cast<index_t>(bytes));
}
#endif

const at_start add(TERN_BENCH_NAME, [] {
  if (xnn_initialize(nullptr) != xnn_status_success) return;
  libraries().push_back({"xnnpack", TERN_BENCH_XNNPACK_VERSION, set_threads});
  add_peer(
      "packed", "xnnpack",
      [](const problem& p, const setting&) {
        return !p.f64 && p.op.batch == 1 && !p.op.residual && p.direction != pass::backward_weights;
      },
      [](const problem& p, const operands& x, const setting&) {
        return if_offered([&] { return fully_connected(p, x); });
      });
#if TERN_BENCH_XNNPACK_RESHAPES
  add_peer(
      "plain", "xnnpack",
      [](const problem& p, const setting&) {
        return !p.f64 && p.op.batch > 1 && p.plain_product() && p.direction != pass::backward_weights;
      },
      [](const problem& p, const operands& x, const setting&) {
        return if_offered([&] { return batch_matrix_multiply(p, x); });
      });
#endif
});

}  // namespace
}  // namespace tern::bench
