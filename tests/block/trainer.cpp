// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trainers and plans: messages about wrong calls, memory that a step touches, parameter names; training learns.
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <string>

#include "tern/simd.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
struct unnamed {};  ///< has parameters that it does not declare
}  // namespace tern::test

template <tern::sample_shape In, class Policy>
struct tern::layer<tern::test::unnamed, In, Policy> : tern::layer_base<In> {
  static constexpr index_t parameters = 3;
  template <class Call, class T, class M>
  static void forward(const Call&, const T*, T*, const M&, const M&) {}
};

namespace tern::test {
namespace {

constexpr sample_shape shape = sample_shape::image(1, 4, 4);
using block =
    sequence<conv2d<conv2d_config{.in = 1, .out = 4, .kernel = {3, 3}, .bias = true, .act = activation::relu}>,
             residual<elementwise<elementwise_config{.scale = true, .bias = true, .act = activation::tanh}>>, flatten,
             matmul<matmul_config{.n = 3, .bias = true}>>;
using net = network<block, shape, simd<>>;
using entropy = cross_entropy<loss_config{.reduce = reduction::sum}>;
using trainer_type = trainer<net, entropy, adam<>>;

struct problem {
  std::vector<float> x;
  std::vector<std::int32_t> classes;
  explicit problem(index_t n) {
    std::mt19937 random(3);
    x = random_vector<float>(n * shape.size(), random);
    for (index_t i = 0; i < n; ++i) {
      // The class is where the largest of three pixels is.
      const auto at = static_cast<std::size_t>(i * 16);
      classes.push_back(x[at] > x[at + 5] ? (x[at] > x[at + 9] ? 0 : 2) : (x[at + 5] > x[at + 9] ? 1 : 2));
    }
  }
};

TEST_CASE("training learns, in the memory that it asks for") {
  const problem p(128);
  const index_t at_a_time = trainer_type::samples_at_a_time(128), needed = trainer_type::elements(at_a_time);
  auto memory = poisoned<float>(needed + 16);
  trainer_type t{std::span<float>(memory).first(static_cast<std::size_t>(needed))};
  t.initialize(1);
  auto state = net::make_state();
  double first = 0, last = 0;
  t.step(state, p.x, p.classes);
  const long before = allocations();
  for (int i = 0; i < 60; ++i) {
    const step_report r = t.step(state, p.x, p.classes, {.rate = 0.02});
    (i == 0 ? first : last) = r.loss;
  }
  CHECK(allocations() == before);
  CHECK(last < 0.5 * first);
  for (std::size_t i = static_cast<std::size_t>(needed); i < memory.size(); ++i) CHECK(std::isnan(memory[i]));
  // All of it is used: the last elements belong to the losses of the samples.
  CHECK(!std::isnan(memory[static_cast<std::size_t>(needed - net::out.positions() * 16 * at_a_time)]));
}

TEST_CASE("resuming from the kept state gives the same bits") {
  const problem p(40);
  auto state = net::make_state();
  const auto run = [&](int pause) {
    std::vector<float> memory(static_cast<std::size_t>(trainer_type::elements(40)));
    trainer_type t{std::span<float>(memory)};
    t.initialize(2);
    for (int i = 0; i < 6; ++i) {
      if (i == pause) {
        const std::vector<float> kept(t.kept().begin(), t.kept().end());
        auto other = poisoned<float>(trainer_type::elements(40));
        std::copy(kept.begin(), kept.end(), other.begin());
        memory = other;
      }
      t.step(state, p.x, p.classes);
    }
    return std::vector<float>(t.kept().begin(), t.kept().end());
  };
  const auto whole = run(-1);
  for (int pause = 0; pause < 6; ++pause) CHECK(same_bits(run(pause), whole));
}

TEST_CASE("a loss that is not finite changes nothing") {
  problem p(8);
  std::vector<float> memory(static_cast<std::size_t>(trainer_type::elements(8)));
  trainer_type t{std::span<float>(memory)};
  t.initialize(2);
  const std::vector<float> before(t.kept().begin(), t.kept().end());
  p.x[3] = std::numeric_limits<float>::infinity();
  p.x[4] = -p.x[3];
  auto state = net::make_state();
  const step_report r = t.step(state, p.x, p.classes);
  CHECK(!r.finite);
  CHECK(t.steps_done == 0);
  CHECK(same_bits(before, std::vector<float>(t.kept().begin(), t.kept().end())));
}

TEST_CASE("a class that does not exist changes nothing") {
  using norms = network<sequence<batch_norm<>, flatten, matmul<matmul_config{.n = 3}>>, shape, simd<>>;
  using with = trainer<norms, entropy, adam<>>;
  problem p(8);
  std::vector<float> memory(static_cast<std::size_t>(with::elements(8)));
  with t(memory);
  t.initialize(1);
  const std::vector<float> before(t.kept().begin(), t.kept().end());
  auto state = norms::make_state();
  p.classes[5] = 3;
  CHECK(message([&] { t.step(state, p.x, p.classes); }) == "trainer: target 5 is 3: there are 3 classes");
  CHECK(same_bits(before, std::vector<float>(t.kept().begin(), t.kept().end())));
}

TEST_CASE("weight decay applies to the selected parameters") {
  // Bit by bit a step with decay for some parameters, and one without for the others.
  const problem p(20);
  auto state = net::make_state();
  using optimizers = std::tuple<sgd<>, sgd<sgd_config{.momentum = true, .clip = true}>, adamw<>>;
  const auto check = [&]<class Optimizer>(Optimizer) {
    using with = trainer<net, entropy, Optimizer>;
    const auto trained = [&](double decay, bool (*decays)(const parameter&)) {
      std::vector<float> memory(static_cast<std::size_t>(with::elements(20)));
      with t(memory);
      t.initialize(1);
      t.decays = decays;
      typename with::step_type numbers{.rate = 0.1, .decay = decay};
      if constexpr (with::clips) numbers.most = 0.01;
      t.step(state, p.x, p.classes, numbers);
      return std::vector<float>(t.parameters().begin(), t.parameters().end());
    };
    const auto all = trained(0.1, nullptr), none = trained(0, nullptr);
    CHECK(same_bits(trained(0.1, [](const parameter&) { return true; }), all));
    CHECK(same_bits(trained(0.1, [](const parameter&) { return false; }), none));
    CHECK(!same_bits(all, none));
    const auto weights = trained(0.1, [](const parameter& q) { return q.rank > 1; });
    const auto one = trained(0.1, [](const parameter& q) { return std::string(q.name) == "3.bias"; });
    net::each_parameter([&](const parameter& q) {
      INFO(q.name);
      const auto of = [&](const std::vector<float>& v) {
        return std::vector<float>(v.begin() + q.offset, v.begin() + q.offset + q.size());
      };
      CHECK(same_bits(of(weights), of(q.rank > 1 ? all : none)));
      CHECK(same_bits(of(one), of(std::string(q.name) == "3.bias" ? all : none)));
    });
  };
  std::apply([&](auto... o) { (check(o), ...); }, optimizers());
}

TEST_CASE("label smoothing of the config is that of a call") {
  const problem p(20);
  auto state = net::make_state();
  using smooth = cross_entropy<loss_config{.reduce = reduction::sum, .label_smoothing = 0.2}>;
  using with = trainer<net, smooth, sgd<>>;
  std::vector<float> memory(static_cast<std::size_t>(with::elements(20)));
  with t(memory);
  t.initialize(1);
  std::vector<float> parameters(t.parameters().begin(), t.parameters().end());
  const step_report r = t.step(state, p.x, p.classes);
  std::vector<float> y(20 * 3), losses(20), total(1),
      inference(static_cast<std::size_t>(net::infer_memory.elements(20)));
  net::infer(state, parameters, {}, p.x, y, inference);
  kernel<entropy, simd<>>{}(view(y, extents{20, 3}), p.classes, losses, total, label_smoothing{0.2});
  CHECK(std::fabs(r.loss - total[0] / 20) < 1e-5);
}

TEST_CASE("a mean of kept classes with weights divides the gradient of all cuts by their sum") {
  const index_t samples = 100;
  using pixels = network<conv2d<conv2d_config{.in = 2, .out = 3, .bias = true}>, sample_shape::image(2, 4, 8), simd<>>;
  constexpr loss_config mean{.reduce = reduction::mean_of_kept, .label_smoothing = 0.1, .class_weights = true},
      sum{.reduce = reduction::sum, .label_smoothing = 0.1, .class_weights = true};
  using of_kept = trainer<pixels, cross_entropy<mean>, sgd<>>;
  using of_all = trainer<pixels, cross_entropy<sum>, sgd<>>;
  std::mt19937 random(9);
  const auto x = random_vector<float>(samples * pixels::in.size(), random);
  std::vector<std::int32_t> classes(samples * 32);
  const std::vector<float> weights{0.5f, 2, 1};
  double kept = 0;
  for (std::int32_t& c : classes) {
    c = static_cast<std::int32_t>(random() % 4) - 1;
    if (c >= 0) kept += static_cast<double>(weights[static_cast<std::size_t>(c)]);
  }
  auto state = pixels::make_state();
  const auto step = [&]<class Trainer>(std::type_identity<Trainer>, index_t at_a_time) {
    std::vector<float> memory(static_cast<std::size_t>(Trainer::elements(at_a_time)));
    Trainer t{std::span<float>(memory)};
    t.initialize(1);
    t.class_weights = weights;
    const double loss = t.step(state, x, classes, {}, at_a_time).loss;
    return std::pair(loss, std::vector<float>(t.gradient().begin(), t.gradient().end()));
  };
  const auto [loss, gradient] = step(std::type_identity<of_kept>(), 100);
  const auto [loss_of_all, gradient_of_all] = step(std::type_identity<of_all>(), 100);
  CHECK(std::fabs(loss * kept - loss_of_all * 100) < 1e-5 * loss_of_all * 100);
  for (std::size_t i = 0; i < gradient.size(); ++i)
    CHECK(std::fabs(double(gradient[i]) * kept - double(gradient_of_all[i]) * 100) < 1e-3);
  for (const index_t cut : {32, 64}) {
    const auto part = step(std::type_identity<of_kept>(), cut);
    CHECK(part.first == loss);
    CHECK(same_bits(part.second, gradient));
  }

  std::vector<float> memory(static_cast<std::size_t>(of_kept::elements(100)));
  of_kept t{std::span<float>(memory)};
  t.initialize(1);
  CHECK(message([&] { t.step(state, x, classes); }) ==
        "trainer: class_weights has 0 elements: it must have 3, as .class_weights of the loss says");
  t.class_weights = weights;
  const std::vector<std::int32_t> none(classes.size(), -1);
  CHECK(message([&] { t.step(state, x, none); }) ==
        "trainer: no target is a class with a weight: there is nothing to average");
  CHECK(t.steps_done == 0);
}

TEST_CASE("the loss has the same bits for every cut at grains") {
  // The network alone could be cut anywhere between two samples; totals of losses are summed in grains of their own.
  using pixels = network<conv2d<conv2d_config{.in = 2, .out = 3, .bias = true}>, sample_shape::image(2, 4, 8), simd<>>;
  using of_pixels = trainer<pixels, squared_error<loss_config{.reduce = reduction::sum}>, sgd<>>;
  STATIC_REQUIRE(pixels::grain == 1);
  STATIC_REQUIRE(of_pixels::grain == 32);
  std::mt19937 random(8);
  const auto x = random_vector<float>(100 * pixels::in.size(), random),
             wanted = random_vector<float>(100 * pixels::out.size(), random);
  auto state = pixels::make_state();
  const auto loss = [&](index_t at_a_time) {
    std::vector<float> memory(static_cast<std::size_t>(of_pixels::elements(at_a_time)));
    of_pixels t{std::span<float>(memory)};
    t.initialize(1);
    const step_report r = t.step(state, x, wanted, {}, at_a_time);
    CHECK(r.batch.keeps_bits == (at_a_time % 32 == 0 || at_a_time >= 100));
    return r.loss;
  };
  const double whole = loss(100);
  for (index_t cut : {32, 64, 96}) CHECK(loss(cut) == whole);
  for (index_t cut : {7, 33}) CHECK(std::fabs(loss(cut) - whole) < 1e-5 * whole);
}

TEST_CASE("activations are part of their op in inference") {
  using whole = network<conv2d<conv2d_config{.in = 1, .out = 4, .bias = true, .act = activation::gelu}>, shape, simd<>>;
  using apart = network<sequence<conv2d<conv2d_config{.in = 1, .out = 4, .bias = true}>,
                                 elementwise<elementwise_config{.act = activation::gelu}>>,
                        shape, simd<>>;
  STATIC_REQUIRE(whole::infer_memory == memory_need{});
  passes<whole> a(5);
  passes<apart> b(5);
  a.infer(), b.infer();
  CHECK(same_bits(a.y, b.y));
  a.forward(), b.forward();
  CHECK(same_bits(a.y, b.y));
}

TEST_CASE("messages of wrong calls") {
  const problem p(8);
  auto state = net::make_state();
  std::vector<float> memory(static_cast<std::size_t>(trainer_type::elements(8)));
  CHECK(message([&] { trainer_type t{std::span<float>(memory).first(10)}; }) ==
        "trainer: memory has 10 elements: training one sample at a time needs " +
            std::to_string(trainer_type::elements(1)));
  trainer_type t{std::span<float>(memory)};
  t.initialize(1);
  const std::span<const float> x(p.x);
  CHECK(message([&] { t.step(state, x.first(0), {}); }) == "trainer: a step must have at least one sample");
  CHECK(message([&] { t.step(state, x.first(17), p.classes); }) ==
        "trainer: x has 17 elements and target 8: x must have 16 for each sample, and target 1 for as many samples");
  std::vector<float> y(24), small(3);
  const auto parameters = t.parameters();
  CHECK(message([&] { net::infer(state, parameters.first(5), {}, x, y, memory); }) ==
        "network: parameters has 5 elements: it must have " + std::to_string(net::parameters));
  CHECK(message([&] { net::infer(state, parameters, {}, x.first(15), y, memory); }) ==
        "network: x has 15 elements: it must have a multiple of 16, those of a sample");
  CHECK(message([&] { net::infer(state, parameters, {}, x, small, memory); }) ==
        "network: y has 3 elements: it must have 24");
  CHECK(message([&] { net::infer(state, parameters, {}, x, y, small); }) ==
        "network: memory has 3 elements: a batch of 8 needs " + std::to_string(net::infer_memory.elements(8)));
  std::vector<float> both(40), apart(memory.size());
  const std::span<float> all(both);
  CHECK(message([&] { net::infer(state, parameters, {}, all.first(16), all.subspan(15, 3), apart); }) ==
        "network: x and y share elements: they must not overlap");
  CHECK(message([&] { net::infer(state, parameters, {}, x, std::span<float>(apart).last(24), apart); }) ==
        "network: y and memory share elements: they must not overlap");
  CHECK(message([&] { net::infer(state, parameters, {}, all.first(16), all.last(3), apart); }) == "no error");

  CHECK(message([&] { (void)net::pack(parameters, {}, small); }) ==
        "network: packed has 3 elements: it must have " + std::to_string(net::packed));
  std::vector<float> packed(net::packed);
  const auto ready = net::pack(parameters, {}, packed);
  CHECK(message([&] { net::infer(state, ready, x, small, memory); }) == "network: y has 3 elements: it must have 24");
  CHECK(message([&] { net::infer(state, ready, all.first(16), all.last(3), apart); }) == "no error");

  // Outputs share nothing with weights; null pointers are reported.
  std::vector<float> copy(parameters.begin(), parameters.end());
  copy.resize(copy.size() + apart.size());
  const std::span<float> copied(copy), weights = copied.first(parameters.size());
  const auto behind = copied.subspan(parameters.size() - 1), into = all.last(3);
  CHECK(message([&] { net::infer(state, weights, {}, all.first(16), into, behind); }) ==
        "network: parameters and memory share elements: they must not overlap");
  CHECK(message([&] { net::infer(state, weights, {}, all.first(16), weights.first(3), apart); }) ==
        "network: parameters and y share elements: they must not overlap");
  CHECK(message([&] { net::infer(state, ready, all.first(16), std::span<float>(packed).first(3), apart); }) ==
        "network: packed and y share elements: they must not overlap");
  CHECK(message([&] { net::infer(state, ready, all.first(16), into, {static_cast<float*>(nullptr), 9999}); }) ==
        "network: memory is at a null pointer");
  std::vector<float> gradient(parameters.size());
  apart.resize(static_cast<std::size_t>(net::training_memory.elements(1)));
  net::forward(state, weights, {}, all.first(16), into, apart);
  CHECK(message([&] { net::backward(state, weights, weights, all.first(16), into, into, {}, apart); }) ==
        "network: parameters and gradient share elements: they must not overlap");
  CHECK(message([&] { net::backward(state, weights, gradient, all.first(16), into, into, all.first(16), apart); }) ==
        "network: x and dx share elements: they must not overlap");
  CHECK(message([&] { net::backward(state, weights, gradient, all.first(16), into, into, {}, apart); }) == "no error");

  CHECK(message([] { (void)trainer_type::elements(-1); }) ==
        "trainer: memory for -1 samples at a time: it must be at least 0");
  const std::vector<float> kept(t.kept().begin(), t.kept().end());
  CHECK(message([&] { t.step(state, p.x, p.classes, {.rate = -1}); }) ==
        "trainer: .rate is -1: it must be at least 0, and finite in the element type");
  CHECK(message([&] { t.step(state, p.x, p.classes, {.beta1 = 2}); }) == "trainer: .beta1 is 2: it must be in [0, 1)");
  CHECK(same_bits(kept, std::vector<float>(t.kept().begin(), t.kept().end())));
  t.steps_done = -5;
  CHECK(message([&] { t.step(state, p.x, p.classes); }) ==
        "trainer: .steps_done is -5: it must be at least 0 and less than 2^32");
  std::vector<float> three(3);
  CHECK(message([&] { network<sequence<unnamed>, sample_shape::features(2), simd<>>::initialize(three, {}, 1); }) ==
        "network: each_parameter of the blocks has 0 elements of 3 parameters and 0 statistics: it must have all of "
        "them");

  using coupled_net = network<batch_norm<>, sample_shape::features(4), simd<>>;
  using averages = trainer<coupled_net, squared_error<loss_config{.reduce = reduction::sum}>, sgd<>>;
  std::vector<float> little(static_cast<std::size_t>(averages::elements(2)));
  averages a{std::span<float>(little)};
  a.initialize(1);
  std::vector<float> twelve(12);
  CHECK(message([&] { a.step(state, twelve, twelve); }) ==
        "trainer: memory has " + std::to_string(little.size()) +
            " elements: samples of this network see each other, and 3 of them need " +
            std::to_string(averages::elements(3)));
}

TEST_CASE("parameters have names and places") {
  std::set<std::string> names;
  index_t elements = 0;
  net::each_parameter([&](const parameter& p) {
    CHECK(p.offset == elements);
    elements += p.size();
    names.insert(p.name);
  });
  CHECK(elements == net::parameters);
  CHECK(names == std::set<std::string>{"0.weight", "0.bias", "1.0.scale", "1.0.bias", "3.weight", "3.bias"});
}

/// Checks that the pieces of a plan do not overlap, and that little memory lies between them.
template <class Plan>
void check_pieces() {
  using plan = Plan;
  const plan p{32};
  index_t most_living = 0;
  for (int s = 0; s < plan::steps; ++s) most_living = std::max(most_living, p.living(s));
  CHECK(most_living <= p.peak());
  CHECK(p.peak() <= most_living * 5 / 4);  // what is lost between pieces
  for (const memory_item& a : plan::items)
    for (const memory_item& b : plan::items) {
      if (&a == &b || a.last < b.first || b.last < a.first) continue;
      const auto apart = [](index_t first, index_t size, index_t other, index_t other_size) {
        return size == 0 || other_size == 0 || first + size <= other || other + other_size <= first;
      };
      CHECK(apart(a.at.per_sample, a.size.per_sample, b.at.per_sample, b.size.per_sample));
      CHECK(apart(a.at.fixed, a.size.fixed, b.at.fixed, b.size.fixed));
    }
}
TEST_CASE("the memory plan states the memory of a step") {
  const memory_plan<net> p{32};
  CHECK(p.peak() == net::training_memory.elements(32) * 4);
  check_pieces<memory_plan<net>>();
  std::ostringstream table, picture;
  table << p;
  p.svg(picture);
  CHECK(table.str().find("| 0 conv2d | 4x2x2 | 2048 |") != std::string::npos);
  CHECK(picture.str().find("</svg>") != std::string::npos);
}
TEST_CASE("the memory plan states the memory of inference") {
  using plan = memory_plan<net, plan_of::inference>;
  const plan p{1};
  CHECK(p.peak() == net::infer_memory.elements(1) * 4);
  CHECK(plan::forward_steps == plan::steps);
  check_pieces<plan>();
  std::ostringstream table, picture;
  table << p;
  p.svg(picture);
  CHECK(table.str().find("; inference of 1 sample " + std::to_string(p.peak()) + " bytes\n") != std::string::npos);
  CHECK(table.str().find("gradient") == std::string::npos);
  CHECK(picture.str().find("backward") == std::string::npos);
}

TEST_CASE("the call of an inner layer has its part of given memory, and null for the rest") {
  serial state;
  const std::array<float, 8> parameters{};
  std::array<float, 8> gradient{}, statistics{};
  const layer_call<float, serial> none{.state = state, .parameters = parameters.data()};
  CHECK(none.at(3, 4, 2).parameters == parameters.data() + 3);
  CHECK(none.at(3, 4, 2).gradient == nullptr);
  CHECK(none.at(3, 4, 2).statistics == nullptr);  // as in a backward pass
  CHECK(none.at(3, 4, 2).site.site == 2);
  layer_call<float, serial> all = none;
  all.gradient = gradient.data(), all.statistics = statistics.data();
  CHECK(all.at(3, 4, 2).gradient == gradient.data() + 3);
  CHECK(all.at(3, 4, 2).statistics == statistics.data() + 4);
}

TEST_CASE("a softmax over samples takes all of a batch together") {
  using over_samples = network<softmax<softmax_config{.axis = 0}>, shape, simd<>>;
  using from_behind = network<softmax<softmax_config{.axis = -2}>, sample_shape::features(3), simd<>>;
  using over_channels = network<softmax<softmax_config{.axis = 1}>, shape, simd<>>;
  STATIC_REQUIRE(over_samples::whole_batch);
  STATIC_REQUIRE(from_behind::whole_batch);
  STATIC_REQUIRE(!over_channels::whole_batch);
}

/// Compares a softmax of images of 2x3x4 with its definition along one axis.
template <class Block>
void check_softmax(std::size_t stride, std::size_t extent) {
  using odds = network<Block, sample_shape::image(2, 3, 4), simd<>>;
  std::vector<float> x(24), y(24), nothing, memory(static_cast<std::size_t>(odds::infer_memory.elements(1)));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 7) / 2;
  auto state = odds::make_state();
  odds::infer(state, nothing, nothing, x, y, memory);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t first = i - i / stride % extent * stride;
    double sum = 0;
    for (std::size_t k = 0; k < extent; ++k) sum += std::exp(static_cast<double>(x[first + k * stride]));
    CHECK(std::fabs(y[i] * sum / std::exp(static_cast<double>(x[i])) - 1) < 1e-6);
  }
}
struct over_channels_in_a_graph {
  static constexpr value define(graph& g, value x) { return g.softmax("odds", {.axis = -3}, x); }
};

