// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools of oneDNN on dense tensors with channels last. The indices of maxima are computed before the clock starts, in
// the layout and type that the library prefers.
#include "bench/peers/onednn.hpp"

#if DNNL_VERSION_MAJOR >= 3  // the interface of primitives was another one before
namespace tern::bench {
namespace {

using namespace onednn;

prepared pooling(const problem& p, const operands& x) {
  const pool_shape& s = p.pool->shape;
  memory::dims xd{s.batch, s.channels}, yd = xd, kernel, strides, dilates, before, behind;
  for (const window_axis& a : {s.axis[1], s.axis[2]}) {
    xd.push_back(a.in), yd.push_back(a.out), kernel.push_back(a.kernel);
    strides.push_back(a.stride), dilates.push_back(a.dilation - 1), before.push_back(a.pad);
    behind.push_back((a.out - 1) * a.stride + a.reach() - a.pad - a.in);
  }
  const memory::desc wide(xd, f32, tag::nhwc), narrow(yd, f32, tag::nhwc);
  const bool finds = p.pool->kind == pool_kind::max;
  const auto algorithm = finds ? dnnl::algorithm::pooling_max : dnnl::algorithm::pooling_avg_exclude_padding;
  const bool forward = p.direction == pass::forward;
  const dnnl::pooling_forward::primitive_desc how(
      engine(), forward ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training, algorithm, wide,
      narrow, strides, kernel, dilates, before, behind);
  if (forward)
    return run(dnnl::pooling_forward(how),
               {{DNNL_ARG_SRC, over(wide, x.left<float>())}, {DNNL_ARG_DST, over(narrow, x.out<float>())}});
  const dnnl::pooling_backward::primitive_desc back(engine(), algorithm, wide, narrow, strides, kernel, dilates, before,
                                                    behind, how);
  arguments of_call{{DNNL_ARG_DIFF_DST, over(narrow, x.left<float>())},
                    {DNNL_ARG_DIFF_SRC, over(wide, x.out<float>())}};
  if (finds) {
    const memory found(how.workspace_desc(), engine());
    dnnl::pooling_forward(how).execute(stream(), {{DNNL_ARG_SRC, over(wide, x.right<float>())},
                                                  {DNNL_ARG_DST, memory(narrow, engine())},
                                                  {DNNL_ARG_WORKSPACE, found}});
    stream().wait();
    of_call[DNNL_ARG_WORKSPACE] = found;
  }
  return run(dnnl::pooling_backward(back), of_call);
}

const at_start add(TERN_BENCH_NAME, [] {
  add_pool_peer(
      "onednn", [](const problem& p, const setting&) { return !p.f64; },
      [](const problem& p, const operands& x, const setting&) { return if_offered([&] { return pooling(p, x); }); });
});

}  // namespace
}  // namespace tern::bench
#endif
