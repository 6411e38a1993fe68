// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of every kind, compiled once for each instruction set: linked with each other, and their symbols looked at.
// A new kind of kernel is used here, too. No standard containers: see tern/exec/cpu/dispatch.hpp.
#include "tests/isa/kernels.hpp"

#include <cstdint>
#include <cstring>
#include <utility>

#include "tern/block/parameters.hpp"
#include "tern/policy/plan.hpp"
#include "tern/simd.hpp"

namespace tern::test {

/// The least that a stream is. Named, so that a printer that is left out of line would be seen.
struct text {
  char* to;
  int room, used = 0;
  TERN_INLINE text& operator<<(const char* s) {
    while (*s) *this << *s++;
    return *this;
  }
  TERN_INLINE text& operator<<(char c) {
    if (used < room) to[used++] = c;
    return *this;
  }
  TERN_INLINE text& operator<<(index_t i) { return *this << static_cast<char>('0' + i % 10); }
  TERN_INLINE text& operator<<(double d) { return *this << static_cast<index_t>(d); }
};

namespace {

constexpr index_t m = 13, n = 37, k = 517;

/// Room for the operands of one product and numbers from a seed.
template <class T>
struct tensors {
  T a[m * k], b[k * n], bias[n], residual[m * n], c[m * n], da[m * k], db[k * n], dbias[n];

