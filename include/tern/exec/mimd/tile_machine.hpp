// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile-local MIMD machine on the host: private arenas, and supersteps of exchange, sync and compute.
#pragma once

#include <cstring>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/device/device.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/mimd/arena.hpp"
#include "tern/exec/mimd/copier.hpp"
#include "tern/exec/mimd/cycles.hpp"
#include "tern/exec/mimd/memory.hpp"
#include "tern/exec/mimd/program_plans.hpp"
#include "tern/exec/mimd/trace.hpp"
#include "tern/policy/plan.hpp"

namespace tern::inline TERN_ISA {

/// The checking mode of a machine.
enum class tile_checks {
  off,
  /// For tests. Tiles run one after the other. While one computes, the memory of the others is locked: any access traps
  /// (SIGSEGV). Reads of undefined bytes, and interfering copies of one exchange, are violations.
  on
};

/// Run-time state of calls under `mimd`: owns the arenas and runs supersteps on an executor. Allocates only during
/// construction; one call at a time. Neither copied nor moved.
///
///     tern::tile_machine machine(64, 65536);                        // numbers, on the calling thread
///     tern::tile_machine machine(plan, pool);                       // sized for the pass of a plan
///     multiply(machine, a, b, c);
class tile_machine {
 public:
  tile_machine(index_t tiles, index_t bytes_per_tile, tile_checks checks = tile_checks::off)
      : tile_machine(tiles, bytes_per_tile, nullptr, nullptr, checks) {}
  /// \param run  must outlive the machine
  template <executor E>
  tile_machine(index_t tiles, index_t bytes_per_tile, E& run, tile_checks checks = tile_checks::off)
      : tile_machine(
            tiles, bytes_per_tile, const_cast<std::remove_const_t<E>*>(&run),
            [](void* self, index_t n, task_ref f) { (*static_cast<E*>(self))(n, f); }, checks) {}
  explicit tile_machine(const plan& p, tile_checks checks = tile_checks::off)
      : tile_machine(p.units, p.bytes_per_unit, checks) {}
  template <executor E>
  tile_machine(const plan& p, E& run, tile_checks checks = tile_checks::off)
      : tile_machine(p.units, p.bytes_per_unit, run, checks) {}

  tile_machine(const tile_machine&) = delete;
  tile_machine& operator=(const tile_machine&) = delete;
  ~tile_machine() {
    delete[] marks_;
    delete[] accounts_;
    delete[] arenas_;
  }

  index_t tiles() const { return tiles_; }
  index_t bytes_per_tile() const { return bytes_; }

  /// Records later supersteps in `t`; null stops recording.
  void record(trace* t) { trace_ = t; }
  /// The totals since `start`.
  tile_totals totals() const {
    tile_totals t = totals_;
    for (index_t i = 0; i < used_tiles_; ++i)
      if (arenas_[i].used_ > t.bytes_per_tile) t.bytes_per_tile = arenas_[i].used_;
    return t;
  }

  /// Computes the plans of the programs of call(), without running them: nothing is read or written.
  template <class F>
  void find_plans(program_plans& plans, F call) {
    plans.found_for({tiles_, bytes_});
    program_plans::cursor c(plans);
    with_plans(c, call);
  }
  /// Runs call() with the plans prepared for its programs, on a machine of the same size.
  template <class F>
  void run_with(const program_plans& plans, F call) {
    if (const tile_resources& had = plans.resources(); had.tiles != tiles_ || had.bytes_per_tile != bytes_)
      violation("tile_machine: the call was prepared for %td tiles of %td bytes, the machine has %td of %td bytes",
                had.tiles, had.bytes_per_tile, tiles_, bytes_);
    program_plans::cursor c(plans);
    with_plans(c, call);
  }
  /// The plan of a program: the prepared one, or else the result of find().
  template <class Plan, class Find>
  Plan plan_of(const Find& find) const {
    return plans_ != nullptr ? plans_->template next<Plan>(find) : find();
  }

  /// Begins a program on the first `tiles` tiles, charged at the rates of `d`. The contents of the arenas are
  /// undefined.
  void start(const device& d, index_t tiles) {
    if (only_plans()) return;
    if (tiles < 0 || tiles > tiles_)
      violation("tile_machine: a program for %td tiles, the machine has %td", tiles, tiles_);
    device_ = &d, used_tiles_ = tiles, totals_ = {};
    for (index_t t = 0; t < tiles; ++t) arenas_[t].used_ = 0;
    if (!marks_) return;
    memory_.unlock_all();  // the last program may have ended in a violation
    std::memset(marks_, 0, static_cast<std::size_t>(tiles_ * words()));
    for (index_t t = 0; t < tiles; ++t) std::memset(memory_.at(t), 0xff, static_cast<std::size_t>(bytes_));  // NaN
  }

  /// Copies between the caller's memory and the tiles: counted in bytes, charged no cycles.
  /// \param copies  called as copies(tile, copier&) for every tile
  template <class Copies>
  void stream(const char* name, Copies&& copies) {
    if (only_plans()) return;
    superstep_record r{.name = name, .tiles = used_tiles_};
    exchange(copies, r);
    r.exchange_cycles = 0;
    finish(r);
  }

