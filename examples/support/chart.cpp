// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chart.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace demo {

namespace {

constexpr double width = 560, height = 320, left = 72, top = 48;
constexpr const char* colours[] = {"#d65f5f", "#4878cf", "#6acc65", "#b47cc7", "#c4ad66", "#77bedb"};

/// Maps numbers to fractions of an axis.
class scale {
 public:
  scale(const axis& a, double low, double high) : logarithmic_(a.logarithmic), ticks_(a.ticks) {
    low_ = at(low), high_ = at(high);
    if (!(high_ > low_)) high_ = low_ + 1;
    if (!ticks_.empty()) return;
    if (logarithmic_) {
      low_ = std::floor(low_), high_ = std::ceil(high_);
      for (double p = low_; p <= high_; ++p) ticks_.push_back(std::pow(10.0, p));
      return;
    }
    const double rough = (high_ - low_) / 5, power = std::pow(10.0, std::floor(std::log10(rough))),
                 step = power * (rough > 5 * power   ? 10
                                 : rough > 2 * power ? 5
                                 : rough > power     ? 2
                                                     : 1);
    low_ = std::floor(low_ / step) * step, high_ = std::ceil(high_ / step) * step;
    for (double t = low_; t < high_ + step / 2; t += step) ticks_.push_back(std::fabs(t) < step / 2 ? 0 : t);
  }
  double operator()(double v) const { return (at(v) - low_) / (high_ - low_); }
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  double at(double v) const { return logarithmic_ ? std::log10(v) : v; }

  bool logarithmic_;
  std::vector<double> ticks_;
  double low_ = 0, high_ = 1;
};

template <class Member>
scale scale_of(const chart& c, const axis& a, Member member) {
  double low = INFINITY, high = -INFINITY;
  const auto take = [&](double v) { low = std::min(low, v), high = std::max(high, v); };
  for (const series& s : c.all)
    for (const auto& p : s.points) take(p.*member);
  for (const double t : a.ticks) take(t);
  return {a, low, high};
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const chart& c) {
  using point = std::pair<double, double>;
  const scale to_x = scale_of(c, c.x, &point::first), to_y = scale_of(c, c.y, &point::second);
  const auto x = [&](double v) { return left + width * to_x(v); };
  const auto y = [&](double v) { return top + height * (1 - to_y(v)); };

  out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << left + width + 32 << "' height='" << top + height + 56
      << "' font-family='sans-serif' font-size='12'>\n<text x='" << left << "' y='16'>" << c.title << "</text>\n";
  for (const double t : to_y.ticks())
    out << "<path d='M" << left << ' ' << y(t) << "h" << width << "' stroke='#ddd'/><text x='" << left - 8 << "' y='"
        << y(t) + 4 << "' text-anchor='end'>" << t << "</text>\n";
  for (const double t : to_x.ticks())
    out << "<text x='" << x(t) << "' y='" << top + height + 20 << "' text-anchor='middle'>" << t << "</text>\n";
  out << "<text x='" << left + width / 2 << "' y='" << top + height + 42 << "' text-anchor='middle'>" << c.x.title
      << "</text>\n<text x='16' y='" << top + height / 2 << "' text-anchor='middle' transform='rotate(-90 16 "
      << top + height / 2 << ")'>" << c.y.title << "</text>\n";
  for (std::size_t i = 0; i < c.all.size(); ++i) {
    const series& s = c.all[i];
    const char* const colour = colours[i % std::size(colours)];
    if (s.line) {
      out << "<polyline fill='none' stroke-width='2' stroke='" << colour << "' points='";
      for (const auto& p : s.points) out << x(p.first) << ',' << y(p.second) << ' ';
      out << "'/>\n";
    }
    for (const auto& p : s.points)
      out << "<circle cx='" << x(p.first) << "' cy='" << y(p.second) << "' r='" << (s.line ? 3 : 1.5) << "' fill='"
          << colour << "'><title>" << s.name << ": " << p.first << ", " << p.second << "</title></circle>\n";
    out << "<text x='" << left + width * static_cast<double>(i) / static_cast<double>(c.all.size()) << "' y='36' fill='"
        << colour << "'>" << s.name << "</text>\n";
  }
  return out << "</svg>\n";
}

void write_chart(const std::string& file, const chart& c) {
  const std::string part = file + ".part";
  const auto fail = [&] {
    const int error = errno;
    std::remove(part.c_str());
    throw std::runtime_error("cannot write " + file + ": " + std::strerror(error));
  };
  errno = 0;
  std::ofstream out(part);
  out << c;
  out.close();
  if (!out || std::rename(part.c_str(), file.c_str()) != 0) fail();
}

}  // namespace demo
