// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks as a program would run them that calls oneDNN, versions 2 and 3, layer by layer. Primitives are made once,
// images have channels last, weights have the layouts that the primitives choose, and epilogues are post-ops.
#include "bench/networks/onednn.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

#include "bench/peers/onednn.hpp"

namespace tern::bench {

namespace {

using namespace onednn;

constexpr float slope = 0.01f;

/// A network as a list of primitives, and the tensors between them.
class chain {
 public:
  memory tensor(const memory::dims& shape, tag order) { return memory({shape, f32, order}, engine()); }

  /// Weights (height, width, in, out).
  memory conv(const memory& x, const memory& y, memory::dim in, memory::dim out, memory::dim size, const float* weights,
              const float* bias, const dnnl::primitive_attr& attributes, const arguments& more = {}) {
    const memory::desc w({out, in, size, size}, f32, tag::hwio), any({out, in, size, size}, f32, tag::any),
        b({out}, f32, tag::x);
    const memory::dims one{1, 1}, none{0, 0};
    using forward = dnnl::convolution_forward;
    const auto prop = dnnl::prop_kind::forward_inference;
    const auto how = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
    const forward::primitive_desc d(engine(), prop, how, x.get_desc(), any, b, y.get_desc(), one, none, none,
                                    attributes);
#else
    const forward::primitive_desc d({prop, how, x.get_desc(), any, b, y.get_desc(), one, none, none}, attributes,
                                    engine());
#endif
    add(forward(d),
        {{DNNL_ARG_SRC, x},
         {DNNL_ARG_WEIGHTS, reordered(over(w, weights), d.weights_desc())},
         {DNNL_ARG_BIAS, over(b, bias)},
         {DNNL_ARG_DST, y}},
        more);
    return y;
  }
  /// \param bias  or null
  memory matmul(const memory& a, const memory& b, const memory& c, const float* bias,
                const dnnl::primitive_attr& attributes, bool packs) {
    const memory::dim n = c.get_desc().get_size() / sizeof(float) / static_cast<std::size_t>(rows(c));
    const memory::desc any(shape(b), f32, tag::any), wanted = packs ? any : b.get_desc();
    const memory::desc of_bias = bias ? memory::desc({1, n}, f32, tag::ab) : memory::desc();
#if DNNL_VERSION_MAJOR >= 3
    const dnnl::matmul::primitive_desc d(engine(), a.get_desc(), wanted, of_bias, c.get_desc(), attributes);
#else
    const dnnl::matmul::primitive_desc d({a.get_desc(), wanted, of_bias, c.get_desc()}, attributes, engine());
#endif
    arguments of_call{
        {DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, packs ? reordered(b, d.weights_desc()) : b}, {DNNL_ARG_DST, c}};
    if (bias) of_call[DNNL_ARG_BIAS] = over(of_bias, bias);
    add(dnnl::matmul(d), of_call);
    return c;
  }
  void softmax(const memory& x) {
    using forward = dnnl::softmax_forward;
#if DNNL_VERSION_MAJOR >= 3
    const forward::primitive_desc d(engine(), dnnl::prop_kind::forward_inference, dnnl::algorithm::softmax_accurate,
                                    x.get_desc(), x.get_desc(), 1);
#else
    const forward::primitive_desc d({dnnl::prop_kind::forward_inference, x.get_desc(), 1}, engine());
#endif
    add(forward(d), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, x}});
  }
  void operator()() const {
    for (const auto& [primitive, of_call] : steps_) primitive.execute(stream(), of_call);
    stream().wait();
  }

 private:
  static memory::dims shape(const memory& m) {
#if DNNL_VERSION_MAJOR >= 3
    return m.get_desc().get_dims();
#else
    return m.get_desc().dims();
#endif
  }
  static memory::dim rows(const memory& m) { return shape(m)[0]; }
  void add(const dnnl::primitive& p, arguments of_call, const arguments& more = {}) {
    of_call.insert(more.begin(), more.end());
    steps_.emplace_back(p, of_call);
  }
  std::vector<std::pair<dnnl::primitive, arguments>> steps_;
};

