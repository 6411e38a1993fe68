// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

/// The plans of one call's programs, in execution order. Computed once, when the call is prepared. Allocates one block
/// per plan. Moved, not copied.
class program_plans {
  struct node {
    virtual ~node() = default;
    node* next = nullptr;
  };
  template <class Plan>
  struct node_of final : node {
    explicit node_of(const Plan& p) : plan(p) {}
    Plan plan;
  };

 public:
  program_plans() = default;
  program_plans(program_plans&& other) noexcept : first_(other.first_), have_(other.have_) { other.first_ = nullptr; }
  program_plans& operator=(program_plans&& other) noexcept {
    node* const mine = first_;
    first_ = other.first_, other.first_ = mine, have_ = other.have_;
    return *this;
  }
  ~program_plans() {
    while (first_ != nullptr) {
      node* const next = first_->next;
      delete first_;
      first_ = next;
    }
  }

  /// One pass over the plans: preparation computes them, and every later call takes them in turn.
  class cursor {
   public:
    explicit cursor(program_plans& plans) : at_(&plans.first_), finds_(true) {}
    explicit cursor(const program_plans& plans) : next_(plans.first_) {}

    bool finds() const { return finds_; }
    /// The next plan; during preparation the result of find().
    template <class Plan, class Find>
    Plan next(const Find& find) {
      if (finds_) {
        auto* const made = new node_of<Plan>(find());
        *at_ = made, at_ = &made->next;
        return made->plan;
      }
      if (next_ == nullptr) violation("mimd: the prepared call was moved from, and holds no plans");
      const auto& kept = static_cast<const node_of<Plan>&>(*next_);  // the same call asks for the same types of plans
      next_ = kept.next;
      return kept.plan;
    }

   private:
    node** at_ = nullptr;
    const node* next_ = nullptr;
    bool finds_ = false;
  };

  /// The machine size for which the plans were computed.
  const tile_resources& resources() const { return have_; }
  void found_for(const tile_resources& have) { have_ = have; }

 private:
  node* first_ = nullptr;
  tile_resources have_;
};

}  // namespace tern::inline TERN_ISA
