// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant expressions must not change run-time results. If a constant expression changes elements of a member `T a[3]
// = {}`, g++ 12 writes them into the initialiser of that member, and so into every later object. Results are compared
// with numbers known without tern, since the reference would be wrong, too.
#include <vector>

#include "tern/simd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

template <class Shape>
constexpr Shape changed() {
  Shape s;
  for (auto& a : s.axis) a.in = 7;
  auto& last = s.axis[2];
  last.in = 9;
  return s;
}
template <class Shape>
void check_defaults() {
  static constexpr Shape constant = changed<Shape>();
  CHECK(constant.axis[0].in == 7);
  CHECK(constant.axis[2].in == 9);
  const Shape fresh;
  const Shape braces{};
  using axis = std::remove_cvref_t<decltype(fresh.axis[0])>;
  for (int r = 0; r < 3; ++r) {
    CHECK(fresh.axis[r].in == axis().in);
    CHECK(braces.axis[r].in == axis().in);
  }
}

TEST_CASE("sizes computed while compiling leave the defaults of others alone", "[constants]") {
  check_defaults<conv_shape>();
  check_defaults<pool_shape>();
  check_defaults<resampling<float, resample_pass::forward, upsample_axis, false>>();
  check_defaults<resampling<float, resample_pass::data, pad_axis, true>>();
  CHECK(conv_shape().axis[2].kernel == 1);
  CHECK(conv_shape().axis[2].stride == 1);
}

constexpr conv1d_config signals{.in = 5, .out = 7, .kernel = {3}, .pad = {1}};
constexpr conv2d_config images{.in = 3, .out = 4, .kernel = {3, 3}, .pad = {1, 1}};
constexpr conv3d_config volumes{.in = 2, .out = 4, .kernel = {3, 3, 3}, .pad = {1, 1, 1}};
constexpr conv_transpose1d_config wider{.in = 5, .out = 7, .kernel = {2}, .stride = {2}};

TEMPLATE_TEST_CASE("bias gradients are right after weights were packed", "[constants][conv]", reference, simd<>) {
  using policy = TestType;
  std::vector<float> ones(1000, 1);
  std::vector<float> dw(1000), weights(1000, 1);
  // Packing computes sizes while compiling.
  const auto packed = kernel<conv1d<signals>, policy>{}.pack(view(unchecked, weights.data(), extents<3, 5, 7>()));
  const auto other =
      kernel<conv_transpose1d<wider>, policy>{}.pack(view(unchecked, weights.data(), extents<2, 7, 5>()));
  const kernel<conv2d<images>, policy> square;
  const auto of_square = square.pack(view(unchecked, weights.data(), extents<3, 3, 3, 4>()));
  std::vector<float> dbias(4, -7), wide(7, -7), longer(7, -7), cube(4, -7);
  kernel<conv1d<signals>, policy>{}.backward_weights(last(ones, 1, 5, 10), last(ones, 1, 7, 10),
                                                     view(unchecked, dw.data(), extents<3, 5, 7>()), wide);
  CHECK(wide == std::vector<float>(7, 10));
  square.backward_weights(last(ones, 1, 3, 5, 6), last(ones, 1, 4, 5, 6),
                          view(unchecked, dw.data(), extents<3, 3, 3, 4>()), dbias);
  CHECK(dbias == std::vector<float>(4, 30));
  kernel<conv3d<volumes>, policy>{}.backward_weights(last(ones, 1, 2, 4, 5, 6), last(ones, 1, 4, 4, 5, 6),
                                                     view(unchecked, dw.data(), extents<3, 3, 3, 2, 4>()), cube);
  CHECK(cube == std::vector<float>(4, 120));
  kernel<conv_transpose1d<wider>, policy>{}.backward_weights(last(ones, 1, 5, 10), last(ones, 1, 7, 20),
                                                             view(unchecked, dw.data(), extents<2, 7, 5>()), longer);
  CHECK(longer == std::vector<float>(7, 20));
}

}  // namespace
}  // namespace tern::test
