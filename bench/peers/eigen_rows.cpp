// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layer norm, softmax, relu and sums as expressions of Eigen: forward, row by row. Rows are shared out by OpenMP.
#include <Eigen/Core>

#include <cmath>

#include "bench/harness/moving.hpp"
#include "bench/peers/peer.hpp"

namespace tern::bench {
namespace {

using row = Eigen::Map<const Eigen::ArrayXf>;

/// y = f(x) of every row, where f assigns to its second argument; n of none is an element of all, cut for the threads.
template <class F>
prepared rows(const problem& p, const operands& x, const setting& s, F f) {
  const memory_bound_op& m = *p.moving;
  const bool flat = m.map();
  const index_t all = m.size(), count = flat ? s.threads : m.batch;
  return repeated_batch(count, s.threads, [=, from = x.left<float>(), to = x.out<float>()](index_t i) {
    const index_t first = flat ? all * i / count : i * m.channels,
                  n = flat ? all * (i + 1) / count - first : m.channels;
    Eigen::Map<Eigen::ArrayXf> y(to + first, n);
    f(row(from + first, n), y, first);
  });
}

prepared of(const problem& p, const operands& x, const setting& s) {
  using variants::moving_op;
  switch (p.moving->what) {
    case moving_op::layer_norm:
      return rows(p, x, s, [c = p.moving->channels, w = x.bias<float>()](const row& v, auto& y, index_t) {
        const float mean = v.mean(),
                    rstd = 1 / std::sqrt((v - mean).square().mean() + static_cast<float>(norm_epsilon));
        y = (v - mean) * rstd * row(w, c) + row(w + c, c);
      });
    case moving_op::softmax:
      return rows(p, x, s, [](const row& v, auto& y, index_t) {
        y = (v - v.maxCoeff()).exp();
        y *= 1 / y.sum();
      });
    default:
      if (p.op.residual)
        return rows(p, x, s, [r = x.residual<float>()](const row& v, auto& y, index_t first) {
          y = v + row(r + first, v.size());
        });
      return rows(p, x, s, [](const row& v, auto& y, index_t) { y = v.max(0.0f); });
  }
}

const at_start add(TERN_BENCH_NAME, [] {
  add_moving_peer(
      "eigen",
      [](const problem& p, const setting&) {
        using variants::moving_op;
        const moving_op what = p.moving->what;
        if (p.direction != pass::forward) return false;
        if (what == moving_op::layer_norm) return !p.op.residual;
        return what == moving_op::softmax || (what == moving_op::elementwise && p.op.act != activation::gelu);
      },
      of);
});

}  // namespace
}  // namespace tern::bench