TEST_CASE("negative axes of a softmax count from the end") {
  check_softmax<softmax<softmax_config{.axis = -1}>>(2, 4);
  check_softmax<softmax<softmax_config{.axis = -2}>>(8, 3);
  check_softmax<softmax<softmax_config{.axis = -3}>>(1, 2);
  check_softmax<over_channels_in_a_graph>(1, 2);
}

struct unit_channels_in_a_graph {
  static constexpr value define(graph& g, value x) { return g.l2_normalize("unit", {.axis = 1}, x); }
};
/// Compares the norms of results of images of 2x3x4 along one axis with 1.
template <class Block>
void check_unit(std::size_t stride, std::size_t extent) {
  using unit = network<Block, sample_shape::image(2, 3, 4), simd<>>;
  std::vector<float> x(24), y(24), nothing, memory(static_cast<std::size_t>(unit::infer_memory.elements(1)));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 7) / 2 - 0.75f;
  auto state = unit::make_state();
  unit::infer(state, nothing, nothing, x, y, memory);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t first = i - i / stride % extent * stride;
    double squares = 0;
    for (std::size_t k = 0; k < extent; ++k)
      squares += static_cast<double>(x[first + k * stride] * x[first + k * stride]);
    CHECK(std::fabs(static_cast<double>(y[i]) - static_cast<double>(x[i]) / std::sqrt(squares)) < 1e-6);
  }
}
TEST_CASE("L2 normalisation is a block along any axis") {
  check_unit<l2_normalize<l2_config{.axis = 1}>>(1, 2);
  check_unit<l2_normalize<l2_config{.axis = 2}>>(8, 3);
  check_unit<l2_normalize<l2_config{.axis = -1}>>(2, 4);
  check_unit<unit_channels_in_a_graph>(1, 2);
  STATIC_REQUIRE(network<l2_normalize<l2_config{.axis = 0}>, shape, simd<>>::whole_batch);
}

