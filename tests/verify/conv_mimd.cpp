// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of convolutions on tile machines: the cores of the host, and an IPU of which a program uses from one to all
// tiles. Compiled for each element type.
#include "tern/mimd.hpp"

#include "tests/verify/convs.hpp"

namespace tern::test {
namespace {

using T = TERN_VERIFY_ELEMENT;

/// Cores of the host, as many as the executor runs tasks at a time; without one, one.
struct cores {
  const any_executor* run;
  tile_machine operator()(const conv_shape&) const {
    return run ? tile_machine(run->tasks, 0, *run) : tile_machine(1, 0);
  }
};

void native_tiles(recorder& to, executor_list executors) {
  all_convs<mimd<>, T>(to, "mimd", "convolution, native_tiles, 1 tile", conv_form::gaps, cores{nullptr}, true);
  all_convs<mimd<>, T>(to, "mimd", "convolution, native_tiles, on threads", conv_form::last, cores{&executors.first[2]},
                       true);
}

void ipu(recorder& to) {
  using policy = mimd<devices::gc200>;
  using family = convolution_kernel<policy>;
  struct count {
    index_t tiles;
    const char* way;
  };
  int turn = 0;
  for (const auto& [tiles, way] :
       {count{1, "convolution, 1 tile"}, count{2, "convolution, 2 tiles"}, count{3, "convolution, 3 tiles"},
        count{7, "convolution, 7 tiles"}, count{16, "convolution, 16 tiles"},
        count{family::common::all.tiles, "convolution, gc200, 1472 tiles"}}) {
    const auto machine = [have = tile_resources{tiles, family::common::all.bytes_per_tile}](const conv_shape& s) {
      return family::make_state<T>(s, have);
    };
    all_convs<policy, T>(to, "mimd", way, static_cast<conv_form>(turn++ % 5), machine, true);
  }
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) {
  return [](recorder& to, executor_list executors) {
    native_tiles(to, executors);
    ipu(to);
  };
}

}  // namespace tern::test
