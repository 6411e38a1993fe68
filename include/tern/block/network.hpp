// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block for samples of a shape under a policy: sizes, passes and their memory.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "tern/block/call_form.hpp"
#include "tern/block/checked_tensors.hpp"
#include "tern/block/graph_layer.hpp"
#include "tern/block/inference_parts.hpp"
#include "tern/block/layer.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/network_parts.hpp"
#include "tern/block/parameters.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/order.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/op/dropout.hpp"
#include "tern/op/sample_shape.hpp"
#include "tern/policy/training_batch_for.hpp"

namespace tern::inline TERN_ISA {

/// A block as a network. Its parameters and the memory of a step belong to the caller.
///
///     using net = tern::network<block, tern::sample_shape::image(1, 28, 28), tern::simd<>>;
///     static_assert(net::training_memory.elements(32) * sizeof(float) < 1 << 20);
///     std::vector<float> parameters(net::parameters), statistics(net::statistics);
///     net::initialize(parameters, statistics, 1);
///     auto state = net::make_state();
///     net::infer(state, parameters, statistics, x, y, memory);
///
/// Tensors are spans of contiguous samples, channels last. `state` is run-time state, as of a single kernel: an
/// executor, a tile machine, a block context or stream.
///
/// Bits: those of its ops, docs/numerics.md. Equal for every policy, and for every cut of a batch at multiples of
/// `grain`, unless samples depend on each other (`whole_batch`: batch norms, a softmax over samples).
///
/// \tparam Block   an op, a combinator of op/block.hpp, or a type of the user's for which tern::layer is specialised
/// \tparam In      the shape of a sample; of a graph of several inputs a std::array of shapes. Several tensors are a
///                 std::array of spans: x and dx with several inputs, y and dy with several results
/// \tparam Policy  how and where the network runs
template <class Block, auto In, class Policy>
struct network {
  static_assert(sizeof(declare::wrong_network<declare::text(impl::checked_network<Block, In, Policy>::wrong)>) == 1);
  using root = typename impl::checked_network<Block, In, Policy>::root;
  using policy_type = typename impl::checked_network<Block, In, Policy>::policy_type;
  using value_type = impl::element_of<root>;
  using T = value_type;

  /// The numbers of input and result tensors.
  static constexpr std::size_t inputs = impl::all_shapes(In).size(), results = root::flat.outputs.size();
  /// Shapes of samples: one, or an array of them.
  static constexpr auto in = In;
  static constexpr auto out = [] {
    std::array<sample_shape, results> r{};
    for (std::size_t k = 0; k < results; ++k) r[k] = root::flat.outputs[k].shape;
    return impl::one_or_all(r);
  }();
  static constexpr index_t parameters = root::parameters;  ///< elements
  /// Multiply-adds of convolutions, matmuls and attention, in a forward pass of a sample. A training step takes about
  /// three times as many.
  static constexpr index_t multiply_adds = root::multiply_adds;
  static constexpr index_t statistics = root::statistics;  ///< elements: running averages of batch norms
  static constexpr index_t grain = root::grain;            ///< samples between cuts that keep the bits of gradients
  static constexpr bool whole_batch = root::whole_batch;   ///< true if no cut keeps them
  /// Numbers that blocks add to the loss: see conclude.
  static constexpr index_t penalties = root::penalties;
  /// Memory for a forward pass and its backward pass: intermediate tensors and their gradients, sharing memory if their
  /// lifetimes allow it.
  static constexpr memory_need training_memory = root::kept;
  static constexpr memory_need infer_memory = root::infer_scratch;

  /// Elements that `pack` writes for inference: weights in the kernels' order, norms as a factor and an offset per
  /// channel.
  static constexpr index_t packed = root::packed;

 private:
  static constexpr bool in_parts = root::independent && [] {
    if constexpr (requires { Policy::machine; }) return Policy::machine.execution == model::simd;
    return false;
  }();
  static constexpr impl::inference_parts parts() {
    constexpr index_t lent = root::thread_workspace / static_cast<index_t>(sizeof(T));
    if constexpr (in_parts) {
      constexpr impl::network_rule rule{sizeof(T), parameters, grain, infer_memory};
      return impl::inference_parts::of(packed, 2 * root::results_of_sample, rule.cached_samples(Policy::machine),
                                       infer_memory, lent);
    } else {
      return {.memory = infer_memory, .workspace = lent};
    }
  }

