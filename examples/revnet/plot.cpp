// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plot.hpp"

#include <algorithm>
#include <cmath>

namespace revnet {

void plot(const bytes_by_depth& bytes, index_t batch, std::ostream& out) {
  constexpr double width = 560, height = 320, left = 72, top = 48;
  constexpr const char* colours[strategies] = {"#d65f5f", "#4878cf", "#6acc65"};
  double least = bytes.of[0][0], most = least;
  for (const auto& row : bytes.of)
    for (const double b : row) least = std::min(least, b), most = std::max(most, b);
  const double low = std::floor(std::log10(least)), high = std::ceil(std::log10(most));
  const auto x = [&](int d) {
    return left +
           width * std::log2(static_cast<double>(depths[d])) / std::log2(static_cast<double>(depths[depth_count - 1]));
  };
  const auto y = [&](double b) { return top + height * (1 - (std::log10(b) - low) / (high - low)); };

  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << left + width + 32 << "' height='" << top + height + 56
      << "' font-family='sans-serif' font-size='12'>\n<text x='" << left
      << "' y='16'>Activation bytes of a training step of " << batch << " samples</text>\n";
  for (double p = low; p <= high; ++p) {
    const double at = y(std::pow(10.0, p));
    out << "<path d='M" << left << ' ' << at << "h" << width << "' stroke='#ddd'/><text x='" << left - 8 << "' y='"
        << at + 4 << "' text-anchor='end'>10<tspan dy='-5' font-size='9'>" << p << "</tspan></text>\n";
  }
  for (int d = 0; d < depth_count; ++d)
    out << "<text x='" << x(d) << "' y='" << top + height + 20 << "' text-anchor='middle'>" << depths[d] << "</text>\n";
  out << "<text x='" << left + width / 2 << "' y='" << top + height + 42
      << "' text-anchor='middle'>blocks per stage</text>\n";
  for (int s = 0; s < strategies; ++s) {
    out << "<polyline fill='none' stroke-width='2' stroke='" << colours[s] << "' points='";
    for (int d = 0; d < depth_count; ++d) out << x(d) << ',' << y(bytes.of[s][d]) << ' ';
    out << "'/>\n";
    for (int d = 0; d < depth_count; ++d)
      out << "<circle cx='" << x(d) << "' cy='" << y(bytes.of[s][d]) << "' r='3' fill='" << colours[s] << "'><title>"
          << strategy_names[s] << ", " << depths[d] << ": " << static_cast<long long>(bytes.of[s][d])
          << " bytes</title></circle>\n";
    out << "<text x='" << left + 130 * s << "' y='36' fill='" << colours[s] << "'>" << strategy_names[s] << "</text>\n";
  }
  out << "</svg>\n";
}

}  // namespace revnet
