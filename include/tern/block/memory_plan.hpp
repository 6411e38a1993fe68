// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a training step as a table and as a picture: offsets and lifetimes.
#pragma once

#include <array>
#include <cstddef>

#include "tern/block/memory.hpp"
#include "tern/block/network.hpp"
#include "tern/core/config.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern::inline TERN_ISA {

/// One piece of memory of a training step.
struct memory_item {
  index_t block = 0;  ///< index of its owner
  memory_use of = memory_use::result;
  int first = 0, last = 0;  ///< steps
  memory_need size, at;     ///< at: its offset in the memory of the step
};

/// The memory of a network's training step, as a constant of its type. Prints a table with `std::cout <<
/// memory_plan<net>{32}`; `svg` draws a picture.
template <class Network>
struct memory_plan {
  index_t batch = 1;

  static constexpr std::size_t blocks = static_cast<std::size_t>(Network::root::count);
  /// Passes of blocks and sums of gradients; the first `forward_steps` are the forward pass.
  static constexpr int steps = Network::root::training().count, forward_steps = Network::root::training().forward_steps;
  static constexpr std::size_t count = [] {
    std::size_t n = 0;
    for (const detail::planned_tensor& t : Network::root::training().tensors) n += t.lives.lives() && t.is_own();
    return n;
  }();
  /// All pieces, in the order of their first steps.
  static constexpr std::array<memory_item, count> items = [] {
    std::array<memory_item, count> r{};
    std::size_t n = 0;
    for (const detail::planned_tensor& t : Network::root::training().tensors)
      if (t.lives.lives() && t.is_own()) r[n++] = {t.node, t.use, t.lives.first, t.lives.last, t.lives.need, t.at};
    return r;
  }();

  constexpr index_t bytes(const memory_need& need) const {
    return need.elements(batch) * static_cast<index_t>(sizeof(typename Network::value_type));
  }
  /// Peak bytes: the memory of a step besides parameters and their gradient.
  constexpr index_t peak() const { return bytes(Network::training_memory); }
  /// Bytes alive at a step.
  constexpr index_t living(int step) const {
    index_t sum = 0;
    for (const memory_item& i : items)
      if (i.first <= step && step <= i.last) sum += bytes(i.size);
    return sum;
  }

  /// Prints a line per block: its result, parameters, and bytes kept and used.
  template <class Stream>
  friend Stream& operator<<(Stream& out, const memory_plan& p) {
    const index_t element = static_cast<index_t>(sizeof(typename Network::value_type));
    out << "parameters " << Network::parameters * element << " bytes, gradient as much, statistics "
        << Network::statistics * element << "; a step of " << p.batch << " samples " << p.peak() << " bytes\n";
    out << "| block | result | result, bytes | kept | scratch | gradient | backward scratch "
           "|\n|---|---|---|---|---|---|---|\n";
    for (std::size_t b = 0; b < blocks; ++b) {
      index_t of[memory_uses] = {};
      for (const memory_item& i : items)
        if (i.block == static_cast<index_t>(b)) of[static_cast<int>(i.of)] += p.bytes(i.size);
      out << "| ";
      Network::root::print_name(out, static_cast<int>(b));
      out << " | " << Network::root::shape_of(static_cast<int>(b));
      for (index_t n : of) out << " | " << n;
      out << " |\n";
    }
    return out;
  }

  /// Draws a picture: steps to the right, addresses upwards, a rectangle per piece.
  template <class Stream>
  void svg(Stream& out) const {
    constexpr const char* colours[] = {"#4878cf", "#6acc65", "#c4ad66", "#d65f5f", "#b47cc7"};
    const double width = 960, height = 480, left = 8, top = 40, step_count = static_cast<double>(steps),
                 highest = static_cast<double>(peak() > 0 ? peak() : 1);
    out << "<svg xmlns='http://www.w3.org/2000/svg' width='" << width + 2 * left << "' height='" << height + top + 32
        << "' font-family='sans-serif' font-size='12'>\n<text x='" << left << "' y='16'>" << peak()
        << " bytes for a step of " << batch << " samples: forward and backward passes from left to right</text>\n";
    for (int p = 0; p < memory_uses; ++p)
      out << "<rect x='" << left + 150 * p << "' y='22' width='10' height='10' fill='" << colours[p] << "'/><text x='"
          << left + 150 * p + 14 << "' y='31'>" << name(static_cast<memory_use>(p)) << "</text>\n";
    for (const memory_item& i : items) {
      // Memory per sample and fixed memory are two separate parts.
      const auto draw = [&](index_t offset, index_t size) {
        if (size == 0) return;
        const double element = static_cast<double>(sizeof(typename Network::value_type));
        const double y = static_cast<double>(offset) * element / highest * height,
                     h = static_cast<double>(size) * element / highest * height;
        out << "<rect x='" << left + width * i.first / step_count << "' y='" << top + height - y - h << "' width='"
            << width * (i.last - i.first + 1) / step_count << "' height='" << h << "' fill='"
            << colours[static_cast<int>(i.of)] << "' stroke='white' stroke-width='0.5'><title>";
        Network::root::print_name(out, static_cast<int>(i.block));
        out << ", " << name(i.of) << ": " << bytes(i.size) << " bytes</title></rect>\n";
      };
      draw(i.at.per_sample * batch, i.size.per_sample * batch);
      draw(Network::training_memory.per_sample * batch + i.at.fixed, i.size.fixed);
    }
    out << "<text x='" << left << "' y='" << height + top + 20 << "'>forward</text><text x='"
        << left + width * forward_steps / step_count << "' y='" << height + top + 20 << "'>backward</text>\n</svg>\n";
  }
};

}  // namespace tern::inline TERN_ISA
