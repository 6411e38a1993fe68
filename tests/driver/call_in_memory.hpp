// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A drawn call in memory, twice: for the reference and for a policy. What is not an element of an output must stay as
// it was.
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tern/core/workspace.hpp"
#include "tern/kernel/declaration.hpp"
#include "tests/driver/drawn_call.hpp"
#include "tests/driver/placed_tensor.hpp"

namespace tern::test::inline TERN_ISA {

class call_in_memory {
 public:
  /// Now and then an output takes the place of an input, if the call may work in place.
  /// \param of        a call whose tensors have values
  /// \param adds      true if results are added to outputs
  /// \param block_of  channels of blocks of a tensor of the policy, or 0
  /// \param payloads  true if payloads of NaN count in results
  call_in_memory(const drawn_call& of, const declare::declaration& d, bool adds, int (*block_of)(int), bool payloads,
                 std::mt19937& engine);

  const placed_tensor& expected(int i) const { return expected_[static_cast<std::size_t>(i)]; }
  const placed_tensor& got(int i) const { return got_[static_cast<std::size_t>(place_[static_cast<std::size_t>(i)])]; }

  /// The error of the policy's call; empty if it is right.
  std::string complaint() const;
  std::string text() const;

  /// Makes an output share elements with another tensor, which is forbidden: the call must be refused before it writes.
  /// \param call  runs it on the tensors of overlapping()
  /// \return      the error of the answer, if any
  std::string complaint_of_overlap(const std::function<void()>& call, std::mt19937& engine);
  const placed_tensor& overlapping(int i) const { return overlapping_[static_cast<std::size_t>(i)]; }
  /// The same with a workspace that holds an element of a tensor.
  std::string complaint_of_workspace(const std::function<void(workspace)>& call, std::mt19937& engine) const;

 private:
  /// True if an output is in the place of tensor i.
  bool taken(std::size_t i) const;

  bool payloads_;
  std::vector<drawn_tensor> from_;
  std::vector<int> place_;  // the tensor in whose place a tensor is
  std::vector<placed_tensor> expected_, got_, overlapping_;
  std::vector<std::vector<unsigned char>> before_;
};

/// A declared pass, as values.
struct tested_pass {
  const char* op;
  const declare::declaration* declared;
  number of;                            ///< the element type of the op
  int rank;                             ///< axes of the first tensor
  bool may_add, must_add;               ///< true if the call takes tern::accumulate; if it always has it here
  bool (*made)(index_t*, int);          ///< of the pass, or null
  bool (*wrong)(const declare::fact*);  ///< true if a call is invalid
};

/// The layouts of the tensors of a call.
struct tested_layout {
  int (*block_of)(int);  ///< channels of blocks of a tensor, or 0: it has strides
  bool vectors = false;  ///< true if tensors that may be vectors are vectors
};

/// Draws calls and compares them.
class call_driver {
 public:
  /// \param seed        of all calls
  /// \param operations  about how many a call has at most
  call_driver(unsigned seed, double operations) : engine(seed), most(operations) {}

  /// The largest number of operations of the next calls: few, or `most` now and then.
  double few_or_many() { return engine() % 4 == 0 ? most : most / 8; }

  std::mt19937 engine;
  double most;

  /// Calls that were drawn, and those of which none was small enough.
  int calls = 0, skipped = 0;
  /// Receives complaints, which then do not fail the test.
  std::vector<std::string>* complaints = nullptr;

 protected:
  /// Draws a call. \return  false if no call is small enough
  /// \param layouts, count  of which one is drawn
  bool draw(const tested_pass& p, const call_rules& rules, const tested_layout* layouts, int count);
  /// Tries the call with an overlap that is not allowed, on the tensors of call_in_memory::overlapping.
  /// \return  the error of the answer, if any; complaint() returns it, too
  const std::string& try_overlap(const std::function<void()>& run) {
    return wrong_ = call_->complaint_of_overlap(run, engine);
  }
  /// The same with a workspace over a tensor.
  void try_workspace(const std::function<void(workspace)>& run) {
    if (wrong_.empty()) wrong_ = call_->complaint_of_workspace(run, engine);
  }
  /// The error of the call; empty if it is right.
  std::string complaint() const { return wrong_.empty() ? call_->complaint() : wrong_; }
  std::string text() const { return text_ + call_->text(); }

  int layout_ = 0;
  bool adds_ = false;
  std::unique_ptr<call_in_memory> call_;

 private:
  std::string text_, wrong_;
};

}  // namespace tern::test::inline TERN_ISA
