// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Public calls of softmax and losses under mimd, on machines that they make and on others. The driver compares more.
#include <cstdint>
#include <type_traits>
#include <vector>

#include "tern/mimd.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using policy = mimd<few_tiles>;

TEST_CASE("a softmax on tiles has the calls of other models", "[softmax][mimd]") {
  using attention = kernel<softmax<softmax_config{.mask = true}>, policy>;
  auto x = random_vector(2 * 3 * 5 * 40, 1);
  std::vector<float> y(x.size()), wanted(x.size());
  std::vector<std::uint8_t> mask(2 * 40);
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 3 != 0;
  const auto scores = [](std::vector<float>& v) {
    return view<float, dims<4>>(unchecked, v.data(), dims<4>(2, 3, 5, 40));
  };
  const view keys(unchecked, mask.data(), dims<4>(2, 1, 1, 40));
  tile_machine machine = attention::make_state(scores(x));
  attention{}(machine, scores(x), keys, scores(y));
  kernel<softmax<softmax_config{.mask = true}>, reference>{}(scores(x), keys, scores(wanted));
  CHECK(same_bits(y, wanted));
  CHECK(attention::plan(scores(x)).units > 1);
}

TEST_CASE("losses on tiles have the calls of other models", "[loss][mimd]") {
  using of_rows = kernel<cross_entropy<>, policy>;
  using of_samples = kernel<gaussian_nll<>, policy>;
  auto x = random_vector(40 * 30 * 7, 1), variance = random_vector(x.size(), 2), t = random_vector(x.size(), 3);
  std::vector<std::int32_t> target(40 * 7);
  for (std::size_t i = 0; i < target.size(); ++i) target[i] = static_cast<std::int32_t>(i * 7 % 30);
  const auto results = [&]<class Policy>(std::type_identity<Policy>, auto&&... state) {
    std::vector<float> losses(40 * 7), samples(40), total(2), dx(x.size()), dmean(x.size()), dvariance(x.size());
    const auto image = [](std::vector<float>& v) { return last(v, 40, 30, 7); };
    const view classes(unchecked, target.data(), dims<2>(40, 7));
    const kernel<cross_entropy<>, Policy> k;
    k(state..., image(x), classes, view(unchecked, losses.data(), dims<2>(40, 7)),
      view(unchecked, total.data(), dims<1>(1)));
    k.backward_data(state..., image(x), classes, image(dx), loss_scale{8});
    const kernel<gaussian_nll<>, Policy> g;
    g(state..., image(x), image(variance), image(t), view(unchecked, samples.data(), dims<1>(40)),
      view(unchecked, total.data() + 1, dims<1>(1)));
    g.backward_data(state..., image(x), image(variance), image(t), image(dmean), image(dvariance));
    for (const auto& v : {losses, samples, dx, dmean, dvariance}) total.insert(total.end(), v.begin(), v.end());
    return total;
  };
  tile_machine machine = of_rows::make_state(last(x, 40, 30, 7)), other = of_samples::make_state(last(x, 40, 30, 7));
  tile_machine& larger = machine.bytes_per_tile() > other.bytes_per_tile() ? machine : other;
  CHECK(same_bits(results(std::type_identity<policy>{}, larger), results(std::type_identity<reference>{})));
  CHECK(of_rows::plan(last(x, 40, 30, 7)).units > 1);
  CHECK(of_samples::plan(last(x, 40, 30, 7), pass::backward_data).units > 1);
  // A total that does not fit is refused before losses, which do, are written: one tile gathers the sums of all chunks.
  using ipu = mimd<devices::gc200>;
  std::vector<float> long_losses(4096, 1), losses(4096, 7), total(1, 7);
  const view numbers(unchecked, long_losses.data(), dims<2>(4096, 1));
  const view to(unchecked, losses.data(), dims<1>(4096));
  tile_machine small(128, 500);
  CHECK(message([&] {
          kernel<squared_error<>, ipu>{}(small, numbers, numbers, to, view(unchecked, total.data(), dims<1>(1)));
        }).starts_with("sums: "));
  CHECK(losses == std::vector<float>(4096, 7));
  CHECK(total[0] == 7);
  kernel<squared_error<loss_config{.reduce = reduction::none}>, ipu>{}(small, numbers, numbers, to);
  CHECK(losses == std::vector<float>(4096, 0));
}

TEST_CASE("rows of a matrix are cut by a softmax on tiles", "[softmax][mimd]") {
  auto x = random_vector(300 * 40, 1);
  std::vector<float> y(x.size()), wanted(x.size());
  const auto rows = [](std::vector<float>& v) { return view<float, dims<2>>(unchecked, v.data(), dims<2>(300, 40)); };
  tile_machine machine(16, 10000);
  CHECK(machine.bytes_per_tile() < 300 * 40 * 4);
  kernel<softmax<>, policy>{}(machine, rows(x), rows(y));
  kernel<softmax<>, reference>{}(rows(x), rows(wanted));
  CHECK(same_bits(y, wanted));
}

}  // namespace
}  // namespace tern::test
