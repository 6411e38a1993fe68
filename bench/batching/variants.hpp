// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions on images in every layout, whole batches or cut into calls. layout_for and training_batch_for choose among
// them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "bench/conv/conv.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/core/workspace.hpp"
#include "tern/op/reorder.hpp"
#include "tern/policy/layout_for.hpp"
#include "tern/policy/training_batch_for.hpp"

namespace tern::bench::inline TERN_ISA {

namespace impl {

/// Channel by channel, as PyTorch has images by default: every call reorders what it reads and what it writes.
using planes = layout_row;

template <class Layout>
std::string layout_name() {
  if constexpr (std::is_same_v<Layout, planes>)
    return "planes";
  else if constexpr (std::is_same_v<Layout, layout_channels_last>)
    return "last";
  else
    return "blocks of " + std::to_string(Layout::template mapping<dims<3>>::block);
}

/// y = x, element by element: it is not timed, so a kernel is not worth its compile time.
template <class X, class Y>
void copy_elements(const X& x, const Y& y) {
  index_t at[5] = {};
  const auto rest = [&](auto self, auto axis) {
    for (at[axis] = 0; at[axis] < x.extent(axis); ++at[axis]) {
      if constexpr (axis + 1 < X::rank)
        self(self, std::integral_constant<int, axis + 1>{});
      else
        [&]<std::size_t... R>(std::index_sequence<R...>) {
          y(at[R]...) = x(at[R]...);
        }(std::make_index_sequence<X::rank>{});
    }
  };
  rest(rest, std::integral_constant<int, 0>{});
}

/// Dense images in memory of their own.
template <class Layout, int Rank, class T>
class images {
 public:
  images(const conv_shape& s, index_t samples, index_t channels, bool inputs)
      : shape_(s), channels_(channels), inputs_(inputs), memory_(samples * size() * static_cast<index_t>(sizeof(T))) {}

  auto view(index_t first, index_t count) const {
    return image_of<Rank, Layout>(memory_.as<T>() + first * size(), count, channels_, shape_.axis, inputs_);
  }

 private:
  index_t size() const {
    return image_of<Rank, Layout>(static_cast<T*>(nullptr), 1, channels_, shape_.axis, inputs_)
        .mapping()
        .required_span_size();
  }

  conv_shape shape_;
  index_t channels_;
  bool inputs_;
  buffer memory_;
};

/// Images in the layout of a case, as calls take them: planes go through a tensor that is channels last.
template <class Layout, int Rank, class T>
class called_images {
 public:
  called_images(const conv_shape& s, index_t of_call, index_t channels, bool inputs)
      : own_(s, s.batch, channels, inputs), last_(s, reorders ? of_call : 0, channels, inputs) {}

  auto all(index_t batch) const { return own_.view(0, batch); }
  template <class State>
  auto to_read(State& state, index_t first, index_t count) const {
    if constexpr (reorders) copy_{}(state, own_.view(first, count), last_.view(0, count));
    return to_write(first, count);
  }
  auto to_write(index_t first, index_t count) const {
    if constexpr (reorders)
      return last_.view(0, count);
    else
      return own_.view(first, count);
  }
  template <class State>
  void written(State& state, index_t first, index_t count) const {
    if constexpr (reorders) copy_{}(state, last_.view(0, count), own_.view(first, count));
  }

 private:
  static constexpr bool reorders = std::is_same_v<Layout, planes>;
  using copy_ = tern::kernel<reorder<T>, simd<>>;

