// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Padding means what it means in PyTorch and TensorFlow: their results and gradients, computed once by
// tools/padding_vectors.py, against tern's. Every number is a small integer, so they are equal, not near.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "tern/reference.hpp"
#include "tern/simd.hpp"
#include "tests/kernel/conv_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/conv_problem.hpp"

namespace tern::test {
namespace {

/// A convolution as a framework computed it: the framework's arguments, tern's config, and the results, channels last.
struct framework_case {
  const char *call, *conv;
  const char *y, *dx, *dw;
};

const framework_case torch_cases[] = {
#include "tests/kernel/padding_torch.inc"
};
const framework_case tensorflow_cases[] = {
#include "tests/kernel/padding_tensorflow.inc"
};

/// The numbers of an operand, one after the other: those of tools/padding_vectors.py.
class integers {
 public:
  explicit integers(std::uint32_t seed) : seed_(seed) {}
  int operator()() { return static_cast<int>((i_++ * 2654435761u + seed_ * 40503u) >> 16) % 7 - 3; }

 private:
  std::uint32_t i_ = 0, seed_;
};

std::vector<double> numbers_in(const char* text) {
  std::vector<double> v;
  for (char* end = nullptr;; text = end) {
    const double x = std::strtod(text, &end);
    if (end == text) return v;
    v.push_back(x);
  }
}

/// The elements of a picture or a filter bank, channels last.
template <class Tensor>
std::vector<double> elements(const Tensor& t) {
  std::vector<double> v;
  t.each([&](auto... i) { v.push_back(static_cast<double>(t(i...))); });
  return v;
}

template <class Policy, class T>
void check(const framework_case& c) {
  using run = convolution_kernel<Policy>;
  const typename run::context state{};
  const conv_problem conv = conv_of(c.conv);
  const conv_shape s = conv.shape();
  INFO(c.call << ": " << c.conv);
  const auto wide_picture = [&] { return picture<T>(s.batch, s.groups * s.in, wide(s)); };
  const auto narrow_picture = [&] { return picture<T>(s.batch, s.groups * s.out, narrow(s)); };
  // x and y as the op calls them; a transposed convolution goes from the narrow to the wide.
  auto x = conv.transposed ? narrow_picture() : wide_picture(), y = conv.transposed ? wide_picture() : narrow_picture();
  filter_bank<T> w(s, false), dw(s, false);
  x.fill(integers(1)), w.fill(integers(2));
  const auto forward = [&]<conv_pass P>(const picture<T>& from, const picture<T>& to) {
    conv_sums<T, P, epilogue{}> q;
    q.shape = s, q.from = from, q.w = w, q.to = to.get();
    run::run(state, q);
  };
  conv.transposed ? forward.template operator()<conv_pass::data>(x, y)
                  : forward.template operator()<conv_pass::forward>(x, y);
  CHECK(elements(y) == numbers_in(c.y));

  y.fill(integers(3));  // from here on the gradient of y
  conv_gradient<T, false> q;
  q.shape = s, q.x = conv.transposed ? y : x, q.dy = conv.transposed ? x : y, q.dw = dw.get();
  run::run(state, q);
  CHECK(elements(dw) == numbers_in(c.dw));
  x.poison();
  conv.transposed ? forward.template operator()<conv_pass::forward>(y, x)
                  : forward.template operator()<conv_pass::data>(y, x);
  CHECK(elements(x) == numbers_in(c.dx));
}

TEMPLATE_TEST_CASE("padding, cropping and gradients are PyTorch's", "[conv][convention]", reference, simd<>) {
  for (const framework_case& c : torch_cases) check<TestType, float>(c);
}

TEMPLATE_TEST_CASE("padding, cropping and gradients are TensorFlow's", "[conv][convention]", reference, simd<>) {
  for (const framework_case& c : tensorflow_cases) check<TestType, float>(c);
}

}  // namespace
}  // namespace tern::test