  explicit tensors(int seed) {
    auto state = static_cast<std::uint32_t>(seed);
    const auto fill = [&](T* p, index_t count) {
      for (index_t i = 0; i < count; ++i) {
        state = state * 1664525u + 1013904223u;
        p[i] = static_cast<T>(static_cast<double>(state >> 8) * 0x1p-23 - 1);
      }
    };
    fill(a, m * k), fill(b, k * n), fill(bias, n), fill(residual, m * n), fill(c, m * n);
  }
};

template <class T>
void add(std::uint64_t& sum, const T* p, index_t count) {
  for (index_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, p + i, sizeof(T));
    sum = (sum ^ bits) * 0x100000001b3u;
  }
}

/// All passes of matmul under a policy, with its own run-time state and with the one given.
template <class Policy, class T, class State>
void run(std::uint64_t& sum, int seed, State state) {
  static tensors<T> t(0);
  t = tensors<T>(seed);
  const view a(unchecked, t.a, extents(m, k)), b(unchecked, t.b, extents(k, n)),
      residual(unchecked, t.residual, extents(m, n));
  const view c(unchecked, t.c, extents(m, n)), da(unchecked, t.da, extents(m, k)), db(unchecked, t.db, extents(k, n));
  const view bias(unchecked, t.bias, extents(n)), dbias(unchecked, t.dbias, extents(n));

  const kernel<matmul<matmul_config{}, T>, Policy> plain;
  plain(a, b, c, accumulate);
  add(sum, t.c, m * n);
  const kernel<matmul<matmul_config{.bias = true, .residual = true, .act = activation::relu}, T>, Policy> fused;
  auto w = fused.pack(b), spare = fused.pack(b);
  w = std::move(spare);
  fused(state, a, w, bias, residual, rows(c, 0, m));
  add(sum, t.c, m * n);
  fused.backward_data(residual, w, da);
  add(sum, t.da, m * k);
  plain.backward_weights(a, residual, db, dbias);
  add(sum, t.db, k * n);
  add(sum, t.dbias, n);
  plain(transposed(da), c, db);
  add(sum, t.db, k * n);
}

/// Ops that move elements, and a stream.
template <class Policy>
void move(std::uint64_t& sum, int seed) {
  constexpr conv1d_config cfg{.in = 16, .out = 16, .kernel = {3}, .dilation = {2}, .rule = padding::causal};
  using filter = kernel<conv1d<cfg>, Policy>;
  static tensors<float> t(0);
  static float history[filter::history_size(2)];
  t = tensors<float>(seed);
  std::memset(history, 0, sizeof history);
  const auto last = [](float* p, index_t size) {
    return view<float, dims<3>, layout_channels_last>(unchecked, p, dims<3>(2, 16, size));
  };
  kernel<reorder<>, Policy>{}(view(unchecked, t.a, dims<3>(2, 16, 20)), last(t.b, 20));
  filter{}.stream(last(t.b, 20), view(unchecked, t.residual, dims<3>(3, 16, 16)), last(t.a, 20),
                  view(unchecked, history, dims<1>(filter::history_size(2))));
  add(sum, t.a, 2 * 16 * 20);
  const kernel<upsample1d<upsample1d_config{.mode = interpolation::linear}>, Policy> up;
  up(part<2>(last(t.a, 20), 1, 18), last(t.b, 36));
  up.backward_data(last(t.b, 36), last(t.da, 18));
  kernel<pad1d<pad1d_config{.pad = {2}, .pad_end = 0, .mode = border::reflect}>, Policy>{}(last(t.da, 18),
                                                                                           last(t.a, 20));
  kernel<channel_shuffle<channel_shuffle_config{.groups = 4}>, Policy>{}(last(t.a, 20), last(t.b, 20));
  kernel<depth_to_space1d<space_to_depth1d_config{.block = {16}}>, Policy>{}(
      last(t.b, 20), view<float, dims<3>, layout_channels_last>(unchecked, t.a, dims<3>(2, 1, 320)));
  add(sum, t.a, 2 * 16 * 20);
}

/// All passes of pools under a policy. The left operand is taken for an image.
template <class Policy, class T>
void run_pools(std::uint64_t& sum, int seed) {
  static tensors<T> t(0);
  t = tensors<T>(seed);
  static std::int32_t indices[47 * 6 * 7];
  using image = extents<1, 47, 11, 13>;  // m x k elements
  using result = extents<1, 47, 6, 7>;
  const view<T, image, layout_channels_last> x(unchecked, t.a, image()), dx(unchecked, t.da, image());
  const view<T, result, layout_channels_last> y(unchecked, t.db, result());
  const view<std::int32_t, result, layout_channels_last> at(unchecked, indices, result());
  constexpr pool2d_config cfg{.kernel = {3, 2}, .stride = {2, 2}, .pad = {1, 0}, .ceil_mode = true};
  const kernel<max_pool2d<cfg, T>, Policy> most;
  most(x, y), most(x, y, at);
  add(sum, t.db, 47 * 6 * 7);
  add(sum, indices, 47 * 6 * 7);
  most.backward_data(y, at, dx);
  most.backward_data(y, x, dx, accumulate);
  add(sum, t.da, m * k);
  const kernel<avg_pool2d<cfg, T>, Policy> mean;
  mean(x, y);
  mean.backward_data(y, dx, accumulate);
  add(sum, t.da, m * k);
}

/// A convolution in all passes under relaxed numerics, whose bits are those of one instruction set.
void convolve(int seed) {
  static tensors<float> t(0);
  t = tensors<float>(seed);
  static float memory[1 << 17];
  using image = extents<1, 16, 20, 20>;
  const view<float, image, layout_channels_last> x(unchecked, t.a, image()), y(unchecked, t.b, image()),
      dx(unchecked, t.da, image());
  constexpr conv2d_config cfg{.in = 16, .out = 16, .kernel = {3, 3}, .rule = padding::same_torch};
  const kernel<conv2d<cfg>, simd<devices::native, numerics::relaxed>> three;
  const view w(unchecked, t.db, extents<3, 3, 16, 16>{});
  three(x, three.pack(w), y, workspace{memory, sizeof memory});
  three.backward_data(y, w, dx);
  three.backward_weights(x, dx, w);
}

/// Names and shapes of parameters, as networks list them.
void list_parameters(std::uint64_t& sum) {
  const detail::parameter_path path = detail::parameter_path{}.inside(3, 5, 0).inside(1, 7, 0);
  const auto visit = [&](const parameter& p) {
    const index_t size = p.size();
    add(sum, &size, 1);
    add(sum, p.name, 8);
  };
  path.visit(visit, "weight", 2, parameter::random, 9, false, m, n);
}

std::uint64_t results(int seed) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  run<reference, float>(sum, seed, contraction_kernel<reference>::context{});
  const with_concurrency pool{[](index_t count, task_ref f) { serial{}(count, f); }, 2};
  move<reference>(sum, seed);
  move<simd<>>(sum, seed);
  run<simd<>, float>(sum, seed, pool);
  run<simd<>, double>(sum, seed, pool);
  run_pools<reference, float>(sum, seed);
  run_pools<simd<>, float>(sum, seed);
  run_pools<simd<>, double>(sum, seed);
  convolve(seed);
  list_parameters(sum);
#if defined(TERN_HAS_AVX512)
  run<simd<devices::avx2>, float>(sum, seed, pool);  // the narrower unit, in a file that may use the wider one
#else
  run<simd<>, float>(sum, seed, pool);
#endif
  return sum;
}

int print_plan(char* to, int room) {
  const plan p{.op = name(activation::gelu)};
  text out{to, room};
  if (p == plan{p}) out << p;
  return out.used;
}

#define TERN_TEXT_(name) #name
#define TERN_TEXT(name) TERN_TEXT_(name)

}  // namespace

isa_kernels make_kernels(isa_tag::current) { return {TERN_TEXT(TERN_ISA), results, print_plan}; }

}  // namespace tern::test
