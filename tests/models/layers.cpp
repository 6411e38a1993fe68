// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/models/layers.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace tern::test {
namespace {

[[noreturn]] void end(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::exit(2);
}

/// The text before a separator; `line` keeps the text after it.
std::string up_to(const char* separator, std::string& line) {
  const std::size_t at = line.find(separator);
  const std::string before = line.substr(0, at);
  line = at == std::string::npos ? "" : line.substr(at + std::string(separator).size());
  return before;
}

}  // namespace

std::vector<model> read_models(const char* file) {
  std::ifstream in(file);
  if (!in) end("there is no file", file);
  std::vector<model> models;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::string rest = line;
    if (rest.rfind("model ", 0) == 0) {
      up_to(" ", rest);
      model m;
      m.name = up_to(": ", rest), m.certainty = up_to(", ", rest), m.source = rest;
      if (m.source.empty()) end("a model without a source", line);
      models.push_back(m);
      continue;
    }
    layer l;
    l.count = std::atoi(up_to(" ", rest).c_str()), l.name = up_to(": ", rest);
    l.shape = up_to(" |", rest), l.after = rest;
    l.op = l.shape.substr(0, l.shape.find(' '));
    if (models.empty() || l.count < 1 || l.op.size() == l.shape.size()) end("this is no layer", line);
    models.back().layers.push_back(l);
  }
  return models;
}

}  // namespace tern::test
