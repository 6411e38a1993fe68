// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a training step or of inference as a table and as a picture: offsets and lifetimes.
#pragma once

#include <array>
#include <cstddef>

#include "tern/block/memory.hpp"
#include "tern/block/network.hpp"
#include "tern/core/config.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern::inline TERN_ISA {

/// The plans of a network.
enum class plan_of { training, inference };

/// One piece of memory of a plan.
struct memory_item {
  index_t block = 0;  ///< index of its owner; in inference the last of the blocks that are fused
  memory_use of = memory_use::result;
  int first = 0, last = 0;  ///< steps
  memory_need size, at;     ///< at: its offset in the memory of the call
};

/// The memory of a network's training step, or of inference without packed weights, as a constant of its type. Prints a
/// table with `std::cout << memory_plan<net>{32}`; `svg` draws a picture.
template <class Network, plan_of Of = plan_of::training>
struct memory_plan {
  index_t batch = 1;

 private:
  static constexpr bool trains = Of == plan_of::training;
  static constexpr const auto& plan() {
    if constexpr (trains)
      return Network::root::training();
    else
      return Network::root::inference();
  }

 public:
  static constexpr std::size_t blocks = static_cast<std::size_t>(Network::root::count);
  /// Passes of blocks and sums of gradients; the first `forward_steps` are the forward pass.
  static constexpr int steps = plan().count, forward_steps = plan().forward_steps;
  static constexpr std::size_t count = [] {
    std::size_t n = 0;
    for (const detail::planned_tensor& t : plan().tensors) n += t.lives.lives() && t.is_own();
    return n;
  }();
  /// All pieces, in the order of their first steps.
  static constexpr std::array<memory_item, count> items = [] {
    std::array<memory_item, count> r{};
    std::size_t n = 0;
    for (const detail::planned_tensor& t : plan().tensors)
      if (t.lives.lives() && t.is_own()) r[n++] = {t.node, t.use, t.lives.first, t.lives.last, t.lives.need, t.at};
    return r;
  }();

  constexpr index_t bytes(const memory_need& need) const {
    return need.elements(batch) * static_cast<index_t>(sizeof(typename Network::value_type));
  }
  /// Peak bytes: the memory of a call besides parameters and their gradient.
  constexpr index_t peak() const { return bytes(need()); }
  /// Bytes alive at a step.
  constexpr index_t living(int step) const {
    index_t sum = 0;
    for (const memory_item& i : items)
      if (i.first <= step && step <= i.last) sum += bytes(i.size);
    return sum;
  }

  /// Prints a line per block: its result, and bytes by use.
  template <class Stream>
  friend Stream& operator<<(Stream& out, const memory_plan& p) {
    const index_t element = static_cast<index_t>(sizeof(typename Network::value_type));
    out << "parameters " << Network::parameters * element << " bytes, " << (trains ? "gradient as much, " : "")
        << "statistics " << Network::statistics * element << "; " << call() << " of " << p.batch
        << (p.batch == 1 ? " sample " : " samples ") << p.peak() << " bytes\n| block | result | result, bytes";
    each_use([&](memory_use u) {
      if (u != memory_use::result) out << " | " << name(u);
    });
    out << " |\n|---|---";
    each_use([&](memory_use) { out << "|---"; });
    out << "|\n";
    for (std::size_t b = 0; b < blocks; ++b) {
      index_t of[memory_uses] = {};
      for (const memory_item& i : items)
        if (i.block == static_cast<index_t>(b)) of[static_cast<int>(i.of)] += p.bytes(i.size);
      out << "| ";
      Network::root::print_name(out, static_cast<int>(b));
      out << " | " << Network::root::shape_of(static_cast<int>(b));
      each_use([&](memory_use u) { out << " | " << of[static_cast<int>(u)]; });
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
        << "' font-family='sans-serif' font-size='12'>\n<text x='" << left << "' y='16'>" << peak() << " bytes for "
        << call() << " of " << batch << (batch == 1 ? " sample" : " samples") << ": "
        << (trains ? "forward and backward passes" : "passes") << " from left to right</text>\n";
    double legend = left;
    each_use([&](memory_use u) {
      out << "<rect x='" << legend << "' y='22' width='10' height='10' fill='" << colours[static_cast<int>(u)]
          << "'/><text x='" << legend + 14 << "' y='31'>" << name(u) << "</text>\n";
      legend += 150;
    });
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
      draw(need().per_sample * batch + i.at.fixed, i.size.fixed);
    }
    if (trains)
      out << "<text x='" << left << "' y='" << height + top + 20 << "'>forward</text><text x='"
          << left + width * forward_steps / step_count << "' y='" << height + top + 20 << "'>backward</text>\n";
    out << "</svg>\n";
  }

 private:
  static constexpr memory_need need() { return trains ? Network::training_memory : Network::infer_memory; }
  static constexpr const char* call() { return trains ? "a step" : "inference"; }
  /// Calls f(use) for the uses of memory in the plan.
  template <class F>
  static void each_use(F f) {
    for (int u = 0; u < memory_uses; ++u)
      if (const auto use = static_cast<memory_use>(u);
          trains || use == memory_use::result || use == memory_use::forward_scratch)
        f(use);
  }
};

}  // namespace tern::inline TERN_ISA
