// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul of static shape, in batches and with every activation: paths that the parity test of dynamic shapes does not
// take. Compared with the reference bit by bit.
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tensor.hpp"
#include "tests/support/variants.hpp"

namespace tern::test {
namespace {

/// All passes of one static shape, row-major with static extents; weights plain and packed.
template <index_t M, index_t N, index_t K, bool Epilogue, class T, class Executor>
void check_static(Executor&& run) {
  INFO(M << "x" << N << "x" << K << " epilogue " << Epilogue);
  constexpr matmul_config cfg{.m = M,
                              .n = N,
                              .k = K,
                              .bias = Epilogue,
                              .residual = Epilogue,
                              .act = Epilogue ? activation::relu : activation::none};
  const kernel<matmul<cfg, T>, reference> correct;
  const kernel<matmul<cfg, T>, simd<>> fast;
  numbers next(Catch::rngSeed(), numbers::kind::extremes);
  matrix<T> a(1, M, K, order::row, 1), b(1, K, N, order::row, 1), r(1, M, N), wanted(1, M, N),
      got(1, M, N, order::row, 1);
  std::vector<T> v(N);
  a.fill(next), b.fill(next), r.fill(next);
  for (T& x : v) x = static_cast<T>(next());
  const view va{unchecked, static_cast<const T*>(a.data()), extents<M, K>{}};
  const view vb{unchecked, static_cast<const T*>(b.data()), extents<K, N>{}};
  const view vr{unchecked, static_cast<const T*>(r.data()), extents<M, N>{}};
  const auto forward = [&](const auto& k, auto& state, const auto& w, matrix<T>& c, auto... options) {
    const view vc{unchecked, c.data(), extents<M, N>{}};
    if constexpr (Epilogue)
      k(state, va, w, v, vr, vc, options...);
    else
      k(state, va, w, vc, options...);
  };
  typename contraction_kernel<reference>::context plain_loops;
  forward(correct, plain_loops, vb, wanted);
  forward(fast, run, vb, got);
  CHECK(equal_bits(wanted, got));
  CHECK(got.gaps_untouched());
  got.poison();
  forward(fast, run, fast.pack(vb), got);
  CHECK(equal_bits(wanted, got));
  forward(correct, plain_loops, vb, wanted, accumulate);
  forward(fast, run, vb, got, accumulate);
  CHECK(equal_bits(wanted, got));

  matrix<T> bt(1, N, K), dx_wanted(1, M, K), dx(1, M, K), db_wanted(1, K, N), db(1, K, N);
  for (index_t i = 0; i < K; ++i)
    for (index_t j = 0; j < N; ++j) bt(0, j, i) = b(0, i, j);
  got.poison();
  forward(correct, plain_loops, vb, wanted);
  forward(fast, run, transposed(view{unchecked, static_cast<const T*>(bt.data()), extents<N, K>{}}), got);
  CHECK(equal_bits(wanted, got));

  correct.backward_data(vr, vb, view{unchecked, dx_wanted.data(), extents<M, K>{}});
  fast.backward_data(run, vr, vb, view{unchecked, dx.data(), extents<M, K>{}});
  CHECK(equal_bits(dx_wanted, dx));
  correct.backward_weights(va, vr, view{unchecked, db_wanted.data(), extents<K, N>{}});
  fast.backward_weights(run, va, vr, view{unchecked, db.data(), extents<K, N>{}});
  CHECK(equal_bits(db_wanted, db));
}

TEST_CASE("matmuls of static shape give the bits of the reference", "[matmul][simd]") {
  serial run;
  check_static<1, 1, 1, false, float>(run);
  check_static<8, 8, 8, true, float>(run);
  check_static<7, 5, 9, true, float>(run);
  check_static<11, 11, 11, false, float>(run);
  check_static<37, 53, 71, false, float>(run);
  check_static<5, 161, 31, false, float>(run);
  check_static<65, 64, 300, true, float>(run);
  check_static<3, 17, 513, false, float>(run);
  check_static<6, 4, 19, true, double>(run);
  check_static<17, 29, 33, false, double>(run);
}

TEST_CASE("large static shapes go to a team and give the same bits", "[matmul][simd][threads]") {
  team run({.threads = 2, .oversubscribe = true});
  check_static<64, 65, 66, true, float>(run);
  check_static<129, 100, 65, false, float>(run);
}

/// A batch of matrices under `simd` against the reference, with static or dynamic sizes.
template <matmul_config C, class Executor>
void check_batch(index_t batch, index_t m, index_t n, index_t k, order o, Executor&& run) {
  INFO("batch " << batch << " of " << m << "x" << n << "x" << k << " order " << static_cast<int>(o));
  const kernel<matmul<C>, reference> correct;
  const kernel<matmul<C>, simd<>> fast;
  numbers next(Catch::rngSeed());
  matrix<float> a(batch, m, k, o), b(batch, k, n, o), c(batch, m, n, o), wanted(batch, m, n, o), db(batch, k, n),
      db_wanted(batch, k, n), dx(batch, m, k), dx_wanted(batch, m, k);
  a.fill(next), b.fill(next);
  correct(a.strided_batch(), b.strided_batch(), wanted.strided_batch());
  fast(run, a.strided_batch(), b.strided_batch(), c.strided_batch());
  CHECK(equal_bits(wanted, c));
  CHECK(c.gaps_untouched());
  std::vector<float> dv(static_cast<std::size_t>(n)), dv_wanted(dv);
  correct.backward_weights(a.strided_batch(), wanted.strided_batch(), db_wanted.strided_batch(), dv_wanted);
  fast.backward_weights(run, a.strided_batch(), wanted.strided_batch(), db.strided_batch(), dv);
  CHECK(equal_bits(db_wanted, db));
  CHECK(dv == dv_wanted);
  correct.backward_data(wanted.strided_batch(), b.strided_batch(), dx_wanted.strided_batch());
  fast.backward_data(run, wanted.strided_batch(), b.strided_batch(), dx.strided_batch());
  CHECK(equal_bits(dx_wanted, dx));
  if (o == order::row) {
    c.poison();
    std::vector<float> bt(static_cast<std::size_t>(batch * n * k));
    for (index_t q = 0; q < batch; ++q)
      for (index_t i = 0; i < k; ++i)
        for (index_t j = 0; j < n; ++j) bt[static_cast<std::size_t>((q * n + j) * k + i)] = b(q, i, j);
    fast(run, a.row_major_batch(),
         transposed(view{unchecked, static_cast<const float*>(bt.data()), dims<3>(batch, n, k)}), c.row_major_batch());
    CHECK(equal_bits(wanted, c));
    c.poison();
    fast(run, a.row_major_batch(), b.row_major_batch(), c.row_major_batch());
    CHECK(equal_bits(wanted, c));
  }
}

TEST_CASE("batches give the bits of the reference", "[matmul][simd][threads]") {
  constexpr matmul_config any{.batch = dynamic}, attention{.m = 40, .n = 33, .k = 64, .batch = dynamic};
  team run({.threads = 3, .oversubscribe = true});
  for (const order o : {order::row, order::column, order::padded}) {
    check_batch<any>(3, 13, 40, 70, o, serial{});
    check_batch<any>(5, 64, 65, 66, o, run);
    check_batch<any>(1, 130, 70, 66, o, run);
    check_batch<attention>(4, 40, 33, 64, o, run);
    check_batch<attention>(2, 40, 33, 64, o, serial{});
  }
  check_batch<any>(0, 3, 4, 5, order::row, serial{});
  check_batch<matmul_config{.batch = 7}>(7, 33, 17, 5, order::row, run);
  check_batch<any>(40, 128, 64, 130, order::row, serial{});  // more than the caches hold: items are fetched ahead
}

/// An activation fused into a matmul of dynamic and static shape.
template <activation A>
void check_activation() {
  INFO(name(A));
  constexpr matmul_config any{.bias = true, .act = A}, fixed{.m = 9, .n = 37, .k = 13, .bias = true, .act = A};
  numbers next(Catch::rngSeed());
  matrix<float> a(1, 9, 13), b(1, 13, 37), wanted(1, 9, 37), got(1, 9, 37);
  std::vector<float> v(37);
  a.fill(next), b.fill(next);
  for (float& x : v) x = static_cast<float>(4 * next());
  a(0, 3, 3) = NAN, a(0, 4, 3) = INFINITY, v[5] = 1e30f, v[6] = -1e30f, v[7] = NAN;
  kernel<matmul<any>, reference>{}(a.row_major(), b.row_major(), v, wanted.row_major());
  kernel<matmul<any>, simd<>>{}(a.row_major(), b.row_major(), v, got.row_major());
  CHECK(equal_bits(wanted, got));
  got.poison();
  kernel<matmul<fixed>, simd<>>{}(a.row_major(), b.row_major(), v, got.row_major());
  CHECK(equal_bits(wanted, got));
  // Fused equals unfused: the activation of the sums, one element at a time.
  matrix<float> sums(1, 9, 37);
  kernel<matmul<matmul_config{.bias = true}>, simd<>>{}(a.row_major(), b.row_major(), v, sums.row_major());
  bool equal = true;
  for (index_t i = 0; i < 9; ++i)
    for (index_t j = 0; j < 37; ++j) equal = equal && equal_bits(tile::activate<A>(sums(0, i, j)), wanted(0, i, j));
  CHECK(equal);
}

TEST_CASE("fused activations equal separate ones", "[matmul][epilogue]") {
  check_activation<activation::none>();
  check_activation<activation::relu>();
  check_activation<activation::tanh>();
  check_activation<activation::gelu>();
  check_activation<activation::silu>();
}

}  // namespace
}  // namespace tern::test
