// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/batching/modelled.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "bench/harness/problem.hpp"
#include "tern/device/catalog.hpp"
#include "tern/mimd.hpp"
#include "tern/policy/layout_for.hpp"
#include "tern/policy/training_batch_for.hpp"
#include "tern/simt.hpp"
#include "tests/support/variants.hpp"

namespace tern::bench {
namespace {

/// A layout of float32 images: the number of adjacent channels; 0: none, they are planes.
struct arrangement {
  const char* name;
  index_t block;  ///< -1: all

  bool planes() const { return block == 0; }
  bool blocked() const { return block > 0; }
  /// Bytes in memory per byte of such images, padding included.
  double padded(index_t channels) const {
    if (!blocked()) return 1;
    return static_cast<double>((channels + block - 1) / block * block) / static_cast<double>(channels);
  }
};
constexpr arrangement arrangements[] = {{"last", -1}, {"blocks of 8", 8}, {"blocks of 16", 16}, {"planes", 0}};

bool is_choice(const arrangement& a, const layout_choice& c) {
  return c.kind == layout_kind::channel_blocked ? a.block == c.block : a.block == -1;
}

/// The images that a pass reads and writes: channels and elements.
struct images_of_pass {
  struct one {
    index_t channels, elements;
  };
  std::vector<one> read, written;
};

images_of_pass images_of(const conv_shape& s, conv_work work) {
  const index_t in = s.groups * s.in, out = s.groups * s.out;
  const images_of_pass::one wide{in, s.batch * in * s.axis[0].in * s.axis[1].in * s.axis[2].in},
      narrow{out, s.batch * out * s.positions()};
  if (work == conv_work::forward) return {{wide}, {narrow}};
  if (work == conv_work::data) return {{narrow}, {wide}};
  return {{wide, narrow}, {}};
}

template <const device& D>
double seconds_of_pass(const conv_shape& s, conv_work work, const arrangement& a) {
  constexpr index_t element_bytes = 4;
  const images_of_pass images = images_of(s, work);
  if constexpr (D.execution == model::mimd) {
    const plan p = convolution_kernel<mimd<D>>::template plan_for<float>(work, s);
    double cycles = p.cycles;
    const index_t group = layout_for<conv2d<conv2d_config{.in = 1, .out = 1}>>(D).activations.block;
    const auto share = [&](const images_of_pass::one& i) {
      return static_cast<double>(i.elements * element_bytes) / D.units;
    };
    const auto grouped = [&](const images_of_pass::one& i) {
      return a.block == group || (a.block == -1 && i.channels == group);
    };
    for (const auto& i : images.read) {
      cycles += (a.padded(i.channels) - 1) * share(i) / D.exchange_bytes_per_cycle;
      if (grouped(i)) continue;
      const double f = i.channels % 2 == 0 ? 5. / 4 : 5. / 3;
      cycles += share(i) * f / element_bytes + share(i) / D.exchange_bytes_per_cycle;
    }
    for (const auto& i : images.written)
      if (!grouped(i)) cycles += share(i) * 5 / 4 / std::min(8, D.output_grain * static_cast<int>(element_bytes));
    return cycles / D.clock_hz;
  } else {
    const double cycles = convolution_kernel<simt<D>>::template plan_for<float>(work, s).cycles;
    double bytes = static_cast<double>(s.groups * s.in * s.out * s.taps() * element_bytes);
    for (const auto* list : {&images.read, &images.written})
      for (const auto& i : *list)
        bytes += static_cast<double>(i.elements * element_bytes) * (a.planes() ? 3 : a.padded(i.channels));
    return std::max(cycles / D.clock_hz, bytes / D.memory_bytes_per_second);
  }
}

template <const device& D>
double seconds_of_step(const variants::conv_workload& w, index_t samples, const arrangement& a) {
  double seconds = 0;
  const conv_shape s = problem_of(w, samples).conv->shape;
  for (const conv_work work : {conv_work::forward, conv_work::data, conv_work::weights})
    seconds += seconds_of_pass<D>(s, work, a);
  return seconds;
}

template <const device& D, int I>
void add_workload(std::vector<modelled_case>& all) {
  using op = variants::op_of_workload<I, float>;
  constexpr const variants::conv_workload& w = variants::conv_workloads[I];
  const conv_sizes<w.rank> sizes{.extent = w.extent};
  const batch_choice choice = training_batch_for<op>(D, modelled_batch, sizes);
  if (!choice.fits) return;
  const index_t chosen = choice.accumulates ? choice.micro_batch : modelled_batch;
  for (const index_t samples : std::set<index_t>{1, 4, 16, 64, modelled_batch, chosen}) {
    const batch_choice whole = training_batch_for<op>(D, samples, sizes);
    if (!whole.fits || whole.steps > 1) continue;
    for (const arrangement& a : arrangements) {
      const index_t rest = modelled_batch % samples;
      const double seconds = static_cast<double>(modelled_batch / samples) * seconds_of_step<D>(w, samples, a) +
                             (rest > 0 ? seconds_of_step<D>(w, rest, a) : 0);
      all.push_back(
          {D.name, w.name, a.name, samples, samples == chosen && is_choice(a, layout_for<op>(D).activations), seconds});
    }
  }
}

template <const device& D>
void add_device(std::vector<modelled_case>& all) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (add_workload<D, I>(all), ...);
  }(std::make_integer_sequence<int, variants::conv_workload_count>{});
}

}  // namespace

std::vector<modelled_case> modelled_cases() {
  std::vector<modelled_case> all;
  add_device<devices::gc2>(all);
  add_device<devices::gc200>(all);
  add_device<devices::bow>(all);
  add_device<devices::p100>(all);
  add_device<devices::v100>(all);
  add_device<devices::t4>(all);
  add_device<devices::a100>(all);
  add_device<devices::h100>(all);
  add_device<devices::h200>(all);
  return all;
}

}  // namespace tern::bench
