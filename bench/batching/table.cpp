// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the choices of layout_for and training_batch_for with the best one tried: measured on this machine, modelled
// for others.
#include <algorithm>
#include <cstdio>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "bench/batching/modelled.hpp"
#include "bench/harness/output.hpp"

namespace tern::bench {
namespace {

/// The times of the choices relative to the best, over many problems.
class choices {
 public:
  /// \param chosen, best  times; \param name  of the best
  void add(const std::string& row, double chosen, double best, const std::string& name) {
    ++count_;
    within_ += chosen <= 1.05 * best;
    if (chosen / best <= most_) return;
    most_ = chosen / best, where_ = row + ", " + name;
  }
  void print(const std::string& what) const {
    if (count_ == 0) return;
    std::printf("  %-12s the best or within 5 %% of it in %d of %d; most %.2f times as long as the best%s%s%s\n",
                what.c_str(), within_, count_, most_, where_.empty() ? "" : " (", where_.c_str(),
                where_.empty() ? "" : ")");
  }

 private:
  int count_ = 0, within_ = 0;
  double most_ = 1;
  std::string where_;
};

void print_measured(const std::vector<row_result>& rows) {
  std::puts(
      "\nLayout of images, and images to a call: time over that of what layout_for and training_batch_for choose (*)");
  std::printf("%-30s %7s %-13s", "row", "threads", "layout");
  const index_t columns[] = {1, 4, 16, 64, 0};
  for (const index_t n : columns) std::printf(" %7s", n > 0 ? std::to_string(n).c_str() : "all");
  std::puts("");
  std::map<int, choices> against_best;
  for (const row_result& row : rows) {
    const case_result* chosen = row.fastest([](const case_result& r) { return r.c.how->cut.chosen; });
    const case_result* best = row.fastest([](const case_result& r) { return !r.c.how->cut.layout.empty(); });
    if (!chosen || !best) continue;
    against_best[row.threads].add(
        row.what.row, chosen->time.median(), best->time.median(),
        best->c.how->cut.layout + ", " + (best->c.how->cut.samples ? std::to_string(best->c.how->cut.samples) : "all"));
    for (const char* layout : {"last", "blocks of 8", "blocks of 16", "planes"}) {
      std::printf("%-30s %7d %-13s", row.what.row.c_str(), row.threads, layout);
      for (const index_t samples : columns) {
        const case_result* r = row.fastest(
            [&](const case_result& c) { return c.c.how->cut.layout == layout && c.c.how->cut.samples == samples; });
        if (r)
          std::printf(" %6.2f%s", r->time.median() / chosen->time.median(), r == chosen ? "*" : " ");
        else
          std::printf(" %7s", "-");
      }
      std::puts("");
    }
  }
  std::puts("\nWhat is chosen, measured:");
  for (const auto& [threads, c] : against_best)
    c.print(std::to_string(threads) + (threads == 1 ? " thread" : " threads"));
}

void print_modelled() {
  struct best_and_chosen {
    const modelled_case *best = nullptr, *chosen = nullptr;
  };
  const std::vector<modelled_case> all = modelled_cases();
  std::vector<std::string> devices;
  std::map<std::string, std::map<std::string, best_and_chosen>> of;
  for (const modelled_case& c : all) {
    if (devices.empty() || devices.back() != c.device) devices.push_back(c.device);
    best_and_chosen& b = of[c.device][c.row];
    if (!b.best || c.seconds < b.best->seconds) b.best = &c;
    if (c.chosen) b.chosen = &c;
  }
  std::printf("\nWhat is chosen, as modelled, for all passes of %td images:\n", modelled_batch);
  for (const std::string& device : devices) {
    choices against_best;
    for (const auto& [row, b] : of[device])
      against_best.add(row, b.chosen->seconds, b.best->seconds,
                       b.best->layout + ", " + std::to_string(b.best->samples) + " at a time");
    against_best.print(device);
  }
}

void write_modelled(std::ostream& out) {
  out << ",\n  \"modelled\": [";
  const char* separator = "\n    ";
  for (const modelled_case& c : modelled_cases()) {
    out << separator << "{\"device\": \"" << c.device << "\", \"row\": \"" << c.row << "\", \"layout\": \"" << c.layout
        << "\", \"batch\": " << modelled_batch << ", \"samples\": " << c.samples
        << ", \"chosen\": " << (c.chosen ? "true" : "false") << ", \"seconds\": " << c.seconds << "}";
    separator = ",\n    ";
  }
  out << "\n  ]";
}

const at_start add([] {
  endings().push_back({[](const std::vector<row_result>& rows) {
                         print_measured(rows);
                         print_modelled();
                       },
                       write_modelled});
});

}  // namespace
}  // namespace tern::bench