void then_leaky(dnnl::post_ops& after) {
#if DNNL_VERSION_MAJOR >= 3
  after.append_eltwise(dnnl::algorithm::eltwise_relu, slope, 0);
#else
  after.append_eltwise(1, dnnl::algorithm::eltwise_relu, slope, 0);
#endif
}

}  // namespace

std::function<void()> braggnn_of_onednn(const std::function<const float*(const std::string&)>& tensor, const float* x,
                                        float* y) {
  auto c = std::make_shared<chain>();
  const dnnl::primitive_attr plain;
  dnnl::primitive_attr leaky;
  dnnl::post_ops of_leaky;
  then_leaky(of_leaky);
  leaky.set_post_ops(of_leaky);

  const memory image = over({{1, 1, 11, 11}, f32, tag::nhwc}, x), a = c->tensor({1, 64, 9, 9}, tag::nhwc);
  c->conv(image, a, 1, 64, 3, tensor("0.weight"), tensor("0.bias"), plain);
  // Q, K and V as images, and as matrices of a position in a row.
  memory part[3];
  for (int i = 0; i < 3; ++i) {
    const std::string name = "1.0.0." + std::to_string(i);
    part[i] = c->conv(a, c->tensor({1, 32, 9, 9}, tag::nhwc), 64, 32, 1, tensor(name + ".weight"),
                      tensor(name + ".bias"), plain);
  }
  const auto rows = [&](const memory& m, const memory::dims& shape, tag order) {
    return memory({shape, f32, order}, engine(), m.get_data_handle());
  };
  const memory looks = c->tensor({81, 81}, tag::ab), seen = c->tensor({1, 32, 9, 9}, tag::nhwc);
  c->matmul(rows(part[0], {81, 32}, tag::ab), rows(part[1], {32, 81}, tag::ba), looks, nullptr, plain, false);
  c->softmax(looks);
  c->matmul(looks, rows(part[2], {81, 32}, tag::ab), rows(seen, {81, 32}, tag::ab), nullptr, plain, false);
  dnnl::post_ops of_residual;
  of_residual.append_binary(dnnl::algorithm::binary_add, a.get_desc());
  then_leaky(of_residual);
  dnnl::primitive_attr residual;
  residual.set_post_ops(of_residual);
  const memory b = c->tensor({1, 64, 9, 9}, tag::nhwc), d = c->tensor({1, 32, 7, 7}, tag::nhwc),
               e = c->tensor({1, 8, 5, 5}, tag::nhwc);
  c->conv(seen, b, 32, 64, 1, tensor("1.0.1.weight"), tensor("1.0.1.bias"), residual,
          {{DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, a}});
  c->conv(b, d, 64, 32, 3, tensor("3.weight"), tensor("3.bias"), leaky);
  c->conv(d, e, 32, 8, 3, tensor("4.weight"), tensor("4.bias"), leaky);
  memory last = rows(e, {1, 200}, tag::ab);
  const memory::dim widths[] = {200, 16, 8, 4, 2, 2};
  for (int i = 0; i < 5; ++i) {
    const std::string name = std::to_string(6 + i);
    const memory to = i == 4 ? over({{1, 2}, f32, tag::ab}, y) : c->tensor({1, widths[i + 1]}, tag::ab);
    last = c->matmul(last, over({{widths[i], widths[i + 1]}, f32, tag::ab}, tensor(name + ".weight")), to,
                     tensor(name + ".bias"), i == 4 ? plain : leaky, true);
  }
  return [c] { (*c)(); };
}

std::string onednn_version() {
  const dnnl_version_t* const v = dnnl_version();
  return "oneDNN " + std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
}

}  // namespace tern::bench
