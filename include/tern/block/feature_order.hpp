// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory order of a graph's features. A flatten keeps channels contiguous; PyTorch flattens images channel by
// channel, and its files order weights accordingly.
#pragma once

#include <array>
#include <cstddef>

#include "tern/block/graph_facts.hpp"
#include "tern/block/graph_parts.hpp"
#include "tern/block/layer.hpp"
#include "tern/block/parameters.hpp"
#include "tern/core/config.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern::inline TERN_ISA::impl {

/// The order of every tensor of features in a graph. It follows from the flattens before the tensor and the reshapes
/// after it, through layers that keep the order (feature_role).
template <class Facts>
class feature_orders {
 public:
  /// \param taken, made  orders of the graph's inputs and results that are features
  feature_orders(const feature_order& taken, const feature_order& made) {
    for (int t = 0; t < inputs; ++t)
      if (shape_of(t).rank == 0) at(t) = taken;
    for (const value& v : Facts::flat.outputs) note(v, made);
    do {
      changed_ = false;
      for (int i = 0; i < Facts::nodes; ++i) follow(i);
      for (int i = Facts::nodes; i-- > 0;) follow(i);
    } while (changed_);
  }

  /// The order of a value as a node reads it.
  feature_order of(const value& v) const {
    if (v.shape.rank > 0) return {};
    const sample_shape& s = shape_of(v.tensor);
    return s.rank > 0 ? order_of(s) : orders_[static_cast<std::size_t>(v.tensor)];
  }
  feature_order made_by(int node) const { return orders_[static_cast<std::size_t>(inputs + node)]; }

  /// The order of the features that a node's parameters read, or below make; mixed if nodes that share them differ.
  feature_order taken_with(int owner) const {
    return of_all(owner, [&](int i) { return of(Facts::operand(node(i), 0)); });
  }
  feature_order made_with(int owner) const {
    return of_all(owner, [&](int i) { return made_by(i); });
  }

 private:
  static constexpr int inputs = static_cast<int>(Facts::sizes.inputs);
  static const detail::graph_node& node(int i) { return Facts::flat.nodes[static_cast<std::size_t>(i)]; }
  static const sample_shape& shape_of(int tensor) {
    return tensor < inputs ? Facts::flat.inputs[static_cast<std::size_t>(tensor)] : node(tensor - inputs).out;
  }
  /// The order of an image's features. With one position, or one channel, all libraries have the same order.
  static feature_order order_of(const sample_shape& s) {
    return s.channels > 1 && s.positions() > 1 ? feature_order{.shape = s} : feature_order{};
  }
  template <class F>
  static feature_order of_all(int owner, F order) {
    const feature_order first = order(owner);
    for (int i = owner + 1; i < Facts::nodes; ++i)
      if (node(i).owner == owner && !(order(i) == first)) return {.mixed = true};
    return first;
  }
  feature_order& at(int tensor) { return orders_[static_cast<std::size_t>(tensor)]; }

  /// Records an order of a value, in addition to any known one.
  void note(const value& v, const feature_order& order) {
    if (shape_of(v.tensor).rank > 0) return;
    const feature_order other = v.shape.rank > 0 ? order_of(v.shape) : order;
    feature_order& known = at(v.tensor);
    if (other.is_shared() || known == other || known.mixed) return;
    known = known.is_shared() ? other : feature_order{.mixed = true};
    changed_ = true;
  }
  void follow(int i) {
    const detail::graph_node& n = node(i);
    const feature_role role = Facts::template by_kind<features_of_layer>[static_cast<std::size_t>(
        Facts::flat.kind[static_cast<std::size_t>(i)])];
    for (int o = 0; o < n.operands; ++o) {
      const value v = Facts::operand(n, o), result{inputs + i, n.out};
      note(v, {});  // a reshape
      if (role == feature_role::made) continue;
      const bool keeps = role == feature_role::kept && v.shape.size() == n.out.size();
      const feature_order x = of(v), y = n.out.rank == 0 ? made_by(i) : feature_order{};
      note(result, keeps || x.is_shared() ? x : feature_order{.mixed = true});
      if (v.shape.rank == 0) note(v, keeps || y.is_shared() ? y : feature_order{.mixed = true});
    }
  }

  std::array<feature_order, Facts::sizes.inputs + Facts::sizes.nodes> orders_ = {};
  bool changed_ = false;
};

}  // namespace tern::inline TERN_ISA::impl
