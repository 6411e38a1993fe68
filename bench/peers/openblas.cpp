// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenBLAS: gemm, a loop of gemm for batches, gemv where there is one row.
#include <cblas.h>

#include "bench/peers/peer.hpp"

namespace tern::bench {
namespace {

CBLAS_TRANSPOSE transposed_if(bool t) { return t ? CblasTrans : CblasNoTrans; }

template <class T>
void gemm(const product& q, const T* a, const T* b, T* c) {
  const auto f = [] {
    if constexpr (std::is_same_v<T, float>)
      return cblas_sgemm;
    else
      return cblas_dgemm;
  }();
  const auto i = [](index_t x) { return static_cast<blasint>(x); };
  f(CblasRowMajor, transposed_if(q.ta), transposed_if(q.tb), i(q.m), i(q.n), i(q.k), 1, a, i(q.lda()), b, i(q.ldb()), 0,
    c, i(q.n));
}

std::string version() {  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...", then the kernels it chose for this machine
  return split(openblas_get_config(), ' ').at(1) + " (" + openblas_get_corename() + ")";
}

const at_start add(TERN_BENCH_NAME, [] {
  libraries().push_back({"openblas", version(), [](int threads) { openblas_set_num_threads(threads); }});
  add_peer(
      "plain", "openblas", [](const problem& p, const setting&) { return p.plain_product(); },
      [](const problem& p, const operands& x, const setting& s) {
        return with_element(p, [&](auto zero) {
          using T = decltype(zero);
          const product q = p.as_product();
          return repeated_batch(q.batch, s.threads, [q, a = x.left<T>(), b = x.right<T>(), c = x.out<T>()](index_t i) {
            gemm(q, a + i * q.a_size(), b + i * q.b_size(), c + i * q.c_size());
          });
        });
      });
  add_peer(
      "plain", "openblas_gemv",
      [](const problem& p, const setting&) {
        const product q = p.as_product();
        return p.plain_product() && !p.f64 && q.m == 1 && q.batch == 1;
      },
      [](const problem& p, const operands& x, const setting&) {
        const product q = p.as_product();
        const auto i = [](index_t size) { return static_cast<blasint>(size); };
        return repeated([q, i, a = x.left<float>(), b = x.right<float>(), c = x.out<float>()] {
          cblas_sgemv(CblasRowMajor, transposed_if(!q.tb), i(q.tb ? q.n : q.k), i(q.ldb()), 1, b, i(q.ldb()), a, 1, 0,
                      c, 1);
        });
      });
});

}  // namespace
}  // namespace tern::bench
