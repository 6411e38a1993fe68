// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps: a batch of any size, cut for the device, and one step of an optimiser.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>

#include "tern/block/call_form.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/network.hpp"
#include "tern/block/rules.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/order.hpp"
#include "tern/kernel/cross_entropy.hpp"
#include "tern/kernel/loss.hpp"
#include "tern/kernel/multivariate_gaussian_nll.hpp"
#include "tern/kernel/optimizer.hpp"
#include "tern/op/block.hpp"
#include "tern/op/loss.hpp"
#include "tern/op/multivariate_gaussian_nll.hpp"
#include "tern/op/optimizer.hpp"
#include "tern/policy/reference.hpp"
#include "tern/policy/training_batch_for.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// The traits of an optimiser of flat parameters: the option with its numbers, and the number of its state tensors.
template <class OpType>
struct optimizer_traits;
template <sgd_config C, class T>
struct optimizer_traits<sgd<C, T>> {
  using step_type = sgd_step;
  static constexpr int state_tensors = C.momentum;
};
template <adam_config C, class T>
struct optimizer_traits<adam<C, T>> {
  using step_type = adam_step;
  static constexpr int state_tensors = 2;
};
template <rmsprop_config C, class T>
struct optimizer_traits<rmsprop<C, T>> {
  using step_type = rmsprop_step;
  static constexpr int state_tensors = 1 + C.momentum;
};

template <>
inline constexpr const char* wrong_object<sgd_step> = "must be a tern::sgd_step, as in {.rate = 0.01}";
template <>
inline constexpr const char* wrong_object<adam_step> = "must be a tern::adam_step, as in {.rate = 1e-3}";
template <>
inline constexpr const char* wrong_object<rmsprop_step> = "must be a tern::rmsprop_step, as in {.rate = 0.01}";

/// The traits of a loss: its targets, and the loss whose sum a step uses.
template <class OpType>
struct loss_traits;
template <loss_config C, class T>
struct loss_traits<cross_entropy<C, T>> {
  using target_type = std::int32_t;
  using summed = cross_entropy<
      loss_config{.reduce = reduction::sum, .label_smoothing = C.label_smoothing, .class_weights = C.class_weights}, T>;
  static constexpr bool of_rows = true;
  static constexpr sample_shape target(sample_shape out) { return out.with_channels(1); }
};
template <loss_kind K, loss_config C, class T>
  requires(K == loss_kind::squared_error || K == loss_kind::bce_with_logits)
struct loss_traits<element_loss<K, C, T>> {
  using target_type = T;
  using summed = element_loss<K, C, T>;
  static constexpr bool of_rows = false;
  static constexpr sample_shape target(sample_shape out) { return out; }
};
template <index_t N, loss_config C, class T>
struct loss_traits<multivariate_gaussian_nll<N, C, T>> {
  using target_type = T;
  using summed = multivariate_gaussian_nll<N, C, T>;
  static constexpr bool of_rows = false;
  static constexpr sample_shape target(sample_shape out) {
    return out.with_channels(out == sample_shape::features(multivariate_gaussian_nll<N, C, T>::features) ? N : 0);
  }
};

template <class N>
concept is_network = requires {
  typename N::policy_type;
  typename N::root;
};
template <class N>
concept is_network_of_one = is_network<N> && N::inputs == 1 && N::results == 1;
template <class O>
concept is_op = requires { typename O::op_type; };
template <class L>
concept is_loss = is_op<L> && requires { sizeof(loss_traits<typename L::op_type>); };
template <class O>
concept is_optimizer = is_op<O> && requires { sizeof(optimizer_traits<typename O::op_type>); };