 public:
  /// The samples of a part: packed inference under simd computes a large batch in parts, unless samples depend on each
  /// other.
  static constexpr index_t infer_samples = parts().most;
  /// Elements of memory for packed inference in which each thread computes samples of its own. Under numerics::relaxed
  /// they include a workspace per thread.
  static constexpr index_t packed_infer_elements(index_t samples, index_t threads = 1) {
    return parts().elements(samples, threads);
  }

  /// The cut of a step of `batch` samples for the policy's device: into calls whose memory stays in a core's L2, or
  /// fits the tiles, or the memory of a GPU.
  static constexpr batch_choice training_batch_for(index_t batch) {
    constexpr impl::network_rule rule{sizeof(T), parameters, grain, training_memory};
    if constexpr (requires { Policy::machine; }) {
      constexpr const device& d = Policy::machine;
      const auto memory_holds = [&](index_t m) { return fits(d, rule.stored_bytes(m)); };
      const auto bytes = [&](index_t m) { return rule.stored_bytes(m); };
      if (whole_batch) return detail::batch_in_calls(batch, detail::batching::at_least(batch, 1), bytes, memory_holds);
      if (d.execution == model::mimd && !d.shares_host_memory)
        return detail::batch_in_calls(
            batch, grain, [&](index_t m) { return rule.tile_bytes(d, m); },
            [&](index_t m) { return rule.tile_bytes(d, m) <= d.local_bytes; });
      if (d.execution == model::simt) return detail::batch_in_calls(batch, grain, bytes, memory_holds);
      const index_t cached = detail::batching::at_least(rule.cached_samples(d) / grain, 1) * grain;
      return detail::batch_in_calls(batch, grain, bytes, [&](index_t m) { return m <= cached && memory_holds(m); });
    } else {
      return {.batch = batch, .micro_batch = batch, .steps = 1, .bytes = rule.stored_bytes(batch)};
    }
  }

  /// The default run-time state: the calling thread; under mimd a tern::tile_machine of the whole device, which
  /// allocates. `how` are further arguments of a machine: an executor, checks.
  template <class... How>
  static auto make_state(How&&... how) {
    using family = mapping_kernel<Policy>;
    if constexpr (!impl::is_usable<Policy>)
      return typename mapping_kernel<policy_type>::context{};  // there is an error already
    else if constexpr (requires { typename family::context; })
      return typename family::context{};
    else
      return family::machine(how...);
  }

  /// Calls f(const tern::parameter&) for every tensor of parameters and running statistics. Throws
  /// std::invalid_argument if a block does not declare its parameters.
  template <class F>
  static void each_parameter(F f) {
    index_t elements = 0;
    auto count = [&](const parameter& p) { elements += p.size(); };
    detail::parameter_visitor counting(count), visiting(f);
    root::each_parameter(counting, detail::parameter_path{});
    if (elements != parameters + statistics)
      violation(
          "network: each_parameter of the blocks has %td elements of %td parameters and %td statistics: it must "
          "have all of them",
          elements, parameters, statistics);
    root::each_parameter(visiting, detail::parameter_path{});
  }

  /// Initialises weights with uniform numbers in +-sqrt(6 / fan_in) (He et al. 2015, arXiv 1502.01852), scales with
  /// ones, slopes with 1 / 4, logarithms of variances with -18, the rest with zeros. The same numbers on every machine.
  static void initialize(std::span<T> all, std::span<T> running, std::uint64_t seed) {
    tensors().writes("parameters", all, parameters).writes("statistics", running, statistics).check_overlap();
    each_parameter([&](const parameter& p) {
      T* const to = (p.statistic ? running : all).data() + p.offset;
      const double limit = std::sqrt(6.0 / static_cast<double>(p.fan_in));
      for (index_t i = 0; i < p.size(); ++i) {
        switch (p.start) {
          case parameter::random: to[i] = static_cast<T>(limit * uniform(seed, p.offset + i)); break;
          case parameter::zeros: to[i] = T(0); break;
          case parameter::ones: to[i] = T(1); break;
          case parameter::quarters: to[i] = T(0.25); break;
          case parameter::small_variances: to[i] = T(-18); break;
        }
      }
    });
  }

