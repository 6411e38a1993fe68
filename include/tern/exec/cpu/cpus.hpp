// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPUs available to a thread: its affinity, and the quota of its control groups. Sources: sched_setaffinity(2);
// Linux, Documentation/admin-guide/cgroup-v2.rst (cpu.max) and Documentation/scheduler/sched-bwc.rst
// (cpu.cfs_quota_us).
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "tern/core/config.hpp"

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace tern::inline TERN_ISA::impl {

/// The CPUs that the calling thread may use, by number; outside of Linux -1 for each CPU of the machine.
inline std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int c = 0; c < CPU_SETSIZE; ++c)
      if (CPU_ISSET(c, &set)) cpus.push_back(c);
#endif
  if (cpus.empty()) cpus.assign(std::max(1u, std::thread::hardware_concurrency()), -1);
  return cpus;
}

/// Pins the calling thread to one CPU. If the system refuses, the affinity is unchanged.
inline void pin_to([[maybe_unused]] int cpu) {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
#endif
}

/// The first line of a file, without its end; empty if there is none.
inline std::string first_line(const std::string& path) {
  char line[256] = "";
  if (std::FILE* f = std::fopen(path.c_str(), "r")) {
    if (!std::fgets(line, sizeof line, f)) line[0] = 0;
    std::fclose(f);
  }
  const std::string text(line);
  return text.substr(0, text.find('\n'));
}

/// The CPU quota of this process's control groups, in CPUs, at most `most`; `most` if no group has a quota. Reads some
/// files below /proc and /sys.
/// \param root  prefix of every path, for tests
inline double cpu_quota(double most, const std::string& root = "") {
  double quota = most;
  const auto limit = [&](double of_period, double period) {
    if (of_period > 0 && period > 0) quota = std::min(quota, of_period / period);
  };
  // Every group from the process's own up to the root may set a quota. In a container only their root may be visible.
  const auto each_group = [](std::string group, const auto& look) {
    for (; !group.empty(); group.resize(group.rfind('/'))) look(group);
    look(group);
  };
  std::FILE* const groups = std::fopen((root + "/proc/self/cgroup").c_str(), "r");
  if (!groups) return quota;
  for (char line[4096]; std::fgets(line, sizeof line, groups);) {  // hierarchy:controllers:path
    std::string text(line);
    text.resize(text.find_last_not_of('\n') + 1);
    const std::size_t first = text.find(':'), second = text.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + text.substr(first + 1, second - first - 1) + ",";
    const std::string path = text.substr(second + 1);
    if (path.empty() || path[0] != '/') continue;
    if (controllers == ",,") {
      for (const char* mount : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"})
        each_group(path, [&](const std::string& group) {
          double of_period = 0, period = 0;
          if (std::sscanf(first_line(root + mount + group + "/cpu.max").c_str(), "%lf %lf", &of_period, &period) == 2)
            limit(of_period, period);
        });
    } else if (controllers.find(",cpu,") != std::string::npos) {
      for (const char* mount : {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"})
        each_group(path, [&](const std::string& group) {
          double of_period = 0, period = 0;
          if (std::sscanf(first_line(root + mount + group + "/cpu.cfs_quota_us").c_str(), "%lf", &of_period) == 1 &&
              std::sscanf(first_line(root + mount + group + "/cpu.cfs_period_us").c_str(), "%lf", &period) == 1)
            limit(of_period, period);
        });
    }
  }
  std::fclose(groups);
  return quota;
}

/// The number of threads of this process that can run at a time: its CPUs, limited by whole CPUs of its quota; at least
/// 1.
inline int usable_cpus() {
  const auto cpus = static_cast<double>(allowed_cpus().size());
  return std::max(1, static_cast<int>(cpu_quota(cpus)));
}

}  // namespace tern::inline TERN_ISA::impl
