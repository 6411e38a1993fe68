// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul under simt with a thread per lane, batches, and every knob of the loops on one problem.
#include "tern/simt.hpp"

#include "tern/exec/simt/thread_block.hpp"
#include "tests/kernel/matmul_parity.hpp"
#include "tests/simt/small_tiles.hpp"

namespace tern::test {

using small = simt<devices::h200, numerics::exact, small_tiles>;
using small_as_large = simt<one_multiprocessor, numerics::exact, small_tiles>;
using every_epilogue = matmul<matmul_config{.bias = true, .residual = true, .act = activation::relu}, float>;

TEST_CASE("matmul with a thread per lane gives the bits of the reference", "[matmul][simt]") {
  const auto threads = [](index_t, index_t, index_t) { return simt_threads{}; };
  unsigned seed = Catch::rngSeed();
  for (const matmul_case& p : {matmul_case{0, 3, 2}, matmul_case{1, 1, 1}, matmul_case{9, 17, 0}, matmul_case{8, 16, 8},
                               matmul_case{17, 31, 33, order::column, order::padded, order::row, 1},
                               matmul_case{16, 15, 520, order::row, order::row, order::column, 4}}) {
    check_matmul<every_epilogue, small>(p, ++seed, threads);
    check_matmul<every_epilogue, small_as_large>(p, ++seed, threads);
  }
}

TEST_CASE("every order and run-ahead of the loops gives the same bits", "[matmul][simt]") {
  for (const bool reverse : {false, true})
    for (int run_ahead = 0; run_ahead <= 5; ++run_ahead)
      check_matmul<every_epilogue, small_as_large>(
          {33, 18, 519}, Catch::rngSeed(), [&](index_t, index_t, index_t) { return simt_host{reverse, run_ahead}; });
}

TEMPLATE_TEST_CASE("batches are part of the grid", "[matmul][simt]", float, double) {
  using T = TestType;
  using op = matmul<matmul_config{.batch = dynamic}, T>;
  numbers next(Catch::rngSeed());
  for (const order o : {order::row, order::column, order::padded}) {
    matrix<T> a(5, 19, 40, o), b(5, 40, 70, o), wanted(5, 19, 70, o), got(5, 19, 70, o);
    a.fill(next), b.fill(next);
    kernel<op, reference>{}(a.strided_batch(), b.strided_batch(), wanted.strided_batch());
    kernel<op, simt<>>{}(a.strided_batch(), b.strided_batch(), got.strided_batch());
    CHECK(equal_bits(wanted, got));
    got.poison();
    kernel<op, simt<one_multiprocessor>>{}(simt_host{.reverse = true}, a.strided_batch(), b.strided_batch(),
                                           got.strided_batch());
    CHECK(equal_bits(wanted, got));
    CHECK(got.gaps_untouched());

    matrix<T> db_wanted(5, 40, 70, o), db(5, 40, 70, o);
    std::vector<T> dv_wanted(70), dv(70);
    kernel<op, reference>{}.backward_weights(a.strided_batch(), wanted.strided_batch(), db_wanted.strided_batch(),
                                             dv_wanted);
    kernel<op, simt<>>{}.backward_weights(a.strided_batch(), wanted.strided_batch(), db.strided_batch(), dv);
    CHECK(equal_bits(db_wanted, db));
    bool equal = true;
    for (std::size_t j = 0; j < dv.size(); ++j) equal = equal && equal_bits(dv_wanted[j], dv[j]);
    CHECK(equal);
  }
}

}  // namespace tern::test