 private:
  using xs = impl::spans<const T, inputs>;
  using ys = impl::spans<T, results>;
  struct infer_form
      : impl::call_form<0, impl::run_time_state, std::span<const T>, std::span<const T>, xs, ys, std::span<T>> {
    static constexpr const char* names = "state, parameters, statistics, x, y, memory";
  };
  struct forward_form : impl::call_form<3, impl::run_time_state, std::span<const T>, std::span<T>, xs, ys, std::span<T>,
                                        random_site, double, std::span<T>> {
    static constexpr const char* names = "state, parameters, statistics, x, y, memory, site, decay, of_step";
  };
  struct backward_form : impl::call_form<3, impl::run_time_state, std::span<const T>, std::span<T>, xs, ys,
                                         impl::spans<const T, results>, impl::spans<T, inputs>, std::span<T>,
                                         random_site, double, index_t> {
    static constexpr const char* names =
        "state, parameters, gradient, x, y, dy, dx, memory, site, of_penalties, step_samples";
  };

 public:
  /// y = the network applied to x, in training: batch norms use the statistics of the call and advance the running
  /// ones, dropouts draw.
  ///
  /// \param memory  at least training_memory.elements(samples) elements; keep them unchanged until the backward pass
  /// \param site    .seed, .step and the number of the first sample, for blocks that draw
  /// \param decay   the share of running statistics kept after the call
  /// \param of_step `penalties` numbers, zeros before the first call of a step, to which blocks add; or none
  /// Throws std::invalid_argument, before anything is written, if sizes disagree, a pointer is null, or an output
  /// shares elements with another tensor. Allocates nothing.
  template <class State>
  static void forward(State& state, std::span<const T> learned, std::span<T> running, impl::spans<const T, inputs> x,
                      impl::spans<T, results> y, std::span<T> memory, random_site site = {}, double decay = 0.9,
                      std::span<T> of_step = {}) {
    const index_t batch = samples_of(x);
    tensors t;
    t.reads("parameters", learned, parameters).writes("statistics", running, statistics);
    t.samples("x", impl::all_spans(x), impl::all_shapes(in), batch, false);
    t.samples("y", impl::all_spans(y), impl::all_shapes(out), batch, true);
    if (!of_step.empty()) t.writes("of_step", of_step, penalties);
    check(t, memory, batch, training_memory.elements(batch));
    if (batch == 0) return;
    const auto kept = detail::memory_in(memory.data(), training_memory, batch);
    const layer_call<T, State> call{.state = state,
                                    .batch = batch,
                                    .parameters = learned.data(),
                                    .statistics = running.data(),
                                    .statistics_decay = decay,
                                    .site = site,
                                    .penalties = of_step.empty() ? nullptr : of_step.data(),
                                    .step_samples = batch};
    const auto from = impl::pointers(impl::all_spans(x));
    const auto to = impl::pointers(impl::all_spans(y));
    root::forward(call, impl::graph_tensors<T>{.x = from.data(), .y = to.data(), .kept = kept});
  }

