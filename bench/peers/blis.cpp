// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BLIS through its typed interface, which takes any strides. Its header is not that of cblas.
#include <blis.h>

#include "bench/peers/peer.hpp"

namespace tern::bench {
namespace {

template <class T>
void gemm(const product& q, const T* a, const T* b, T* c) {
  const auto f = [] {
    if constexpr (std::is_same_v<T, float>)
      return bli_sgemm;
    else
      return bli_dgemm;
  }();
  T one = 1, zero = 0;
  f(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, q.m, q.n, q.k, &one, const_cast<T*>(a), q.ta ? 1 : q.k, q.ta ? q.m : 1,
    const_cast<T*>(b), q.tb ? 1 : q.n, q.tb ? q.k : 1, &zero, c, q.n, 1);
}

const at_start add(TERN_BENCH_NAME, [] {
  libraries().push_back({"blis",
                         std::string(bli_info_get_version_str()) + " (" + bli_arch_string(bli_arch_query_id()) + ")",
                         [](int threads) { bli_thread_set_num_threads(threads); }});
  add_peer(
      "plain", "blis", [](const problem& p, const setting&) { return p.plain_product() && p.op.batch == 1; },
      [](const problem& p, const operands& x, const setting&) {
        return with_element(p, [&](auto zero) {
          using T = decltype(zero);
          return repeated(
              [q = p.as_product(), a = x.left<T>(), b = x.right<T>(), c = x.out<T>()] { gemm(q, a, b, c); });
        });
      });
});

}  // namespace
}  // namespace tern::bench
