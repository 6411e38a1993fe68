// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions under simt on a GPU against the reference on the host, bit by bit.
#pragma once

#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tern/simt.cuh"
#include "tests/kernel/conv_cases.hpp"
#include "tests/simt/device_memory.cuh"

namespace tern::test {

/// A picture or a filter bank of the host, and its copy on the GPU with the same strides and alignment.
template <class Host>
class device_copy {
  using T = std::remove_pointer_t<decltype(std::declval<const Host&>().get().p)>;

 public:
  explicit device_copy(const Host& host) : host_(host), memory_(host.memory().data(), host.memory().size()) {}

  auto get() const { return moved(host_.get()); }
  template <class Const>
  auto get_const() const {
    return moved(static_cast<Const>(host_));
  }
  /// Copies the contents on the GPU to the host's tensor.
  void download() const { memory_.copy_to(host_.memory().data()); }

 private:
  template <class View>
  View moved(View v) const {
    v.p = memory_.data() + (v.p - host_.memory().data());
    return v;
  }

  const Host& host_;
  device_array<T> memory_;
};

/// All passes of one random problem.
template <class T, class Policy>
void check_convolution(unsigned seed, const simt_stream& stream, tally& count) {
  using kernels = convolution_kernel<Policy>;
  using plain = convolution_kernel<reference>;
  std::mt19937 engine(seed);
  const conv_shape s = random_conv(engine, 1e6);
  const std::string name = std::string(dtype<T>::name) + " " + text(s) + " seed " + std::to_string(seed);
  const auto random_order = [&] { return static_cast<typename picture<T>::order>(engine() % 4); };
  const std::vector<numbers::kind> kinds = {numbers::kind::uniform, numbers::kind::extremes, numbers::kind::special};
  numbers next(seed, kinds[engine() % kinds.size()]);

  const index_t in = s.groups * s.in, out = s.groups * s.out, shift = static_cast<index_t>(engine() % 4);
  const auto y_order = random_order(), dx_order = random_order();
  picture<T> x(s.batch, in, wide(s), random_order(), shift), dy(s.batch, out, narrow(s), random_order());
  picture<T> wanted(s.batch, out, narrow(s), y_order), got(s.batch, out, narrow(s), y_order);
  picture<T> dx_wanted(s.batch, in, wide(s), dx_order), dx_got(s.batch, in, wide(s), dx_order);
  filter_bank<T> w(s, engine() % 2), dw_wanted(s, false), dw_got(s, false);
  x.fill(next), dy.fill(next), wanted.fill(next), got.copy(wanted), w.fill(next);
  std::vector<T> per_channel(static_cast<std::size_t>(out)), sums(per_channel), sums_wanted(per_channel);
  for (T& v : per_channel) v = static_cast<T>(next());

  const device_copy x_gpu(x), dy_gpu(dy), got_gpu(got), dx_gpu(dx_got);
  const device_copy w_gpu(w), dw_gpu(dw_got);
  const device_array<T> channel_gpu(per_channel.data(), out), sums_gpu(out);
  using picture_of = image<const T>;
  using filters_of = filters<const T>;

  conv_sums<T, conv_pass::forward, everything> forward;
  forward.shape = s, forward.from = x, forward.w = w, forward.to = wanted.get(), forward.residual = dy;
  forward.scale = forward.bias = {per_channel.data(), 1, 0, 0};
  forward.slopes = forward.residual, forward.slopes.sample = 0;
  plain::run({}, forward);
  forward.from = x_gpu.template get_const<picture_of>(), forward.w = w_gpu.template get_const<filters_of>();
  forward.to = got_gpu.get(), forward.residual = dy_gpu.template get_const<picture_of>();
  forward.scale = forward.bias = {channel_gpu.data(), 1, 0, 0};
  forward.slopes = forward.residual, forward.slopes.sample = 0;
  kernels::run(stream, forward);
  got_gpu.download();
  count(equal_bits(wanted, got) && got.gaps_untouched(), "convolution, " + name);

  conv_sums<T, conv_pass::data, epilogue{}> data;
  data.shape = s, data.from = dy, data.w = w, data.to = dx_wanted.get();
  plain::run({}, data);
  data.from = forward.residual, data.w = forward.w, data.to = dx_gpu.get();
  kernels::run(stream, data);
  dx_gpu.download();
  count(equal_bits(dx_wanted, dx_got) && dx_got.gaps_untouched(), "data gradient of a convolution, " + name);

  conv_gradient<T, false> weights{s, x, dy, dw_wanted.get()};
  plain::run({}, weights);
  weights = {s, forward.from, data.from, dw_gpu.get()};
  kernels::run(stream, weights);
  dw_gpu.download();
  count(equal_bits(dw_wanted, dw_got), "weight gradient of a convolution, " + name);

  const place_box all_places{s.batch, {s.axis[0].out, s.axis[1].out, s.axis[2].out}};
  const auto sums_of = [&](const picture_of& from, T* to) {
    return image_sums<false>(all_places, out, scattered(from), operand<T>{to, 1, 0, 0});
  };
  place_sums_kernel<reference>::run({}, sums_of(dy, sums_wanted.data()));
  place_sums_kernel<Policy>::run(stream, sums_of(data.from, sums_gpu.data()));
  sums_gpu.copy_to(sums.data());
  bool equal = true;
  for (std::size_t i = 0; i < sums.size(); ++i) equal = equal && equal_bits(sums[i], sums_wanted[i]);
  count(equal, "bias gradient of a convolution, " + name);
}

template <class T, class Policy>
void check_convolutions(int problems, unsigned seed, const simt_stream& stream, tally& count) {
  for (int i = 0; i < problems; ++i) check_convolution<T, Policy>(seed + static_cast<unsigned>(i), stream, count);
}

}  // namespace tern::test
