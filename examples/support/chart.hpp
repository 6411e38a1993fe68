// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Charts as SVG.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace demo {

struct axis {
  std::string title;
  bool logarithmic = false;
  std::vector<double> ticks;  ///< round numbers if empty
};

/// Points (x, y), joined by a line or not.
struct series {
  std::string name;
  bool line = true;
  std::vector<std::pair<double, double>> points;
};

struct chart {
  std::string title;
  axis x, y;
  std::vector<series> all;
};

std::ostream& operator<<(std::ostream&, const chart&);

/// Writes a file, or leaves an existing one unchanged. \throws std::runtime_error  if it cannot be written
void write_chart(const std::string& file, const chart&);

}  // namespace demo
