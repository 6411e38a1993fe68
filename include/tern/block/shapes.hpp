// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result shapes of ops on samples. Ops that keep the shape, and ops of another rank, are not here.
#pragma once

#include "tern/core/config.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/op/pad.hpp"
#include "tern/op/pool.hpp"
#include "tern/op/sample_shape.hpp"
#include "tern/op/space_to_depth.hpp"
#include "tern/op/upsample.hpp"

namespace tern::detail {

template <int Rank>
constexpr sample_shape result_shape(const conv_config<Rank>& c, sample_shape s) {
  s.channels = c.out;
  for (int r = 0; r < Rank; ++r) s.extent[r] = c.axis(r, s.extent[r]).out;
  return s;
}
template <int Rank>
constexpr sample_shape result_shape(const conv_transpose_config<Rank>& c, sample_shape s) {
  s.channels = c.out;
  for (int r = 0; r < Rank; ++r) s.extent[r] = c.axis(r, s.extent[r]).in;
  return s;
}
template <int Rank>
constexpr sample_shape result_shape(const pool_config<Rank>& c, sample_shape s) {
  for (int r = 0; r < Rank; ++r) s.extent[r] = c.axis(r, s.extent[r]).out;
  return s;
}
template <int Rank>
constexpr sample_shape result_shape(const upsample_config<Rank>& c, sample_shape s) {
  for (int r = 0; r < Rank; ++r) s.extent[r] = c.axis(r, s.extent[r]).out();
  return s;
}
template <int Rank>
constexpr sample_shape result_shape(const pad_config<Rank>& c, sample_shape s) {
  for (int r = 0; r < Rank; ++r) s.extent[r] = c.axis(r, s.extent[r]).out();
  return s;
}
template <int Rank>
constexpr sample_shape cropped_shape(const crop_config<Rank>& c, sample_shape s) {
  for (int r = 0; r < Rank; ++r) s.extent[r] -= c.crop[r] + c.end(r);
  return s;
}
template <int Rank>
constexpr sample_shape deep_shape(const space_to_depth_config<Rank>& c, sample_shape s) {
  s.channels *= c.elements();
  for (int r = 0; r < Rank; ++r) s.extent[r] /= c.block[r];
  return s;
}
template <int Rank>
constexpr sample_shape wide_shape(const space_to_depth_config<Rank>& c, sample_shape s) {
  s.channels /= c.elements();
  for (int r = 0; r < Rank; ++r) s.extent[r] *= c.block[r];
  return s;
}

}  // namespace tern::detail
