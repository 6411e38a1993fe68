// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernel/matmul_on_executor.hpp"

#include <algorithm>

#include "tern/simd.hpp"
#include "tests/kernel/matmul_parity.hpp"

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

void check_batches(const any_executor& run) {
  using op = matmul<matmul_config{.batch = dynamic}>;
  const kernel<op, reference> correct;
  const kernel<op, simd<>> fast;
  numbers next(Catch::rngSeed());
  for (const index_t batch : {1, 2, 3, 7}) {
    INFO("batch of " << batch);
    matrix<float> a(batch, 37, 70, order::column), b(batch, 70, 65), wanted(batch, 37, 65), got(batch, 37, 65);
    matrix<float> dx_wanted(batch, 37, 70), dx(batch, 37, 70), db_wanted(batch, 70, 65), db(batch, 70, 65);
    std::vector<float> dv_wanted(65), dv(65);
    a.fill(next), b.fill(next);
    correct(a.strided_batch(), b.strided_batch(), wanted.strided_batch());
    fast(run, a.strided_batch(), b.strided_batch(), got.strided_batch());
    CHECK(equal_bits(wanted, got));
    correct.backward_data(wanted.strided_batch(), b.strided_batch(), dx_wanted.strided_batch());
    fast.backward_data(run, wanted.strided_batch(), b.strided_batch(), dx.strided_batch());
    CHECK(equal_bits(dx_wanted, dx));
    correct.backward_weights(a.strided_batch(), wanted.strided_batch(), db_wanted.strided_batch(), dv_wanted);
    fast.backward_weights(run, a.strided_batch(), wanted.strided_batch(), db.strided_batch(), dv);
    CHECK(equal_bits(db_wanted, db));
    CHECK(dv == dv_wanted);
  }
}

}  // namespace

void check_executor(const any_executor& run) {
  INFO(run.name);
  counted counting{run};
  const any_executor counter = any_executor::of(run.name, counting);
  const auto on_executor = [&](index_t, index_t, index_t) { return counter; };
  using op = matmul<matmul_config{.bias = true, .residual = true, .act = activation::relu}>;
  unsigned seed = Catch::rngSeed();
  for (const matmul_case& p :
       {matmul_case{129, 257, 65}, matmul_case{1, 1031, 513, order::row, order::row, order::row, 1},
        matmul_case{300, 7, 127, order::column, order::padded, order::row, 3},
        matmul_case{65, 130, 1031, order::padded, order::column, order::column, 2, numbers::kind::extremes},
        matmul_case{63, 255, 33, order::row, order::row, order::padded, 0, numbers::kind::special}}) {
    static_assert(300 * 7 * 127 >= tuning::automatic{}(devices::native, 4).fork_fmas);
    counting.most = 0;
    check_matmul<op, simd<>>(p, ++seed, on_executor);
    CHECK(counting.most == (run.concurrency() == 1 ? 0 : run.concurrency()));
  }
  check_batches(run);
}

}  // namespace tern::test
