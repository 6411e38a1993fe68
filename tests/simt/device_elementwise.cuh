// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools, maps, couplings, rearrangements and resamplings under simt on a GPU against the reference on the host, bit by
// bit.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <type_traits>

#include "tern/simt.cuh"
#include "tests/kernel/coupling_cases.hpp"
#include "tests/kernel/pool_cases.hpp"
#include "tests/kernel/rearrange_cases.hpp"
#include "tests/simt/device_convolutions.cuh"
#include "tests/simt/device_memory.cuh"

namespace tern::test {

/// Values, indices and gradients of one random pool.
template <class T, class Policy>
void check_pool(unsigned seed, const simt_stream& stream, tally& count) {
  using kernels = pooling_kernel<Policy>;
  using plain = pooling_kernel<reference>;
  using picture_of = image<const T>;
  using indices_of = image<const std::int32_t>;
  std::mt19937 engine(seed);
  const pool_shape s = random_pool(engine);
  const std::string name = std::string(dtype<T>::name) + " " + text(s) + " seed " + std::to_string(seed);
  const auto random_order = [&] { return static_cast<typename picture<T>::order>(engine() % 4); };
  const auto y_order = random_order(), dx_order = random_order();
  picture<T> x(s.batch, s.channels, inputs(s), random_order()), dy(s.batch, s.channels, results(s), random_order());
  picture<T> wanted(s.batch, s.channels, results(s), y_order), got(s.batch, s.channels, results(s), y_order);
  picture<T> dx_wanted(s.batch, s.channels, inputs(s), dx_order), dx_got(s.batch, s.channels, inputs(s), dx_order);
  picture<std::int32_t> at(s.batch, s.channels, results(s)), at_got(s.batch, s.channels, results(s));
  fill_somehow(x, engine), fill_somehow(dy, engine);
  const device_copy x_gpu(x), dy_gpu(dy), got_gpu(got), dx_gpu(dx_got);
  const device_copy at_gpu(at_got);

  pool_values<T, pool_kind::max, true> most{s, x, wanted.get(), at.get()};
  plain::run({}, most);
  kernels::run(stream, decltype(most){s, x_gpu.template get_const<picture_of>(), got_gpu.get(), at_gpu.get()});
  got_gpu.download(), at_gpu.download();
  count(equal_bits(wanted, got) && equal_bits(at, at_got) && got.gaps_untouched(), "maxima, " + name);

  pool_gradient<T, pool_shares::given, false> to_winners{s, dy, at, {}, dx_wanted.get()};
  plain::run({}, to_winners);
  kernels::run(
      stream,
      decltype(to_winners){
          s, dy_gpu.template get_const<picture_of>(), at_gpu.template get_const<indices_of>(), {}, dx_gpu.get()});
  dx_gpu.download();
  count(equal_bits(dx_wanted, dx_got) && dx_got.gaps_untouched(), "gradient of maxima, " + name);

  pool_values<T, pool_kind::average, false> means{s, x, wanted.get(), {}};
  plain::run({}, means);
  kernels::run(stream, decltype(means){s, x_gpu.template get_const<picture_of>(), got_gpu.get(), {}});
  got_gpu.download();
  count(equal_bits(wanted, got), "averages, " + name);

  pool_gradient<T, pool_shares::all, true> to_all{s, dy, {}, {}, dx_wanted.get()};
  plain::run({}, to_all);
  kernels::run(stream, decltype(to_all){s, dy_gpu.template get_const<picture_of>(), {}, {}, dx_gpu.get()});
  dx_gpu.download();
  count(equal_bits(dx_wanted, dx_got), "gradient of averages, " + name);
}

/// A random rearrangement of every kind.
template <class T, class Policy>
void check_moves(unsigned seed, const simt_stream& stream, tally& count) {
  std::mt19937 engine(seed);
  random_maps(engine, [&](const auto& map, const move_table& t) {
    using Map = std::remove_cvref_t<decltype(map)>;
    const auto random_order = [&] { return static_cast<typename picture<T>::order>(engine() % 5); };
    const auto to_order = random_order();
    picture<T> from(2, t.in.channels, t.in.extent, random_order());
    picture<T> wanted(2, t.out.channels, t.out.extent, to_order), got(2, t.out.channels, t.out.extent, to_order);
    numbers next(seed);
    from.fill(next);
    const device_copy from_gpu(from), got_gpu(got);
    rearrangement<T, Map, false> q;
    q.batch = 2, q.channels = t.out.channels, q.from_channels = t.in.channels, q.map = map, q.value = T(-0.75f);
    for (std::size_t r = 0; r < 3; ++r) q.extent[r] = t.out.extent[r], q.from_extent[r] = t.in.extent[r];
    q.from = scattered<const T>(from), q.to = scattered<T>(wanted);
    rearrangement_kernel<reference>::run({}, q);
    q.from.p = from_gpu.template get_const<image<const T>>().p, q.to = scattered<T>(got), q.to.p = got_gpu.get().p;
    rearrangement_kernel<Policy>::run(stream, q);
    got_gpu.download();
    count(equal_bits(wanted, got) && got.gaps_untouched(), t.name + " seed " + std::to_string(seed));
  });
}

/// Linear upsampling and its gradient.
template <class T, class Policy>
void check_upsampling(unsigned seed, const simt_stream& stream, tally& count) {
  std::mt19937 engine(seed);
  upsample_axis a[3];
  for (upsample_axis& axis : a) axis = {one_of(engine, {1, 2, 7}), one_of(engine, {1, 2, 3}), interpolation::linear};
  const extents3 in{a[0].in, a[1].in, a[2].in}, out{a[0].out(), a[1].out(), a[2].out()};
  const auto check = [&]<resample_pass P>(std::integral_constant<resample_pass, P>) {
    constexpr bool forward = P == resample_pass::forward;
    picture<T> from(2, 19, forward ? in : out), wanted(2, 19, forward ? out : in), got(2, 19, forward ? out : in);
    numbers next(seed);
    from.fill(next);
    const device_copy from_gpu(from), got_gpu(got);
    resampling<T, P, upsample_axis, false> q;
    q.batch = 2, q.channels = 19, q.from = from, q.to = wanted.get();
    for (int r = 0; r < 3; ++r) q.axis[r] = a[r];
    rearrangement_kernel<reference>::run({}, q);
    q.from = from_gpu.template get_const<image<const T>>(), q.to = got_gpu.get();
    rearrangement_kernel<Policy>::run(stream, q);
    got_gpu.download();
    count(equal_bits(wanted, got),
          std::string(forward ? "upsampling" : "its gradient") + " seed " + std::to_string(seed));
  };
  check(std::integral_constant<resample_pass, resample_pass::forward>());
  check(std::integral_constant<resample_pass, resample_pass::data>());
}

/// y = mish(x scale + residual) of tensors in any layout, and a gradient.
template <class T, class Policy>
void check_maps(unsigned seed, const simt_stream& stream, tally& count) {
  std::mt19937 engine(seed);
  const index_t channels = one_of(engine, {1, 3, 8, 33, 64});
  const extents3 e{1, one_of(engine, {1, 5, 16}), one_of(engine, {1, 7, 33})};
  const auto check = [&]<class F>(const F&) {
    const auto random_order = [&] { return static_cast<typename picture<T>::order>(engine() % 6); };
    const auto order = random_order();
    picture<T> x(2, channels, e, random_order()), s(1, channels, {1, 1, 1}), r(2, channels, e, random_order());
    picture<T> wanted(2, channels, e, order), got(2, channels, e, order);
    numbers next(seed);
    x.fill(next), s.fill(next), r.fill(next);
    const device_copy x_gpu(x), s_gpu(s), r_gpu(r), got_gpu(got);
    mapping<T, F> q;
    q.batch = 2, q.channels = channels;
    for (std::size_t i = 0; i < 3; ++i) q.extent[i] = e[i];
    q.in[0] = scattered<const T>(x), q.in[1] = scattered<const T>(s), q.in[2] = scattered<const T>(r);
    q.in[1].sample = q.in[1].axis[0] = q.in[1].axis[1] = q.in[1].axis[2] = 0;
    q.out[0] = scattered<T>(wanted);
    mapping_kernel<reference>::run({}, q);
    q.in[0].p = x_gpu.template get_const<image<const T>>().p, q.in[1].p = s_gpu.template get_const<image<const T>>().p;
    q.in[2].p = r_gpu.template get_const<image<const T>>().p;
    q.out[0] = scattered<T>(got), q.out[0].p = got_gpu.get().p;
    mapping_kernel<Policy>::run(stream, q);
    got_gpu.download();
    count(equal_bits(wanted, got) && got.gaps_untouched(), "map seed " + std::to_string(seed));
  };
  check(epilogue_map<epilogue{.residual = true, .act = activation::mish, .scale = true}>());
  check(epilogue_gradient_map<true, activation::gelu_tanh, false>());
}

/// Couplings and their streams; payloads of NaN count, as they are integers there.
template <class T, class Policy>
void check_couplings(unsigned seed, const simt_stream& stream, tally& count) {
  std::mt19937 engine(seed);
  const index_t channels = one_of(engine, {1, 3, 8, 33, 64});
  const extents3 e{1, one_of(engine, {1, 5, 16}), one_of(engine, {1, 7, 33})};
  const auto check = [&]<class F, int Bits>(const F&, std::integral_constant<int, Bits>) {
    const auto random_order = [&] { return static_cast<typename picture<T>::order>(engine() % 6); };
    const auto order = random_order();
    picture<T> x(2, channels, e, random_order()), f(2, channels, e, random_order());
    picture<T> wanted(2, channels, e, order), got(2, channels, e, order);
    x.fill([&] { return any_number<T, Bits>(engine); }), f.fill([&] { return any_number<T, Bits>(engine); });
    const device_copy x_gpu(x), f_gpu(f), got_gpu(got);
    mapping<T, F> q;
    q.batch = 2, q.channels = channels;
    for (std::size_t i = 0; i < 3; ++i) q.extent[i] = e[i];
    q.in[0] = scattered<const T>(x);
    if constexpr (F::inputs == 2) q.in[1] = scattered<const T>(f);
    q.out[0] = scattered<T>(wanted);
    mapping_kernel<reference>::run({}, q);
    q.in[0].p = x_gpu.template get_const<image<const T>>().p;
    if constexpr (F::inputs == 2) q.in[1].p = f_gpu.template get_const<image<const T>>().p;
    q.out[0] = scattered<T>(got), q.out[0].p = got_gpu.get().p;
    mapping_kernel<Policy>::run(stream, q);
    got_gpu.download();
    bool same = got.gaps_untouched();
    got.each([&](auto... i) { same = same && same_memory(wanted(i...), got(i...)); });
    count(same, "coupling seed " + std::to_string(seed));
  };
  const auto check_stream = [&]<stream_kind S, int Bits>(std::integral_constant<stream_kind, S>,
                                                         std::integral_constant<int, Bits> bits) {
    check(tile::coupling_map<S, Bits, false>(), bits);
    check(tile::coupling_map<S, Bits, true>(), bits);
    check(tile::stream_map<S, Bits, false>(), bits);
    check(tile::stream_map<S, Bits, true>(), bits);
  };
  check_stream(std::integral_constant<stream_kind, stream_kind::fixed_point>(), std::integral_constant<int, 16>());
  check_stream(std::integral_constant<stream_kind, stream_kind::grid>(), std::integral_constant<int, 12>());
}

template <class T, class Policy>
void check_elementwise(int problems, unsigned seed, const simt_stream& stream, tally& count) {
  for (int i = 0; i < problems; ++i) {
    const unsigned s = seed + static_cast<unsigned>(i);
    check_pool<T, Policy>(s, stream, count);
    if (i % 4 == 0) check_moves<T, Policy>(s, stream, count);
    check_upsampling<T, Policy>(s, stream, count);
    check_maps<T, Policy>(s, stream, count);
    check_couplings<T, Policy>(s, stream, count);
  }
}

}  // namespace tern::test