  /// Computes the gradients of the loss from dy, its gradient with respect to the results of `forward`. Those with
  /// respect to the parameters are added to `gradient`; dx receives those with respect to x, unless it is empty (of
  /// several inputs all or none).
  ///
  /// \param y       the result of the forward pass; reversible blocks at its end may change it
  /// \param memory  unchanged from the forward pass
  /// \param site    that of the forward pass
  /// \param of_penalties  the factor of the penalties' gradients, if the network has penalties
  /// \param step_samples  samples of the whole step, 0 for those of the call
  template <class State>
  static void backward(State& state, std::span<const T> learned, std::span<T> gradient, impl::spans<const T, inputs> x,
                       impl::spans<T, results> y, impl::spans<const T, results> dy, impl::spans<T, inputs> dx,
                       std::span<T> memory, random_site site = {}, double of_penalties = 1, index_t step_samples = 0) {
    static_assert(sizeof(declare::wrong_network<declare::text(impl::error_of_backward<root>())>) == 1);
    const index_t batch = samples_of(x);
    bool wants_dx = false;
    for (const std::span<T>& d : impl::all_spans(dx)) wants_dx = wants_dx || !d.empty();
    tensors t;
    t.reads("parameters", learned, parameters).writes("gradient", gradient, parameters);
    t.samples("x", impl::all_spans(x), impl::all_shapes(in), batch, false);
    t.samples("y", impl::all_spans(y), impl::all_shapes(out), batch, false);
    t.samples("dy", impl::all_spans(dy), impl::all_shapes(out), batch, false);
    if (wants_dx) t.samples("dx", impl::all_spans(dx), impl::all_shapes(in), batch, true);
    check(t, memory, batch, training_memory.elements(batch));
    if (batch == 0) return;
    const auto kept = detail::memory_in(memory.data(), training_memory, batch);
    const layer_call<T, State> call{.state = state,
                                    .batch = batch,
                                    .parameters = learned.data(),
                                    .gradient = gradient.data(),
                                    .replay = true,
                                    .site = site,
                                    .penalty_scale = of_penalties,
                                    .step_samples = step_samples > 0 ? step_samples : batch};
    const auto from = impl::pointers(impl::all_spans(x));
    const auto to = impl::pointers(impl::all_spans(y));
    const auto of_to = impl::pointers(impl::all_spans(dy));
    const auto of_from = impl::pointers(impl::all_spans(dx));
    if constexpr (root::no_backward.empty())
      root::backward(call, impl::graph_tensors<T>{.x = from.data(),
                                                  .y = to.data(),
                                                  .dy = of_to.data(),
                                                  .dx = wants_dx ? of_from.data() : nullptr,
                                                  .kept = kept});
  }

  /// Ends a step of a network with penalties: completes the gradient of parameters with distributions, which is not
  /// accumulated, and returns the sum of the penalties in the loss. Called once, after all backward passes of the step.
  ///
  /// \param of_step  the numbers to which the forward passes added; receives each penalty's share of the loss
  /// \param site, of_penalties, step_samples  those of the backward passes
  template <class State>
  static double conclude(State& state, std::span<const T> learned, std::span<T> gradient, std::span<T> of_step,
                         random_site site, double of_penalties, index_t step_samples) {
    tensors t;
    t.reads("parameters", learned, parameters).writes("gradient", gradient, parameters);
    t.writes("of_step", of_step, penalties).check_overlap();
    if constexpr (penalties > 0) {
      if (step_samples < 1) violation("network: a step of %td samples: it must have at least one", step_samples);
      root::conclude(layer_call<T, State>{.state = state,
                                          .parameters = learned.data(),
                                          .gradient = gradient.data(),
                                          .site = site,
                                          .penalties = of_step.data(),
                                          .penalty_scale = of_penalties,
                                          .step_samples = step_samples});
    }
    double sum = 0;
    for (const T& p : of_step) sum += static_cast<double>(p);
    return sum;
  }

  /// One error for arguments that no function takes.
  template <class... Args>
    requires(!impl::takes<forward_form, Args...>)
  static void forward(Args&&...) {
    constexpr declare::text error(impl::error_of_call<Args...>("network::forward", forward_form()));
    static_cast<void>(sizeof(declare::wrong_call<error>));
  }
  /// The same with lists in braces.
  template <class Call = void>
  static void forward(impl::value_or_list, impl::value_or_list, impl::value_or_list = {}, impl::value_or_list = {},
                      impl::value_or_list = {}, impl::value_or_list = {}, impl::value_or_list = {},
                      impl::value_or_list = {}, impl::value_or_list = {}) {
    constexpr declare::text error(impl::error_of_lists<Call>("network::forward", inputs, results, forward_form()));
    static_cast<void>(sizeof(declare::wrong_call<error>));
  }
  template <class... Args>
    requires(!impl::takes<backward_form, Args...>)
  static void backward(Args&&...) {
    constexpr declare::text error(impl::error_of_call<Args...>("network::backward", backward_form()));
    static_cast<void>(sizeof(declare::wrong_call<error>));
  }
  /// The same with lists in braces.
  template <class Call = void>
  static void backward(impl::value_or_list, impl::value_or_list, impl::value_or_list = {}, impl::value_or_list = {},
                       impl::value_or_list = {}, impl::value_or_list = {}, impl::value_or_list = {},
                       impl::value_or_list = {}, impl::value_or_list = {}, impl::value_or_list = {},
                       impl::value_or_list = {}) {
    constexpr declare::text error(impl::error_of_lists<Call>("network::backward", inputs, results, backward_form()));
    static_cast<void>(sizeof(declare::wrong_call<error>));
  }

