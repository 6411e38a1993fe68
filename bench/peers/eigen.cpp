// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigen: its product, on its OpenMP threads; a loop of products for batches.
#include <Eigen/Core>

#include "bench/peers/peer.hpp"

namespace tern::bench {
namespace {

template <class T>
void multiply(const product& q, const T* a, const T* b, T* c) {
  using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const matrix> left(a, q.ta ? q.k : q.m, q.ta ? q.m : q.k),
      right(b, q.tb ? q.n : q.k, q.tb ? q.k : q.n);
  Eigen::Map<matrix> out(c, q.m, q.n);
  if (q.ta)
    out.noalias() = left.transpose() * right;
  else if (q.tb)
    out.noalias() = left * right.transpose();
  else
    out.noalias() = left * right;
}

const at_start add(TERN_BENCH_NAME, [] {
  const std::string version = std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                              std::to_string(EIGEN_MINOR_VERSION);
  libraries().push_back({"eigen", version, [](int threads) { Eigen::setNbThreads(threads); }});
  add_peer(
      "plain", "eigen",
      [](const problem& p, const setting&) { return p.plain_product() && !(p.as_product().ta && p.as_product().tb); },
      [](const problem& p, const operands& x, const setting& s) {
        return with_element(p, [&](auto zero) {
          using T = decltype(zero);
          const product q = p.as_product();
          return repeated_batch(q.batch, s.threads, [q, a = x.left<T>(), b = x.right<T>(), c = x.out<T>()](index_t i) {
            multiply(q, a + i * q.a_size(), b + i * q.b_size(), c + i * q.c_size());
          });
        });
      });
});

}  // namespace
}  // namespace tern::bench
