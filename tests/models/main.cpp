// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the layers of layers.txt that tern has operations for, every shape once.
//
//     model_layers [--seed N] [--every N | --write DOCUMENT]
//
// The option --seed repeats a run; without it every run has other numbers. The option --every runs every Nth shape,
// different ones for each seed, if all shapes would take too long. The option --write puts the results in a table
// between the two markers of a document (docs/models.md).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "tests/models/layers.hpp"

namespace tern::test {
namespace {

/// The columns of the table. A family that tern gains is a line here.
struct family {
  const char* title;
  const char* ops[4];
  std::string (*fault)(const std::string& shape, unsigned seed);
};
constexpr family families[] = {
    {"convolutions", {"conv1d", "conv2d", "conv3d"}, fault_of_conv},
    {"transposed ones", {"conv_transpose1d", "conv_transpose2d", "conv_transpose3d"}, fault_of_conv},
    {"matmuls", {"matmul", "batched_matmul"}, fault_of_matmul},
    {"pools", {"maxpool", "avgpool", "global_avgpool"}, fault_of_pool},
    {"norms", {"batchnorm", "groupnorm", "layernorm"}, fault_of_norm},
    {"softmax", {"softmax"}, fault_of_softmax},
    {"sums, scales, PReLU", {"add", "channel_scale", "mul", "prelu"}, fault_of_map},
    {"dropout, samples", {"dropout", "gaussian_sample"}, fault_of_draw}};

const family* family_of(const layer& l) {
  for (const family& f : families)
    for (const char* op : f.ops)
      if (op && l.op == op) return &f;
  return nullptr;
}

using faults = std::map<std::string, std::string>;

/// The error of each shape.
faults run(const std::vector<model>& models, unsigned every, unsigned seed) {
  faults found;
  unsigned count = seed;
  for (const model& m : models)
    for (const layer& l : m.layers) {
      const family* f = family_of(l);
      if (!f || found.count(l.shape)) continue;
      if (count++ % every != 0) continue;
      const std::string fault = found[l.shape] = f->fault(l.shape, seed);
      if (!fault.empty())
        std::printf("%s, %s, %s: %s\n", m.name.c_str(), l.name.c_str(), l.shape.c_str(), fault.c_str());
    }
  return found;
}

/// "3 of 4" of the shapes of a model that are of a family; nothing where it has none.
std::string cell(const model& m, const family& f, const faults& found) {
  int all = 0, right = 0;
  for (const layer& l : m.layers) {
    if (family_of(l) != &f) continue;
    const auto at = found.find(l.shape);
    ++all, right += at != found.end() && at->second.empty();
  }
  return all ? std::to_string(right) + " of " + std::to_string(all) : "";
}

std::string table(const std::vector<model>& models, const faults& found) {
  std::string head = "| model |", rule = "|---|", lines;
  for (const family& f : families) head += std::string(" ") + f.title + " |", rule += "---|";
  for (const model& m : models) {
    std::string line = "| `" + m.name + "` |";
    for (const family& f : families) line += " " + cell(m, f, found) + " |";
    std::map<std::string, int> others;
    for (const layer& l : m.layers)
      if (!family_of(l)) ++others[l.op];
    std::string names;
    for (const auto& [op, count] : others) names += (names.empty() ? "" : ", ") + op + " " + std::to_string(count);
    lines += line + " " + names + " | " + m.certainty + " | " + m.source + " |\n";
  }
  return head + " not run | sure | source |\n" + rule + "---|---|---|\n" + lines;
}

constexpr const char *begin = "<!-- written by tests/models -->\n", *end = "<!-- end -->";

bool write(const char* document, const std::string& text) {
  std::ifstream in(document);
  const std::string old{std::istreambuf_iterator<char>(in), {}};
  const std::size_t first = old.find(begin), last = old.find(end);
  if (first == std::string::npos || last == std::string::npos) return false;
  in.close();
  std::ofstream out(document);
  out << old.substr(0, first) << begin << "\n" << text << "\n" << old.substr(last);
  return out.good();
}

}  // namespace
}  // namespace tern::test

int main(int argc, char** argv) {
  using namespace tern::test;
  unsigned every = TERN_MODELS_EVERY, seed = std::random_device{}();
  const char* document = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
    const auto number = [&] { return static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10)); };
    if (is("--seed"))
      seed = number();
    else if (is("--every"))
      every = number();
    else if (is("--write"))
      document = argv[i + 1];
    else
      every = 0;
  }
  if (argc % 2 == 0 || every == 0 || (document && every > 1)) {
    std::fprintf(stderr, "usage: model_layers [--seed N] [--every N | --write DOCUMENT]\n");
    return 2;
  }
  const std::vector<model> models = read_models(TERN_MODELS_TABLE);
  const faults found = run(models, every, seed);
  std::size_t right = 0;
  for (const auto& [shape, fault] : found) right += fault.empty();
  const std::string sum = std::to_string(right) + " of " + std::to_string(found.size());
  std::printf("%s shapes of layers are right, seed %u\n", sum.c_str(), seed);
  if (document && !write(document, "**" + sum + " shapes of layers are right.**\n\n" + table(models, found))) {
    std::fprintf(stderr, "model_layers: cannot write %s\n", document);
    return 2;
  }
  return right == found.size() && right > 0 ? 0 : 1;
}