  /// y = the network applied to x, in inference.
  /// \param memory  at least infer_memory.elements(samples) elements
  /// Errors are those of forward.
  template <class State>
  static void infer(State& state, std::span<const T> learned, std::span<const T> running,
                    impl::spans<const T, inputs> x, impl::spans<T, results> y, std::span<T> memory) {
    infer_with(state, learned, running, x, y, memory, false, {});
  }

  /// Parameters and statistics prepared for inference. Refers to them, and to the memory of the packed ones.
  class packed_parameters {
    friend network;
    std::span<const T> learned_, running_, packed_;
    packed_parameters(std::span<const T> learned, std::span<const T> running, std::span<const T> made)
        : learned_(learned), running_(running), packed_(made) {}
  };
  /// Packs the weights of convolutions and matmuls and folds batch norms, once for many calls of `infer`: the same
  /// bits, in less time.
  ///
  ///     std::vector<float> memory(net::packed);
  ///     const auto ready = net::pack(parameters, statistics, memory);
  ///     net::infer(state, ready, x, y, scratch);
  ///
  /// \param memory  `packed` elements; they and the parameters must outlive the result, unchanged
  static packed_parameters pack(std::span<const T> learned, std::span<const T> running, std::span<T> memory) {
    tensors t;
    t.reads("parameters", learned, parameters).reads("statistics", running, statistics);
    t.writes("packed", memory, packed).check_overlap();
    root::pack(learned.data(), running.data(), memory.data());
    return {learned, running, memory};
  }
  /// \param memory  at least packed_infer_elements(samples) elements
  template <class State>
  static void infer(State& state, const packed_parameters& p, impl::spans<const T, inputs> x, impl::spans<T, results> y,
                    std::span<T> memory) {
    const std::span<T> read(const_cast<T*>(p.running_.data()), p.running_.size());
    const index_t batch = samples_of(x);
    tensors t;
    t.reads("parameters", p.learned_, parameters).reads("statistics", p.running_, statistics);
    t.reads("packed", p.packed_, packed);
    check_inference(t, x, y, memory, batch, packed_infer_elements(batch));
    const index_t elements = static_cast<index_t>(memory.size());
    const auto part = [&](auto& on, index_t first, index_t samples, index_t begin, index_t end) {
      const index_t lent = begin + infer_memory.elements(samples);
      const packed_call<T, std::remove_reference_t<decltype(on)>> call{
          {.state = on, .batch = samples, .parameters = p.learned_.data(), .statistics = read.data(), .replay = true},
          p.packed_.data(),
          {memory.data() + lent, (end - lent) * static_cast<index_t>(sizeof(T))}};
      infer_in(call, x, y, memory.subspan(static_cast<std::size_t>(begin)), first);
    };
    if constexpr (in_parts)
      parts().run(state, batch, elements, part);
    else if (batch > 0)
      part(state, 0, batch, 0, elements);
  }

 private:
  struct packed_form : impl::call_form<0, impl::run_time_state, packed_parameters, xs, ys, std::span<T>> {
    static constexpr const char* names = "state, packed, x, y, memory";
  };