template <class Network>
struct network_of_nothing {
  using type = network<skip, sample_shape::features(1), reference>;
};
template <is_network Network>
struct network_of_nothing<Network> {
  using type = network<skip, sample_shape::features(1), typename Network::policy_type>;
};
/// The parts of a trainer. Placeholders replace invalid ones, so that compilers report one error.
template <class Network, class Loss, class Optimizer>
struct checked_trainer {
  using network_type = typename std::conditional_t<is_network_of_one<Network>, std::type_identity<Network>,
                                                   network_of_nothing<Network>>::type;
  using T = typename network_type::value_type;
  using loss_type = std::conditional_t<is_loss<Loss>, Loss, squared_error<loss_config{.reduce = reduction::sum}, T>>;
  using optimizer_type = std::conditional_t<is_optimizer<Optimizer>, Optimizer, sgd<sgd_config{}, T>>;
  static constexpr declare::sentence wrong = broken_rule(
      "trainer",
      {{is_network<Network>, "the first argument must be a tern::network: a block, the shape of a sample and a policy"},
       {is_network_of_one<Network>,
        "the network must have one input and one result: others are trained with their forward and backward passes"},
       {is_op<Loss>, "the second argument must be a loss, such as tern::squared_error<cfg>"},
       {is_loss<Loss>,
        "the loss must be tern::cross_entropy, squared_error, bce_with_logits or multivariate_gaussian_nll"},
       {is_op<Optimizer>, "the third argument must be an optimiser, such as tern::adam<>"},
       {is_optimizer<Optimizer>, "the optimiser must be tern::sgd, adam, adamw or rmsprop"}});
};

}  // namespace impl

/// The result of a training step.
struct step_report {
  double loss = 0;       ///< the sum over the batch, divided by its samples, or as .reduce of the loss defines
  double penalty = 0;    ///< sum of the network's penalties
  bool finite = true;    ///< true if both are finite; if not, parameters and other kept state are unchanged, and the
                         ///< step does not count
  batch_choice batch{};  ///< the cut of the batch
};

/// Trains a network. Owns nothing: everything is in one span of the caller's, with named parts; a step allocates
/// nothing.
///
///     using loss = tern::cross_entropy<tern::loss_config{.reduce = tern::reduction::sum}>;
///     using trainer = tern::trainer<net, loss, tern::adam<>>;
///     std::vector<float> memory(trainer::elements(trainer::samples_at_a_time(128)));
///     trainer t(memory);
///     t.initialize(1);
///     auto state = net::make_state();
///     t.step(state, images, labels, {.rate = 1e-3});       // as many samples as there are labels
///
/// net::training_batch_for chooses the cut of a batch; gradients are added in order, and the optimiser steps once. Every
/// cut at grains gives equal bits. A network whose samples depend on each other is not cut.
///
/// \tparam NetworkType    a tern::network
/// \tparam LossType       tern::cross_entropy, squared_error, bce_with_logits or multivariate_gaussian_nll with
///                        .reduce = reduction::sum, whose gradient is divided by the samples of the batch; or a
///                        cross-entropy with reduction::mean_of_kept, which has its own divisor, as in PyTorch
/// \tparam OptimizerType  tern::sgd, adam, adamw or rmsprop
template <class NetworkType, class LossType, class OptimizerType>
class trainer {
  using checked = impl::checked_trainer<NetworkType, LossType, OptimizerType>;
  static_assert(sizeof(declare::wrong_call<declare::text(checked::wrong)>) == 1);
  using Network = typename checked::network_type;
  using Loss = typename checked::loss_type;
  using Optimizer = typename checked::optimizer_type;

 public:
  using network_type = Network;
  using T = typename Network::value_type;
  using target_type = typename impl::loss_traits<typename Loss::op_type>::target_type;
  using step_type = typename impl::optimizer_traits<typename Optimizer::op_type>::step_type;
  /// The shape of a sample's targets.
  static constexpr sample_shape target_shape = impl::loss_traits<typename Loss::op_type>::target(Network::out);
  static constexpr index_t targets = target_shape.size();
  static_assert(targets > 0,
                "trainer: the network must give what the loss takes: N + N (N + 1) / 2 features for a "
                "multivariate_gaussian_nll of N numbers");
  using loss_type = typename impl::loss_traits<typename Loss::op_type>::summed;
  static constexpr bool of_kept = Loss::config.reduce == reduction::mean_of_kept,
                        weighs_classes = Loss::config.class_weights;
  static_assert(Loss::config.reduce == reduction::sum || of_kept,
                "trainer: .reduce of the loss must be tern::reduction::sum, or mean_of_kept of a cross-entropy");
  static_assert(!of_kept || reads_on_host<typename Network::policy_type>,
                "trainer: reduction::mean_of_kept counts targets on the host: under simt, take sum");
  static_assert(std::is_same_v<T, typename Loss::value_type> && std::is_same_v<T, typename Optimizer::value_type>,
                "trainer: network, loss and optimiser must have the same element type");

