// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tern_load: calls with several threads beside other programs that want the CPUs. Every executor takes turns with the
// calling thread alone; what counts is the mean time of a call, stalls included.
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bench/support/progress.hpp"
#include "examples/braggnn/block.hpp"
#include "tern/blocks.hpp"
#include "tern/exec/cpu/cpus.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"
#include "tests/support/any_executor.hpp"
#if defined(_OPENMP)
#include "tern/exec/cpu/openmp.hpp"
#endif
#if defined(TERN_BENCH_HAS_TBB)
#include "tern/exec/cpu/onetbb.hpp"
#endif

namespace tern::bench {
namespace {

using test::any_executor;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<float> random_numbers(index_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> v(static_cast<std::size_t>(n));
  for (float& x : v) x = static_cast<float>(random() >> 8) * 0x1p-24f - 0.5f;
  return v;
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls

/// A call on an executor, which leaves its result in `y`.
struct called {
  const char* name;
  std::function<void(any_executor&)> run;
  std::vector<float>* y;
};

std::vector<called> all_calls() {
  static std::vector<float> a = random_numbers(256 * 256, 1), b = random_numbers(256 * 256, 2), c(256 * 256);
  const auto matrix = [](std::vector<float>& v) { return view(unchecked, v.data(), extents<256, 256>()); };

  using net = network<braggnn::block, sample_shape::image(1, 11, 11), simd<>>;
  static std::vector<float> parameters(static_cast<std::size_t>(net::parameters)),
      scratch(static_cast<std::size_t>(net::infer_memory.elements(1))), crop = random_numbers(121, 3), center(2);
  net::initialize(parameters, {}, 1);

  static std::vector<float> x = random_numbers(64 * 56 * 56, 4), w = random_numbers(9 * 64 * 64, 5), y(x.size());
  const auto image = [](std::vector<float>& v) {
    return view(unchecked, v.data(), layout_channels_last::mapping(dims<4>(1, 64, 56, 56)));
  };
  return {
      {"matmul 256 x 256 x 256",
       [=](any_executor& run) { kernel<matmul<>, simd<>>()(run, matrix(a), matrix(b), matrix(c)); }, &c},
      {"BraggNN, one crop", [](any_executor& run) { net::infer(run, parameters, {}, crop, center, scratch); }, &center},
      {"convolution 3 x 3, 64 to 64 channels, 56 x 56",
       [=](any_executor& run) {
         constexpr conv2d_config config{.in = 64, .out = 64, .kernel = {3, 3}, .pad = {1, 1}};
         kernel<conv2d<config>, simd<>>()(run, image(x), view(w, extents<3, 3, 64, 64>()), image(y));
       },
       &y}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Neighbours

/// Another process, which ends with this one.
pid_t neighbour(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  work();
  _exit(0);
}
void busy_loop(int cpu) {
  if (cpu >= 0) impl::pin_to(cpu);
  for (;;) __asm__ __volatile__("");
}
void compiler() {
  for (;;) {
    const pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      execlp(TERN_BENCH_COMPILER, TERN_BENCH_COMPILER, "-std=c++20", "-O2", "-fsyntax-only", "-w", "-I",
             TERN_BENCH_SOURCE "/include", "-x", "c++", TERN_BENCH_SOURCE "/include/tern/blocks.hpp", nullptr);
      _exit(1);
    }
    waitpid(child, nullptr, 0);
  }
}

bool write_to(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY);
  if (file < 0) return false;
  const bool done = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return close(file) == 0 && done;
}

/// Moves this process into a control group of its own that may use one CPU's time. Returns the group's folder, or
/// nothing if the system forbids it.
std::string enter_quota() {
  const std::string name = "/tern_load." + std::to_string(getpid());
  for (const std::string root : {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup"}) {
    const std::string group = root + name;
    if (mkdir(group.c_str(), 0755) != 0) continue;
    if ((write_to(group + "/cpu.max", "100000 100000") ||
         (write_to(group + "/cpu.cfs_period_us", "100000") && write_to(group + "/cpu.cfs_quota_us", "100000"))) &&
        write_to(group + "/cgroup.procs", std::to_string(getpid())))
      return group;
    rmdir(group.c_str());
  }
  return {};
}

// ---------------------------------------------------------------------------------------------------------------------

struct condition {
  const char* name;
  const char* text;
  int loops = 0;  ///< busy loops for each CPU; half ones round down to one
  bool one_loop = false, pinned = false, compilers = false, quota = false;
};
constexpr condition conditions[] = {
    {.name = "none", .text = "no neighbour"},
    {.name = "loop", .text = "one busy loop", .one_loop = true},
    {.name = "loops", .text = "a busy loop for each CPU", .loops = 1},
    {.name = "more", .text = "two busy loops for each CPU", .loops = 2},
    {.name = "pinned", .text = "a busy loop pinned to each CPU", .loops = 1, .pinned = true},
    {.name = "compilers", .text = "a compiler for each CPU", .compilers = true},
    {.name = "quota", .text = "a quota of one CPU", .quota = true},
};

/// Prints the rows of one condition. In a process of its own, whose threads and neighbours end with it.
int measure(const condition& with, double seconds) {
  const std::vector<int> cpus = impl::allowed_cpus();
  const auto count = static_cast<int>(cpus.size());
  std::vector<pid_t> others;
  std::string group;
  if (with.quota && (group = enter_quota()).empty()) {
    std::printf("| %s | cannot make a control group here |\n", with.text);
    return 0;
  }
  for (int i = 0; i < (with.one_loop ? 1 : with.loops * count); ++i)
    others.push_back(neighbour([&] { busy_loop(with.pinned ? cpus[static_cast<std::size_t>(i % count)] : -1); }));
  for (int i = 0; with.compilers && i < count; ++i) others.push_back(neighbour(compiler));

  serial caller;
  team workers(count), pinned({.threads = count, .pin = true}), crowded(4 * count);
  std::vector<any_executor> executors{any_executor::of("one thread", caller), any_executor::of("team", workers),
                                      any_executor::of("team, pinned", pinned),
                                      any_executor::of("team of 4 threads for each CPU", crowded)};
#if defined(_OPENMP)
  openmp omp{.threads = count};
  executors.push_back(any_executor::of("OpenMP", omp));
#endif
#if defined(TERN_BENCH_HAS_TBB)
  onetbb tbb;
  executors.push_back(any_executor::of("oneTBB", tbb));
#endif

  progress said("tern_load");
  int status = 0;
  for (const called& f : all_calls()) {
    std::vector<float> wanted;
    for (any_executor& e : executors) {
      std::fill(f.y->begin(), f.y->end(), std::numeric_limits<float>::quiet_NaN());
      f.run(e);
      if (wanted.empty()) wanted = *f.y;
      if (std::memcmp(wanted.data(), f.y->data(), wanted.size() * sizeof(float)) != 0) {
        std::fprintf(stderr, "tern_load: %s: %s gives other bits\n", f.name, e.name);
        status = 1;
      }
    }
    std::vector<double> time(executors.size()), calls(executors.size());
    const int rounds = std::max(1, static_cast<int>(seconds * 10));
    for (int r = 0; r < rounds; ++r)
      for (std::size_t e = 0; e < executors.size(); ++e) {
        said(std::string(with.text) + ", " + f.name + ", turn " + std::to_string(r + 1) + " of " +
             std::to_string(rounds));
        const double start = now();
        double passed = 0;
        do f.run(executors[e]), ++calls[e], passed = now() - start;
        while (passed < seconds / rounds);
        time[e] += passed;
      }
    said.erase();
    std::printf("| %s | %s | %.1f |", with.text, f.name, 1e6 * time[0] / calls[0]);
    for (std::size_t e = 1; e < executors.size(); ++e)
      std::printf(" %.2f |", time[e] / calls[e] / (time[0] / calls[0]));
    std::puts("");
    std::fflush(stdout);
  }
  for (const pid_t p : others) kill(p, SIGKILL), waitpid(p, nullptr, 0);
  return status;
}

constexpr const char* usage =
    "usage: tern_load [--seconds s] [--neighbours name]\n"
    "  --seconds s        of each executor in each row; default 2\n"
    "  --neighbours name  one of none, loop, loops, more, pinned, compilers and quota; default all of them\n";

int run(int argc, char** argv) {
  double seconds = 2;
  std::string only;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (option == "--help") return std::fputs(usage, stdout), 0;
    const auto named = [&](const condition& c) { return value == c.name; };
    if (option == "--seconds" && std::atof(value.c_str()) > 0) {
      seconds = std::atof(value.c_str());
    } else if (option == "--neighbours" && std::any_of(std::begin(conditions), std::end(conditions), named)) {
      only = value;
    } else {
      std::fprintf(stderr, "tern_load: '%s %s' is no option\n%s", option.c_str(), value.c_str(), usage);
      return 1;
    }
  }
  std::printf(
      "Mean time of a call over %g s, in turns; executors as multiples of one thread beside the same neighbours\n\n"
      "| neighbours | call | one thread, us | team | team, pinned | team of 4 threads for each CPU |",
      seconds);
#if defined(_OPENMP)
  std::printf(" OpenMP |");
#endif
#if defined(TERN_BENCH_HAS_TBB)
  std::printf(" oneTBB |");
#endif
  std::puts("\n|---|---|--:|--:|--:|--:|--:|--:|");
  std::fflush(stdout);
  int failed = 0;
  for (const condition& c : conditions) {
    if (!only.empty() && only != c.name) continue;
    const pid_t child = fork();
    if (child == 0) {
      const int status = measure(c, seconds);
      std::fflush(stdout);
      std::_Exit(status);
    }
    int status = 1;
    waitpid(child, &status, 0);
    if (status != 0) failed = 1;
    for (const std::string root : {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup"})
      rmdir((root + "/tern_load." + std::to_string(child)).c_str());
  }
  return failed;
}

}  // namespace
}  // namespace tern::bench

int main(int argc, char** argv) { return tern::bench::run(argc, argv); }
