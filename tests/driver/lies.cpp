// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver finds kernels that are wrong under a policy.
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "tern/simd.hpp"
#include "tests/driver/parity.hpp"

namespace tern::test {
namespace {

struct liar {
  static constexpr const char* name = "liar";
};
/// x and y of one shape, with strides.
struct strided_pair {
  const float* x;
  float* y;
  index_t extent[3], from[3], to[3];

  template <class F>
  void each(F f) const {
    for (index_t i = 0; i < extent[0]; ++i)
      for (index_t j = 0; j < extent[1]; ++j)
        for (index_t k = 0; k < extent[2]; ++k)
          f(x[i * from[0] + j * from[1] + k * from[2]], y[i * to[0] + j * to[1] + k * to[2]]);
  }
};
struct copies {
  static void run(const strided_pair& q) {
    q.each([](const float& x, float& y) { y = x; });
  }
};
template <class Policy, class Lie>
struct kernels {
  using context = impl::no_state;
  static void run(const context&, const strided_pair& q) {
    if constexpr (std::is_same_v<Policy, reference>)
      copies::run(q);
    else
      Lie::run(q);
  }
};
template <class Lie>
struct lying_pass {
  using value_type = float;
  using required = declare::options<>;
  using optional = declare::options<>;
  static constexpr declare::declaration declared{"", 1, 1, declare::in("x", "n channels s..."),
                                                 declare::out("y", "n channels s...").may_be("x")};
  template <class Policy>
  using kernel = kernels<Policy, Lie>;
  template <bool, class X, class Y>
  static strided_pair problem(const char*, const X& x, const Y& y) {
    strided_pair q{x.data(), y.data(), {}, {}, {}};
    for (int r = 0; r < 3; ++r) q.extent[r] = x.extent(r), q.from[r] = x.stride(r), q.to[r] = y.stride(r);
    return q;
  }
};

bool found(const std::vector<std::string>& all, const std::string& complaint) {
  for (const std::string& c : all)
    if (c.starts_with(complaint)) return true;
  return false;
}
/// True if the driver finds the lie with this complaint; for an empty complaint, if it finds nothing.
template <class Lie>
bool found(const std::string& complaint) {
  std::vector<std::string> all;
  const auto none = [](const auto&) { return impl::no_state(); };
  parity<simd<>, decltype(none)> run(none, 1e5);
  run.complaints = &all;
  const call_rules rules;
  for (int i = 0; i < 200; ++i) run.template call<liar, lying_pass<Lie>, 3>(rules);
  return complaint.empty() ? all.empty() : found(all, complaint);
}

/// A lie in the last bit of one element.
struct differs {
  static void run(const strided_pair& q) {
    copies::run(q);
    std::uint32_t bits;
    std::memcpy(&bits, q.y, 4), bits ^= 1, std::memcpy(q.y, &bits, 4);
  }
};
struct writes_input {
  static void run(const strided_pair& q) {
    copies::run(q);
    const_cast<float&>(*q.x) = 3;
  }
};
struct writes_between_rows {
  static void run(const strided_pair& q) {
    const index_t* to = q.to;
    const bool gap = q.extent[0] > 1 && to[2] == 1 && to[0] > to[1] && to[1] > q.extent[2];
    copies::run(q);
    if (gap) q.y[q.extent[2]] = 0;
  }
};
struct reads_between_rows {
  static void run(const strided_pair& q) {
    copies::run(q);
    if (q.extent[1] > 1 && q.from[2] == 1 && q.from[1] > q.extent[2]) *q.y += q.x[q.extent[2]];
  }
};
struct clears_first {
  static void run(const strided_pair& q) {
    q.each([](const float&, float& y) { y = 0; });
    copies::run(q);
  }
};

struct adds {
  static void run(const strided_pair& q) {
    q.each([](const float& x, float& y) { y += x; });
  }
};
struct leaves_last_out {
  static void run(strided_pair q) {
    if (q.extent[2] > 1) --q.extent[2];
    copies::run(q);
  }
};

TEST_CASE("kernels that are wrong are found", "[driver]") {
  CHECK(found<copies>(""));
  CHECK(found<differs>("output y is not the reference's at element 0"));
  CHECK(found<writes_input>("input x is written"));
  CHECK(found<writes_between_rows>("memory around output y is written"));
  CHECK(found<reads_between_rows>("output y is not the reference's at element 0"));
  CHECK(found<clears_first>("output y is not the reference's"));
  CHECK(found<adds>("output y is not the reference's at element 0"));
  CHECK(found<leaves_last_out>("output y is not the reference's"));
}

/// Calls that are not refused, or after something is written.
struct driver_of_refusals : call_driver {
  driver_of_refusals() : call_driver(Catch::rngSeed(), 1e5) {}

  template <class Run>
  std::vector<std::string> complaints(Run run) {
    return complaints_of([&] { return try_overlap([&] { run(call_->overlapping(0), call_->overlapping(1)); }); });
  }
  template <class Run>
  std::vector<std::string> complaints_of_workspaces(Run run) {
    return complaints_of([&] { return call_->complaint_of_workspace(run, engine); });
  }

 private:
  template <class Try>
  std::vector<std::string> complaints_of(Try try_one) {
    using pass = lying_pass<copies>;
    const tested_pass p{liar::name, &pass::declared, number::float32, 3,
                        false,      false,           nullptr,         [](const declare::fact*) { return false; }};
    const tested_layout strides{&blocks<>::of};
    std::vector<std::string> all;
    for (int i = 0; i < 50; ++i)
      if (draw(p, {}, &strides, 1)) all.push_back(try_one());
    return all;
  }
};

TEST_CASE("overlaps that are not refused are found", "[driver]") {
  const auto runs = [](const placed_tensor&, const placed_tensor&) {};
  const auto refuses = [](const placed_tensor&, const placed_tensor&) { throw std::invalid_argument("y over x"); };
  const auto writes = [](const placed_tensor&, const placed_tensor& y) {
    *y.data() = 1;
    throw std::invalid_argument("y over x");
  };
  CHECK(found(driver_of_refusals().complaints(runs), "y over x is not refused"));
  CHECK(found(driver_of_refusals().complaints(writes), "y over x is refused too late"));
  for (const std::string& c : driver_of_refusals().complaints(refuses)) CHECK(c.empty());
}

TEST_CASE("workspaces over tensors that are not refused are found", "[driver]") {
  CHECK(found(driver_of_refusals().complaints_of_workspaces([](workspace) {}), "a workspace over x is not refused"));
  CHECK(found(driver_of_refusals().complaints_of_workspaces([](workspace lent) {
    *static_cast<unsigned char*>(lent.data) ^= 1;
    throw std::invalid_argument("workspace");
  }),
              "a workspace over y is refused too late"));
}

}  // namespace
}  // namespace tern::test
