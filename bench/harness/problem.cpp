// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/problem.hpp"

#include <cctype>

#include "tern/policy/numerics.hpp"
#include "tests/support/variants.hpp"

namespace tern::bench {

product problem::as_product() const {
  const auto [m, n, k, batch] = matmul_sizes{op.m, op.n, op.k, op.batch};
  switch (direction) {
    case pass::forward: return {m, n, k, batch, false, transposed_b, dot_chunk};
    case pass::backward_data: return {m, k, n, batch, false, !transposed_b, dot_chunk};
    case pass::backward_weights: return {k, n, m, batch, true, false, sample_grain};
  }
  return {};
}

conv_work convolution_of::work(pass p) const {
  if (p == pass::backward_weights) return conv_work::weights;
  return (p == pass::forward) != transposed ? conv_work::forward : conv_work::data;
}

using variants::moving_op;

bool memory_bound_op::norm() const {
  return what == moving_op::batch_norm || what == moving_op::group_norm || what == moving_op::layer_norm;
}
bool memory_bound_op::map() const {
  return what == moving_op::elementwise || what == moving_op::dropout || what == moving_op::adam;
}

index_t problem::left_size() const {
  if (moving) return moving->size();
  if (pool) return direction == pass::forward ? pool->x_size() : pool->y_size();
  if (!conv) return as_product().batch * as_product().a_size();
  return direction == pass::backward_data ? conv->y_size() : conv->x_size();
}
index_t problem::right_size() const {
  if (moving) {
    if (moving->what == moving_op::adam) return 3 * moving->size();  // parameters, mean and square before the step
    const bool one = direction == pass::forward || moving->what == moving_op::cross_entropy;
    return one || moving->what == moving_op::dropout ? 0 : moving->size();
  }
  // x, which determines the elements that get the gradients of maxima
  if (pool) return direction == pass::forward || pool->kind == pool_kind::average ? 0 : pool->x_size();
  if (!conv) return as_product().batch * as_product().b_size();
  return direction == pass::backward_weights ? conv->y_size() : conv->w_size();
}
index_t problem::out_size() const {
  if (moving) {
    if (moving->what == moving_op::adam) return 3 * moving->size();
    if (direction == pass::backward_weights) return parameter_size();
    if (moving->what == moving_op::cross_entropy && direction == pass::forward) return moving->batch + 1;
    return moving->size() + (moving->all_gradients ? parameter_size() : 0);
  }
  if (pool) return direction == pass::forward ? pool->y_size() : pool->x_size();
  if (!conv) return as_product().batch * as_product().c_size();
  return direction == pass::forward         ? conv->y_size()
         : direction == pass::backward_data ? conv->x_size()
                                            : conv->w_size();
}
index_t problem::parameter_size() const { return moving && moving->norm() ? 2 * moving->channels : 0; }
index_t problem::sum_length() const {
  if (moving) {
    const memory_bound_op& m = *moving;
    if (m.what == moving_op::batch_norm || direction == pass::backward_weights) return m.batch * m.positions();
    if (m.what == moving_op::group_norm) return m.channels / variants::norm_groups * m.positions();
    return m.map() ? 1 : m.channels;
  }
  if (pool) return pool->shape.taps();
  if (!conv) return as_product().k;
  const conv_shape& s = conv->shape;
  const conv_work work = conv->work(direction);
  return work == conv_work::weights ? s.batch * s.positions() : s.taps() * (work == conv_work::data ? s.out : s.in);
}

double problem::fmas() const {
  if (pool || moving || constructs) return 0;
  if (conv) {
    const conv_shape& s = conv->shape;
    double products = static_cast<double>(s.batch * s.groups * s.in * s.out);
    for (const window_axis& a : s.axis) {
      index_t inside = 0;
      for (index_t t = 0; t < a.kernel; ++t) inside += a.results_with(t).last - a.results_with(t).first;
      products *= static_cast<double>(inside);
    }
    return products;
  }
  return static_cast<double>(op.m) * static_cast<double>(op.n) * static_cast<double>(op.k) *
         static_cast<double>(op.batch);
}

double problem::bytes() const {
  if (moving) {  // of gradients of norms all but statistics and sums, as others count them
    index_t elements = left_size() + right_size() + (op.residual ? moving->size() : 0);
    elements += direction == pass::backward_data ? moving->size() : out_size();
    if (moving->norm() && direction != pass::backward_weights)
      elements += direction == pass::forward ? parameter_size() : moving->channels;
    const index_t classes = moving->what == moving_op::cross_entropy ? moving->batch : 0;
    return static_cast<double>(elements * element_bytes() + classes * 4);
  }
  if (pool) {
    const index_t indices = direction != pass::forward && pool->kind == pool_kind::max ? pool->y_size() : 0;
    return static_cast<double>((left_size() + out_size()) * element_bytes() + indices * 4);
  }
  if (constructs) return static_cast<double>(2 * conv->w_size() * element_bytes());
  if (conv) return static_cast<double>((left_size() + right_size() + out_size()) * element_bytes());
  const index_t matrices = op.m * op.k + op.k * op.n + op.m * op.n * (op.residual ? 2 : 1);
  return static_cast<double>((op.batch * matrices + (op.bias ? op.n : 0)) * element_bytes());
}

index_t behind(const window_axis& a) {
  const index_t end = (a.out - 1) * a.stride + a.reach() - a.pad - a.in;
  return end > 0 ? end : 0;
}

namespace {

/// "i56x56k3x3s1x1d1x1p1x1e1x1": extent of x, kernel, stride, dilation, padding (of a transposed convolution: crop)
/// before and after, along the last axes.
std::string windows_of(const window_axis (&axis)[3], int rank, bool transposed = false) {
  std::string text;
  const auto axes = [&](char letter, auto field) {
    text += letter;
    for (int r = 3 - rank; r < 3; ++r) text += (r > 3 - rank ? "x" : "") + std::to_string(field(axis[r]));
  };
  axes('i', [&](const window_axis& a) { return transposed ? a.out : a.in; });
  axes('k', [](const window_axis& a) { return a.kernel; });
  axes('s', [](const window_axis& a) { return a.stride; });
  axes('d', [](const window_axis& a) { return a.dilation; });
  axes('p', [](const window_axis& a) { return a.pad; });
  axes('e', [](const window_axis& a) { return behind(a); });
  return text;
}

/// "n1g1c64o64" and windows: batch, groups, channels of x and y.
std::string sizes_of(const convolution_of& q) {
  const conv_shape& s = q.shape;
  return "n" + std::to_string(s.batch) + "g" + std::to_string(s.groups) + "c" +
         std::to_string(s.groups * (q.transposed ? s.out : s.in)) + "o" +
         std::to_string(s.groups * (q.transposed ? s.in : s.out)) + windows_of(s.axis, q.rank, q.transposed);
}
/// "n1c64" and windows.
std::string sizes_of(const pooling_of& q) {
  return "n" + std::to_string(q.shape.batch) + "c" + std::to_string(q.shape.channels) + windows_of(q.shape.axis, 2);
}

/// "n1c64i56x56" of images, "n128c768" of rows.
std::string sizes_of(const memory_bound_op& q) {
  std::string text = "n" + std::to_string(q.batch) + "c" + std::to_string(q.channels);
  if (q.what == moving_op::group_norm) text += "g" + std::to_string(variants::norm_groups);
  if (q.extent > 1) text += "i" + std::to_string(q.extent) + "x" + std::to_string(q.extent);
  return text;
}

const char* name_of(moving_op op) {
  switch (op) {
    case moving_op::batch_norm: return "batch_norm";
    case moving_op::group_norm: return "group_norm";
    case moving_op::layer_norm: return "layer_norm";
    case moving_op::softmax: return "softmax";
    case moving_op::cross_entropy: return "cross_entropy";
    case moving_op::elementwise: return "elementwise";
    case moving_op::dropout: return "dropout";
    case moving_op::adam: return "adam";
  }
  return "";
}

std::string op_name_of(const problem& p) {
  if (p.moving) return name_of(p.moving->what);
  if (p.pool) return p.pool->kind == pool_kind::max ? "max_pool2d" : "avg_pool2d";
  if (p.conv) return (p.conv->transposed ? "conv_transpose" : "conv") + std::to_string(p.conv->rank) + "d";
  return "matmul";
}

}  // namespace

std::string problem::text() const {
  std::string s = op_name_of(*this);
  if (constructs) s += ".construct_and_pack";
  if (moving && moving->all_gradients)
    s += ".backward";
  else if (direction == pass::backward_data)
    s += ".backward_data";
  if (direction == pass::backward_weights) s += ".backward_weights";
  if (op.bias) s += "+bias";
  if (op.residual) s += "+residual";
  if (op.act != activation::none) s += std::string("+") + name(op.act);
  s += ":";
  if (conv) return s + sizes_of(*conv) + (f64 ? ":f64" : ":f32");
  if (pool) return s + sizes_of(*pool) + (f64 ? ":f64" : ":f32");
  if (moving) return s + sizes_of(*moving) + (f64 ? ":f64" : ":f32");
  if (op.batch != 1) s += "b" + std::to_string(op.batch);
  s += "m" + std::to_string(op.m) + "n" + std::to_string(op.n) + "k" + std::to_string(op.k);
  if (transposed_b) s += "bt";
  return s + (f64 ? ":f64" : ":f32");
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

problem problem_of(const variants::conv_workload& w, index_t batch) {
  problem p;
  p.row = std::string(w.name) + "_n" + std::to_string(batch);
  p.op.batch = 1;
  convolution_of q;
  q.rank = w.rank, q.transposed = w.kind == w.transposed;
  conv_shape& s = q.shape;
  s.batch = batch, s.groups = w.groups;
  s.in = (q.transposed ? w.out : w.in) / w.groups, s.out = (q.transposed ? w.in : w.out) / w.groups;
  for (int r = 3 - w.rank; r < 3; ++r)
    s.axis[r] = q.transposed ? variants::conv_transpose_config_of<3>(w).axis(r, w.extent)
                             : variants::conv_config_of<3>(w).axis(r, w.extent);
  p.conv = q;
  return p;
}

problem problem_of(const variants::pool_workload& w, index_t batch) {
  problem p;
  p.row = std::string(w.name) + "_n" + std::to_string(batch);
  pooling_of q;
  q.kind = w.kind;
  q.shape.batch = batch, q.shape.channels = w.channels;
  for (int r = 0; r < 2; ++r) q.shape.axis[1 + r] = variants::pool_config_of(w).axis(r, w.extent);
  p.pool = q;
  return p;
}

problem problem_of(const variants::moving_workload& w, index_t batch) {
  problem p;
  p.row = std::string(w.name) + "_n" + std::to_string(batch);
  p.moving = memory_bound_op{w.op, batch * w.rows, w.channels, w.extent};
  if (w.op == moving_op::adam) p.moving->batch = 1, p.moving->channels = batch * w.channels;
  p.op.batch = 1, p.op.residual = w.residual, p.op.act = w.act;
  if (w.passes != w.forward) p.direction = pass::backward_data;
  p.moving->all_gradients = w.passes == w.all_passes;
  return p;
}

std::optional<problem> parse_problem(const std::string& op, const std::string& shape, const std::string& element) {
  if (op.rfind("matmul", 0) != 0) {  // other kernels are compiled for the workloads of the list
    for (const problem& known : all_problems())
      if (known.text() == op + ":" + shape + ":" + element) return known;
    return {};
  }
  problem p;
  p.op.batch = 1;
  std::size_t at = 0;
  const auto number = [&](char letter, index_t& to) {
    if (at >= shape.size() || shape[at] != letter) return false;
    std::size_t digits = at + 1;
    index_t value = 0;
    while (digits < shape.size() && std::isdigit(static_cast<unsigned char>(shape[digits])) && value < 1'000'000'000)
      value = 10 * value + (shape[digits++] - '0');
    if (digits == at + 1 || value < 1) return false;
    to = value, at = digits;
    return true;
  };
  if (shape[0] == 'b' && !number('b', p.op.batch)) return {};
  if (!number('m', p.op.m) || !number('n', p.op.n) || !number('k', p.op.k)) return {};
  p.transposed_b = shape.substr(at) == "bt";
  p.f64 = element == "f64";
  p.op.bias = op.find("+bias") != std::string::npos;
  p.op.residual = op.find("+residual") != std::string::npos;
  if (op.find("+relu") != std::string::npos) p.op.act = activation::relu;
  if (op.rfind("matmul.backward_data", 0) == 0) p.direction = pass::backward_data;
  if (op.rfind("matmul.backward_weights", 0) == 0) p.direction = pass::backward_weights;
  if (p.text() != op + ":" + shape + ":" + element) return {};
  for (const problem& known : all_problems())
    if (known == p) return known;
  p.row = "(not in the list)";
  return p;
}

std::vector<problem> all_problems() {
  std::vector<problem> rows;
  const auto shaped = [](const variants::matmul_workload& w) {
    problem p;
    p.row = w.name;
    p.op = {.m = w.m, .n = w.n, .k = w.k, .batch = w.batch};
    p.transposed_b = w.transposed_b;
    return p;
  };
  for (const auto& w : variants::matmul_workloads) {
    rows.push_back(shaped(w));
    rows.back().judged = true;
    rows.back().closely = w.closely;
  }
  for (const auto& w : variants::conv_workloads)
    for (const index_t batch : {index_t(1), w.batch}) {
      if (batch == 0) continue;
      rows.push_back(problem_of(w, batch));
      rows.back().judged = true;
      if (w.constructed && batch == 1) {
        rows.push_back(rows.back());
        rows.back().row += "/construct";
        rows.back().constructs = true;
      }
      if (w.kind != w.all_passes || batch == 1) continue;
      for (const pass p : {pass::backward_data, pass::backward_weights}) {
        rows.push_back(problem_of(w, batch));
        rows.back().row += p == pass::backward_data ? "/data" : "/weights";
        rows.back().direction = p;
        rows.back().judged = true;
      }
    }
  for (const auto& w : variants::pool_workloads)
    for (const index_t batch : {1, 16})
      for (const pass p : {pass::forward, pass::backward_data}) {
        rows.push_back(problem_of(w, batch));
        if (p == pass::backward_data) rows.back().row += "/data";
        rows.back().direction = p;
        rows.back().judged = true;
      }
  for (const auto& w : variants::moving_workloads)
    for (const index_t batch : {1, 16}) {
      rows.push_back(problem_of(w, batch));
      rows.back().judged = true;
      if (w.passes != w.all_passes) continue;
      for (const pass p : {pass::backward_data, pass::backward_weights}) {
        rows.push_back(problem_of(w, batch));
        rows.back().row += p == pass::backward_data ? "/data" : "/weights";
        rows.back().direction = p;
        rows.back().moving->all_gradients = false;
        rows.back().judged = true;
      }
    }
  for (const auto& w : variants::matmul_sweep) rows.push_back(shaped(w));
  for (const auto& w : variants::matmul_workloads) {
    if (!w.closely) continue;
    const auto add = [&](const std::string& what) -> problem& {
      rows.push_back(shaped(w));
      rows.back().row += what;
      return rows.back();
    };
    add("/f64").f64 = true;
    add("/backward_data").direction = pass::backward_data;
    add("/backward_weights").direction = pass::backward_weights;
    variants::for_each(variants::matmuls<float>{}, [&]<class Op> {
      constexpr matmul_config c = Op::config;
      if (c == matmul_config{}) return;
      std::string what;
      if (c.bias) what += "+bias";
      if (c.residual) what += "+residual";
      if (c.act != activation::none) what += std::string("+") + name(c.act);
      matmul_config& op = add("/" + what.substr(1)).op;
      op.bias = c.bias, op.residual = c.residual, op.act = c.act;
    });
  }
  return rows;
}

}  // namespace tern::bench
