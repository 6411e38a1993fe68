// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// oneDNN, versions 2 and 3: matmul with row-major weights ("plain") and with weights in the layout that it chooses
// ("packed"); the inner product, which is another primitive for the same product. Epilogues are its post-ops.
#include "bench/peers/onednn.hpp"

namespace tern::bench {
namespace {

using namespace onednn;

#if DNNL_VERSION_MAJOR >= 3
auto matmul_of(const memory::desc& a, const memory::desc& b, const memory::desc& bias, const memory::desc& c,
               const dnnl::primitive_attr& attributes) {
  return dnnl::matmul::primitive_desc(engine(), a, b, bias, c, attributes);
}
auto inner_product_of(const memory::desc& a, const memory::desc& b, const memory::desc& c) {
  return dnnl::inner_product_forward::primitive_desc(engine(), dnnl::prop_kind::forward_inference, a, b, c);
}
void then_relu(dnnl::post_ops& after) { after.append_eltwise(dnnl::algorithm::eltwise_relu, 0, 0); }
#else
auto matmul_of(const memory::desc& a, const memory::desc& b, const memory::desc& bias, const memory::desc& c,
               const dnnl::primitive_attr& attributes) {
  return dnnl::matmul::primitive_desc(dnnl::matmul::desc(a, b, bias, c), attributes, engine());
}
auto inner_product_of(const memory::desc& a, const memory::desc& b, const memory::desc& c) {
  return dnnl::inner_product_forward::primitive_desc({dnnl::prop_kind::forward_inference, a, b, c}, engine());
}
void then_relu(dnnl::post_ops& after) { after.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0); }
#endif

prepared matmul(const problem& p, const operands& x, bool packed) {
  const product q = p.as_product();
  const bool batched = q.batch > 1;
  const auto shape = [&](index_t rows, index_t columns) {
    return batched ? memory::dims{q.batch, rows, columns} : memory::dims{rows, columns};
  };
  const tag row_major = batched ? tag::abc : tag::ab, column_major = batched ? tag::acb : tag::ba;
  const memory::desc a(shape(q.m, q.k), f32, q.ta ? column_major : row_major),
      b(shape(q.k, q.n), f32, q.tb ? column_major : row_major), c(shape(q.m, q.n), f32, row_major),
      any(shape(q.k, q.n), f32, tag::any);
  memory::desc bias;
  if (p.op.bias) bias = memory::desc(batched ? memory::dims{1, 1, q.n} : memory::dims{1, q.n}, f32, row_major);
  dnnl::post_ops after;
  if (p.op.residual) after.append_binary(dnnl::algorithm::binary_add, c);
  if (p.op.act == activation::relu) then_relu(after);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(after);
  const auto how = matmul_of(a, packed ? any : b, bias, c, attributes);
  arguments of_call{{DNNL_ARG_SRC, over(a, x.left<float>())},
                    {DNNL_ARG_WEIGHTS, reordered(over(b, x.right<float>()), how.weights_desc())},
                    {DNNL_ARG_DST, over(c, x.out<float>())}};
  if (p.op.bias) of_call[DNNL_ARG_BIAS] = over(bias, x.bias<float>());
  if (p.op.residual) of_call[DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1] = over(c, x.residual<float>());
  return run(dnnl::matmul(how), of_call);
}

prepared inner_product(const problem& p, const operands& x) {
  const product q = p.as_product();
  const memory::desc a({q.m, q.k}, f32, tag::ab), b({q.n, q.k}, f32, q.tb ? tag::ab : tag::ba),
      any({q.n, q.k}, f32, tag::any), c({q.m, q.n}, f32, tag::ab);
  const auto how = inner_product_of(a, any, c);
  return run(dnnl::inner_product_forward(how),
             {{DNNL_ARG_SRC, over(a, x.left<float>())},
              {DNNL_ARG_WEIGHTS, reordered(over(b, x.right<float>()), how.weights_desc())},
              {DNNL_ARG_DST, over(c, x.out<float>())}});
}

const at_start add(TERN_BENCH_NAME, [] {
  const dnnl_version_t* v = dnnl_version();
  libraries().push_back({"onednn",
                         std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch),
                         [](int threads) { omp_set_num_threads(threads); }});
  add_peer(
      "plain", "onednn", [](const problem& p, const setting&) { return !p.f64; },
      [](const problem& p, const operands& x, const setting&) {
        return if_offered([&] { return matmul(p, x, false); });
      });
  add_peer(
      "packed", "onednn",
      [](const problem& p, const setting&) {
        return !p.f64 && p.op.batch == 1 && p.direction != pass::backward_weights;
      },
      [](const problem& p, const operands& x, const setting&) {
        return if_offered([&] { return matmul(p, x, true); });
      });
  add_peer(
      "packed", "onednn_inner_product",
      [](const problem& p, const setting&) {
        return !p.f64 && p.op.batch == 1 && p.plain_product() && p.direction != pass::backward_weights;
      },
      [](const problem& p, const operands& x, const setting&) {
        return if_offered([&] { return inner_product(p, x); });
      });
});

}  // namespace
}  // namespace tern::bench
