// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and maps as plain loops: on tensors with channels last and, for images, on planes. Conversion to planes
// and back is not timed.
#include <cmath>
#include <utility>
#include <vector>

#include "bench/harness/moving.hpp"
#include "bench/harness/variant.hpp"
#include "bench/moving/loops.hpp"

namespace tern::bench {
namespace {

using variants::moving_op;

template <class F>
prepared repeated(F once) {
  return {[once](long n) {
    for (; n > 0; --n) once();
  }};
}

/// The memory of norms besides their operands: statistics, and planes.
struct norm_memory {
  buffer statistics, left, right, residual, out;

  static buffer floats(index_t n) { return buffer(n * 4); }
};

/// (n, s, c) to (n, c, s), or with s and c exchanged back.
void to_planes(const memory_bound_op& m, const float* from, float* to, bool back = false) {
  const index_t c = m.channels, s = m.positions();
  for (index_t n = 0; n < m.batch; ++n)
    for (index_t i = 0; i < c; ++i)
      for (index_t j = 0; j < s; ++j) {
        const index_t last = (n * s + j) * c + i, plane = (n * c + i) * s + j;
        if (back)
          to[last] = from[plane];
        else
          to[plane] = from[last];
      }
}

prepared norm_of(const problem& p, const operands& o, int threads, bool planes) {
  const memory_bound_op m = *p.moving;
  const bool group = m.what == moving_op::group_norm, batch = m.what == moving_op::batch_norm;
  const index_t groups = group ? variants::norm_groups : 1, numbers = batch ? m.channels : m.batch * groups;
  const auto memory = std::make_shared<norm_memory>();
  const moving_tensors<float> t = tensors_of(o);
  const float *left = t.left, *right = t.right, *residual = p.op.residual ? t.residual : nullptr;
  float* to = t.out;
  if (planes) {
    const auto turned = [&](buffer& b, const float* from, bool given) {
      b = norm_memory::floats(m.size());
      if (given) to_planes(m, from, b.as<float>());
      return b.as<float>();
    };
    left = turned(memory->left, left, true);
    if (p.right_size() > 0) right = turned(memory->right, right, true);
    if (residual) residual = turned(memory->residual, residual, true);
    to = turned(memory->out, nullptr, false);
  }
  memory->statistics = norm_memory::floats(2 * numbers);
  float *mean = memory->statistics.as<float>(), *rstd = mean + numbers;
  const float* scale = t.parameters;
  const auto finish = [=, out = t.out] {
    if (planes && p.direction != pass::backward_weights) to_planes(m, memory->out.as<float>(), out, true);
  };
  const auto run = [&](void (*f)(const loops::norm&), const float* x) -> prepared {
    const loops::norm q{m.batch,
                        m.channels,
                        m.positions(),
                        groups,
                        x,
                        scale,
                        scale + m.channels,
                        residual,
                        to,
                        mean,
                        rstd,
                        residual != nullptr,
                        static_cast<float>(norm_epsilon),
                        threads};
    prepared r = repeated([=] { f(q), static_cast<void>(memory); });
    if (planes) r.finish = finish;
    return r;
  };
  if (p.direction == pass::forward) {
    if (batch) return run(planes ? loops::batch_norm_planes : loops::batch_norm_last, left);
    if (group) return run(planes ? loops::group_norm_planes : loops::group_norm_last, left);
    return run(loops::layer_norm, left);
  }
  if (planes && group) return {};
  // Statistics of what went in, two-pass in double.
  const moving_tensors<float> in = tensors_of(o);
  const index_t c = m.channels, s = m.positions();
  std::vector<double> sums(static_cast<std::size_t>(numbers)), squares(static_cast<std::size_t>(numbers));
  const auto each = [&](auto f) {
    for (index_t n = 0; n < m.batch; ++n)
      for (index_t j = 0; j < s; ++j)
        for (index_t i = 0; i < c; ++i)
          f(static_cast<std::size_t>(batch ? i : n * groups + i / (c / groups)), double(in.right[(n * s + j) * c + i]));
  };
  const double count = double(m.size()) / double(numbers);
  each([&](std::size_t g, double x) { sums[g] += x / count; });
  each([&](std::size_t g, double x) { squares[g] += (x - sums[g]) * (x - sums[g]) / count; });
  for (index_t g = 0; g < numbers; ++g) {
    mean[g] = static_cast<float>(sums[static_cast<std::size_t>(g)]);
    rstd[g] = static_cast<float>(1 / std::sqrt(squares[static_cast<std::size_t>(g)] + norm_epsilon));
  }
  const bool only_weights = p.direction == pass::backward_weights;
  float* const weights = only_weights ? t.out : m.all_gradients ? t.out + m.size() : nullptr;
  const loops::norm_gradient q{m.batch, c,
                               s,       groups,
                               left,    right,
                               scale,   mean,
                               rstd,    only_weights ? nullptr : to,
                               weights, weights ? weights + c : nullptr,
                               threads};
  const auto f = batch   ? (planes ? loops::batch_norm_gradient_planes : loops::batch_norm_gradient_last)
                 : group ? loops::group_norm_gradient_last
                         : loops::layer_norm_gradient;
  prepared r = repeated([=] { f(q), static_cast<void>(memory); });
  if (planes) r.finish = finish;
  return r;
}

prepared other(const problem& p, const operands& o, int threads) {
  const memory_bound_op& m = *p.moving;
  const moving_tensors<float> t = tensors_of(o);
  const bool forward = p.direction == pass::forward;
  const index_t rows = m.batch, n = m.channels, all = m.size();
  switch (m.what) {
    case moving_op::softmax:
      if (forward) return repeated([=] { loops::softmax(rows, n, t.left, t.out, threads); });
      return repeated([=] { loops::softmax_gradient(rows, n, t.left, t.right, t.out, threads); });
    case moving_op::cross_entropy: {
      const auto f = forward ? loops::cross_entropy : loops::cross_entropy_gradient;
      return repeated([=, target = targets_of(m)] { f(rows, n, t.left, target->as<int>(), t.out, threads); });
    }
    case moving_op::elementwise: {
      if (p.op.residual) return repeated([=] { loops::add(all, t.left, t.residual, t.out, threads); });
      const bool relu = p.op.act == activation::relu;
      if (forward) return repeated([=, f = relu ? loops::relu : loops::gelu] { f(all, t.left, t.out, threads); });
      return repeated(
          [=, f = relu ? loops::relu_gradient : loops::gelu_gradient] { f(all, t.left, t.right, t.out, threads); });
    }
    case moving_op::dropout: {
      const auto threshold = static_cast<unsigned>(dropped * 0x1p32 + 0.5);
      const loops::dropout q{rows,      n,         drop_seed, 0,
                             drop_step, drop_site, threshold, static_cast<float>(1 / (1 - dropped)),
                             t.left,    t.out,     threads};
      return repeated([=] { loops::drop(q); });
    }
    case moving_op::adam: {
      const loops::adam q{all,
                          static_cast<float>(adam_rate),
                          static_cast<float>(adam_beta1),
                          static_cast<float>(adam_beta2),
                          static_cast<float>(adam_epsilon),
                          t.left,
                          t.out,
                          t.out + all,
                          t.out + 2 * all,
                          threads};
      prepared r = repeated([=] { loops::first_step(q); });
      r.finish = [=] {
        restart_adam(all, t.right, t.out);
        loops::first_step(q);
      };
      return r;
    }
    default: return {};
  }
}

void add_loop(const char* name, bool planes) {
  variant v;
  v.weights = "none";
  v.policy = name;
  v.loop = true;
  v.takes = [planes](const problem& p, const setting& s) {
    if (!p.moving || p.f64 || !s.usual()) return false;
    return !planes || (p.moving->norm() && p.moving->extent > 1 && p.direction != pass::backward_weights);
  };
  v.prepare = [planes](const problem& p, const operands& x, const setting& s) {
    return p.moving->norm() ? norm_of(p, x, s.threads, planes) : other(p, x, s.threads);
  };
  variants_of_all().push_back(v);
}

const at_start add(TERN_BENCH_NAME, [] {
  add_loop("plain_loop", false);
  add_loop("plain_loop_planes", true);
});

}  // namespace
}  // namespace tern::bench
