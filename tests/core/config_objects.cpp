// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of configs are where compilers look for them while a program runs. Clang takes the addresses of members of
// class types from the wrong place in template arguments that have a hole and padding at the end
// (core/real_constant.hpp).
#include "tern/core/epilogue.hpp"
#include "tern/family/reduction/normalization.hpp"
#include "tern/tern.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

/// Reads an object where it is.
template <class T>
[[gnu::noinline]] T read(const T& x) {
  const T* at = &x;
  asm volatile("" : "+r"(at) : : "memory");
  return *at;
}

#define SAME(member) CHECK(read(C.member) == constant.member)

template <auto C>
void check_activation() {
  static constexpr auto constant = C;
  SAME(act);
  CHECK(read(C.act.slope) == static_cast<double>(constant.act.slope));
}
template <auto C>
void check_window() {
  static constexpr auto constant = C;
  SAME(kernel);
  SAME(stride);
  SAME(dilation);
  SAME(extent);
}

constexpr activation act = leaky_relu(0.3);

TEST_CASE("members of configs are where compilers read them") {
  check_activation<norm_config{.act = act, .epsilon = 1e-3}>();
  check_activation<elementwise_config{.scale = true, .act = act}>();
  check_activation<matmul_config{.bias = true, .act = act}>();
  check_activation<conv2d_config{.in = 3, .out = 4, .act = act}>();
  check_activation<conv_transpose2d_config{.in = 3, .out = 4, .act = act}>();
  check_activation<glu_config{.act = act}>();
  check_activation<epilogue{.bias = true, .act = act, .scale = true}>();
  check_activation<norm_steps{.center = true, .act = act}>();

  check_window<conv2d_config{.in = 3, .kernel = {3, 5}, .stride = {2, 1}, .pad = {1, 2}}>();
  check_window<conv3d_config{.in = 3, .kernel = {3, 5, 7}, .stride = {2, 1, 3}}>();
  check_window<conv_transpose2d_config{.in = 3, .kernel = {3, 5}, .stride = {2, 1}}>();
  check_window<pool2d_config{.kernel = {3, 5}, .ceil_mode = true}>();
}

template <auto C>
void check_numbers() {
  static constexpr auto constant = C;
  if constexpr (requires { C.epsilon; }) CHECK(read(C.epsilon) == static_cast<double>(constant.epsilon));
  if constexpr (requires { C.label_smoothing; })
    CHECK(read(C.label_smoothing) == static_cast<double>(constant.label_smoothing));
  if constexpr (requires { C.pad_end; }) SAME(pad_end);
  if constexpr (requires { C.pad; }) SAME(pad);
  if constexpr (requires { C.crop_end; }) SAME(crop_end);
  if constexpr (requires { C.factor; }) SAME(factor);
  if constexpr (requires { C.block; }) SAME(block);
  if constexpr (requires { C.output_padding; }) SAME(output_padding);
}

TEST_CASE("numbers of configs are where compilers read them") {
  check_numbers<norm_config{.epsilon = 1e-3}>();
  check_numbers<loss_config{.reduce = reduction::sum, .label_smoothing = 0.1, .class_weights = true}>();
  check_numbers<conv1d_config{.in = 3, .pad = 2, .pad_end = 1}>();
  check_numbers<conv2d_config{.in = 3, .pad = {1, 2}, .pad_end = {0, 3}}>();
  check_numbers<conv_transpose2d_config{.in = 3, .stride = 3, .output_padding = {1, 2}}>();
  check_numbers<pool2d_config{.kernel = {3, 5}, .pad = {1, 2}, .pad_end = {0, 1}, .count_padding = true}>();
  check_numbers<pad2d_config{.pad = {1, 2}, .pad_end = {0, 1}, .mode = border::reflect}>();
  check_numbers<crop_config<2>{.crop = {1, 2}, .crop_end = {0, 1}}>();
  check_numbers<upsample2d_config{.factor = {2, 3}, .mode = interpolation::linear}>();
  check_numbers<space_to_depth2d_config{.block = {2, 3}, .order = depth_order::crd}>();
}

}  // namespace
}  // namespace tern::test
