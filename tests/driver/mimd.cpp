// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of a family on tiles that see their own memory only give the bits of the reference, and use what their plans
// say.
//
// TERN_FAMILY  the family, of the header that CMake includes before
// TERN_TYPES   element types
#include "tern/mimd.hpp"

#include <memory>
#include <string>

#include "tests/driver/parity.hpp"
#include "tests/driver/tile_plans.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/mimd/usage.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {
namespace {

/// Machines of 1 to 16 tiles on which the next call just fits, or fits well. The last call is compared with its plan.
class fitting_machines {
 public:
  ~fitting_machines() { check(); }

  template <class Call>
  tile_machine& operator()(const Call& call) {
    check();
    const auto plan = [q = call.problem()](const tile_resources& have) {
      return plan_of<mimd<few_tiles>, typename Call::kernels>(q, have);
    };
    const index_t tiles = 1 + below(engine_, 16);
    const index_t most = plan({tiles, few_tiles.local_bytes}).bytes_per_tile, least = plan({tiles, 0}).bytes_per_tile;
    const index_t bytes = engine_() % 3 == 0 || most <= least ? least : least + below(engine_, most - least + 1);
    plan_ = plan({tiles, bytes}), call_ = call.text;
    machine_ = std::make_unique<tile_machine>(tiles, bytes, engine_() % 4 == 0 ? tile_checks::on : tile_checks::off);
    return *machine_;
  }

  tiles_used used{0, 0, 0, 0};

 private:
  void check() {
    if (!machine_) return;
    if (machine_->totals().supersteps == 0) return;  // a call without results
    INFO(call_ << " on " << machine_->tiles() << " tiles of " << plan_.bytes_per_tile << " bytes");
    REQUIRE(plan_.fits);
    if (plan_.is_split) return;
    check_usage(plan_, *machine_);
    used.spread += plan_.spread, used.stepped += plan_.stepped, used.cut_in_both += plan_.cut_in_both;
    used.folded += plan_.folded;
  }

  std::mt19937 engine_{Catch::rngSeed()};
  std::string call_;
  call_plan plan_;
  std::unique_ptr<tile_machine> machine_;
};

TEMPLATE_TEST_CASE("calls on tiles give the bits of the reference and use what their plans say", "[mimd]", TERN_TYPES) {
  fitting_machines next;
  {
    parity<mimd<few_tiles>, fitting_machines> run(next, TERN_FAMILY::most);
    for (int i = 0; i < thinned(TERN_FAMILY::cases / 2); ++i) TERN_FAMILY::calls<TestType>(run);
  }
  CHECK(next.used.spread * static_cast<int>(one_in) > TERN_FAMILY::on_tiles.spread);
  CHECK(next.used.stepped * static_cast<int>(one_in) > TERN_FAMILY::on_tiles.stepped);
  CHECK(next.used.cut_in_both * static_cast<int>(one_in) >= TERN_FAMILY::on_tiles.cut_in_both);
  CHECK(next.used.folded * static_cast<int>(one_in) > TERN_FAMILY::on_tiles.folded);
}

}  // namespace
}  // namespace tern::test
