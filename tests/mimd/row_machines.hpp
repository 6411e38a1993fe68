// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls on rows under mimd: what tests of them share.
#pragma once

#include <memory>
#include <random>

#include "tern/mimd.hpp"
#include "tests/kernel/rearrange_cases.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/mimd/usage.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

using policy = mimd<few_tiles>;

inline const auto cores = [](const auto&) { return tile_machine(5, 0); };

/// Machines of 1 to 16 tiles on which the next call just fits, or fits well. The last call is compared with its plan.
template <class Family>
class machines {
 public:
  explicit machines(unsigned seed) : engine_(seed) {}
  ~machines() { check(); }

  template <class Call>
  tile_machine& operator()(const Call& q) {
    check();
    const index_t tiles = 1 + below(engine_, 16);
    const index_t most = Family::partition_for(q, {tiles, few_tiles.local_bytes}).bytes_per_tile;
    const index_t least = Family::partition_for(q, {tiles, 0}).bytes_per_tile;
    const index_t bytes = engine_() % 3 == 0 || most <= least ? least : least + below(engine_, most - least + 1);
    plan_ = Family::partition_for(q, {tiles, bytes});
    machine_ = std::make_unique<tile_machine>(tiles, bytes, engine_() % 4 == 0 ? tile_checks::on : tile_checks::off);
    return *machine_;
  }

  int spread = 0, stepped = 0, cut_in_both = 0;

 private:
  void check() {
    if (!machine_) return;
    if (machine_->totals().supersteps == 0) return;  // a call without results
    INFO(plan_.row_tiles << " x " << plan_.channel_tiles << " tiles, " << plan_.steps << " steps, "
                         << plan_.bytes_per_tile << " bytes");
    REQUIRE(plan_.fits);
    check_usage(plan_, *machine_);
    spread += plan_.tiles() > 1, stepped += plan_.steps > 1;
    cut_in_both += plan_.row_tiles > 1 && plan_.channel_tiles > 1;
  }

  std::mt19937 engine_;
  rows_plan plan_;
  std::unique_ptr<tile_machine> machine_;
};

}  // namespace tern::test
