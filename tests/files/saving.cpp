// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Saving replaces a file as a whole or not at all, and leaves nothing else behind.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tern/files.hpp"
#include "tests/files/bytes.hpp"
#include "tests/files/complaint.hpp"
#include "tests/support/catch.hpp"

using namespace tern::test;

namespace {

/// A tensor whose elements are all equal, large enough to be written in many parts.
struct even_tensor {
  std::vector<float> elements;
  explicit even_tensor(float value, std::size_t count = 100'000) : elements(count, value) {}
  std::vector<tern::named_tensor> tensors() { return {tern::named("even", elements)}; }
  bool even() const {
    for (const float x : elements)
      if (x != elements[0]) return false;
    return true;
  }
};

struct format {
  const char* save_name;
  void (*save)(const std::filesystem::path&, std::vector<tern::named_tensor>);
  void (*load)(const std::filesystem::path&, std::vector<tern::named_tensor>);
};
const format formats[] = {
    {"save_safetensors", [](const auto& path, auto tensors) { tern::save_safetensors(path, tensors); },
     [](const auto& path, auto tensors) { tern::load_safetensors(path, tensors); }},
    {"save_npz", [](const auto& path, auto tensors) { tern::save_npz(path, tensors); },
     [](const auto& path, auto tensors) { tern::load_npz(path, tensors); }},
};

/// Runs a function in another process. Returns its result.
bool in_child(const std::function<bool()>& f) {
  const pid_t child = fork();
  if (child == 0) {
    bool good = false;
    try {
      good = f();
    } catch (...) {
    }
    _exit(good ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("save: paths that cannot be files") {
  even_tensor x(1, 4);
  for (const format& f : formats) {
    const folder place;
    const auto says = [&](const std::filesystem::path& path) {
      return complaint(f.save_name, path, [&] { f.save(path, x.tensors()); });
    };
    CHECK(says(place / "absent/x") == "no file can be created in its directory: No such file or directory");
    write_bytes(place / "file", "");
    CHECK(says(place / "file/x") == "no file can be created in its directory: Not a directory");
    CHECK(says(place.path()) == "it is not a regular file");
    CHECK(says(place.path() / "") == "it names no file");
    CHECK(says("") == "it names no file");
    CHECK(says("/dev/null") == "it is not a regular file");
    CHECK(says(place.path() / std::string(300, 'x')) == "it cannot be put in its place: File name too long");
    CHECK(place.count() == 1);
  }
}

TEST_CASE("errors leave no file open") {
  even_tensor x(1, 4);
  const auto open_files = [] { return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}); };
  const auto before = open_files();
  for (const format& f : formats) {
    const folder place;
    write_bytes(place / "x", "neither format");
    for (const std::filesystem::path& path : {place.path(), place / "x", place / "absent"})
      CHECK_THROWS_AS(f.load(path, x.tensors()), std::runtime_error);
    CHECK_THROWS_AS(f.save(place.path() / std::string(300, 'x'), x.tensors()), std::runtime_error);
  }
  CHECK(open_files() == before);
}

TEST_CASE("save: a directory without permission to write") {
  even_tensor x(1, 4);
  for (const format& f : formats) {
    const folder place;
    REQUIRE(chmod(place.path().c_str(), 0555) == 0);
    CHECK(in_child([&] {
      if (geteuid() == 0 && setuid(65534) != 0) return false;
      const auto path = place / "x";
      return complaint(f.save_name, path, [&] { f.save(path, x.tensors()); }) ==
             "no file can be created in its directory: Permission denied";
    }));
    CHECK(place.count() == 0);
    chmod(place.path().c_str(), 0755);
  }
}

TEST_CASE("save: no room leaves the old file and nothing else") {
  even_tensor small(1, 4), large(2);
  for (const format& f : formats) {
    const folder place;
    const auto path = place / "x";
    f.save(path, small.tensors());
    const std::string before = read_bytes(path);
    for (const rlim_t room : {0u, 7u, 8u, 100u, 4096u, 399'999u}) {
      // A limit on the sizes of files stands for a full disk.
      CHECK(in_child([&] {
        const rlimit limit{room, room};
        if (signal(SIGXFSZ, SIG_IGN) == SIG_ERR || setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
        const std::string text = complaint(f.save_name, path, [&] { f.save(path, large.tensors()); });
        return text.starts_with("it cannot be written: ") && text.ends_with("File too large");
      }));
      CHECK(read_bytes(path) == before);
      CHECK(place.count() == 1);
    }
  }
}

TEST_CASE("save: the new file has the permissions of the old one, and links stay") {
  even_tensor x(1, 4), y(2, 4);
  for (const format& f : formats) {
    const folder place;
    f.save(place / "x", x.tensors());
    REQUIRE(chmod((place / "x").c_str(), 0640) == 0);
    std::filesystem::create_symlink("x", place / "link");
    f.save(place / "link", y.tensors());
    CHECK(std::filesystem::is_symlink(place / "link"));
    f.load(place / "x", x.tensors());
    CHECK(x.elements == y.elements);
    struct stat status{};
    stat((place / "x").c_str(), &status);
    CHECK((status.st_mode & 07777) == 0640);
    std::filesystem::create_symlink("nowhere", place / "dangling");
    CHECK(complaint(f.save_name, place / "dangling", [&] { f.save(place / "dangling", y.tensors()); }) ==
          "it is a link that leads to no file");
    CHECK(std::filesystem::is_symlink(place / "dangling"));
    CHECK(place.count() == 3);
  }
}

TEST_CASE("save: a file beside the program") {
  even_tensor x(1, 4);
  const folder place;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(place.path());
  for (const format& f : formats) f.save("x", x.tensors()), f.load("x", x.tensors());
  std::filesystem::current_path(before);
  CHECK(place.count() == 1);
}

TEST_CASE("save: killed at any moment, the file is the old or the new one") {
  std::mt19937 random(Catch::rngSeed());
  for (const format& f : formats) {
    const folder place;
    const auto path = place / "x";
    even_tensor one(1), two(2), loaded(0);
    f.save(path, one.tensors());
    for (int i = 0; i < 25; ++i) {
      const pid_t child = fork();
      if (child == 0)
        [&]() noexcept {
          for (;;) f.save(path, two.tensors()), f.save(path, one.tensors());
        }();
      std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution(0, 20'000)(random)));
      kill(child, SIGKILL);
      int status = 0;
      waitpid(child, &status, 0);
      REQUIRE((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
      f.load(path, loaded.tensors());
      REQUIRE(loaded.even());
      REQUIRE((loaded.elements[0] == 1 || loaded.elements[0] == 2));
    }
  }
}
