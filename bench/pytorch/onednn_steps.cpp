// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// onednn_steps: training steps of a network as a chain of oneDNN's primitives, version 3. steps.py writes the network,
// one layer a line; primitives are made once, and choose the layouts of weights and activations. Running statistics of
// batch norms are not updated, which oneDNN leaves to its callers.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dnnl.hpp>

namespace {

using dnnl::memory;
using dims = memory::dims;
using tag = memory::format_tag;
using algorithm = dnnl::algorithm;
using arguments = std::unordered_map<int, memory>;
constexpr auto f32 = memory::data_type::f32;
constexpr auto training = dnnl::prop_kind::forward_training;

dnnl::engine engine(dnnl::engine::kind::cpu, 0);
dnnl::stream stream(engine);

template <class T>
std::vector<T> read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<T> v(bytes.size() / sizeof(T));
  std::copy_n(bytes.data(), v.size() * sizeof(T), reinterpret_cast<char*>(v.data()));
  return v;
}
memory::desc plain(const dims& shape) {
  dims strides(shape.size(), 1);
  for (std::size_t i = shape.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * shape[i];
  return {shape, f32, strides};
}
memory::desc any(const dims& shape) { return {shape, f32, tag::any}; }
// True: images have channels last. False: primitives choose their layouts, blocks of channels.
bool channels_last = false;
memory::desc layout_of(const dims& shape) {
  return channels_last && shape.size() == 4 ? memory::desc(shape, f32, tag::acdb) : any(shape);
}
float* numbers(const memory& m) { return static_cast<float*>(m.get_data_handle()); }
std::size_t elements(const memory& m) { return m.get_desc().get_size() / sizeof(float); }

struct tensor {
  memory value, gradient = {};
};
struct parameter {
  memory value, gradient;
  dims shape;  // in the plain layout of files
};
struct eltwise {
  algorithm kind;
  float alpha, beta;
};
const std::map<std::string, eltwise> activations{
    {"relu", {algorithm::eltwise_relu, 0, 0}},
    {"silu", {algorithm::eltwise_swish, 1, 0}},
    {"sigmoid", {algorithm::eltwise_logistic, 0, 0}},
    {"hard_sigmoid", {algorithm::eltwise_hardsigmoid, 1.0f / 6, 0.5f}},
    {"hard_swish", {algorithm::eltwise_hardswish, 1.0f / 6, 0.5f}},
};

/// A list of primitives, forward and backward.
class chain {
 public:
  explicit chain(std::vector<float> weights) : weights_(std::move(weights)) {}

  void input(const std::string& y, const dims& shape, const std::vector<float>& samples) {
    tensor& t = tensors_[y] = {memory(plain(shape), engine)};
    if (samples.size() != elements(t.value)) throw std::runtime_error("samples of another size");
    std::copy(samples.begin(), samples.end(), numbers(t.value));
    input_ = &t;
  }
  /// Windows are (height, width); the weights have an axis of groups if there are several.
  void conv(const std::string& y, const std::string& x, const dims& weights, bool bias, const dims& result,
            const dims& stride, const dims& before, const dims& after, bool relu) {
    using forward = dnnl::convolution_forward;
    const auto how = algorithm::convolution_direct;
    const dims shape = tensors_.at(x).value.get_desc().get_dims(), channels{result[1]}, once{0, 0};
    const memory::desc of_bias = bias ? plain(channels) : memory::desc();
    const forward::primitive_desc d(engine, training, how, layout_of(shape), any(weights), of_bias, layout_of(result),
                                    stride, once, before, after, with(relu));
    const auto [from, w, b, to] = weighted<forward>(y, x, d, weights, of_bias);
    backward_of_.emplace_back([=, this, &from = from, &w = w, b = b, &to = to] {
      const memory dy = relu ? through_relu(to) : to.gradient;
      const dnnl::convolution_backward_weights::primitive_desc dw(engine, how, layout_of(shape), any(weights), of_bias,
                                                                  layout_of(result), stride, once, before, after, d);
      gradient_of_weights(dnnl::convolution_backward_weights(dw), dw, from, dy, w, b);
      if (&from == input_) return;
      const dnnl::convolution_backward_data::primitive_desc dx(engine, how, layout_of(shape), any(weights),
                                                               layout_of(result), stride, once, before, after, d);
      gradient_of_data(dnnl::convolution_backward_data(dx), dx, from, dy, w);
    });
  }
  /// \param shape  of the weights: an image may be taken as a row
  void dense(const std::string& y, const std::string& x, const dims& shape, bool bias) {
    using forward = dnnl::inner_product_forward;
    dims wide = tensors_.at(x).value.get_desc().get_dims(), w_shape = wide;
    w_shape[0] = shape[0];
    const dims result{wide[0], shape[0]};
    const memory::desc of_bias = bias ? plain({shape[0]}) : memory::desc();
    const forward::primitive_desc d(engine, training, layout_of(wide), any(w_shape), of_bias, layout_of(result));
    const auto [from, w, b, to] = weighted<forward>(y, x, d, w_shape, of_bias);
    backward_of_.emplace_back([=, this, &from = from, &w = w, b = b, &to = to] {
      const dnnl::inner_product_backward_weights::primitive_desc dw(engine, layout_of(wide), any(w_shape), of_bias,
                                                                    layout_of(result), d);
      gradient_of_weights(dnnl::inner_product_backward_weights(dw), dw, from, to.gradient, w, b);
      const dnnl::inner_product_backward_data::primitive_desc dx(engine, layout_of(wide), any(w_shape),
                                                                 layout_of(result), d);
      gradient_of_data(dnnl::inner_product_backward_data(dx), dx, from, to.gradient, w);
    });
  }
  void norm(const std::string& y, const std::string& x, bool relu) {
    using forward = dnnl::batch_normalization_forward;
    using flags = dnnl::normalization_flags;
    const flags what =
        relu ? flags::use_scale | flags::use_shift | flags::fuse_norm_relu : flags::use_scale | flags::use_shift;
    tensor& from = tensors_.at(x);
    const memory::desc of_x = from.value.get_desc();
    const dims channels{of_x.get_dims()[1]};
    const forward::primitive_desc d(engine, training, of_x, of_x, 1e-5f, what);
    parameter &scale = of_file(channels, plain(channels)), &shift = of_file(channels, plain(channels));
    tensor& to = tensors_[y] = {memory(d.dst_desc(), engine)};
    const memory mean(d.mean_desc(), engine), variance(d.variance_desc(), engine);
    arguments of_call{{DNNL_ARG_SRC, from.value},    {DNNL_ARG_DST, to.value}, {DNNL_ARG_SCALE, scale.value},
                      {DNNL_ARG_SHIFT, shift.value}, {DNNL_ARG_MEAN, mean},    {DNNL_ARG_VARIANCE, variance}};
    const memory positive = relu ? memory(d.workspace_desc(), engine) : memory();
    if (relu) of_call[DNNL_ARG_WORKSPACE] = positive;
    forward_.emplace_back(forward(d), of_call);
    backward_of_.emplace_back([=, this, &from, &scale, &shift, &to] {
      using backward = dnnl::batch_normalization_backward;
      const memory dy = in_layout(to.gradient, of_x, backward_);
      const backward::primitive_desc b(engine, dnnl::prop_kind::backward, of_x, of_x, of_x, 1e-5f, what, d);
      const memory dx(b.diff_src_desc(), engine);
      arguments of_gradient{{DNNL_ARG_SRC, from.value},
                            {DNNL_ARG_DIFF_DST, dy},
                            {DNNL_ARG_SCALE, scale.value},
                            {DNNL_ARG_MEAN, mean},
                            {DNNL_ARG_VARIANCE, variance},
                            {DNNL_ARG_DIFF_SRC, dx},
                            {DNNL_ARG_DIFF_SCALE, scale.gradient},
                            {DNNL_ARG_DIFF_SHIFT, shift.gradient}};
      if (relu) of_gradient[DNNL_ARG_WORKSPACE] = positive;
      backward_.emplace_back(backward(b), of_gradient);
      add_gradient(from, dx);
    });
  }
  void activate(const std::string& y, const std::string& x, const std::string& name) {
    using forward = dnnl::eltwise_forward;
    const eltwise e = activations.at(name);
    tensor& from = tensors_.at(x);
    const memory::desc of_x = from.value.get_desc();
    const forward::primitive_desc d(engine, training, e.kind, of_x, of_x, e.alpha, e.beta);
    tensor& to = tensors_[y] = {memory(of_x, engine)};
    forward_.emplace_back(forward(d), arguments{{DNNL_ARG_SRC, from.value}, {DNNL_ARG_DST, to.value}});
    backward_of_.emplace_back([=, this, &from, &to] {
      using backward = dnnl::eltwise_backward;
      const memory dy = in_layout(to.gradient, of_x, backward_), dx(of_x, engine);
      const backward::primitive_desc b(engine, e.kind, of_x, of_x, of_x, e.alpha, e.beta, d);
      backward_.emplace_back(backward(b),
                             arguments{{DNNL_ARG_SRC, from.value}, {DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_DIFF_SRC, dx}});
      add_gradient(from, dx);
    });
  }
  void pool(const std::string& y, const std::string& x, bool max, const dims& result, const dims& window,
            const dims& stride, const dims& before, const dims& after) {
    using forward = dnnl::pooling_forward;
    const auto how = max ? algorithm::pooling_max : algorithm::pooling_avg_exclude_padding;
    tensor& from = tensors_.at(x);
    const memory::desc of_x = from.value.get_desc();
    const dims once{0, 0};
    const forward::primitive_desc d(engine, training, how, of_x, layout_of(result), stride, window, once, before,
                                    after);
    tensor& to = tensors_[y] = {memory(d.dst_desc(), engine)};
    const memory chosen = max ? memory(d.workspace_desc(), engine) : memory();
    arguments of_call{{DNNL_ARG_SRC, from.value}, {DNNL_ARG_DST, to.value}};
    if (max) of_call[DNNL_ARG_WORKSPACE] = chosen;
    forward_.emplace_back(forward(d), of_call);
    backward_of_.emplace_back([=, this, &from, &to] {
      using backward = dnnl::pooling_backward;
      const memory dy = in_layout(to.gradient, d.dst_desc(), backward_), dx(of_x, engine);
      const backward::primitive_desc b(engine, how, of_x, d.dst_desc(), stride, window, once, before, after, d);
      arguments of_gradient{{DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_DIFF_SRC, dx}};
      if (max) of_gradient[DNNL_ARG_WORKSPACE] = chosen;
      backward_.emplace_back(backward(b), of_gradient);
      add_gradient(from, dx);
    });
  }
  void add(const std::string& y, const std::string& a, const std::string& b, bool relu) {
    tensor &left = tensors_.at(a), &right = in_layout(b, left.value.get_desc());
    tensor& to = tensors_[y] = {memory(left.value.get_desc(), engine)};
    apply(forward_, algorithm::binary_add, left.value, right.value, to.value, relu);
    backward_of_.emplace_back([=, this, &left, &right, &to] {
      const memory dy = relu ? through_relu(to) : to.gradient;
      add_gradient(left, dy), add_gradient(right, dy);
    });
  }
  /// \param s  a number for each channel of each sample
  void scale(const std::string& y, const std::string& x, const std::string& s) {
    tensor &from = tensors_.at(x), &by = tensors_.at(s);
    const memory::desc of_x = from.value.get_desc();
    tensor& to = tensors_[y] = {memory(of_x, engine)};
    apply(forward_, algorithm::binary_mul, from.value, by.value, to.value, false);
    backward_of_.emplace_back([=, this, &from, &by, &to] {
      const memory dy = in_layout(to.gradient, of_x, backward_), dx(of_x, engine), products(of_x, engine),
                   ds(by.value.get_desc(), engine);
      apply(backward_, algorithm::binary_mul, dy, by.value, dx, false);
      apply(backward_, algorithm::binary_mul, dy, from.value, products, false);
      sum_positions(products, ds);
      add_gradient(from, dx), add_gradient(by, ds);
    });
  }
  /// The end of the network: cross-entropy, averaged over samples.
  void result(const std::string& y, std::vector<int> classes) {
    const dims shape = tensors_.at(y).value.get_desc().get_dims();
    tensor& of_loss = in_layout(y, plain(shape));
    logits_ = of_loss.value, classes_ = std::move(classes);
    of_loss.gradient = memory(plain(shape), engine);
    dlogits_ = of_loss.gradient;
    for (auto f = backward_of_.rbegin(); f != backward_of_.rend(); ++f) (*f)();
  }

  void gradients() {
    run(forward_);
    stream.wait();
    loss();
    run(backward_);
    stream.wait();
  }
  void step(float rate) {
    gradients();
    for (parameter& p : parameters_) {
      float* const w = numbers(p.value);
      const float* const dw = numbers(p.gradient);
      const long n = static_cast<long>(elements(p.value));
#pragma omp parallel for
      for (long i = 0; i < n; ++i) w[i] -= rate * dw[i];
    }
  }
  void save_gradients(const std::string& file) {
    std::ofstream out(file, std::ios::binary);
    for (const parameter& p : parameters_) {
      memory from = p.gradient, to(plain(p.shape), engine);
      dnnl::reorder(from, to).execute(stream, from, to);
      stream.wait();
      out.write(reinterpret_cast<const char*>(numbers(to)), static_cast<std::streamsize>(4 * elements(to)));
    }
    if (!out.flush()) throw std::runtime_error("cannot write " + file);
  }

 private:
  /// The tensors of a layer with weights.
  struct layer {
    tensor& from;
    parameter& w;
    parameter* b;  // or null
    tensor& to;
  };
  /// Adds the forward pass of one.
  template <class Forward>
  layer weighted(const std::string& y, const std::string& x, const typename Forward::primitive_desc& d,
                 const dims& weights, const memory::desc& of_bias) {
    tensor& from = in_layout(x, d.src_desc());
    parameter& w = of_file(weights, d.weights_desc());
    parameter* const b = !of_bias.is_zero() ? &of_file(of_bias.get_dims(), of_bias) : nullptr;
    tensor& to = tensors_[y] = {memory(d.dst_desc(), engine)};
    arguments of_call{{DNNL_ARG_SRC, from.value}, {DNNL_ARG_WEIGHTS, w.value}, {DNNL_ARG_DST, to.value}};
    if (b) of_call[DNNL_ARG_BIAS] = b->value;
    forward_.emplace_back(Forward(d), of_call);
    return {from, w, b, to};
  }

  using steps = std::vector<std::pair<dnnl::primitive, arguments>>;
  static void run(const steps& all) {
    for (const auto& [primitive, of_call] : all) primitive.execute(stream, of_call);
  }
  static dnnl::primitive_attr with(bool relu) {
    dnnl::primitive_attr attributes;
    dnnl::post_ops after;
    if (relu) after.append_eltwise(algorithm::eltwise_relu, 0, 0);
    attributes.set_post_ops(after);
    return attributes;
  }
  static memory in_layout(const memory& from, const memory::desc& wanted, steps& where) {
    if (from.get_desc() == wanted) return from;
    const memory to(wanted, engine);
    where.emplace_back(dnnl::reorder(from, to), arguments{{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
    return to;
  }
  tensor& in_layout(const std::string& x, const memory::desc& wanted) {
    tensor& from = tensors_.at(x);
    if (from.value.get_desc() == wanted) return from;
    tensor& to = tensors_[x + '\'' + std::to_string(tensors_.size())] = {in_layout(from.value, wanted, forward_)};
    if (&from == input_)
      input_ = &to;
    else
      backward_of_.emplace_back(
          [this, &from, &to] { add_gradient(from, in_layout(to.gradient, from.value.get_desc(), backward_)); });
    return to;
  }
  /// The next parameter of the file.
  parameter& of_file(const dims& shape, const memory::desc& wanted) {
    memory from(plain(shape), engine), to(wanted, engine);
    const std::size_t count = elements(from);
    if (read_ + count > weights_.size()) throw std::runtime_error("too few weights");
    std::copy_n(weights_.begin() + static_cast<std::ptrdiff_t>(read_), count, numbers(from));
    read_ += count;
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    parameters_.push_back({to, memory(wanted, engine), shape});
    return parameters_.back();
  }
  void add_gradient(tensor& x, const memory& g) {
    if (!x.gradient) {
      x.gradient = g;
      return;
    }
    const memory sum(x.gradient.get_desc(), engine);
    apply(backward_, algorithm::binary_add, x.gradient, in_layout(g, sum.get_desc(), backward_), sum, false);
    x.gradient = sum;
  }
  static void apply(steps& where, algorithm how, const memory& a, const memory& b, const memory& y, bool relu) {
    const dnnl::binary::primitive_desc d(engine, how, a.get_desc(), b.get_desc(), y.get_desc(), with(relu));
    where.emplace_back(dnnl::binary(d), arguments{{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, y}});
  }
  /// By the pooling and a linear function: the reduction primitive has no kernel for blocks of channels.
  void sum_positions(const memory& from, const memory& to) {
    const dims shape = from.get_desc().get_dims(), window{shape[2], shape[3]}, none{0, 0};
    const memory mean(to.get_desc(), engine);
    const dnnl::pooling_forward::primitive_desc d(engine, dnnl::prop_kind::forward_inference,
                                                  algorithm::pooling_avg_exclude_padding, from.get_desc(),
                                                  mean.get_desc(), window, window, none, none, none);
    backward_.emplace_back(dnnl::pooling_forward(d), arguments{{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, mean}});
    const dnnl::eltwise_forward::primitive_desc times(engine, dnnl::prop_kind::forward_inference,
                                                      algorithm::eltwise_linear, mean.get_desc(), to.get_desc(),
                                                      static_cast<float>(window[0] * window[1]), 0);
    backward_.emplace_back(dnnl::eltwise_forward(times), arguments{{DNNL_ARG_SRC, mean}, {DNNL_ARG_DST, to}});
  }
  /// The gradient before a relu, from the result.
  memory through_relu(const tensor& y) {
    const memory::desc of_y = y.value.get_desc();
    const auto how = algorithm::eltwise_relu_use_dst_for_bwd;
    const dnnl::eltwise_forward::primitive_desc d(engine, training, how, of_y, of_y, 0, 0);
    const dnnl::eltwise_backward::primitive_desc b(engine, how, of_y, of_y, of_y, 0, 0, d);
    const memory dy = in_layout(y.gradient, of_y, backward_), dx(of_y, engine);
    backward_.emplace_back(dnnl::eltwise_backward(b),
                           arguments{{DNNL_ARG_DST, y.value}, {DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_DIFF_SRC, dx}});
    return dx;
  }
  template <class Desc>
  void gradient_of_weights(const dnnl::primitive& p, const Desc& d, const tensor& x, const memory& dy, parameter& w,
                           parameter* b) {
    const bool same = d.diff_weights_desc() == w.gradient.get_desc();
    const memory dw = same ? w.gradient : memory(d.diff_weights_desc(), engine);
    arguments of_call{{DNNL_ARG_SRC, in_layout(x.value, d.src_desc(), backward_)},
                      {DNNL_ARG_DIFF_DST, in_layout(dy, d.diff_dst_desc(), backward_)},
                      {DNNL_ARG_DIFF_WEIGHTS, dw}};
    if (b) of_call[DNNL_ARG_DIFF_BIAS] = b->gradient;
    backward_.emplace_back(p, of_call);
    if (!same)
      backward_.emplace_back(dnnl::reorder(dw, w.gradient), arguments{{DNNL_ARG_FROM, dw}, {DNNL_ARG_TO, w.gradient}});
  }
  template <class Desc>
  void gradient_of_data(const dnnl::primitive& p, const Desc& d, tensor& x, const memory& dy, const parameter& w) {
    const memory dx(d.diff_src_desc(), engine);
    const arguments of_call{{DNNL_ARG_DIFF_DST, in_layout(dy, d.diff_dst_desc(), backward_)},
                            {DNNL_ARG_WEIGHTS, in_layout(w.value, d.weights_desc(), backward_)},
                            {DNNL_ARG_DIFF_SRC, dx}};
    backward_.emplace_back(p, of_call);
    add_gradient(x, dx);
  }
  void loss() {
    const std::size_t samples = classes_.size(), all = elements(logits_) / samples;
    for (std::size_t i = 0; i < samples; ++i) {
      const float* const y = numbers(logits_) + i * all;
      float* const dy = numbers(dlogits_) + i * all;
      const float most = *std::max_element(y, y + all);
      float sum = 0;
      for (std::size_t k = 0; k < all; ++k) sum += dy[k] = std::exp(y[k] - most);
      for (std::size_t k = 0; k < all; ++k) dy[k] /= sum * static_cast<float>(samples);
      dy[classes_[i]] -= 1 / static_cast<float>(samples);
    }
  }

  std::vector<float> weights_;
  std::size_t read_ = 0;
  std::map<std::string, tensor> tensors_;
  std::deque<parameter> parameters_;
  tensor* input_ = nullptr;
  steps forward_, backward_;
  std::vector<std::function<void()>> backward_of_;
  memory logits_, dlogits_;
  std::vector<int> classes_;
};

dims read_dims(std::istream& in, std::size_t count) {
  dims d(count);
  for (auto& n : d) in >> n;
  return d;
}

/// A line is the name of a layer, of its result, of its inputs, and numbers.
void add_layer(chain& c, const std::string& line, const std::string& folder) {
  std::istringstream in(line);
  std::string layer, y, x, more;
  in >> layer >> y;
  if (layer != "input") in >> x;
  if (layer == "input") {
    c.input(y, read_dims(in, 4), read<float>(folder + "/samples"));
  } else if (layer == "conv") {
    std::size_t axes = 0;
    bool bias = false, relu = false;
    in >> relu >> bias >> axes;
    const dims weights = read_dims(in, axes);
    const dims result = read_dims(in, 4), stride = read_dims(in, 2), before = read_dims(in, 2),
               after = read_dims(in, 2);
    c.conv(y, x, weights, bias, result, stride, before, after, relu);
  } else if (layer == "dense") {
    bool bias = false;
    const dims shape = read_dims(in, 2);
    in >> bias;
    c.dense(y, x, shape, bias);
  } else if (layer == "norm") {
    bool relu = false;
    in >> relu;
    c.norm(y, x, relu);
  } else if (layer == "activate") {
    in >> more;
    c.activate(y, x, more);
  } else if (layer == "pool") {
    bool max = false;
    in >> max;
    const dims result = read_dims(in, 4), window = read_dims(in, 2), stride = read_dims(in, 2),
               before = read_dims(in, 2), after = read_dims(in, 2);
    c.pool(y, x, max, result, window, stride, before, after);
  } else if (layer == "add") {
    bool relu = false;
    in >> more >> relu;
    c.add(y, x, more, relu);
  } else if (layer == "scale") {
    in >> more;
    c.scale(y, x, more);
  } else if (layer == "result") {
    c.result(x, read<int>(folder + "/classes"));
  } else {
    throw std::runtime_error("no layer is called " + layer);
  }
  if (in.fail()) throw std::runtime_error("not a layer: " + line);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// \param folder  has network, weights, samples and classes; gradients are written there
void run(const std::string& folder, int steps) {
  chain c(read<float>(folder + "/weights"));
  std::ifstream network(folder + "/network");
  if (!network) throw std::runtime_error("cannot read " + folder + "/network");
  for (std::string line; std::getline(network, line);) add_layer(c, line, folder);
  c.gradients();
  c.save_gradients(folder + "/gradients");
  c.step(1e-4f);
  std::vector<double> times;
  for (int i = 0; i < steps; ++i) {
    const double start = now();
    c.step(1e-4f);
    times.push_back(now() - start);
  }
  std::sort(times.begin(), times.end());
  const dnnl_version_t& v = *dnnl_version();
  if (steps) std::printf("step %.3f ms, oneDNN %d.%d.%d\n", 1e3 * times[times.size() / 2], v.major, v.minor, v.patch);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 4) throw std::runtime_error("usage: onednn_steps FOLDER blocks|channels_last STEPS");
    channels_last = arguments[2] == std::string("channels_last");
    run(arguments[1], std::atoi(arguments[3]));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "onednn_steps: %s\n", e.what());
    return 1;
  }
}
