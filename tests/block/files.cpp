// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trainings go to files and come back: a process that is killed at any moment leaves a file with which the next one
// ends with the same bits as if nothing had happened.
#include "tern/files.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <string>
#include <thread>

#include "tern/simd.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

constexpr sample_shape shape = sample_shape::features(6);
using block = sequence<matmul<matmul_config{.n = 16, .bias = true}>, batch_norm<norm_config{.act = activation::tanh}>,
                       drop<30>, matmul<matmul_config{.n = 3}>>;
using net = network<block, shape, simd<>>;
using trainer_type = trainer<net, squared_error<loss_config{.reduce = reduction::sum}>, adam<>>;
constexpr index_t samples = 20, steps = 12;

struct training {
  std::vector<float> memory = poisoned<float>(trainer_type::elements(samples)), x, y;
  trainer_type t{std::span<float>(memory)};
  decltype(net::make_state()) state = net::make_state();

  training() {
    std::mt19937 random(4);
    x = random_vector<float>(samples * 6, random), y = random_vector<float>(samples * 3, random);
    t.initialize(9);
  }
  void step() { t.step(state, x, y, {.rate = 0.01}); }
  std::vector<float> kept() const { return {t.kept().begin(), t.kept().end()}; }
};

struct folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tern_block_files_" + std::to_string(getpid()));
  folder() { std::filesystem::create_directory(path); }
  ~folder() { std::filesystem::remove_all(path); }
};

std::vector<float> uninterrupted() {
  training a;
  while (a.t.steps_done < steps) a.step();
  return a.kept();
}

TEST_CASE("a training goes on after any step with the same bits") {
  const folder here;
  const auto expected = uninterrupted();
  const std::string file = here.path / "training.safetensors", zipped = here.path / "training.npz";
  for (index_t pause = 0; pause <= steps; ++pause) {
    training a;
    while (a.t.steps_done < pause) a.step();
    save_safetensors(file, tensors_of(a.t));
    save_npz(zipped, tensors_of(a.t));
    training b, c;
    b.t.initialize(77), c.t.initialize(78);
    load_safetensors(file, tensors_of(b.t));
    load_npz(zipped, tensors_of(c.t));
    REQUIRE(b.t.steps_done == pause);
    REQUIRE(b.t.seed == 9);
    while (b.t.steps_done < steps) b.step();
    while (c.t.steps_done < steps) c.step();
    CHECK(same_bits(b.kept(), expected));
    CHECK(same_bits(c.kept(), expected));
  }
}

TEST_CASE("a training that is killed goes on with the same bits") {
  const folder here;
  const auto expected = uninterrupted();
  const std::string file = here.path / "training.safetensors";
  int killed = 0;
  for (int round = 0; round < 30; ++round) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      // Goes on from the file, and saves after every step, for ever.
      training a;
      if (std::filesystem::exists(file)) load_safetensors(file, tensors_of(a.t));
      for (;;) {
        if (a.t.steps_done < steps) a.step();
        save_safetensors(file, tensors_of(a.t));
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(1500 + 700 * round));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (!std::filesystem::exists(file)) continue;
    training b;
    load_safetensors(file, tensors_of(b.t));  // whole, old or new
    while (b.t.steps_done < steps) b.step();
    REQUIRE(same_bits(b.kept(), expected));
  }
  CHECK(killed == 30);
  CHECK(std::filesystem::exists(file));
}

TEST_CASE("files of another network leave a trainer as it was") {
  const folder here;
  const std::string file = here.path / "other.safetensors";
  using other =
      network<sequence<matmul<matmul_config{.n = 17, .bias = true}>, matmul<matmul_config{.n = 3}>>, shape, simd<>>;
  std::vector<float> parameters(static_cast<std::size_t>(other::parameters), 1.0f);
  save_safetensors(file, tensors_of<other>(parameters, {}));
  training a;
  const auto before = a.kept();
  std::string text;
  try {
    load_safetensors(file, tensors_of(a.t));
  } catch (const std::runtime_error& e) {
    text = e.what();
  }
  CHECK(text.find("other.safetensors") != std::string::npos);
  CHECK(text.find('\n') == std::string::npos);
  CHECK(same_bits(a.kept(), before));
  CHECK(message([&] { tensors_of<other>(std::span(parameters).first(3), {}); }) ==
        "tensors_of: parameters and statistics have 3 and 0 elements: they must have 170 and 0");
}

}  // namespace
}  // namespace tern::test
