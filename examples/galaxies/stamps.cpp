// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stamps.hpp"

#include <png.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace galaxies {

namespace {

[[noreturn]] void fail(const std::string& file, const char* what, const char* why) {
  throw std::runtime_error("cannot " + std::string(what) + " " + file + ": " + why);
}

png_image rgb() {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  return image;
}

}  // namespace

picture read_png(const std::string& file) {
  png_image image = rgb();
  if (!png_image_begin_read_from_file(&image, file.c_str())) fail(file, "read", image.message);
  image.format = PNG_FORMAT_RGB;
  std::vector<png_byte> bytes(PNG_IMAGE_SIZE(image));
  if (!png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr)) fail(file, "read", image.message);
  picture p{static_cast<index_t>(image.width), static_cast<index_t>(image.height), std::vector<float>(bytes.size())};
  std::transform(bytes.begin(), bytes.end(), p.pixels.begin(), [](png_byte b) { return static_cast<float>(b) / 255; });
  return p;
}

void write_png(const std::string& file, const picture& p) {
  std::vector<png_byte> bytes(p.pixels.size());
  std::transform(p.pixels.begin(), p.pixels.end(), bytes.begin(),
                 [](float x) { return static_cast<png_byte>(std::clamp(x, 0.0f, 1.0f) * 255 + 0.5f); });
  png_image image = rgb();
  image.width = static_cast<png_uint_32>(p.width), image.height = static_cast<png_uint_32>(p.height);
  image.format = PNG_FORMAT_RGB;
  const std::string part = file + ".part";
  if (!png_image_write_to_file(&image, part.c_str(), 0, bytes.data(), 0, nullptr)) {
    std::remove(part.c_str());
    fail(file, "write", image.message);
  }
  if (std::rename(part.c_str(), file.c_str()) != 0) {
    std::remove(part.c_str());
    fail(file, "write", "it cannot be put in its place");
  }
}

std::vector<float> cut_stamps(const picture& sky, index_t first_row, index_t last_row, index_t step) {
  constexpr index_t middle = side / 4;  // the margin around it
  const auto brightness = [&](index_t x0, index_t y0, index_t margin) {
    double sum = 0;
    for (index_t y = y0 + margin; y < y0 + side - margin; ++y)
      for (index_t x = x0 + margin; x < x0 + side - margin; ++x)
        for (index_t c = 0; c < colours; ++c) sum += static_cast<double>(sky.at(x, y)[c]);
    const auto width = static_cast<double>(side - 2 * margin);
    return sum / (width * width);
  };
  std::vector<float> stamps;
  for (index_t y0 = first_row; y0 + side <= last_row; y0 += step)
    for (index_t x0 = 0; x0 + side <= sky.width; x0 += step) {
      if (brightness(x0, y0, middle) < 1.3 * brightness(x0, y0, 0)) continue;
      for (index_t y = y0; y < y0 + side; ++y)
        stamps.insert(stamps.end(), sky.at(x0, y), sky.at(x0, y) + side * colours);
    }
  return stamps;
}

picture sheet(const std::vector<const float*>& rows, index_t count) {
  constexpr index_t gap = 4, zoom = 2;
  picture p{count * (zoom * side + gap) + gap, static_cast<index_t>(rows.size()) * (zoom * side + gap) + gap, {}};
  p.pixels.assign(static_cast<std::size_t>(p.width * p.height * colours), 0.25f);
  index_t top = gap;
  for (const float* const row : rows) {
    for (index_t i = 0; i < count; ++i)
      for (index_t y = 0; y < zoom * side; ++y)
        for (index_t x = 0; x < zoom * side; ++x)
          std::copy_n(row + ((i * side + y / zoom) * side + x / zoom) * colours, colours,
                      p.at(gap + i * (zoom * side + gap) + x, top + y));
    top += zoom * side + gap;
  }
  return p;
}

}  // namespace galaxies
