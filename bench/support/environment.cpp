// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/support/environment.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include <unistd.h>

#include "bench/harness/executors.hpp"
#include "bench/harness/variant.hpp"
#include "bench/support/caches.hpp"
#include "bench/support/revision.hpp"
#include "tern/device/catalog.hpp"
#include "tern/exec/cpu/arch.hpp"
#include "tern/version.hpp"

namespace tern::bench {

namespace {

std::string first_line(const char* file) {
  std::string line;
  std::getline(std::ifstream(file), line);
  return line.empty() ? "not readable" : line;
}

/// The value of the first line of a file that starts with a key.
std::string field(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.rfind(key, 0) == 0) {
      const std::size_t at = line.find_first_not_of(" \t\"", line.find(separator) + 1);
      return at == std::string::npos ? "" : line.substr(at, line.find_last_not_of("\" ") - at + 1);
    }
  return "unknown";
}

std::string processor() {
  constexpr const char* file = "/proc/cpuinfo";
  std::string s = field(file, "model name", ':') + " (family " + field(file, "cpu family", ':') + ", model " +
                  field(file, "model", ':') + ")";
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.rfind("flags", 0) == 0) {
      if (line.find(" hypervisor") != std::string::npos) s += ", virtual machine";
      break;
    }
  return s;
}

std::string text_of_caches() {
  std::string s;
  for (const cache& c : caches())
    if (c.type != "Instruction")
      s += (s.empty() ? "L" : ", L") + std::to_string(c.level) + " " + std::to_string(c.bytes / 1024) + " KiB";
  return s.empty() ? "unknown" : s;
}

#define TERN_BENCH_TEXT_(x) #x
#define TERN_BENCH_TEXT(x) TERN_BENCH_TEXT_(x)

std::string compiler() {
#if defined(__clang__)
  return __VERSION__;
#else
  return std::string("g++ ") + __VERSION__;
#endif
}

std::string xsimd_version() {
#if defined(TERN_HAS_XSIMD)
  return TERN_BENCH_TEXT(XSIMD_VERSION_MAJOR) "." TERN_BENCH_TEXT(XSIMD_VERSION_MINOR) "." TERN_BENCH_TEXT(
      XSIMD_VERSION_PATCH);
#else
  return "none";
#endif
}

/// Variables that change what peers do.
std::string variables() {
  std::string s;
  for (char** v = environ; *v; ++v)
    for (const char* prefix : {"BLIS_", "DNNL_", "GOMP_", "KMP_", "LIBXSMM_", "OMP_", "ONEDNN_", "OPENBLAS_"})
      if (std::string(*v).rfind(prefix, 0) == 0) s += (s.empty() ? "" : " ") + std::string(*v);
  return s.empty() ? "none" : s;
}

std::string now() {
  const std::time_t t = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", std::gmtime(&t));
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> environment() {
  std::string peers, cpus;
  for (const library& l : libraries()) peers += (peers.empty() ? "" : "; ") + l.name + " " + l.version;
  for (const int c : usable_cpus()) cpus += (cpus.empty() ? "" : ",") + std::to_string(c);
  double load[1] = {0};
  if (getloadavg(load, 1) != 1) load[0] = 0;
  char load_text[16];
  std::snprintf(load_text, sizeof load_text, "%.1f", load[0]);
  return {
      {"processor", processor()},
      {"caches", text_of_caches()},
      {"usable CPUs", cpus},
      {"load when started", load_text},
      {"clock governor", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
      {"huge pages", first_line("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"system", field("/etc/os-release", "PRETTY_NAME", '=')},
      {"compiler", compiler()},
      {"flags", TERN_BENCH_BUILD_FLAGS},
      {"instruction set", TERN_BENCH_TEXT(TERN_ISA)},
      {"native device", devices::native.name},
      {"xsimd", xsimd_version()},
      {"tern", TERN_BENCH_TEXT(TERN_VERSION_MAJOR) "." TERN_BENCH_TEXT(TERN_VERSION_MINOR) "." TERN_BENCH_TEXT(
                   TERN_VERSION_PATCH)},
      {"revision", TERN_BENCH_REVISION},
      {"date", now()},
      {"peers", peers.empty() ? "none" : peers},
      {"peers' variables", variables()},
  };
}

}  // namespace tern::bench
