// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernel/matmul_on_executor.hpp"

#include <algorithm>
#include <vector>

#include "tern/reference.hpp"
#include "tern/simd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {
namespace {

/// Passes tasks on and remembers how many there were at most.
struct counted {
  const any_executor& run;
  index_t most = 0;
  void operator()(index_t n, task_ref f) {
    most = std::max(most, n);
    run(n, f);
  }
  index_t concurrency() const { return run.concurrency(); }
};

/// Every pass of a batch, which is packed where it is one item.
template <class Op>
void check_passes(const any_executor& run, index_t batch, index_t m, index_t n, index_t k, order o) {
  INFO(batch << " of " << m << " x " << n << " x " << k << " in order " << static_cast<int>(o));
  const kernel<Op, reference> correct;
  const kernel<Op, simd<>> fast;
  numbers next(Catch::rngSeed());
  matrix<float> a(batch, m, k, o), b(batch, k, n), r(batch, m, n, o), wanted(batch, m, n), got(batch, m, n);
  matrix<float> dx_wanted(batch, m, k), dx(batch, m, k), db_wanted(batch, k, n, o), db(batch, k, n, o);
  std::vector<float> dv_wanted(static_cast<std::size_t>(n)), dv(dv_wanted);
  a.fill(next), b.fill(next), r.fill(next);
  const auto of = [](auto& x) {
    if constexpr (Op::config.batch == 1)
      return x.strided();
    else
      return x.strided_batch();
  };
  correct(of(a), of(b), of(r), of(wanted));
  fast(run, of(a), of(b), of(r), of(got));
  CHECK(equal_bits(wanted, got));
  if constexpr (Op::config.batch == 1) {
    correct(of(a), of(b), of(r), of(wanted), accumulate);
    fast(run, of(a), fast.pack(of(b)), of(r), of(got), accumulate);
    CHECK(equal_bits(wanted, got));
  }
  correct.backward_data(of(r), of(b), of(dx_wanted));
  fast.backward_data(run, of(r), of(b), of(dx));
  CHECK(equal_bits(dx_wanted, dx));
  correct.backward_weights(of(a), of(r), of(db_wanted), dv_wanted);
  fast.backward_weights(run, of(a), of(r), of(db), dv);
  CHECK(equal_bits(db_wanted, db));
  CHECK(dv == dv_wanted);
}

}  // namespace

void check_executor(const any_executor& run) {
  INFO(run.name);
  counted counting{run};
  const any_executor counter = any_executor::of(run.name, counting);
  using op = matmul<matmul_config{.residual = true, .act = activation::relu}>;
  static_assert(300 * 7 * 127 >= tuning::automatic{}(devices::native, 4).fork_fmas);
  const auto check = [&](index_t m, index_t n, index_t k, order o) {
    counting.most = 0;
    check_passes<op>(counter, 1, m, n, k, o);
    CHECK(counting.most == (run.concurrency() == 1 ? 0 : run.concurrency()));
  };
  check(129, 257, 65, order::row);
  check(1, 1031, 513, order::row);
  check(300, 7, 127, order::column);
  check(65, 130, 1031, order::padded);
  check(63, 255, 33, order::column);
  for (const index_t batch : {1, 2, 3, 7})
    check_passes<matmul<matmul_config{.batch = dynamic, .residual = true}>>(run, batch, 37, 65, 70, order::column);
}

}  // namespace tern::test
