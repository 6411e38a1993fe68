// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <random>
#include <vector>

#include "tern/reference.hpp"
#include "tests/models/check.hpp"
#include "tests/models/layers.hpp"
#include "tests/support/conv_problem.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/pictures.hpp"

namespace tern::test {
namespace {

/// The same channels and window over fewer positions, first on the outer axes; small layers get more samples. Where the
/// last window ends within a stride stays as it is.
conv_problem scaled(conv_problem p) {
  const index_t least[] = {2, 2, 4};
  for (int r = 0; r < 3; ++r)
    for (index_t have; multiply_adds(p.shape()) > most_products && (have = p.axis(r).out) > least[r];) {
      const index_t fewer = have - (have / 2 > least[r] ? have / 2 : least[r]);
      p.x.of[r] -= fewer * (p.transposed ? 1 : p.stride[r]);
    }
  while (p.batch < 3 && multiply_adds(p.shape()) / p.batch * (p.batch + 1) <= most_products) ++p.batch;
  return p;
}

/// A layer's operands, and its results under the reference.
class conv_check {
  using order = picture<float>::order;

 public:
  conv_check(const conv_problem& p, unsigned seed)
      : next_(seed),
        engine_(seed),
        s_(p.shape()),
        x_(wide(order::last)),
        dy_(narrow(order::padded)),
        w_(s_, false),
        w_by_output_(s_, true) {
    for (int r = 0; r < 3; ++r) axes_[r] = links_of(s_.axis[r]);
    x_.fill(next_), dy_.fill(next_), w_.fill(next_);
    w_by_output_.each([&](auto... i) { w_by_output_(i...) = w_(i...); });
  }

  std::string fault() {
    // In the order of a convolution; a transposed one has the first two swapped.
    std::string wrong = sums<conv_pass::forward>(x_);
    if (wrong.empty()) wrong = sums<conv_pass::data>(dy_);
    if (wrong.empty()) wrong = gradient();
    if (wrong.empty()) wrong = bias_gradient();
    return wrong;
  }

 private:
  /// A tap of the window at a position of the narrow tensor lies on this position of the wide one.
  struct link {
    index_t tap, wide, narrow;
  };
  using links = std::vector<link>;

  static links links_of(const window_axis& a) {
    links all;
    for (index_t i = 0; i < a.in; ++i)
      for (index_t p = 0; p < a.out; ++p)
        for (index_t t = 0; t < a.kernel; ++t)
          if (p * a.stride + t * a.dilation == i + a.pad) all.push_back({t, i, p});
    return all;
  }
  /// f(z, y, x) for the links that have `at` as their `Of`.
  template <index_t link::* Of, class F>
  void each_link(extents3 at, F f) const {
    for (const link& z : axes_[0])
      for (const link& y : axes_[1])
        for (const link& x : axes_[2])
          if (z.*Of == at[0] && y.*Of == at[1] && x.*Of == at[2]) f(z, y, x);
  }

  picture<float> wide(order o) const {
    return {s_.batch, s_.groups * s_.in, {s_.axis[0].in, s_.axis[1].in, s_.axis[2].in}, o};
  }
  picture<float> narrow(order o) const {
    return {s_.batch, s_.groups * s_.out, {s_.axis[0].out, s_.axis[1].out, s_.axis[2].out}, o};
  }
  index_t below(index_t n) { return static_cast<index_t>(engine_() % static_cast<unsigned long>(n)); }
  extents3 position(const extents3& e) { return {below(e[0]), below(e[1]), below(e[2])}; }