template <bool Unbiased>
std::vector<float> running_variances(std::vector<float> x, index_t samples) {
  using norms = network<batch_norm<norm_config{.unbiased = Unbiased}>, sample_shape::image(2, 1, 2), simd<>>;
  using with = trainer<norms, squared_error<loss_config{.reduce = reduction::sum}>, sgd<>>;
  std::vector<float> memory(static_cast<std::size_t>(with::elements(samples)));
  with t(memory);
  t.initialize(1);
  t.statistics_decay = 0;
  auto state = norms::make_state();
  t.step(state, x, x);
  return {t.statistics().begin() + 2, t.statistics().end()};
}

TEST_CASE("running variances are those of the distribution, or of the batches") {
  // Channels 1 2 3 4 5 6 and 0 0 0 0 0 6: the sums of squared deviations are 17.5 and 30.
  const std::vector<float> x{1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 6};
  const auto of_distribution = running_variances<true>(x, 3), of_batch = running_variances<false>(x, 3);
  CHECK(std::fabs(of_distribution[0] - 17.5f / 5) < 1e-6f);
  CHECK(std::fabs(of_distribution[1] - 30.0f / 5) < 1e-6f);
  CHECK(std::fabs(of_batch[0] - 17.5f / 6) < 1e-6f);
  CHECK(std::fabs(of_batch[1] - 30.0f / 6) < 1e-6f);
}