 private:
  struct step_form
      : impl::call_form<2, impl::run_time_state, std::span<const T>, std::span<const target_type>, step_type, index_t> {
    static constexpr const char* names = "state, x, target, numbers, samples_per_call";
  };

 public:
  /// The number of the optimiser's state tensors, each as large as the parameters.
  static constexpr int state_tensors = impl::optimizer_traits<typename Optimizer::op_type>::state_tensors;
  static constexpr bool clips = [] {
    if constexpr (requires { Optimizer::config.clip; })
      return Optimizer::config.clip;
    else
      return false;
  }();

  /// Elements that persist between steps: parameters, optimiser state, statistics.
  static constexpr index_t kept_elements = (1 + state_tensors) * Network::parameters + Network::statistics;
  /// Elements of memory for training with `micro_batch` samples at a time.
  static constexpr index_t elements(index_t micro_batch) {
    if (micro_batch < 0) violation("trainer: memory for %td samples at a time: it must be at least 0", micro_batch);
    return working_at + (Network::training_memory + of_results).elements(micro_batch);
  }
  /// Samples between cuts that keep the bits of parameters and of the loss, which is summed in grains of its own.
  static constexpr index_t grain = detail::batching::at_least(
      Network::grain,
      impl::loss_traits<typename Loss::op_type>::of_rows ? grain_samples(Network::out.positions()) : sample_grain);
  /// Samples that a step of `batch` samples takes at a time on the device.
  static constexpr index_t samples_at_a_time(index_t batch) {
    const index_t wanted = Network::training_batch_for(batch).micro_batch, whole = (wanted + grain - 1) / grain * grain;
    return wanted < 1 ? 1 : wanted % grain == 0 || wanted >= batch ? wanted : whole < batch ? whole : batch;
  }

  /// \param memory  at least elements(1) elements; with more, steps take more samples at a time, up to the choice of
  ///                training_batch_for. It must outlive the trainer, and be aligned like T
  explicit trainer(std::span<T> memory) : memory_(memory) {
    if (static_cast<index_t>(memory.size()) < elements(1))
      violation("trainer: memory has %td elements: training one sample at a time needs %td%s",
                static_cast<index_t>(memory.size()), elements(1),
                Network::whole_batch ? ", and a batch more, since its samples see each other" : "");
  }

  /// The parameters, in the order of Network::each_parameter.
  std::span<T> parameters() const { return slice(0, Network::parameters); }
  /// State tensor i of the optimiser.
  std::span<T> memory_of_optimizer(int i) const { return slice((1 + i) * Network::parameters, Network::parameters); }
  /// Running averages of batch norms.
  std::span<T> statistics() const { return slice((1 + state_tensors) * Network::parameters, Network::statistics); }
  /// The gradient of the last step.
  std::span<T> gradient() const { return slice(gradient_at, Network::parameters); }
  /// All that must be saved to resume training: parameters, optimiser state, statistics; together with steps_done.
  std::span<T> kept() const { return slice(0, kept_elements); }

  /// Initialises parameters with Network::initialize, and the optimiser state with zeros.
  void initialize(std::uint64_t start) {
    for (T& x : kept()) x = T(0);
    Network::initialize(parameters(), statistics(), start);
    steps_done = 0, seed = start;
  }

