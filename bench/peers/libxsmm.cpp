// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libxsmm: a kernel made at run time for the shape, fetched before the clock starts. Its matrices are column-major, so
// it computes c^T = b^T a^T. One thread; batches are a loop.
#include <libxsmm_source.h>

#include "bench/peers/peer.hpp"

namespace tern::bench {
namespace {

/// Its documentation recommends it for (m n k)^(1/3) <= 64; its kernels stay good a bit longer.
constexpr index_t largest = 256 * 256 * 256;

template <class T>
auto kernel_for(const product& q) {
  const auto i = [](index_t x) { return static_cast<libxsmm_blasint>(x); };
  const libxsmm_blasint ldb = i(q.ldb()), lda = i(q.lda()), ldc = i(q.n);
  const int flags = (q.tb ? LIBXSMM_GEMM_FLAG_TRANS_A : 0) | (q.ta ? LIBXSMM_GEMM_FLAG_TRANS_B : 0);
  const T one = 1, zero = 0;
  if constexpr (std::is_same_v<T, float>)
    return libxsmm_smmdispatch(i(q.n), i(q.m), i(q.k), &ldb, &lda, &ldc, &one, &zero, &flags, nullptr);
  else
    return libxsmm_dmmdispatch(i(q.n), i(q.m), i(q.k), &ldb, &lda, &ldc, &one, &zero, &flags, nullptr);
}

const at_start add(TERN_BENCH_NAME, [] {
  libraries().push_back({"libxsmm", TERN_BENCH_LIBXSMM_VERSION, {}});
  add_peer(
      "plain", "libxsmm",
      [](const problem& p, const setting& s) {
        const product q = p.as_product();
        return p.plain_product() && !q.tb && q.m * q.n * q.k <= largest && (s.threads == 1 || q.batch > 1);
      },
      [](const problem& p, const operands& x, const setting& s) {
        return with_element(p, [&](auto zero) -> prepared {
          using T = decltype(zero);
          const product q = p.as_product();
          const auto f = kernel_for<T>(q);
          if (!f) return {};
          return repeated_batch(q.batch, s.threads,
                                [q, f, a = x.left<T>(), b = x.right<T>(), c = x.out<T>()](index_t i) {
                                  f(b + i * q.b_size(), a + i * q.a_size(), c + i * q.c_size());
                                });
        });
      });
});

}  // namespace
}  // namespace tern::bench
