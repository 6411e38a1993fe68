// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors of a declared call, drawn at random: their shapes as the declaration says, and their values.
#pragma once

#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tern/kernel/declaration.hpp"
#include "tests/driver/placed_tensor.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test::inline TERN_ISA {

/// Extents of the axes of a call by their names, and by numbers among those of one name.
using axis_extents = std::map<std::pair<std::string, int>, index_t>;

/// Draws shapes for the tensors of a call. Axes of one name have one extent, or 1 where they may.
/// \param rank     axes of the first tensor
/// \param vectors  true if tensors that may be vectors are vectors
/// \param made     the pass's function from one shape to another, or null
/// \param draw     draw(name, number): an extent
/// \return         false if there are no such shapes
bool draw_shapes(const declare::declaration& d, int rank, bool vectors, bool (*made)(index_t*, int),
                 std::mt19937& engine, tensor_shape* shape, axis_extents& extents,
                 const std::function<index_t(const std::string&, int)>& draw);

/// Numbers of one kind: those of `numbers`, or few different ones with a NaN or an infinity now and then.
class some_numbers {
 public:
  explicit some_numbers(std::mt19937& engine, double size = 1);
  double operator()();

 private:
  std::mt19937 engine_;
  numbers next_;
  bool ties_;
  double size_;
};

/// A tensor of a call.
struct drawn_tensor {
  declare::tensor is;
  number of = number::float32;
  tensor_shape shape;
  std::vector<unsigned char> values;

  bool is_output() const { return is.is != declare::role::input; }
  /// \param next  gives numbers
  void fill(const std::function<double()>& next);
};

struct drawn_call;

/// The rules by which the calls of a pass are drawn.
struct call_rules {
  /// Extents of axes by name, or by name and number: "spatial...2".
  std::vector<std::pair<std::string, std::vector<index_t>>> sizes;
  /// True if a call on tensors of these shapes is small enough.
  std::function<bool(const tensor_shape*)> fits = [](const tensor_shape* s) { return s->size() <= 60000; };
  bool payloads = false;  ///< true if payloads of NaN count in results
  std::string text = {};  ///< further parameters of a call, for the message of a failure
  /// Fills tensors that are not random numbers; all others are filled before.
  std::function<void(drawn_call&, std::mt19937&)> fill = {};

  index_t draw(const std::string& axis, int axis_number, std::mt19937& engine) const;
};

/// The tensors of a call.
struct drawn_call {
  std::vector<drawn_tensor> tensors;

  drawn_tensor& operator[](const std::string& name);
  /// Draws shapes until a call is valid and small enough. Gives up if few are.
  /// \param of     the element type of the op
  /// \param wrong  true if a call on these tensors is invalid
  bool draw(const declare::declaration& d, int rank, bool vectors, bool (*made)(index_t*, int), number of,
            const call_rules& rules, std::mt19937& engine, bool (*wrong)(const declare::fact*));
  /// Fills all tensors: masks with zeros and ones, integers with any, others with numbers of some kind.
  void fill(const call_rules& rules, std::mt19937& engine);
};

}  // namespace tern::test::inline TERN_ISA
