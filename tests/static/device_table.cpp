// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of docs/devices.md, printed from the catalogue.
//
//     device_table                       prints them
//     device_table --check <devices.md>  fails where the page holds others
//     device_table --write <devices.md>  puts them into the page
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "tests/static/catalogue.hpp"

namespace {

using tern::index_t;

constexpr const char* begin_mark = "<!-- tables: printed by device_table, do not edit -->\n";
constexpr const char* end_mark = "<!-- end of tables -->\n";

/// A number with four digits, or whole, or a dash where it is unknown.
std::string number(double value, double unit = 1) {
  if (value == 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, value / unit < 1e4 ? "%.4g" : "%.0f", value / unit);
  return text;
}
std::string kib(index_t bytes) { return number(static_cast<double>(bytes), 1024); }
std::string gigabytes(index_t bytes) { return number(static_cast<double>(bytes), 1e9); }

void row(std::ostream& out, std::initializer_list<std::string> cells) {
  out << '|';
  for (const std::string& cell : cells) out << ' ' << cell << " |";
  out << '\n';
}
void head(std::ostream& out, std::initializer_list<std::string> cells) {
  row(out, cells);
  out << "|---|";
  for (std::size_t i = 1; i < cells.size(); ++i) out << "--:|";
  out << '\n';
}
void simd_row(std::ostream& out, const tern::device& d) {
  row(out, {d.name, number(d.units), number(8 * d.vector_bytes), number(d.vector_registers), number(d.fma_per_cycle),
            number(d.clock_hz, 1e9), number(d.peak_flops(), 1e9), kib(d.l1_bytes), kib(d.l2_bytes), kib(d.l3_bytes),
            number(d.memory_bytes_per_second, 1e9), d.source});
}

void tables(std::ostream& out) {
  using tern::model;
  out << "### SIMD\n\n";
  head(out, {"device", "cores", "vector, bit", "registers", "FMA/cycle", "GHz", "GFLOP/s", "L1, KiB", "L2, KiB",
             "L3, KiB", "memory, GB/s", "source"});
  for (const auto& p : tern::test::instruction_sets) simd_row(out, p.d);
  for (const auto& p : tern::test::machines)
    if (p.d.execution == model::simd) simd_row(out, p.d);

  out << "\n### MIMD\n\n";
  head(out, {"device", "tiles", "workers", "KiB per tile", "FMA/cycle", "16-bit", "GHz", "TFLOP/s", "16-bit",
             "exchange, B/cycle", "sync, cycles", "grains in x out", "W", "source"});
  for (const auto& p : tern::test::machines)
    if (p.d.execution == model::mimd)
      row(out,
          {p.d.name, number(p.d.units), number(p.d.threads_per_unit), kib(p.d.local_bytes), number(p.d.fma_per_cycle),
           number(p.d.half_fma_per_cycle), number(p.d.clock_hz, 1e9), number(p.d.peak_flops(), 1e12),
           number(p.d.half_peak_flops(), 1e12), number(p.d.exchange_bytes_per_cycle), number(p.d.sync_cycles),
           number(p.d.input_grain) + " x " + number(p.d.output_grain), number(p.d.watts), p.d.source});

  out << "\n### SIMT\n\n";
  head(out, {"device", "SMs", "threads per SM", "shared, KiB", "L2, KiB", "FMA/cycle", "16-bit", "GHz", "TFLOP/s",
             "16-bit", "memory, GB", "GB/s", "W", "source"});
  for (const auto& p : tern::test::machines)
    if (p.d.execution == model::simt)
      row(out, {p.d.name, number(p.d.units), number(p.d.threads_per_unit), kib(p.d.local_bytes), kib(p.d.l2_bytes),
                number(p.d.fma_per_cycle), number(p.d.half_fma_per_cycle), number(p.d.clock_hz, 1e9),
                number(p.d.peak_flops(), 1e12), number(p.d.half_peak_flops(), 1e12), gigabytes(p.d.memory_bytes),
                number(p.d.memory_bytes_per_second, 1e9), number(p.d.watts), p.d.source});

  out << "\n### Systems\n\n";
  head(out, {"system", "chips", "of", "TFLOP/s", "links per chip", "GB/s per link", "efficiency", "host, GB/s",
             "sync, cycles", "W", "USD", "source"});
  for (const tern::system* s : tern::test::all_systems)
    row(out,
        {s->name, number(s->chips), s->chip.name, number(s->peak_flops(), 1e12), number(s->links_per_chip),
         number(s->bytes_per_second_per_link, 1e9), number(s->link_efficiency), number(s->host_bytes_per_second, 1e9),
         number(s->sync_cycles()), number(s->watts), number(s->price_usd), s->source});
}

}  // namespace

int main(int argc, char** argv) {
  std::ostringstream now;
  tables(now);
  if (argc < 3) {
    std::cout << now.str();
    return 0;
  }
  std::ostringstream page;
  page << std::ifstream(argv[2]).rdbuf();
  const std::string text = page.str();
  const auto begin = text.find(begin_mark), end = text.find(end_mark);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    std::cerr << argv[2] << ": no marks for the tables\n";
    return 1;
  }
  const auto from = begin + std::strlen(begin_mark);
  if (std::strcmp(argv[1], "--write") == 0) {
    std::ofstream(argv[2]) << text.substr(0, from) << now.str() << text.substr(end);
    return 0;
  }
  if (text.substr(from, end - from) == now.str()) return 0;
  std::cerr << argv[2] << ": the tables are not those of the catalogue: run " << argv[0] << " --write " << argv[2]
            << '\n';
  return 1;
}
