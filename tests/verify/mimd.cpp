// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases on tile machines: the cores of the host, and an IPU of which a program uses from one to all tiles. Exact
// plans cut sums over tiles at chunk boundaries. Compiled for each element type.
#include "tern/mimd.hpp"

#include "tests/verify/all_matmuls.hpp"

namespace tern::test {
namespace {

using T = TERN_VERIFY_ELEMENT;

/// Cores of the host, as many as the executor runs tasks at a time.
struct cores {
  const any_executor* run;
  tile_machine operator()(index_t, index_t, index_t, index_t) const {
    return tile_machine(run->tasks, 200 * 1024, *run);
  }
};

void native_tiles(recorder& to, executor_list executors) {
  const any_executor one_by_one{"", nullptr,
                                [](void*, index_t n, task_ref f) {
                                  for (index_t i = 0; i < n; ++i) f(i);
                                },
                                1};
  any_executor five = one_by_one;
  five.tasks = 5;
  all_matmuls<mimd<>, T, epilogues::few>(to, "mimd", "native_tiles, 1 tile", form::gaps, cores{&one_by_one}, true);
  all_matmuls<mimd<>, T, epilogues::few>(to, "mimd", "native_tiles, 5 tiles", form::packed, cores{&five}, true);
  all_matmuls<mimd<>, T, epilogues::few>(to, "mimd", "native_tiles, on threads", form::rows, cores{&executors.first[2]},
                                         true);
}

void ipu(recorder& to, executor_list) {
  using policy = mimd<devices::gc200>;
  using family = contraction_kernel<policy>;
  struct count {
    index_t tiles;
    const char* way;
  };
  int turn = 0;
  for (const auto& [tiles, way] : {count{1, "1 tile"}, count{2, "2 tiles"}, count{3, "3 tiles"}, count{7, "7 tiles"},
                                   count{16, "16 tiles"}, count{family::all.tiles, "gc200, 1472 tiles"}}) {
    const auto machine = [have = tile_resources{tiles, family::all.bytes_per_tile}](index_t m, index_t n, index_t k,
                                                                                    index_t batch) {
      return family::make_state<T>(m, n, k, batch, have);
    };
    all_matmuls<policy, T, epilogues::few>(to, "mimd", way, static_cast<form>(turn++ % 5), machine, true);
  }
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) {
  return [](recorder& to, executor_list executors) {
    native_tiles(to, executors);
    ipu(to, executors);
  };
}

}  // namespace tern::test