  index_t steps_done = 0;         ///< the number of the last step
  std::uint64_t seed = 0;         ///< seed of the dropouts
  double statistics_decay = 0.9;  ///< share of running statistics kept after a call
  double penalty_scale = 1;       ///< factor of the penalties' gradients
  /// Selects the parameters with weight decay, by name or shape; null: all. To exempt biases, and scales and shifts of
  /// norms:
  ///
  ///     t.decays = [](const tern::parameter& p) { return p.rank > 1; };
  bool (*decays)(const parameter&) = nullptr;
  /// For a loss with .class_weights: a number per class.
  std::span<const T> class_weights = {};

  /// One step of the optimiser with the gradient of all samples.
  ///
  /// \param x        samples, channels last
  /// \param target   `targets` per sample: classes, or real numbers
  /// \param numbers  those of the optimiser; the trainer counts the step number itself
  /// \param samples_per_call  samples of a call, 0 for training_batch_for's choice; fewer if the memory holds
  ///                         fewer, all if samples depend on each other
  /// If the loss is not finite, as when a stream on a grid left its range, all kept state and steps_done are unchanged.
  /// Throws std::invalid_argument, before anything is written, if sizes disagree or the memory does not hold the
  /// samples that must be taken together.
  template <class State>
  step_report step(State& state, std::span<const T> x, std::span<const target_type> target, step_type numbers = {},
                   index_t samples_per_call = 0) {
    const index_t batch = static_cast<index_t>(target.size()) / targets;
    if (batch == 0 && x.empty()) violation("trainer: a step must have at least one sample");
    if (batch == 0 || static_cast<index_t>(target.size()) != batch * targets ||
        static_cast<index_t>(x.size()) != batch * Network::in.size())
      violation(
          "trainer: x has %td elements and target %td: x must have %td for each sample, and target %td for as many "
          "samples",
          static_cast<index_t>(x.size()), static_cast<index_t>(target.size()), Network::in.size(), targets);
    if (steps_done < 0 || steps_done >= std::int64_t(1) << 32)
      violation("trainer: .steps_done is %td: it must be at least 0 and less than 2^32", steps_done);
    if constexpr (requires { numbers.step; }) numbers.step = steps_done + 1;
    declare::flat_call<typename Optimizer::op_type>::check_step("trainer", numbers);
    const double terms = terms_of(target, batch);
    step_report report{.batch = cut(batch, samples_per_call)};
    const index_t at_a_time = report.batch.micro_batch;
    T* const totals = slice(totals_at, 2).data();
    const std::span<T> running = statistics(), before = slice(statistics_before_at, Network::statistics);
    for (std::size_t i = 0; i < running.size(); ++i) before[i] = running[i];
    const view total(totals, 1, extents<1>());
    for (T& g : gradient()) g = T(0);
    totals[0] = T(0);
    for (T& p : penalties()) p = T(0);
    const random_site site{.seed = seed, .step = static_cast<std::uint32_t>(steps_done + 1)};
    for (index_t first = 0; first < batch; first += at_a_time) {
      const index_t n = batch - first < at_a_time ? batch - first : at_a_time;
      pass(state,
           x.subspan(static_cast<std::size_t>(first * Network::in.size()),
                     static_cast<std::size_t>(n * Network::in.size())),
           target.subspan(static_cast<std::size_t>(first * targets), static_cast<std::size_t>(n * targets)), total,
           at_sample(site, first), batch, terms);
    }
    report.loss = static_cast<double>(totals[0]) / terms;
    report.penalty = Network::conclude(state, parameters(), gradient(), penalties(), site, penalty_scale, batch);
    report.finite = std::isfinite(report.loss) && std::isfinite(report.penalty);
    if (report.finite)
      optimize(state, numbers, totals + 1), ++steps_done;
    else
      for (std::size_t i = 0; i < running.size(); ++i) running[i] = before[i];
    return report;
  }
  /// One error for arguments that step does not take.
  template <class... Args>
    requires(!impl::takes<step_form, Args...>)
  step_report step(Args&&...) {
    constexpr declare::text error(impl::error_of_call<Args...>("trainer::step", step_form()));
    static_cast<void>(sizeof(declare::wrong_call<error>));
    return {};
  }

