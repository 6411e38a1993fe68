// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network, as one type, and its training. Compiled once for each instruction set (see CMakeLists.txt), so
// everything but make_network has internal linkage.
#include <ostream>
#include <span>

#include "block.hpp"
#include "model.hpp"
#include "tern/blocks.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"

namespace digits_cnn {
namespace {

using net = tern::network<cnn, tern::sample_shape::image(1, side, side), tern::simd<>>;
using trainer =
    tern::trainer<net, tern::cross_entropy<tern::loss_config{.reduce = tern::reduction::sum}>, tern::adam<>>;
constexpr index_t pixels = side * side;

/// Memory for training, which also suffices for inference.
index_t training_elements(index_t batch) { return trainer::elements(trainer::samples_at_a_time(batch)); }
index_t inference_elements(index_t batch) { return batch * classes + net::infer_memory.elements(batch); }
index_t elements(index_t batch) { return training_elements(batch) + inference_elements(batch); }

/// Calls f(first, n) for samples first to first + n - 1.
template <class F>
void batches(const samples& s, index_t batch, F f) {
  for (index_t i = 0; i < s.count; i += batch) f(i, s.count - i < batch ? s.count - i : batch);
}

template <class U>
std::span<U> span_of(U* p, index_t n) {
  return {p, static_cast<std::size_t>(n)};
}

/// The number of samples that the network classifies correctly.
index_t count_right(tern::team& crew, const trainer& t, const samples& s, index_t batch, float* memory) {
  index_t right = 0;
  const std::span<float> logits = span_of(memory, batch * classes),
                         working = span_of(memory + batch * classes, net::infer_memory.elements(batch));
  batches(s, batch, [&](index_t first, index_t n) {
    net::infer(crew, t.parameters(), t.statistics(), span_of(s.images + first * pixels, n * pixels),
               logits.first(static_cast<std::size_t>(n * classes)), working);
    for (index_t i = 0; i < n; ++i) {
      const float* const row = logits.data() + i * classes;
      index_t best = 0;
      for (index_t c = 1; c < classes; ++c)
        if (row[c] > row[best]) best = c;
      right += best == s.labels[first + i];
    }
  });
  return right;
}

void train(const task& k) {
  tern::team crew(k.threads);
  trainer t(span_of(k.memory, training_elements(k.batch)));
  t.initialize(1);
  double rate = k.rate, loss = 0;
  index_t seen = 0, reported = 0;
  for (int epoch = 1; epoch <= k.epochs; ++epoch, rate *= 0.85) {
    batches(k.examples, k.batch, [&](index_t first, index_t n) {
      const tern::step_report r = t.step(crew, span_of(k.examples.images + first * pixels, n * pixels),
                                         span_of(k.examples.labels + first, n), {.rate = rate});
      loss += r.loss * static_cast<double>(n), seen += n;
      const bool last = seen == k.epochs * k.examples.count;
      if (seen / k.report_every == (seen - n) / k.report_every && !last) return;
      k.report({.seen = seen,
                .loss = loss / static_cast<double>(seen - reported),
                .right = count_right(crew, t, k.held_out, k.batch, k.memory + training_elements(k.batch))});
      loss = 0, reported = seen;
    });
  }
}

/// The plan of a step on as many samples as it takes at a time.
tern::memory_plan<net> plan_of(index_t batch) { return {trainer::samples_at_a_time(batch)}; }

}  // namespace

network make_network(tern::isa_tag::current isa) {
  return {.isa = isa.name,
          .parameters = net::parameters,
          .kept = trainer::kept_elements,
          .elements = elements,
          .train = train,
          .plan = [](index_t batch, std::ostream& out) { out << plan_of(batch); },
          .picture = [](index_t batch, std::ostream& out) { plan_of(batch).svg(out); }};
}

}  // namespace digits_cnn