  /// One superstep: all copies of the exchange, then the sync, then compute on every tile.
  /// \param copies   called as copies(tile, copier&) for every tile
  /// \param compute  called as compute(tile, arena&) for every tile; returns the cycles of the tile's processor
  template <class Copies, class Compute>
  void superstep(const char* name, Copies&& copies, Compute&& compute) {
    if (only_plans()) return;
    superstep_record r{.name = name, .tiles = used_tiles_};
    exchange(copies, r);
    run(compute, r);
  }
  /// A superstep without an exchange.
  template <class Compute>
  void superstep(const char* name, Compute&& compute) {
    if (only_plans()) return;
    superstep_record r{.name = name, .tiles = used_tiles_};
    run(compute, r);
  }

 private:
  tile_machine(index_t tiles, index_t bytes, void* executor, void (*execute)(void*, index_t, task_ref),
               tile_checks checks)
      : tiles_(tiles > 0 ? tiles : 1),
        bytes_(bytes > 0 ? bytes : 0),
        executor_(executor),
        execute_(execute),
        memory_(tiles_, bytes_, checks == tile_checks::on),
        arenas_(new arena[static_cast<std::size_t>(tiles_)]),
        accounts_(new impl::tile_account[static_cast<std::size_t>(tiles_)]) {
    if (checks == tile_checks::on) marks_ = new unsigned char[static_cast<std::size_t>(tiles_ * words())];
    for (index_t t = 0; t < tiles_; ++t) {
      arenas_[t].memory_ = memory_.at(t);
      arenas_[t].marks_ = marks_ ? marks_ + t * words() : nullptr;
      arenas_[t].tile_ = t, arenas_[t].bytes_ = bytes_;
    }
  }

  bool only_plans() const { return plans_ != nullptr && plans_->finds(); }
  template <class F>
  void with_plans(program_plans::cursor& c, F& call) {
    struct scope {  // ends with a violation, too
      program_plans::cursor*& plans;
      ~scope() { plans = nullptr; }
    } during{plans_};
    plans_ = &c;
    call();
  }

  index_t words() const { return (bytes_ + impl::word_bytes - 1) / impl::word_bytes; }

  template <class Task>
  void for_every_tile(Task& task) {
    if (executor_)
      execute_(executor_, used_tiles_, task);
    else
      for (index_t t = 0; t < used_tiles_; ++t) task(t);
  }

  template <class Copies>
  void exchange(Copies& copies, superstep_record& r) {
    for (index_t t = 0; t < used_tiles_; ++t) accounts_[t] = {};
    auto task = [&](index_t tile) {
      copier c(arenas_, accounts_, used_tiles_, tile);
      copies(tile, c);
    };
    if (marks_)
      for (index_t t = 0; t < used_tiles_; ++t) task(t);
    else
      for_every_tile(task);
    if (marks_) end_exchange();
    index_t busiest = 0;
    for (index_t t = 0; t < used_tiles_; ++t) {
      const impl::tile_account& a = accounts_[t];
      r.bytes_exchanged += a.exchanged, r.bytes_streamed += a.streamed;
      const index_t most = a.sent > a.received ? a.sent : a.received;
      if (most > busiest) busiest = most;
    }
    r.exchange_cycles = tile_cycles::exchange(*device_, static_cast<double>(busiest));
  }

  /// Marks received bytes as defined and readable.
  void end_exchange() {
    for (index_t w = 0; w < used_tiles_ * words(); ++w)
      marks_[w] = marks_[w] & (impl::defined | impl::written_now) ? impl::defined : 0;
  }

  template <class Compute>
  void run(Compute& compute, superstep_record& r) {
    auto task = [&](index_t tile) { accounts_[tile].cycles = compute(tile, arenas_[tile]); };
    if (marks_) {
      memory_.lock_all();
      for (index_t t = 0; t < used_tiles_; ++t) {
        memory_.unlock(t);
        task(t);
        memory_.lock(t);
      }
      memory_.unlock_all();
    } else {
      for_every_tile(task);
    }
    for (index_t t = 0; t < used_tiles_; ++t)
      if (accounts_[t].cycles > r.compute_cycles) r.compute_cycles = accounts_[t].cycles;
    r.sync_cycles = device_->sync_cycles;
    ++totals_.supersteps;
    finish(r);
  }

  void finish(const superstep_record& r) {
    totals_.bytes_exchanged += r.bytes_exchanged, totals_.bytes_streamed += r.bytes_streamed;
    totals_.compute_cycles += r.compute_cycles, totals_.sync_cycles += r.sync_cycles;
    totals_.exchange_cycles += r.exchange_cycles;
    if (trace_) trace_->add(r);
  }

  static constexpr device unknown_{};

  index_t tiles_, bytes_;
  void* executor_;
  void (*execute_)(void*, index_t, task_ref);
  impl::tile_memory memory_;
  arena* arenas_;
  impl::tile_account* accounts_;
  unsigned char* marks_ = nullptr;
  const device* device_ = &unknown_;
  index_t used_tiles_ = 0;
  tile_totals totals_;
  trace* trace_ = nullptr;
  program_plans::cursor* plans_ = nullptr;  ///< plans of a prepared call, or of one being prepared
};

}  // namespace tern::inline TERN_ISA
