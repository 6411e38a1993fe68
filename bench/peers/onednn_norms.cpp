// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms of oneDNN on dense tensors with channels last ("onednn"). Batch norms also have the layout with blocks of 16
// channels that its convolutions prefer ("onednn_blocked"), group norms one plane after the other ("onednn_planes").
// Tensors are converted outside of the timed part. Sum and relu are one primitive after the norm: batch norms do not
// fuse them on CPUs, and with post-ops the other norms of version 3.7 use its reference implementation.
#include "bench/peers/onednn.hpp"

#include "bench/harness/moving.hpp"

#if DNNL_VERSION_MAJOR > 3 || (DNNL_VERSION_MAJOR == 3 && DNNL_VERSION_MINOR >= 3)  // the first with group norms
namespace tern::bench {
namespace {

using namespace onednn;
using dnnl::normalization_flags;
using dnnl::prop_kind;

constexpr float eps = static_cast<float>(norm_epsilon);
const auto both = normalization_flags::use_scale | normalization_flags::use_shift;

/// A norm's tensors, which are alike, its numbers per channel, and its statistics.
struct norm_tensors {
  memory::desc as_given, as_used, per_channel, per_group;
};

norm_tensors tensors(const memory_bound_op& m, tag images) {
  const memory::dims image{m.batch, m.channels, m.extent, m.extent}, rows{m.batch, m.channels};
  const bool layer = m.what == variants::moving_op::layer_norm, group = m.what == variants::moving_op::group_norm;
  norm_tensors t;
  t.as_given = layer ? memory::desc(rows, f32, tag::ab) : memory::desc(image, f32, tag::nhwc);
  t.as_used = layer ? t.as_given : memory::desc(image, f32, images);
  t.per_channel = memory::desc({m.channels}, f32, tag::a);
  t.per_group = group   ? memory::desc({m.batch, variants::norm_groups}, f32, tag::ab)
                : layer ? memory::desc({m.batch}, f32, tag::a)
                        : t.per_channel;
  return t;
}

/// Primitives of the three kinds, whose constructors differ in one argument.
template <class Primitive>
auto forward_of(const memory_bound_op& m, prop_kind kind, const memory::desc& d, normalization_flags flags) {
  using how = typename Primitive::primitive_desc;
  if constexpr (std::is_same_v<Primitive, dnnl::group_normalization_forward>)
    return how(engine(), kind, d, d, variants::norm_groups, eps, flags);
  else
    return static_cast<void>(m), how(engine(), kind, d, d, eps, flags);
}
template <class Primitive, class Forward>
auto backward_of(prop_kind kind, const memory::desc& d, normalization_flags flags, const Forward& forward) {
  using how = typename Primitive::primitive_desc;
  if constexpr (std::is_same_v<Primitive, dnnl::group_normalization_backward>)
    return how(engine(), kind, d, d, d, variants::norm_groups, eps, flags, forward);
  else
    return how(engine(), kind, d, d, d, eps, flags, forward);
}

/// The norm, followed by sum and relu in place.
prepared followed(const dnnl::primitive& norm, const norm_tensors& t, const arguments& of_call,
                  const memory& residual) {
  dnnl::post_ops after;
  after.append_eltwise(dnnl::algorithm::eltwise_relu, 0, 0);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(after);
  const dnnl::binary sum(
      dnnl::binary::primitive_desc(engine(), dnnl::algorithm::binary_add, t.as_used, t.as_used, t.as_used, attributes));
  const memory y = of_call.at(DNNL_ARG_DST);
  return repeated([=, of_sum = arguments{{DNNL_ARG_SRC_0, y}, {DNNL_ARG_SRC_1, residual}, {DNNL_ARG_DST, y}}] {
    norm.execute(stream(), of_call);
    sum.execute(stream(), of_sum);
  });
}

template <class Forward, class Backward>
prepared norm(const problem& p, const operands& x, tag images) {
  const memory_bound_op& m = *p.moving;
  const norm_tensors t = tensors(m, images);
  const auto brought = [&](const float* from) { return reordered(over(t.as_given, from), t.as_used); };
  const bool turned = t.as_used != t.as_given;
  const memory to = turned ? memory(t.as_used, engine()) : over(t.as_given, x.out<float>());
  const memory scale = over(t.per_channel, x.bias<float>()), shift = over(t.per_channel, x.bias<float>() + m.channels),
               mean(t.per_group, engine()), variance(t.per_group, engine());
  const auto finish = [=, given = over(t.as_given, x.out<float>())] {
    memory from = to, back = given;
    dnnl::reorder(from, back).execute(stream(), from, back);
    stream().wait();
  };
  const bool trains = m.what == variants::moving_op::batch_norm || p.direction != pass::forward;
  const prop_kind kind = trains ? prop_kind::forward_training : prop_kind::forward_inference;
  const auto how = forward_of<Forward>(m, kind, t.as_used, both);
  const auto arguments_of = [&](const float* from, const memory& result) {
    arguments a{
        {DNNL_ARG_SRC, brought(from)}, {DNNL_ARG_DST, result}, {DNNL_ARG_SCALE, scale}, {DNNL_ARG_SHIFT, shift}};
    if (trains) a[DNNL_ARG_MEAN] = mean, a[DNNL_ARG_VARIANCE] = variance;
    return a;
  };
  prepared r;
  if (p.direction == pass::forward) {
    const arguments of_call = arguments_of(x.left<float>(), to);
    r = p.op.residual ? followed(Forward(how), t, of_call, brought(x.residual<float>())) : run(Forward(how), of_call);
  } else {
    const arguments of_forward = arguments_of(x.right<float>(), memory(t.as_used, engine()));
    Forward(how).execute(stream(), of_forward);
    stream().wait();
    arguments of_call{{DNNL_ARG_SRC, of_forward.at(DNNL_ARG_SRC)},
                      {DNNL_ARG_DIFF_DST, brought(x.left<float>())},
                      {DNNL_ARG_MEAN, mean},
                      {DNNL_ARG_VARIANCE, variance},
                      {DNNL_ARG_SCALE, scale},
                      {DNNL_ARG_DIFF_SRC, to}};
    if (m.what == variants::moving_op::layer_norm) of_call[DNNL_ARG_SHIFT] = shift;
    // Passed even if they are not wanted.
    const memory sums =
        m.all_gradients ? over(t.per_channel, x.out<float>() + m.size()) : memory(t.per_channel, engine());
    of_call[DNNL_ARG_DIFF_SCALE] = sums;
    of_call[DNNL_ARG_DIFF_SHIFT] =
        m.all_gradients ? over(t.per_channel, x.out<float>() + m.size() + m.channels) : memory(t.per_channel, engine());
    r = run(Backward(backward_of<Backward>(m.all_gradients ? prop_kind::backward : prop_kind::backward_data, t.as_used,
                                           both, how)),
            of_call);
  }
  if (turned) r.finish = finish;
  return r;
}

prepared norm_of(const problem& p, const operands& x, tag images) {
  switch (p.moving->what) {
    case variants::moving_op::batch_norm:
      return norm<dnnl::batch_normalization_forward, dnnl::batch_normalization_backward>(p, x, images);
    case variants::moving_op::group_norm:
      return norm<dnnl::group_normalization_forward, dnnl::group_normalization_backward>(p, x, images);
    default: return norm<dnnl::layer_normalization_forward, dnnl::layer_normalization_backward>(p, x, images);
  }
}

/// True if gradients of group norms are right: github.com/uxlfoundation/oneDNN/issues/3543.
constexpr bool has_group_gradient = DNNL_VERSION_MAJOR > 3 || DNNL_VERSION_MINOR >= 10;

void add_norms(const std::string& name, tag images) {
  using variants::moving_op;
  add_moving_peer(
      name,
      [=](const problem& p, const setting&) {
        const moving_op what = p.moving->what;
        if (!p.moving->norm() || p.direction == pass::backward_weights) return false;
        if (what == moving_op::group_norm && p.direction != pass::forward && !has_group_gradient) return false;
        if (images == tag::nChw16c) return what == moving_op::batch_norm && p.moving->channels % 16 == 0;
        return images == tag::nhwc || what == moving_op::group_norm;
      },
      [=](const problem& p, const operands& x, const setting&) {
        return if_offered([&] { return norm_of(p, x, images); });
      });
}

const at_start add(TERN_BENCH_NAME, [] {
  add_norms("onednn", tag::nhwc);
  add_norms("onednn_blocked", tag::nChw16c);
  add_norms("onednn_planes", tag::nchw);
});

}  // namespace
}  // namespace tern::bench
#endif
