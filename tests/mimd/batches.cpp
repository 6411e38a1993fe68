// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Micro-batches that training_batch_for chooses for tile machines, held against the plans of every pass.
#include "tern/policy/training_batch_for.hpp"

#include <sstream>
#include <utility>

#include "tern/device/catalog.hpp"
#include "tern/mimd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/variants.hpp"

namespace tern::test {

/// The batch is so large that it must be cut, if one image fits at all.
template <int I>
void check_workload(int& cut) {
  constexpr const variants::conv_workload& w = variants::conv_workloads[I];
  using op = variants::op_of_workload<I, float>;
  conv_sizes<w.rank> sizes{.extent = w.extent};
  const batch_choice b = training_batch_for<op>(devices::gc2, 4096, sizes);
  std::ostringstream text;
  text << w.name << ": " << b;
  INFO(text.str());
  if (!b.fits) return;
  CHECK(b.bytes <= devices::gc2.local_bytes);
  CHECK(b.keeps_bits);
  sizes.batch = b.micro_batch;
  for (const pass which : {pass::forward, pass::backward_data, pass::backward_weights})
    CHECK(kernel<op, mimd<devices::gc2>>::plan(sizes, which).fits);
  cut += b.steps > 1;
}

TEST_CASE("the passes of a micro-batch fit the tiles", "[conv][mimd]") {
  int cut = 0;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (check_workload<I>(cut), ...);
  }(std::make_integer_sequence<int, variants::conv_workload_count>{});
  CHECK(cut >= 20);
}

}  // namespace tern::test
