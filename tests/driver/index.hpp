// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of ops that move elements. Factors, borders, blocks and groups that only the run knows stand for all
// configs: so a pass is compiled once.
#pragma once

#include <cstdint>
#include <random>
#include <type_traits>

#include "tests/driver/parity.hpp"

namespace tern::test::inline TERN_ISA {

/// The configs of the ops that any_move computes.
struct move_configs {
  upsample3d_config larger;
  pad3d_config around;
  space_to_depth3d_config blocks;
  channel_shuffle_config shuffle;

  // Elements of an axis of the result; -1: there may not be so many.
  template <class T>
  index_t result(const reorder<T>*, int, index_t size) const {
    return size;
  }
  template <channel_shuffle_config C, class T>
  index_t result(const channel_shuffle<C, T>*, int axis, index_t size) const {
    return axis == 1 && size % shuffle.groups != 0 ? -1 : size;
  }
  template <space_to_depth3d_config C, class T>
  index_t result(const space_to_depth<3, C, T>*, int axis, index_t size) const {
    return axis == 1 ? size * blocks.elements() : quotient(size, blocks.block[axis - 2]);
  }
  template <space_to_depth3d_config C, class T>
  index_t result(const depth_to_space<3, C, T>*, int axis, index_t size) const {
    return axis == 1 ? quotient(size, blocks.elements()) : size * blocks.block[axis - 2];
  }
  template <upsample3d_config C, class T>
  index_t result(const upsample<3, C, T>*, int axis, index_t size) const {
    return axis == 1 ? size : larger.axis(axis - 2, size).out();
  }
  template <pad3d_config C, class T>
  index_t result(const pad<3, C, T>*, int axis, index_t size) const {
    return axis == 1 ? size : padded(axis - 2, size);
  }

  // Replaces the numbers of a map's config.
  void set(identity_map&, bool) const {}
  void set(shuffle_map& m, bool back) const { m.groups = back ? m.channels / shuffle.groups : shuffle.groups; }
  template <bool ToSpace>
  void set(depth_map<ToSpace>& m, bool) const {
    for (int r = 0; r < 3; ++r) m.block[r] = blocks.block[r];
    m.order = blocks.order;
  }
  void set(repeat_map& m, bool) const { set(m.axis); }
  void set(pad_map& m, bool) const { set(m.axis); }
  void set(upsample_axis (&axis)[3]) const {
    for (int r = 0; r < 3; ++r) axis[r] = larger.axis(r, axis[r].in);
  }
  void set(pad_axis (&axis)[3]) const {
    for (int r = 0; r < 3; ++r) axis[r] = around.axis(r, axis[r].in);
  }

 private:
  static index_t quotient(index_t size, index_t divisor) { return size % divisor == 0 ? size / divisor : -1; }
  index_t padded(int r, index_t size) const;
};
extern move_configs current_moves;

/// A pass of an op that moves elements, of three axes, with current_moves instead of its config.
template <class OpType, bool Backward>
struct any_move : declare::moving_pass<OpType, Backward> {
  using pass = declare::moving_pass<OpType, Backward>;
  static constexpr bool always_adds = Backward && !pass::sums && std::is_arithmetic_v<typename pass::value_type>;

  static constexpr bool made(index_t* extent, int rank) {
    for (int r = 1; r < rank; ++r) {
      if (std::is_constant_evaluated())
        extent[r] = dynamic;
      else if ((extent[r] = current_moves.result(static_cast<const OpType*>(nullptr), r, extent[r])) < 0)
        return false;
    }
    return true;
  }
  template <bool Add, class... A>
  static auto problem(const char* op, const A&... a) {
    auto q = pass::template problem<Add>(op, a...);
    if constexpr (pass::sums)
      current_moves.set(q.axis);
    else
      current_moves.set(q.map, Backward);
    return q;
  }
};

/// Configs, and the sizes that go with them. Some sums have more than a chunk.
move_configs random_moves(std::mt19937& engine, call_rules& rules);

/// True if a call reads and writes at most `most` elements.
std::function<bool(const tensor_shape*)> few_elements(double most);
/// True if the sums of a call have at most `most` terms.
/// \param x, y  the numbers of these tensors
std::function<bool(const tensor_shape*)> few_terms(int x, int y, double most);

/// Any bits: payloads of NaN, too.
inline void fill_bits(drawn_call& c, std::mt19937& engine) {
  for (unsigned char& byte : c.tensors[0].values) byte = static_cast<unsigned char>(engine());
}

struct index_family {
  static constexpr int cases = 300;
  static constexpr double most = 3e4;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 300, .stepped = 50, .cut_in_both = -1};

  /// A call of every pass.
  template <class T, class Run>
  static void calls(Run& run) {
    using copy = reorder<T>;
    using shuffle = channel_shuffle<channel_shuffle_config{}, T>;
    using deeper = space_to_depth<3, space_to_depth3d_config{}, T>;
    using wider = depth_to_space<3, space_to_depth3d_config{}, T>;
    using repeat = upsample<3, upsample3d_config{}, T>;
    using around = pad<3, pad3d_config{}, T>;
    constexpr int across = 96 / sizeof(T);  // whole vectors cross from one block to the next
    constexpr bool sums = std::is_floating_point_v<T>;
    const double elements = run.few_or_many();
    call_rules rules;
    current_moves = random_moves(run.engine, rules);
    rules.fits = few_elements(elements);
    if constexpr (sums) {
      run.template call<copy, any_move<copy, true>, 5, blocks<4, 16>>(rules);
      run.template call<shuffle, any_move<shuffle, true>, 5, blocks<16, 0>>(rules);
      run.template call<deeper, any_move<deeper, true>, 5, blocks<0, 4>>(rules);
      run.template call<wider, any_move<wider, true>, 5, blocks<4, across>>(rules);
    }
    rules.payloads = true, rules.fill = fill_bits;
    run.template call<copy, any_move<copy, false>, 5, blocks<across, 0>>(rules);
    run.template call<shuffle, any_move<shuffle, false>, 5, blocks<4, across>>(rules);
    run.template call<deeper, any_move<deeper, false>, 5, blocks<16, across>>(rules);
    run.template call<wider, any_move<wider, false>, 5, blocks<0, 16>>(rules);
    run.template call<repeat, any_move<repeat, false>, 5, blocks<16, 4>>(rules);
    run.template call<around, any_move<around, false>, 5, blocks<across, 4>>(rules, padding_value{-0.75});
    if constexpr (sums) {
      using between = upsample<3, upsample3d_config{.mode = interpolation::linear}, T>;
      rules.payloads = false, rules.fill = {};
      rules.fits = few_terms(0, 1, elements);
      run.template call<between, any_move<between, false>, 5, blocks<4, across>>(rules);
      rules.fits = few_terms(1, 0, elements);
      run.template call<between, any_move<between, true>, 5, blocks<across, 16>>(rules);
      run.template call<around, any_move<around, true>, 5, blocks<0, 4>>(rules);
    }
  }
};

}  // namespace tern::test::inline TERN_ISA
