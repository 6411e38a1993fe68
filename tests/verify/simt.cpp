// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases under simt in the host contexts: both orders of the threads of a block, and a thread per lane. Compiled for
// each element type.
#include "tern/simt.hpp"

#include "tern/exec/simt/thread_block.hpp"
#include "tests/verify/all_matmuls.hpp"

namespace tern::test {
namespace {

using T = TERN_VERIFY_ELEMENT;

/// A device so small that some of the problems fill it: they take the large tiles, the others the small ones.
constexpr device two_multiprocessors() {
  device d = devices::h200;
  d.units = 2;
  return d;
}
constexpr device small_gpu = two_multiprocessors();

void run(recorder& to, executor_list) {
  using policy = simt<small_gpu>;
  struct loops {
    simt_host how;
    simt_host operator()(index_t, index_t, index_t, index_t) const { return how; }
  };
  const loops ascending{{.reverse = false}}, descending{{.reverse = true, .run_ahead = 1}};
  all_matmuls<policy, T, epilogues::few>(to, "simt", "threads ascending", form::columns, ascending, true);
  all_matmuls<policy, T, epilogues::few>(to, "simt", "threads descending", form::gaps, descending, true);
  const auto thread_per_lane = [](index_t, index_t, index_t, index_t) { return simt_threads{}; };
  run_matmul<passes::batched, plain_matmul<T>, policy>(to, "simt", "a thread per lane", form::rows, true,
                                                       small_problems, thread_per_lane);
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) { return run; }

}  // namespace tern::test
