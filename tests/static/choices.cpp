// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices of layouts and batches: their output, their messages about bad arguments, and equal results at run time.
#include <sstream>
#include <stdexcept>

#include "tern/device/catalog.hpp"
#include "tern/policy/layout_for.hpp"
#include "tern/policy/training_batch_for.hpp"
#include "tests/static/catalogue.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

namespace tern::test {

using mm = matmul<matmul_config{}, float>;
using square = matmul<matmul_config{.n = 4096, .k = 4096}, float>;

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST_CASE("choices print themselves", "[static]") {
  CHECK(printed(layout_for<mm>(devices::avx512)) == "activations row major in 16, weights panels of 32");
  CHECK(printed(layout_for<mm>(devices::gc200)) == "activations channel blocks of 8, weights panels of 8 by 8");
  CHECK(printed(layout_choice{layout_kind::channels_last, 8}) == "channels last in 8");
  CHECK(printed(training_batch_for<square>(devices::h200, 4096)) == "4096 samples as 1 step of 4096, 402653184 bytes");
  CHECK(printed(training_batch_for<square>(devices::gc200, 4096)) ==
        "4096 samples as 5 steps of 832, accumulated, 630567 bytes");
  CHECK(printed(training_batch_for<square>(devices::gc2, 4096)) ==
        "4096 samples as 64 steps of 64, accumulated, 239338 bytes");
  CHECK(printed(training_batch_for<square>(devices::power8, 512)) ==
        "512 samples as 8 steps of 64, 8 at a time, 167772160 bytes");
  CHECK(printed(batch_choice{.batch = 7, .fits = false, .bytes = 12864}) == "7 samples do not fit, 12864 bytes");
  CHECK(printed(batch_choice{.batch = 40, .micro_batch = 20, .steps = 2, .accumulates = true, .keeps_bits = false}) ==
        "40 samples as 2 steps of 20, accumulated, not at grains, 0 bytes");
}

TEST_CASE("choices are the same at run time", "[static]") {
  constexpr auto compiled = training_batch_for<square>(devices::gc200, 4096);
  volatile index_t batch = 4096;
  CHECK(training_batch_for<mm>(devices::gc200, batch, {.n = batch, .k = batch}) == compiled);
  for (const published& p : machines) {
    const auto b = training_batch_for<mm>(p.d, batch, {.n = 256, .k = batch});
    INFO(p.d.name << ": " << printed(b));
    CHECK(b.fits);
    CHECK(b.micro_batch * b.steps >= b.batch);
  }
}

#if defined(__cpp_exceptions)
TEST_CASE("bad arguments of training_batch_for give a sentence", "[static]") {
  CHECK(
      test::message([] { training_batch_for<mm>(devices::gc200, 64, {.k = 32}); }) ==
      "training_batch_for: the matmul's .n is dynamic: give it as in training_batch_for<Op>(device, batch, {.n = 64})");
  CHECK(
      test::message([] { training_batch_for<mm>(devices::gc200, 64, {.n = 32, .k = -7}); }) ==
      "training_batch_for: the matmul's .k is dynamic: give it as in training_batch_for<Op>(device, batch, {.k = 64})");
  CHECK(test::message([] { training_batch_for<square>(devices::gc200, 64, {.n = 32}); }) ==
        "training_batch_for: .n is given as 32 where the matmul says 4096");
  CHECK(test::message([] { training_batch_for<square>(devices::gc200, -1); }) ==
        "training_batch_for: the batch is -1: it must be at least 0");
}
#endif

}  // namespace tern::test