  template <conv_pass P>
  std::string sums(const picture<float>& from) {
    constexpr bool forward = P == conv_pass::forward;
    const char* name = forward ? "gathering outputs" : "spreading inputs";
    const auto result = [&](order o) { return forward ? narrow(o) : wide(o); };
    const picture<float> wanted = result(order::last);
    conv_sums<float, P, epilogue{}> q;
    q.shape = s_, q.from = from, q.w = forward ? w_by_output_ : w_, q.to = wanted.get();
    convolution_kernel<reference>::run({}, q);
    for (int i = 0; i < samples; ++i) {
      const index_t n = below(s_.batch), g = below(s_.groups), channel = below(forward ? s_.out : s_.in);
      const extents3 at = position(wanted.extent());
      expected e;
      each_link<forward ? &link::narrow : &link::wide>(at, [&](const link& z, const link& y, const link& x) {
        for (index_t k = 0; k < (forward ? s_.in : s_.out); ++k) {
          const index_t c = forward ? k : channel, o = g * s_.out + (forward ? channel : k);
          const long double weight = w_(z.tap, y.tap, x.tap, c, o);
          e.add(weight *
                (forward ? from(n, g * s_.in + k, z.wide, y.wide, x.wide) : from(n, o, z.narrow, y.narrow, x.narrow)));
        }
      });
      const index_t k = s_.taps() * q.summed(), chunks = s_.taps() + k / dot_chunk + 1;
      if (!within_rounding(wanted(n, g * q.results() + channel, at[0], at[1], at[2]), e, k, dot_chunk,
                           static_cast<int>(chunks)))
        return std::string(name) + ": the reference is far from the sums of its products";
    }
    using family = convolution_kernel<simd<>>;
    std::vector<float> packed(static_cast<std::size_t>(family::packed_size<float>(s_, P)));
    family::pack(s_, static_cast<filters<const float>>(w_), packed.data(), P);
    for (const any_executor& run : executors)
      for (const bool is_packed : {false, true}) {
        const picture<float> got = result(is_packed ? order::blocks16 : order::padded);
        q.to = got.get();
        q.w = is_packed ? family::packed(static_cast<const float*>(packed.data()), s_, P) : filters<const float>(w_);
        family::run(run, q);
        if (!equal_bits(wanted, got) || !got.gaps_untouched())
          return std::string(name) + ": simd has other bits, " + run.name + (is_packed ? ", packed" : "");
      }
    return "";
  }

  std::string gradient() {
    const filter_bank<float> wanted(s_, false);
    conv_gradient<float, false> q;
    q.shape = s_, q.x = x_, q.dy = dy_, q.dw = wanted.get();
    convolution_kernel<reference>::run({}, q);
    const index_t k = s_.batch * s_.positions();
    for (int i = 0; i < samples; ++i) {
      const index_t g = below(s_.groups), c = below(s_.in), o = g * s_.out + below(s_.out);
      const extents3 at = position({s_.axis[0].kernel, s_.axis[1].kernel, s_.axis[2].kernel});
      expected e;
      each_link<&link::tap>(at, [&](const link& z, const link& y, const link& x) {
        for (index_t n = 0; n < s_.batch; ++n)
          e.add(static_cast<long double>(x_(n, g * s_.in + c, z.wide, y.wide, x.wide)) *
                dy_(n, o, z.narrow, y.narrow, x.narrow));
      });
      if (!within_rounding(wanted(at[0], at[1], at[2], c, o), e, k, dot_chunk, chunks_of_samples()))
        return "weight gradient: the reference is far from the sum of its products";
    }
    for (const any_executor& run : executors) {
      const filter_bank<float> got(s_, true);
      q.dw = got.get();
      convolution_kernel<simd<>>::run(run, q);
      if (!equal_bits(wanted, got)) return std::string("weight gradient: simd has other bits, ") + run.name;
    }
    return "";
  }

  std::string bias_gradient() {
    const place_box all{s_.batch, {s_.axis[0].out, s_.axis[1].out, s_.axis[2].out}};
    const index_t channels = s_.groups * s_.out;
    std::vector<float> wanted(static_cast<std::size_t>(channels)), got(wanted.size());
    const auto to = [&](std::vector<float>& sums) {
      return image_sums<false>(all, channels, scattered(static_cast<image<const float>>(dy_)),
                               operand<float>{sums.data(), 1, 0, 0});
    };
    place_sums_kernel<reference>::run({}, to(wanted));
    std::vector<expected> e(wanted.size());
    dy_.each([&](index_t n, index_t c, auto... at) { e[static_cast<std::size_t>(c)].add(dy_(n, c, at...)); });
    for (std::size_t c = 0; c < wanted.size(); ++c)
      if (!within_rounding(wanted[c], e[c], s_.batch * s_.positions(), dot_chunk, chunks_of_samples()))
        return "bias gradient: the reference is far from the sum";
    for (const any_executor& run : executors) {
      place_sums_kernel<simd<>>::run(run, to(got));
      for (std::size_t c = 0; c < wanted.size(); ++c)
        if (!equal_bits(wanted[c], got[c])) return std::string("bias gradient: simd has other bits, ") + run.name;
    }
    return "";
  }

  int chunks_of_samples() const { return static_cast<int>(s_.batch + s_.batch * s_.positions() / dot_chunk + 1); }

  numbers next_;
  std::mt19937 engine_;
  conv_shape s_;
  picture<float> x_, dy_;
  filter_bank<float> w_, w_by_output_;  // equal
  links axes_[3];
};

}  // namespace

std::string fault_of_conv(const std::string& shape, unsigned seed) {
  const std::size_t at = shape.find(" = ");
  const conv_problem p = conv_of(shape.substr(0, at));
  if (at == std::string::npos || sizes(p, p.y()) != shape.substr(at + 3)) return "the result is " + sizes(p, p.y());
  return conv_check(scaled(p), seed).fault();
}

}  // namespace tern::test
