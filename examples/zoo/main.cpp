// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one system of the zoo.
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/support/progress.hpp"
#include "demo.hpp"
#include "isas.hpp"
#include "tern/files/safetensors.hpp"
#include "zoo.hpp"

namespace zoo {
namespace {

constexpr const char* usage = R"(usage: zoo_<system> [option]...

Runs inference with packed weights and training steps on random samples, and says what they take.

  --policy <p>   reference, simd, mimd or simt. By default simd, on samples of full size; others run at a reduced one,
                 since their cores, tiles and blocks are loops here
  --reduced      simd at the reduced size, too
  --batch <n>    samples, by default 1
  --steps <n>    how often, by default 3; times are medians
  --threads <n>  of simd, by default 1
  --inference    no training
  --load <file>     starts with the parameters, and all else that training keeps, of a safetensors file
  --save <file>     writes them after the last step
  --samples <file>  writes the inputs and results of inference
  --check        one step at full size, then all policies at the reduced size: exits with 1 where their bits differ
  --help         this text
)";

/// A file that is removed at the end.
struct temporary_file {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tern_zoo_" + std::to_string(std::random_device()()) + ".safetensors");
  temporary_file() = default;
  temporary_file(const temporary_file&) = delete;
  ~temporary_file() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};
void load(settings& with, const std::filesystem::path& path) {
  with.start = [path](const tensors& t) { tern::load_safetensors(path, t); };
}
auto saving(const std::filesystem::path& path) {
  return [path](const tensors& t) { tern::save_safetensors(path, t); };
}

/// Runs a system and prints its progress.
outcome run(const way& w, settings with) {
  tern::bench::progress said("zoo");
  with.begins = [&](const char* what, index_t step) {
    said(std::string(w.policy) + ", " + what + " " + std::to_string(step + 1) + " of " + std::to_string(with.steps));
  };
  return w.run(with);
}

void show(const way& w, const settings& with, const outcome& o) {
  std::printf("  %-9s %-26s inference %9.3f ms, %7.2f MB", w.policy, w.where, 1e3 * o.seconds_of_inference,
              1e-6 * static_cast<double>(w.inference_bytes(with.batch, with.threads)));
  if (with.trains)
    std::printf("; step %9.3f ms, %8.2f MB, loss %.5g to %.5g", 1e3 * o.seconds_of_step,
                1e-6 * static_cast<double>(w.training_bytes * with.batch), o.first_loss, o.last_loss);
  std::printf("; %016" PRIx64, o.inferred);
  if (with.trains) std::printf(" %016" PRIx64, o.trained);
  std::printf("\n");
  std::fflush(stdout);
}

/// Checks that two runs of one step, the second from the file of the first, end where one run of two steps does.
void check_resumed(const way& w, settings with, const outcome& two_steps) {
  const temporary_file file;
  with.steps = 1;
  settings last = with;
  with.end = saving(file.path);
  load(last, file.path);
  run(w, with);
  if (run(w, last).trained != two_steps.trained)
    throw std::runtime_error("training that goes on from a file has other bits");
}

/// The reduced size under every policy; of a variant there is none.
std::vector<way> reduced_ways() {
#if defined(ZOO_VARIANT)
  return {};
#else
  return demo::dispatch(
      [](auto isa) {
        return std::vector{reduced_way(isa, reference_tag()), reduced_way(isa, simd_tag()),
                           reduced_way(isa, mimd_tag()), reduced_way(isa, simt_tag())};
      },
      "");
#endif
}

void run(int argc, char** argv) {
  std::string policy;
  int batch = 1, steps = 3, threads = 1;
  bool is_reduced = false, only_inference = false, checks = false;
  std::string loaded, saved, samples;
  demo::parse(argc, argv, usage,
              {{"--policy", &policy},
               {"--batch", nullptr, &batch},
               {"--steps", nullptr, &steps},
               {"--threads", nullptr, &threads},
               {"--reduced", nullptr, nullptr, &is_reduced},
               {"--inference", nullptr, nullptr, &only_inference},
               {"--load", &loaded},
               {"--save", &saved},
               {"--samples", &samples},
               {"--check", nullptr, nullptr, &checks}});
  const system s = demo::dispatch([](auto isa) { return full_system(isa); }, "");
  const std::vector<way> reduced = reduced_ways();
  if (reduced.empty() && (checks || is_reduced || !(policy.empty() || policy == s.full.policy)))
    throw std::runtime_error(std::string(s.name) + " is a variant, which runs under simd at full size only");
  std::printf("%s: %td parameters, %.4g million multiply-adds (%s)\n", s.title, s.parameters,
              1e-6 * static_cast<double>(s.multiply_adds), s.source);
  settings with{.batch = batch, .steps = steps, .threads = threads, .trains = !only_inference};
  if (checks) {
    with.steps = 1;
    show(s.full, with, run(s.full, with));
    with.batch = 2, with.steps = 2, with.threads = 2;
    std::printf(" at a reduced size, two samples\n");
    outcome first;
    for (const way& w : reduced) {
      const outcome o = run(w, with);
      show(w, with, o);
      if (&w == reduced.data()) first = o;
      if (o.inferred != first.inferred || o.trained != first.trained)
        throw std::runtime_error(std::string(w.policy) + " has other bits than " + reduced[0].policy);
    }
#if defined(ZOO_OTHER_ISA)
    const tern::isa_tag::ZOO_OTHER_ISA other;
    const way w = reduced_way(other, simd_tag());
    const outcome o = run(w, with);
    if (o.inferred != first.inferred || o.trained != first.trained)
      throw std::runtime_error(std::string(other.name) + " has other bits than " + reduced[0].policy);
    std::printf("  simd with %s has the same bits\n", other.name);
#endif
    settings single = with;
    single.threads = 1, single.cuts = true;
    const outcome cut = run(reduced[1], single);
    if (cut.inferred != first.inferred || cut.trained != first.trained)
      throw std::runtime_error("one thread and calls of fewer samples have other bits");
    std::printf("  one thread and calls of fewer samples have the same bits\n");
    check_resumed(reduced[1], with, first);
    std::printf("  training that goes on from a file has the same bits\n");
    return;
  }
  if (!loaded.empty()) load(with, loaded);
  if (!saved.empty()) with.end = saving(saved);
  if (!samples.empty()) with.samples = saving(samples);
  if (policy.empty()) policy = s.full.policy;
  if (policy == s.full.policy && !is_reduced) {
    show(s.full, with, run(s.full, with));
    return;
  }
  for (const way& w : reduced)
    if (policy == w.policy) {
      std::printf(" at a reduced size\n");
      show(w, with, run(w, with));
      return;
    }
  throw std::runtime_error("--policy must be reference, simd, mimd or simt, not '" + policy + "'");
}

}  // namespace
}  // namespace zoo

int main(int argc, char** argv) { return demo::run("zoo", zoo::run, argc, argv); }