 private:
  // After the kept state: the gradient, the loss, the sum of the gradient's squares, penalties, statistics before the
  // step, and the memory of a call.
  static constexpr index_t gradient_at = detail::in_memory_grains(kept_elements),
                           totals_at = gradient_at + detail::in_memory_grains(Network::parameters),
                           statistics_before_at = totals_at + detail::in_memory_grains(2 + Network::penalties),
                           working_at = statistics_before_at + detail::in_memory_grains(Network::statistics);
  // y, dy and the loss of every sample, or of every row of one.
  static constexpr memory_need of_y = detail::need_per_sample(Network::out.size()),
                               of_results = 2 * of_y + detail::need_per_sample(Network::out.positions());

  static random_site at_sample(random_site site, index_t sample) {
    site.sample = static_cast<std::uint32_t>(sample);
    return site;
  }
  std::span<T> slice(index_t first, index_t size) const {
    return memory_.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size));
  }
  /// The divisor of the sum of losses. Refuses invalid classes: the loss would do so only after running statistics have
  /// changed.
  double terms_of(std::span<const target_type> target, index_t batch) const {
    if (weighs_classes && static_cast<index_t>(class_weights.size()) != Network::out.channels)
      violation("trainer: class_weights has %td elements: it must have %td, as .class_weights of the loss says",
                static_cast<index_t>(class_weights.size()), Network::out.channels);
    double kept = 0;
    if constexpr (impl::loss_traits<typename Loss::op_type>::of_rows && reads_on_host<typename Network::policy_type>)
      for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] >= Network::out.channels)
          violation("trainer: target %td is %td: there are %td classes", static_cast<index_t>(i),
                    static_cast<index_t>(target[i]), Network::out.channels);
        if (target[i] >= 0)
          kept += weighs_classes ? static_cast<double>(class_weights[static_cast<std::size_t>(target[i])]) : 1;
      }
    if (!of_kept) return static_cast<double>(batch);
    if (kept == 0) violation("trainer: no target is a class with a weight: there is nothing to average");
    return kept;
  }
  std::span<T> penalties() const { return slice(totals_at + 2, Network::penalties); }
  std::span<T> working_memory() const { return memory_.subspan(static_cast<std::size_t>(working_at)); }

  /// The cut by training_batch_for, limited by the memory.
  batch_choice cut(index_t batch, index_t most) const {
    batch_choice c = Network::training_batch_for(batch);
    const memory_need per_call = Network::training_memory + of_results;
    const index_t room = (static_cast<index_t>(working_memory().size()) - per_call.fixed) / per_call.per_sample;
    index_t at_a_time = most > 0 ? (most < batch ? most : batch) : samples_at_a_time(batch);
    if (at_a_time > room) at_a_time = room >= grain ? room / grain * grain : room;
    if (Network::whole_batch) {
      if (room < batch)
        violation("trainer: memory has %td elements: samples of this network see each other, and %td of them need %td",
                  static_cast<index_t>(memory_.size()), batch, elements(batch));
      at_a_time = batch;
    }
    c.micro_batch = at_a_time, c.steps = (batch + at_a_time - 1) / at_a_time, c.accumulates = c.steps > 1;
    c.keeps_bits = c.steps == 1 || at_a_time % grain == 0;
    c.bytes = elements(at_a_time) * static_cast<index_t>(sizeof(T));
    return c;
  }

  /// Runs the forward pass, the loss and the backward pass on a part of the batch.
  template <class State, class Total>
  void pass(State& state, std::span<const T> x, std::span<const target_type> target, const Total& total,
            random_site site, index_t step_samples, double terms) {
    const loss_scale scale{1 / terms};
    const index_t n = static_cast<index_t>(x.size()) / Network::in.size();
    const memory_need before = Network::training_memory;
    const std::span<T> memory = working_memory();
    const auto at = [&](index_t offset, index_t size) {
      return memory.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
    };
    const std::span<T> working = at(0, before.elements(n)), y = at(before.elements(n), n * Network::out.size()),
                       dy = at((before + of_y).elements(n), n * Network::out.size());
    T* const losses = at((before + 2 * of_y).elements(n), n * Network::out.positions()).data();
    Network::forward(state, parameters(), statistics(), x, y, working, site, statistics_decay, penalties());

    const kernel<loss_type, typename Network::policy_type> loss;
    const auto result = impl::samples_view<Network::out, const T>(y.data(), n);
    const auto gradient_of_result = impl::samples_view<Network::out>(dy.data(), n);
    if constexpr (impl::loss_traits<typename Loss::op_type>::of_rows) {
      const auto classes = rows_view(target.data(), n);
      const auto pass = [&](const auto&... weights) {
        loss(state, result, classes, weights..., rows_view(losses, n), total, accumulate);
        loss.backward_data(state, result, classes, weights..., gradient_of_result, scale);
      };
      if constexpr (weighs_classes)
        pass(class_weights);
      else
        pass();
    } else {
      const auto wanted = impl::samples_view<target_shape>(target.data(), n);
      loss(state, result, wanted, view(losses, n, extents<dynamic>(n)), total, accumulate);
      loss.backward_data(state, result, wanted, gradient_of_result, scale);
    }
    Network::backward(state, parameters(), gradient(), x, y, dy, std::span<T>(), working, site, penalty_scale,
                      step_samples);
  }

  /// The results as a tensor with a number per row.
  template <class U>
  static auto rows_view(U* p, index_t n) {
    return rows_view(p, n, std::make_index_sequence<static_cast<std::size_t>(Network::out.rank)>());
  }
  template <class U, std::size_t... R>
  static auto rows_view(U* p, index_t n, std::index_sequence<R...>) {
    using shape = extents<dynamic, Network::out.extent[R]...>;
    return view<U, shape>(unchecked, p, shape(n, Network::out.extent[R]...));
  }

  template <class State>
  void optimize(State& state, const step_type& numbers, T* squares) {
    if constexpr (Network::parameters > 0) {
      if constexpr (clips)
        kernel<sum_of_squares<T>, typename Network::policy_type>()(
            state, impl::numbers_view<Network::parameters>(gradient().data()), view(squares, 1, extents<1>()));
      if (decays == nullptr || numbers.decay == 0) return optimize(state, numbers, squares, 0, Network::parameters);
      step_type without = numbers;
      without.decay = 0;
      // Merges neighbours with equal decay into one call.
      index_t first = 0, end = 0;
      bool with = false;
      const auto step_so_far = [&] {
        if (end > first) optimize(state, with ? numbers : without, squares, first, end);
      };
      Network::each_parameter([&](const parameter& p) {
        if (p.statistic) return;
        const bool also = decays(p);
        if (also != with || p.offset != end) step_so_far(), first = p.offset;
        with = also, end = p.offset + p.size();
      });
      step_so_far();
    }
  }
  /// Updates the parameters from `first` to `end`.
  template <class State>
  void optimize(State& state, const step_type& numbers, T* squares, index_t first, index_t end) {
    const auto part = [&](std::span<T> all) { return impl::numbers_view(all.data() + first, end - first); };
    const kernel<Optimizer, typename Network::policy_type> update;
    const auto run = [&](const auto&... remembered_tensors) {
      if constexpr (clips)
        update(state, part(gradient()), part(parameters()), remembered_tensors..., view(squares, 1, extents<1>()),
               numbers);
      else
        update(state, part(gradient()), part(parameters()), remembered_tensors..., numbers);
    };
    if constexpr (state_tensors == 2)
      run(part(memory_of_optimizer(0)), part(memory_of_optimizer(1)));
    else if constexpr (state_tensors == 1)
      run(part(memory_of_optimizer(0)));
    else
      run();
  }

  std::span<T> memory_;
};

}  // namespace tern::inline TERN_ISA
