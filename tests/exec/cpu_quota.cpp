// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quotas of control groups, from copies of the files that Linux shows.
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tern/exec/cpu/cpus.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

/// The quota, at most 64 CPUs, where these files are there.
double quota(const std::vector<std::pair<std::string, std::string>>& files) {
  const std::filesystem::path root = std::filesystem::temp_directory_path() / "tern_cpu_quota_test";
  std::filesystem::remove_all(root);
  for (const auto& [name, text] : files) {
    std::filesystem::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  }
  const double found = impl::cpu_quota(64, root.string());
  std::filesystem::remove_all(root);
  return found;
}

const std::string groups = "proc/self/cgroup";

TEST_CASE("the smallest quota of a process's control groups counts", "[executors]") {
  CHECK(quota({}) == 64);
  CHECK(quota({{groups, "0::/\n"}}) == 64);
  CHECK(quota({{groups, "0::/a/b\n"}, {"sys/fs/cgroup/a/b/cpu.max", "max 100000\n"}}) == 64);
  CHECK(quota({{groups, "0::/a/b\n"}, {"sys/fs/cgroup/a/b/cpu.max", "150000 100000\n"}}) == 1.5);
  CHECK(quota({{groups, "0::/a/b\n"},
               {"sys/fs/cgroup/a/b/cpu.max", "400000 100000\n"},
               {"sys/fs/cgroup/a/cpu.max", "200000 100000\n"}}) == 2);
  // In a container the path is the host's, and the mount begins at the container's group.
  CHECK(quota({{groups, "0::/docker/1234\n"}, {"sys/fs/cgroup/cpu.max", "50000 100000\n"}}) == 0.5);
}

TEST_CASE("quotas of the first version of control groups count, too", "[executors]") {
  const std::string both = "9:name=systemd:/\n3:cpuset:/\n2:cpu,cpuacct:/job\n0::/\n";
  CHECK(quota({{groups, both},
               {"sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n"},
               {"sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n"}}) == 64);
  CHECK(quota({{groups, both},
               {"sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n"},
               {"sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n"}}) == 3);
  CHECK(quota({{groups, "1:cpu:/\n"},
               {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "70000\n"},
               {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "50000\n"}}) == 1.4);
}

TEST_CASE("files without a valid quota give none", "[executors]") {
  CHECK(quota({{groups, "nonsense\n::\n0:\n0::a\n\n"}}) == 64);
  CHECK(quota({{groups, "0::/\n"}, {"sys/fs/cgroup/cpu.max", ""}}) == 64);
  CHECK(quota({{groups, "0::/\n"}, {"sys/fs/cgroup/cpu.max", "0 0\n"}}) == 64);
  CHECK(quota({{groups, "0::/\n"}, {"sys/fs/cgroup/cpu.max", "-5 100000\n"}}) == 64);
  CHECK(impl::usable_cpus() >= 1);
  CHECK(impl::usable_cpus() <= static_cast<int>(impl::allowed_cpus().size()));
}

}  // namespace
}  // namespace tern::test