  images<Layout, Rank, T> own_;
  images<layout_channels_last, Rank, T> last_;
};

template <int I, class T, pass Direction, class Layout, class State>
prepared prepare_cut(const problem& p, const operands& x, const setting& s, std::shared_ptr<State> state,
                     index_t samples) {
  using op = variants::op_of_workload<I, T>;
  using K = tern::kernel<op, simd<>>;
  using tensors = called_images<Layout, op::rank, T>;
  const conv_tensors<op> of{*p.conv};
  const conv_shape& shape = p.conv->shape;
  const index_t batch = shape.batch;
  const bool transposed = p.conv->transposed;
  const auto wide = std::make_shared<const tensors>(shape, samples, shape.groups * shape.in, true);
  const auto narrow = std::make_shared<const tensors>(shape, samples, shape.groups * shape.out, false);
  const auto &of_x = transposed ? narrow : wide, &of_y = transposed ? wide : narrow;
  const auto each_call = [batch, samples](auto call) {
    for (index_t n = 0; n < batch; n += samples) call(n, batch - n < samples ? batch - n : samples);
  };
  if constexpr (Direction == pass::backward_weights) {
    copy_elements(of.x(x.left<T>()), of_x->all(batch));
    copy_elements(of.y(x.right<T>()), of_y->all(batch));
    return repeated_in(s, [k = K{}, state, of_x, of_y, dw = of.weights(x.out<T>()), each_call] {
      each_call([&](index_t n, index_t m) {
        const auto from = of_x->to_read(*state, n, m), dy = of_y->to_read(*state, n, m);
        if (n == 0)
          k.backward_weights(*state, from, dy, dw);
        else
          k.backward_weights(*state, from, dy, dw, accumulate);
      });
    });
  } else {
    constexpr bool forward = Direction == pass::forward;
    const auto &from = forward ? of_x : of_y, &to = forward ? of_y : of_x;
    if constexpr (forward)
      copy_elements(of.x(x.left<T>()), from->all(batch));
    else
      copy_elements(of.y(x.left<T>()), from->all(batch));
    prepared r = repeated_in(
        s, [k = K{}, state, from, to, w = K{}.template pack<Direction>(of.weights(x.right<T>())), each_call] {
          each_call([&](index_t n, index_t m) {
            const auto result = to->to_write(n, m);
            if constexpr (forward)
              k(*state, from->to_read(*state, n, m), w, result);
            else
              k.backward_data(*state, from->to_read(*state, n, m), w, result);
            to->written(*state, n, m);
          });
        });
    r.finish = [to, batch, out = forward ? of.y(x.out<T>()) : of.x(x.out<T>())] { copy_elements(to->all(batch), out); };
    return r;
  }
}

}  // namespace impl

/// Adds a pass of workload I on images in a layout, `samples` per call (0: all).
template <int I, class T, pass Direction, class Layout>
void add_cut(index_t samples) {
  using op = variants::op_of_workload<I, T>;
  constexpr const variants::conv_workload& w = variants::conv_workloads[I];
  variant v = variant_under<simd<>>(Direction == pass::backward_weights ? "plain" : "packed");
  v.judged = false;
  v.cut = {impl::layout_name<Layout>(), samples};
  constexpr bool last = std::is_same_v<Layout, image_layout<op, simd<>>>;
  // the batch is not known here: on cores it is one call, whatever it is
  const batch_choice b = training_batch_for<op>(devices::native, w.batch, {.extent = w.extent});
  v.cut.chosen = last && samples == (b.accumulates ? b.micro_batch : 0);
  v.policy += "/" + v.cut.layout + "/" + (samples > 0 ? "calls of " + std::to_string(samples) : "one call");
  v.takes = [samples](const problem& p, const setting&) {
    if (!p.conv || p.constructs || p.f64 || p.direction != Direction || samples >= p.conv->shape.batch) return false;
    problem mine = problem_of(variants::conv_workloads[I], p.conv->shape.batch);
    mine.direction = Direction;
    return mine == p;
  };
  v.prepare = [samples](const problem& p, const operands& x, const setting& s) {
    const index_t all = p.conv->shape.batch;
    return on_executor(s, [&](auto state) {
      return impl::prepare_cut<I, T, Direction, Layout>(p, x, s, state, samples > 0 ? samples : all);
    });
  };
  variants_of_all().push_back(v);
}

/// Every layout, in one call and in several.
template <int I, class T, pass Direction>
void add_cuts() {
  for (const index_t samples : {0, 1, 4, 16, 64}) {
    add_cut<I, T, Direction, layout_channels_last>(samples);
    add_cut<I, T, Direction, layout_channel_blocked<8>>(samples);
    add_cut<I, T, Direction, layout_channel_blocked<16>>(samples);
    add_cut<I, T, Direction, impl::planes>(samples);
  }
}

}  // namespace tern::bench::inline TERN_ISA