TEST_CASE("norms of a network have the epsilon of their config") {
  using norms = network<batch_norm<norm_config{.epsilon = 3}>, sample_shape::features(2), simd<>>;
  std::vector<float> parameters(norms::parameters), statistics(norms::statistics), y(2), of_packed(2),
      packed(norms::packed), memory(static_cast<std::size_t>(norms::infer_memory.elements(1)));
  norms::initialize(parameters, statistics, 1);  // a mean of 0, and a variance of 1
  const std::vector<float> x{2, 4};
  auto state = norms::make_state();
  norms::infer(state, parameters, statistics, x, y, memory);
  CHECK(y == std::vector<float>{1, 2});
  norms::infer(state, norms::pack(parameters, statistics, packed), x, of_packed, memory);
  CHECK(of_packed == y);
}

TEST_CASE("running statistics keep no NaN") {
  using averaging = network<sequence<batch_norm<>, matmul<matmul_config{.n = 2}>>, sample_shape::features(4), simd<>>;
  using averages = trainer<averaging, squared_error<loss_config{.reduce = reduction::sum}>, sgd<>>;
  auto memory = poisoned<float>(averages::elements(3));
  averages t{std::span<float>(memory)};
  t.initialize(1);
  auto state = averaging::make_state();
  std::vector<float> x(12, 0.5f), target(6, 1.0f);
  x[5] = 2;
  CHECK(t.step(state, x, target).finite);
  const std::vector<float> before(t.kept().begin(), t.kept().end());
  x[2] = std::numeric_limits<float>::quiet_NaN();
  CHECK(!t.step(state, x, target).finite);
  CHECK(same_bits(before, std::vector<float>(t.kept().begin(), t.kept().end())));
}

}  // namespace
}  // namespace tern::test
