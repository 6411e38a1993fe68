// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of lessons: a trainer with its memory, steps on random batches, and inference.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "learner.hpp"
#include "lesson.hpp"
#include "tern/blocks.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"

namespace lessons::inline TERN_ISA {

/// Memory for samples, as in main.cpp; that of networks is zoo::floats.
inline std::vector<float> floats(index_t count) { return std::vector<float>(static_cast<std::size_t>(count)); }

/// A number from 0 to 1, the same on every machine.
inline double uniform(std::mt19937& random) { return static_cast<double>(random()) * 0x1p-32; }
/// A number around 0 with a deviation of about 1: the sum of twelve.
inline double gaussian(std::mt19937& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(random);
  return sum;
}

/// The rate of step i: rises during the first twentieth of the steps, then falls as a cosine.
inline double rate_at(index_t step, index_t steps, double most) {
  const double at = static_cast<double>(step + 1) / static_cast<double>(steps);
  return most * std::fmin(at * 20, 0.5 + 0.5 * std::cos(3.14159265358979 * at) + 0.01);
}

template <class Net, class Loss>
class course {
 public:
  using trainer = tern::trainer<Net, Loss, tern::adam<>>;
  using target_type = typename trainer::target_type;

  course(index_t batch, int threads)
      : batch_(batch),
        crew_(threads),
        memory_(zoo::floats(trainer::elements(Net::whole_batch ? batch : trainer::samples_at_a_time(batch)))),
        trainer_(std::span<float>(memory_)),
        x_(floats(batch * Net::in.size())),
        target_(static_cast<std::size_t>(batch * trainer::targets)) {
    trainer_.initialize(1);
  }
  std::span<float> parameters() { return trainer_.parameters(); }
  /// \param draw  makes a batch: draw(x, target)
  template <class Draw>
  void learn(const task& k, double rate, Draw draw) {
    for (index_t i = 0; i < k.steps; ++i) {
      draw(x_, target_);
      const tern::step_report r =
          trainer_.step(crew_, std::span<const float>(x_), std::span<const target_type>(target_),
                        {.rate = rate_at(i, k.steps, rate)});
      k.report(i, r.loss);
    }
  }
  /// The results of the network for samples.
  std::vector<float> infer(const std::vector<float>& x) {
    const index_t n = static_cast<index_t>(x.size()) / Net::in.size();
    std::vector<float> y = floats(n * Net::out.size());
    auto packed = zoo::floats(Net::packed), working = zoo::floats(Net::packed_infer_elements(n, crew_.concurrency()));
    const auto ready = Net::pack(trainer_.parameters(), trainer_.statistics(), std::span<float>(packed));
    Net::infer(crew_, ready, std::span<const float>(x), std::span<float>(y), std::span<float>(working));
    return y;
  }

 private:
  template <class V>
  static auto slice_of(V& v, index_t first, index_t count, index_t size) {
    return std::span(v).subspan(static_cast<std::size_t>(first * size), static_cast<std::size_t>(count * size));
  }

  index_t batch_;
  tern::team crew_;
  tern::aligned_vector<float> memory_;
  trainer trainer_;
  std::vector<float> x_;
  std::vector<target_type> target_;
};

/// The share of samples whose largest result of the first ten is not their label.
inline double share_wrong(const std::vector<float>& results, const std::vector<std::int32_t>& labels, index_t classes,
                          std::vector<bool>* right = nullptr) {
  index_t wrong = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float* const row = results.data() + static_cast<index_t>(i) * classes;
    const bool ok = std::max_element(row, row + 10) - row == labels[i];
    wrong += !ok;
    if (right) right->push_back(ok);
  }
  return static_cast<double>(wrong) / static_cast<double>(labels.size());
}

/// Handwritten digits, moved by up to a few pixels.
/// \param side      pixels of an image
/// \param channels  number of channels, which are all equal
/// \param shift     most pixels by which an image is moved
inline auto drawn_digits(const digit_images& from, std::mt19937& random, index_t side, index_t channels,
                         index_t shift) {
  return [&from, &random, side, channels, shift](std::vector<float>& x, std::vector<std::int32_t>& label) {
    float* to = x.data();
    for (std::int32_t& l : label) {
      const std::size_t i = random() % from.labels.size();
      l = from.labels[i];
      const float* const image = from.images.data() + static_cast<index_t>(i) * side * side;
      const auto moved = [&] { return static_cast<index_t>(random() % static_cast<unsigned>(2 * shift + 1)) - shift; };
      const index_t dy = moved(), dx = moved();
      for (index_t y = 0; y < side; ++y)
        for (index_t u = 0; u < side; ++u) {
          const index_t fy = y + dy, fx = u + dx;
          const float value = fy >= 0 && fy < side && fx >= 0 && fx < side ? image[fy * side + fx] : 0.0f;
          for (index_t c = 0; c < channels; ++c) *to++ = value;
        }
    }
  };
}
/// Images with `channels` equal channels.
inline std::vector<float> in_channels(const std::vector<float>& images, index_t channels) {
  std::vector<float> x;
  for (const float v : images) x.insert(x.end(), static_cast<std::size_t>(channels), v);
  return x;
}
/// A sheet of held-out digits; those classified wrongly have a bright background.
inline picture sheet_of_digits(const digit_images& from, const std::vector<bool>& right, index_t side, index_t columns,
                               index_t rows) {
  picture p{side, columns, {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(columns * rows); ++i)
    for (index_t q = 0; q < side * side; ++q) {
      const float v = from.images[i * static_cast<std::size_t>(side * side) + static_cast<std::size_t>(q)];
      p.pixels.push_back(right[i] ? v : 1 - v);
    }
  return p;
}

struct digits_lesson {
  index_t side, channels;  ///< of an image
  index_t batch;
  index_t shift;          ///< most pixels by which an image is moved
  index_t columns, rows;  ///< of the picture
};
/// A network with ten classes or more learns digits.
template <class Net, class Loss>
outcome learn_digits(const task& k, const digits_lesson& l) {
  course<Net, Loss> c(l.batch, k.threads);
  const std::vector<float> x = in_channels(k.held_out.images, l.channels);
  outcome o;
  o.untrained = share_wrong(c.infer(x), k.held_out.labels, Net::out.channels);
  std::mt19937 random(1);
  c.learn(k, 1e-3, drawn_digits(k.learned, random, l.side, l.channels, l.shift));
  std::vector<bool> right;
  o.trained = share_wrong(c.infer(x), k.held_out.labels, Net::out.channels, &right);
  o.shown = sheet_of_digits(k.held_out, right, l.side, l.columns, l.rows);
  return o;
}

}  // namespace lessons::inline TERN_ISA
