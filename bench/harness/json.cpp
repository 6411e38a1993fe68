// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>

#include "bench/harness/output.hpp"
#include "bench/support/caches.hpp"
#include "bench/support/environment.hpp"

namespace tern::bench {

namespace {

std::string quoted(const std::string& text) {
  std::string s = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') s += '\\';
    s += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return s + "\"";
}
std::string value(const std::string& text) { return quoted(text); }
std::string value(const char* text) { return quoted(text); }
std::string value(bool b) { return b ? "true" : "false"; }
std::string value(index_t i) { return std::to_string(i); }
std::string value(double x) {
  if (!std::isfinite(x)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

/// The fields of one object.
class object {
 public:
  object(std::ostream& out, const char* indent) : out_(out), indent_(indent) { out_ << "{"; }
  ~object() { out_ << "\n" << indent_ << "}"; }
  object(const object&) = delete;
  object& operator=(const object&) = delete;

  template <class T>
  void add(const std::string& name, const T& x) {
    field(name) << value(x);
  }
  std::ostream& field(const std::string& name) {
    out_ << (first_ ? "\n" : ",\n") << indent_ << "  " << quoted(name) << ": ";
    first_ = false;
    return out_;
  }

 private:
  std::ostream& out_;
  const char* indent_;
  bool first_ = true;
};

void write_context(std::ostream& out, const char* executable) {
  object o(out, "  ");
  for (const auto& [name, text] : environment()) o.add(name, text);
  o.add("executable", executable);
  o.add("library_build_type", "release");
  o.add("num_cpus", static_cast<index_t>(usable_cpus().size()));
  o.add("peak_and_bandwidth", "measured in the same rounds: see the fields of each entry");
  std::ostream& list = o.field("caches");
  list << "[";
  bool first = true;
  for (const cache& c : caches()) {
    list << (first ? "" : ", ") << "{\"type\": " << quoted(c.type) << ", \"level\": " << c.level
         << ", \"size\": " << c.bytes << ", \"num_sharing\": 0}";
    first = false;
  }
  list << "]";
}

void write_case(std::ostream& out, const row_result& row, const case_result& r) {
  object o(out, "    ");
  const variant& v = *r.c.how;
  const std::string name = r.c.descriptor();
  char checksum[17];
  std::snprintf(checksum, sizeof checksum, "%016llx", static_cast<unsigned long long>(r.checksum));
  o.add("name", name + "_median");
  o.add("run_name", name);
  o.add("run_type", "aggregate");
  o.add("aggregate_name", "median");
  o.add("aggregate_unit", "time");
  o.add("repetitions", static_cast<index_t>(r.time.used().size()));
  o.add("threads", index_t(row.threads));
  o.add("iterations", static_cast<index_t>(r.time.all.size()));
  o.add("real_time", 1e9 * r.time.median());
  o.add("cpu_time", 1e9 * r.time.median());
  o.add("time_unit", "ns");
  if (!r.failure.empty()) {
    o.add("error_occurred", true);
    o.add("error_message", r.failure);
  }
  o.add("time_p10", 1e9 * r.time.quantile(0.1));
  o.add("time_p90", 1e9 * r.time.quantile(0.9));
  o.add("row", row.what.row);
  o.add("problem", row.what.text());
  o.add("weights", v.weights);
  o.add("policy", v.policy);
  o.add("executor", r.c.where.name);
  o.add("peer", v.peer);
  o.add("loop", v.loop);
  o.add("exact", v.exact);
  o.add("judged", v.judged && row.what.judged && r.c.where.usual());
  o.add("judged_row", row.what.judged);
  o.add("tuned", v.tuned);
  if (!v.cut.layout.empty())
    o.add("layout", v.cut.layout), o.add("samples", v.cut.samples), o.add("chosen", v.cut.chosen);
  if (row.what.conv)
    o.add("op", row.what.constructs ? "construction" : "convolution"), o.add("batch", row.what.conv->shape.batch);
  else if (row.what.pool)
    o.add("op", "pool"), o.add("batch", row.what.pool->shape.batch);
  else if (row.what.moving)
    o.add("op", row.what.moving->map() ? "map" : "reduction"), o.add("batch", row.what.moving->batch);
  else
    o.add("op", "matmul"), o.add("m", row.what.op.m), o.add("n", row.what.op.n), o.add("k", row.what.op.k),
        o.add("batch", row.what.op.batch);
  o.add("flop", row.what.flops());
  o.add("bytes", row.what.bytes());
  const double t = r.time.median();
  o.add("flops_per_second", t > 0 ? row.what.flops() / t : 0.);
  o.add("bytes_per_second", t > 0 ? row.what.bytes() / t : 0.);
  o.add("peak_flops_per_second", row.peak);
  o.add("read_bytes_per_second", row.read);
  o.add("copy_bytes_per_second", row.copy);
  o.add("data_in", name_of(row.data));
  o.add("bound", 1e9 * row.bound());
  o.add("bound_by", row.bound_by_memory() ? "memory" : "arithmetic");
  o.add("against_best_peer", row.against_peers(r));
  o.add("workspace_bytes", r.workspace_bytes);
  o.add("allocations", r.allocations);
  o.add("error", r.error);
  o.add("checksum", checksum);
}

}  // namespace

void write_json(std::ostream& out, const std::vector<row_result>& rows, const char* executable) {
  out << "{\n  \"context\": ";
  write_context(out, executable);
  out << ",\n  \"benchmarks\": [";
  bool first = true;
  for (const row_result& row : rows)
    for (const case_result& r : row.cases) {
      out << (first ? "\n    " : ",\n    ");
      first = false;
      write_case(out, row, r);
    }
  out << "\n  ]";
  for (const ending& e : endings()) e.write_json(out);
  out << "\n}\n";
}

}  // namespace tern::bench
