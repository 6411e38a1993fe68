// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Micro-batches that batch_for chooses for tile machines, held against the plans of every pass.
#include "tern/policy/batch_for.hpp"

#include <sstream>
#include <utility>

#include "tern/device/catalog.hpp"
#include "tern/mimd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/variants.hpp"

namespace tern::test {

/// The passes of m images of a workload fit a tile beside what the passes keep; returns the hungriest plan's bytes.
template <class Op>
index_t bytes_of_plans(const conv_sizes<Op::rank>& sizes) {
  index_t most = 0;
  for (const pass which : {pass::forward, pass::backward_data, pass::backward_weights}) {
    const plan p = kernel<Op, mimd<devices::gc2>>::plan(sizes, which);
    most = p.bytes_per_unit > most ? p.bytes_per_unit : most;
    CHECK(p.fits);
  }
  return most;
}

/// The batch is so large that it must be cut, if one image fits at all.
template <int I>
void check_workload(int& cut) {
  constexpr const variants::conv_workload& w = variants::conv_workloads[I];
  if constexpr (w.kind != w.transposed) {
    using op = convolution<w.rank, variants::conv_config_of<w.rank>(w), float>;
    const conv_sizes<w.rank> whole{.extent = every_axis<w.rank>(w.extent)};
    const batch_choice b = batch_for<op>(devices::gc2, 4096, whole);
    std::ostringstream text;
    text << w.name << ": " << b;
    INFO(text.str());
    if (!b.fits) return;
    CHECK(b.bytes <= devices::gc2.local_bytes);
    CHECK(b.keeps_bits);
    conv_sizes<w.rank> sizes = whole;
    sizes.batch = b.micro_batch;
    const index_t bytes = bytes_of_plans<op>(sizes);
    CHECK(bytes <= devices::gc2.local_bytes);
    cut += b.steps > 1;
  }
}

TEST_CASE("the passes of a micro-batch fit the tiles", "[conv][mimd]") {
  constexpr int workloads = sizeof variants::conv_workloads / sizeof variants::conv_workloads[0];
  int cut = 0;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (check_workload<I>(cut), ...);
  }(std::make_integer_sequence<int, workloads>{});
  CHECK(cut >= 20);
}

}  // namespace tern::test