 public:
  /// One error for arguments that no function takes.
  template <class... Args>
    requires(!impl::takes<infer_form, Args...> && !impl::takes<packed_form, Args...>)
  static void infer(Args&&...) {
    constexpr declare::text error(impl::error_of_call<Args...>("network::infer", infer_form(), packed_form()));
    static_cast<void>(sizeof(declare::wrong_call<error>));
  }
  /// The same with lists in braces.
  template <class Call = void>
  static void infer(impl::value_or_list, impl::value_or_list, impl::value_or_list = {}, impl::value_or_list = {},
                    impl::value_or_list = {}, impl::value_or_list = {}) {
    constexpr declare::text error(
        impl::error_of_lists<Call>("network::infer", inputs, results, infer_form(), packed_form()));
    static_cast<void>(sizeof(declare::wrong_call<error>));
  }

  /// Inference with the draws of training: latent variables, weights with distributions, dropouts (Gal and Ghahramani
  /// 2015, arXiv 1506.02142). The spread of many results shows the network's uncertainty.
  /// \param site  .seed, .step (the number of the draw) and the number of the first sample
  template <class State>
  static void sample(State& state, std::span<const T> learned, std::span<const T> running,
                     impl::spans<const T, inputs> x, impl::spans<T, results> y, std::span<T> memory, random_site site) {
    infer_with(state, learned, running, x, y, memory, true, site);
  }

 private:
  template <class State>
  static void infer_with(State& state, std::span<const T> learned, std::span<const T> running,
                         const impl::spans<const T, inputs>& x, const impl::spans<T, results>& y, std::span<T> memory,
                         bool draws, random_site site) {
    // Layers only read running statistics in inference.
    const std::span<T> read(const_cast<T*>(running.data()), running.size());
    const index_t batch = samples_of(x);
    tensors t;
    t.reads("parameters", learned, parameters).reads("statistics", running, statistics);
    check_inference(t, x, y, memory, batch, infer_memory.elements(batch));
    if (batch == 0) return;
    const layer_call<T, State> call{.state = state,
                                    .batch = batch,
                                    .parameters = learned.data(),
                                    .statistics = read.data(),
                                    .replay = true,
                                    .site = site,
                                    .draws = draws};
    infer_in(call, x, y, memory);
  }
  using tensors = impl::checked_tensors<6 + 2 * inputs + 2 * results>;
  static index_t samples_of(const impl::spans<const T, inputs>& x) {
    const index_t given = static_cast<index_t>(impl::all_spans(x)[0].size()), size = impl::all_shapes(in)[0].size();
    if (given % size != 0)
      violation("network: %s has %td elements: it must have a multiple of %td, those of a sample",
                inputs > 1 ? "x[0]" : "x", given, size);
    return given / size;
  }
  static void check(tensors& t, std::span<T> memory, index_t batch, index_t least) {
    const index_t given = static_cast<index_t>(memory.size());
    if (given < least) violation("network: memory has %td elements: a batch of %td needs %td", given, batch, least);
    t.writes("memory", memory, given).check_overlap();
  }
  static void check_inference(tensors& t, const impl::spans<const T, inputs>& x, const impl::spans<T, results>& y,
                              std::span<T> memory, index_t batch, index_t least) {
    t.samples("x", impl::all_spans(x), impl::all_shapes(in), batch, false);
    t.samples("y", impl::all_spans(y), impl::all_shapes(out), batch, true);
    check(t, memory, batch, least);
  }
  template <class Call>
  static void infer_in(const Call& call, const impl::spans<const T, inputs>& x, const impl::spans<T, results>& y,
                       std::span<T> memory, index_t first = 0) {
    auto from = impl::pointers(impl::all_spans(x));
    auto to = impl::pointers(impl::all_spans(y));
    for (std::size_t k = 0; k < inputs; ++k) from[k] += first * impl::all_shapes(In)[k].size();
    for (std::size_t k = 0; k < results; ++k) to[k] += first * impl::all_shapes(out)[k].size();
    root::infer(call, impl::graph_tensors<T>{.x = from.data(),
                                             .y = to.data(),
                                             .kept = detail::memory_in(memory.data(), infer_memory, call.batch)});
  }
  /// A number in [-1, 1) per position: its SplitMix64 hash (Steele et al. 2014).
  static double uniform(std::uint64_t seed, index_t place) {
    std::uint64_t z = seed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(place + 1) * 0xd1342543de82ef95u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
  }
};

}  // namespace tern::inline TERN_ISA
