// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/simt/ptx/block.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <numeric>

namespace ptx {

statistics& statistics::operator+=(const statistics& other) {
  launches += other.launches, blocks += other.blocks, threads += other.threads, barriers += other.barriers;
  for (int i = 0; i < groups; ++i) instructions[i] += other.instructions[i];
  global_read += other.global_read, global_written += other.global_written;
  global_requests += other.global_requests, global_sectors += other.global_sectors;
  shared_requests += other.shared_requests, shared_wavefronts += other.shared_wavefronts;
  shared_least += other.shared_least;
  return *this;
}

namespace {

template <class F>
void each_lane(lane_mask m, F f) {
  for (; m != 0; m &= m - 1) f(std::countr_zero(m));
}

/// Lanes of a warp at one instruction.
struct lane_group {
  std::uint32_t pc;
  lane_mask lanes;
  int part;  ///< lanes of different parts do not run together
};

/// An asynchronous copy that is under way.
struct pending_copy {
  int lane;
  std::uint32_t group;
  std::uint32_t to;
  std::uint64_t from;
  std::uint32_t bytes, read;
};

/// Lanes that wait in a shuffle for its other members.
struct waiting_shuffle {
  std::uint32_t pc;
  lane_mask members, lanes;
};

struct warp {
  int number;
  registers file;
  std::vector<lane_group> ready;
  int part[warp_lanes];
  lane_mask lanes = 0, exited = 0;
  lane_mask at_barrier = 0;
  std::uint32_t barrier_pc = 0;
  std::vector<waiting_shuffle> shuffles;
  waiting_shuffle last_shuffle[warp_lanes];  ///< that each lane has been in
  std::vector<pending_copy> copies;
  std::uint32_t committed[warp_lanes];  ///< groups of copies that each lane has ended

  lane_mask live() const { return lanes & ~exited; }
  lane_mask in_shuffle() const {
    lane_mask all = 0;
    for (const waiting_shuffle& s : shuffles) all |= s.lanes;
    return all;
  }
};

class block_of_threads {
 public:
  block_of_threads(const grid& g, global_memory& memory, std::mt19937& random)
      : g_(g), k_(g.k), global_(memory), shared_(variables(g)), random_(random) {
    const auto count = static_cast<std::uint32_t>(g.threads.count());
    warps_.resize((count + warp_lanes - 1) / warp_lanes);
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      warps_[w].number = static_cast<int>(w);
      const std::uint32_t left = count - static_cast<std::uint32_t>(w) * warp_lanes;
      warps_[w].lanes = left >= warp_lanes ? all_lanes : (1u << left) - 1;
    }
  }

  void run(std::uint32_t index, statistics& s) {
    stats_ = &s;
    index_ = index, epoch_ = 0, steps_ = 0;
    shared_.clear();
    for (warp& w : warps_) start(w);
    for (;;) {
      std::vector<std::size_t> order(warps_.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      if (g_.order == thread_order::reverse) std::reverse(order.begin(), order.end());
      if (g_.order == thread_order::random) std::shuffle(order.begin(), order.end(), random_);
      for (const std::size_t w : order)
        while (!warps_[w].ready.empty()) run_next(warps_[w]);
      lane_mask live = 0;
      int waiting = 0, shuffling = 0, gone = 0;
      for (const warp& w : warps_) {
        live |= w.live();
        waiting += std::popcount(w.at_barrier), shuffling += std::popcount(w.in_shuffle());
        gone += std::popcount(w.exited);
      }
      if (live == 0) return;
      if (shuffling > 0)
        throw fault(place() + "deadlock: " + std::to_string(shuffling) + " threads wait in a shuffle for others, " +
                    std::to_string(waiting) + " at a barrier, " + std::to_string(gone) + " have left the kernel");
      if (gone > 0)
        throw fault(place() + "deadlock: " + std::to_string(waiting) + " threads wait at a barrier, " +
                    std::to_string(gone) + " have left the kernel");
      release();
    }
  }

 private:
  static std::vector<std::pair<std::uint32_t, std::uint32_t>> variables(const grid& g) {
    auto all = g.k.variables;
    all.emplace_back(g.k.dynamic_at, g.dynamic_shared);
    return all;
  }

  void start(warp& w) {
    w.file.resize(k_);
    for (const auto& [s, value] : k_.constants)
      if (s.in == bank::predicate)
        w.file.predicate(s) = value ? all_lanes : 0;
      else
        for (int l = 0; l < warp_lanes; ++l) w.file.set(s, l, value);
    for (const auto& [s, what] : k_.specials)
      for (int l = 0; l < warp_lanes; ++l) w.file.set(s, l, value_of(what, w.number * warp_lanes + l));
    for (const auto& [s, value] : k_.constants) w.file.undefined(s) = 0;
    for (const auto& [s, what] : k_.specials) w.file.undefined(s) = 0;
    w.exited = w.at_barrier = 0;
    w.shuffles.clear();
    std::fill(std::begin(w.last_shuffle), std::end(w.last_shuffle), waiting_shuffle{});
    w.copies.clear();
    std::fill(std::begin(w.committed), std::end(w.committed), 0u);
    w.ready.clear();
    set_off(w, w.lanes, 0);
  }
  std::uint32_t value_of(special what, int thread) const {
    const auto t = static_cast<std::uint32_t>(thread);
    const dimensions &n = g_.threads, &b = g_.blocks;
    switch (what) {
      case special::tid_x: return t % n.x;
      case special::tid_y: return t / n.x % n.y;
      case special::tid_z: return t / n.x / n.y;
      case special::ntid_x: return n.x;
      case special::ntid_y: return n.y;
      case special::ntid_z: return n.z;
      case special::ctaid_x: return index_ % b.x;
      case special::ctaid_y: return index_ / b.x % b.y;
      case special::ctaid_z: return index_ / b.x / b.y;
      case special::nctaid_x: return b.x;
      case special::nctaid_y: return b.y;
      case special::nctaid_z: return b.z;
      case special::laneid: return t % warp_lanes;
      case special::warpid: return t / warp_lanes;
    }
    return 0;
  }

  /// Lanes go on at an instruction, in parts that are drawn anew.
  void set_off(warp& w, lane_mask lanes, std::uint32_t pc) {
    each_lane(lanes, [&](int l) {
      w.part[l] = g_.order == thread_order::forward   ? 0
                  : g_.order == thread_order::reverse ? 3 - l / 8
                                                      : static_cast<int>(random_() % 4);
    });
    go_on(w, lanes, pc);
  }
  /// Lanes go on at an instruction, each in its part.
  void go_on(warp& w, lane_mask lanes, std::uint32_t pc) {
    lane_mask of_part[4] = {};
    each_lane(lanes, [&](int l) { of_part[w.part[l]] |= 1u << l; });
    for (int p = 0; p < 4; ++p)
      if (of_part[p]) add(w, {pc, of_part[p], p});
  }
  static void add(warp& w, const lane_group& g) {
    for (lane_group& other : w.ready)
      if (other.pc == g.pc && other.part == g.part) {
        other.lanes |= g.lanes;
        return;
      }
    w.ready.push_back(g);
  }

  void release() {
    for (const warp& w : warps_)
      if (w.barrier_pc != warps_[0].barrier_pc)
        throw fault("block " + std::to_string(index_) + ": warp " + std::to_string(w.number) +
                    " waits at the barrier of " + line(w.barrier_pc) + ", warp 0 at that of " +
                    line(warps_[0].barrier_pc));
    ++epoch_, steps_ = 0;
    ++stats_->barriers;
    for (warp& w : warps_) {
      const lane_mask lanes = w.at_barrier;
      w.at_barrier = 0;
      if (lanes) set_off(w, lanes, w.barrier_pc + 1);
    }
  }

  std::string line(std::uint32_t pc) const { return "PTX line " + std::to_string(k_.code[pc].line); }
  /// The position of the executor, for a fault.
  std::string place() const {
    std::string text = "block " + std::to_string(index_);
    if (current_)
      text += ", warp " + std::to_string(warp_) + ", PTX line " + std::to_string(current_->line) + " '" +
              std::string(current_->text.substr(0, 120)) + "'";
    return text + ": ";
  }
  [[noreturn]] void fail(int lane, const std::string& what) const {
    throw fault("block " + std::to_string(index_) + ", thread " + std::to_string(warp_ * warp_lanes + lane) +
                ", PTX line " + std::to_string(current_->line) + " '" + std::string(current_->text.substr(0, 120)) +
                "': " + what);
  }
  actor who(int lane) const { return {index_, epoch_, static_cast<std::uint32_t>(warp_ * warp_lanes + lane)}; }

  /// Runs the lanes whose turn it is until they wait, part or leave.
  void run_next(warp& w) {
    std::size_t next = 0;
    for (std::size_t i = 1; i < w.ready.size(); ++i)
      if (std::pair(w.ready[i].part, w.ready[i].pc) < std::pair(w.ready[next].part, w.ready[next].pc)) next = i;
    lane_group g = w.ready[next];
    w.ready.erase(w.ready.begin() + static_cast<std::ptrdiff_t>(next));
    warp_ = w.number;
    for (;;) {
      const instruction& i = k_.code[g.pc];
      current_ = &i;
      if (++steps_ > g_.most_steps)
        fail(std::countr_zero(g.lanes), "its block has run " + std::to_string(g_.most_steps) +
                                            " instructions of warps without a barrier or an end: a loop that does not "
                                            "end, or that waits for another warp");
      if (i.is_target && !w.ready.empty()) {  // others may have come here, or are to run first
        for (const lane_group& other : w.ready)
          if (other.part == g.part && other.pc <= g.pc) {
            add(w, g);
            return;
          }
      }
      lane_mask m = g.lanes;
      if (i.guard) {
        const lane_mask p = w.file.predicate(i.guard);
        if (const lane_mask u = w.file.undefined(i.guard) & g.lanes; u && i.what != kind::arithmetic)
          fail(std::countr_zero(u), "depends on a number that is not defined");
        m &= i.guard_negated ? ~p : p;
      }
      if (i.counts_as != group::none)
        stats_->instructions[static_cast<int>(i.counts_as)] += static_cast<std::uint64_t>(std::popcount(m));
      switch (i.what) {
        case kind::arithmetic:
          if (m) i.run(w.file, i, m);
          if (i.guard && i.to) w.file.taint(i.to, w.file.undefined(i.guard) & g.lanes, all_lanes);
          ++g.pc;
          break;
        case kind::load:
          if (m) load(w, i, m);
          ++g.pc;
          break;
        case kind::store:
          if (m) store(w, i, m);
          ++g.pc;
          break;
        case kind::copy:
          if (m) copy(w, i, m);
          ++g.pc;
          break;
        case kind::commit:
          each_lane(m, [&](int l) { ++w.committed[l]; });
          ++g.pc;
          break;
        case kind::wait:
          finish_copies(w, m, i.waits_for_all ? -1 : i.offset);
          ++g.pc;
          break;
        case kind::branch: {
          const lane_mask stay = g.lanes & ~m;
          if (m == 0) {
            ++g.pc;
          } else if (stay == 0) {
            g.pc = i.target;
          } else {
            add(w, {i.target, m, g.part});
            add(w, {g.pc + 1, stay, g.part});
            return;
          }
          break;
        }
        case kind::exit:
          for (const pending_copy& c : w.copies)
            if (m >> c.lane & 1) fail(c.lane, "leaves with an asynchronous copy that it has not waited for");
          w.exited |= m;
          g.lanes &= ~m;
          finish_shuffles(w);  // nobody waits for lanes that have left
          if (g.lanes == 0) return;
          ++g.pc;
          break;
        case kind::barrier:
          if (w.at_barrier && m && w.barrier_pc != g.pc)
            fail(std::countr_zero(m), "waits at another barrier than other threads of its warp");
          w.at_barrier |= m, w.barrier_pc = g.pc;
          g.lanes &= ~m;
          if (g.lanes == 0) return;
          ++g.pc;
          break;
        case kind::shuffle:
          shuffle(w, i, m, g.pc);
          g.lanes &= ~m;
          if (g.lanes == 0) return;
          ++g.pc;
          break;
      }
    }
  }

  std::uint64_t address(warp& w, slot base, std::int64_t offset, int lane) {
    if (base && w.file.undefined(base) >> lane & 1) fail(lane, "its address is not defined");
    return (base ? w.file.get(base, lane) : 0) + static_cast<std::uint64_t>(offset);
  }
  /// True if an address belongs to shared memory; then converts it to an address there.
  static bool in_shared(const instruction& i, std::uint64_t& a) {
    if (i.where == space::shared) {
      a &= 0xffffffffu;
      return true;
    }
    if (i.where != space::generic || a < shared_window || a - shared_window >= (std::uint64_t{1} << 32)) return false;
    a -= shared_window;
    return true;
  }

  /// The element as a register has it: extended by zeros or by its sign.
  static std::uint64_t element(const std::uint8_t* p, const instruction& i) {
    switch (i.bytes) {
      case 1: return extended<std::uint8_t, std::int8_t>(p, i);
      case 2: return extended<std::uint16_t, std::int16_t>(p, i);
      case 4: return extended<std::uint32_t, std::int32_t>(p, i);
      default: return extended<std::uint64_t, std::int64_t>(p, i);
    }
  }
  template <class U, class S>
  static std::uint64_t extended(const std::uint8_t* p, const instruction& i) {
    U x;
    std::memcpy(&x, p, sizeof x);
    return i.extends_sign ? static_cast<std::uint64_t>(std::int64_t{static_cast<S>(x)}) : std::uint64_t{x};
  }

  void load(warp& w, const instruction& i, lane_mask m) {
    const std::uint32_t bytes = std::uint32_t{i.bytes} * i.vector;
    requests_.clear();
    bool shared = false;
    lane_mask undefined[4] = {};  // of each element
    each_lane(m, [&](int l) {
      std::uint64_t a = address(w, i.base, i.offset, l);
      const std::uint8_t* p;
      try {
        if (i.where == space::param) {
          if (a + bytes > g_.params.size()) fail(l, "reads behind the parameters");
          p = g_.params.data() + a;
        } else if (in_shared(i, a)) {
          shared = true;
          const auto [from, at] = shared_.at(a, bytes, "reads");
          p = from;
          if (!shared_.watched.read(at, bytes, who(l), "reads"))
            for (std::size_t e = 0; e < i.vector; ++e)
              undefined[e] |= lane_mask{!shared_.watched.is_defined(at + e * i.bytes, i.bytes)} << l;
          requests_.push_back(a);
        } else {
          global_memory::allocation& of = global_.access(a, bytes, "reads");
          of.watched.read(a - of.first, bytes, who(l), "reads");
          if (i.constant) of.watched.read_constant(a - of.first, bytes);
          for (std::size_t e = 0; e < i.vector; ++e)
            undefined[e] |= lane_mask{!of.is_defined(a + e * i.bytes, i.bytes)} << l;
          p = reinterpret_cast<const std::uint8_t*>(a);
          requests_.push_back(a);
        }
      } catch (const access_error& e) {
        fail(l, e.what());
      }
      for (int e = 0; e < i.vector; ++e) w.file.set(i.from[e], l, element(p + e * i.bytes, i));
    });
    for (int e = 0; e < i.vector; ++e) w.file.taint(i.from[e], m, undefined[e]);
    if (i.where != space::param) count(shared, false, bytes);
  }

  void store(warp& w, const instruction& i, lane_mask m) {
    const std::uint32_t bytes = std::uint32_t{i.bytes} * i.vector;
    requests_.clear();
    bool shared = false;
    const auto one = [&](int l) {
      std::uint64_t a = address(w, i.base, i.offset, l);
      std::uint8_t* p;
      lane_mask undefined = 0;
      for (int e = 0; e < i.vector; ++e) undefined |= w.file.undefined(i.from[e]);
      const bool defined = !(undefined >> l & 1);
      try {
        if (in_shared(i, a)) {
          shared = true;
          const auto [to, at] = shared_.at(a, bytes, "writes");
          p = to;
          shared_.watched.write(at, bytes, who(l), "writes");
          for (std::size_t e = 0; e < i.vector && !defined; ++e)
            if (w.file.undefined(i.from[e]) >> l & 1) shared_.watched.define(at + e * i.bytes, i.bytes, false);
        } else {
          if (!defined) fail(l, "writes a number that is not defined to global memory");
          global_memory::allocation& of = global_.access(a, bytes, "writes");
          of.watched.write(a - of.first, bytes, who(l), "writes");
          if (!of.defined.empty())
            std::fill_n(of.defined.begin() + static_cast<std::ptrdiff_t>(a - of.first), bytes, true);
          p = reinterpret_cast<std::uint8_t*>(a);
        }
      } catch (const access_error& e) {
        fail(l, e.what());
      }
      requests_.push_back(a);
      for (int e = 0; e < i.vector; ++e) {
        const std::uint64_t x = w.file.get(i.from[e], l);
        std::memcpy(p + e * i.bytes, &x, i.bytes);
      }
    };
    if (g_.order == thread_order::reverse)
      for (int l = warp_lanes; l-- > 0;) {
        if (m >> l & 1) one(l);
      }
    else
      each_lane(m, one);
    count(shared, true, bytes);
  }

  void copy(warp& w, const instruction& i, lane_mask m) {
    requests_.clear();
    std::uint64_t read_bytes = 0;
    each_lane(m, [&](int l) {
      std::uint64_t to = address(w, i.base, i.offset, l) & 0xffffffffu;
      const std::uint64_t from = address(w, i.source, i.source_offset, l);
      if (w.file.undefined(i.from[0]) >> l & 1) fail(l, "its number of bytes is not defined");
      const auto read = static_cast<std::uint32_t>(w.file.get(i.from[0], l));
      try {
        if (read > i.bytes) fail(l, "reads " + std::to_string(read) + " bytes for " + std::to_string(i.bytes));
        const std::size_t at = shared_.at(to, i.bytes, "copies to").watched;
        if (from % i.bytes != 0) fail(l, "copies from an address that is not a multiple of its bytes");
        if (read > 0) {
          global_memory::allocation& of = source(from, read);
          of.watched.begin_source(from - of.first, read, who(l));
        }
        shared_.watched.begin_copy(at, i.bytes, who(l));
      } catch (const access_error& e) {
        fail(l, e.what());
      }
      w.copies.push_back({l, w.committed[l], static_cast<std::uint32_t>(to), from, i.bytes, read});
      if (g_.copies == copy_time::early)
        perform(w.copies.back());
      else
        std::memset(shared_.at(to, i.bytes, "copies to").bytes, 0xff, i.bytes);
      if (read > 0) requests_.push_back(from), read_bytes += read;
    });
    count(false, false, i.bytes);
    stats_->global_read += read_bytes - requests_.size() * i.bytes;
  }
  /// The allocation that a copy reads from.
  global_memory::allocation& source(std::uint64_t from, std::uint32_t bytes) {
    if (!global_.find(from, bytes))
      global_.access(from, 1, "copies from"), global_.access(from + bytes - 1, 1, "copies from");
    return global_.access(from, 1, "copies from");
  }
  void perform(const pending_copy& c) {
    std::uint8_t* const to = shared_.at(c.to, c.bytes, "copies to").bytes;
    if (c.read > 0) std::memcpy(to, reinterpret_cast<const void*>(c.from), c.read);
    std::memset(to + c.read, 0, c.bytes - c.read);
  }
  /// Copies of all but the last `pending` groups of each lane are there now; of all where that is -1.
  void finish_copies(warp& w, lane_mask m, std::int64_t pending) {
    std::erase_if(w.copies, [&](const pending_copy& c) {
      if (!(m >> c.lane & 1) || (pending >= 0 && c.group + pending >= w.committed[c.lane])) return false;
      if (g_.copies == copy_time::late) perform(c);
      try {
        const std::size_t to = shared_.at(c.to, c.bytes, "copies to").watched;
        shared_.watched.end_copy(to, c.bytes, who(c.lane));
        if (c.read > 0) {
          global_memory::allocation& of = source(c.from, c.read);
          of.watched.end_source(c.from - of.first, c.read);
          for (std::uint32_t b = 0; !of.is_defined(c.from, c.read) && b < c.read; ++b)
            if (!of.is_defined(c.from + b, 1)) shared_.watched.define(to + b, 1, false);
        }
      } catch (const access_error& e) {
        fail(c.lane, e.what());
      }
      return true;
    });
  }

  /// Lanes arrive at a shuffle, and go on once all its members are there that have not left.
  void shuffle(warp& w, const instruction& i, lane_mask m, std::uint32_t pc) {
    each_lane(m, [&](int l) {
      const auto members = static_cast<lane_mask>(w.file.get(i.from[3], l));
      if (w.file.undefined(i.from[3]) >> l & 1) fail(l, "its members are not defined");
      if (!(members >> l & 1)) fail(l, "is no member of its own shuffle");
      if (members & ~w.lanes) fail(l, "has a member that does not exist");
      w.last_shuffle[l] = {pc, members, 0};
      for (waiting_shuffle& s : w.shuffles)
        if (s.pc == pc && s.members == members) {
          s.lanes |= 1u << l;
          return;
        }
      w.shuffles.push_back({pc, members, 1u << l});
    });
    finish_shuffles(w);
  }
  [[noreturn]] void fail_members(int lane, lane_mask a, lane_mask b) const {
    char text[80];
    std::snprintf(text, sizeof text, "is in a shuffle whose lanes name different members: %#x and %#x", a, b);
    fail(lane, text);
  }
  void finish_shuffles(warp& w) {
    for (std::size_t n = 0; n < w.shuffles.size();) {
      const waiting_shuffle s = w.shuffles[n];
      if (s.members & ~w.exited & ~s.lanes) {
        ++n;
        continue;
      }
      // A member that has left must have executed this shuffle with the same members.
      each_lane(s.members & ~s.lanes, [&](int l) {
        const waiting_shuffle& last = w.last_shuffle[l];
        if (last.pc == s.pc && last.members != s.members && last.members != 0)
          fail_members(std::countr_zero(s.lanes), last.members, s.members);
      });
      w.shuffles.erase(w.shuffles.begin() + static_cast<std::ptrdiff_t>(n));
      exchange(w, k_.code[s.pc], s.lanes);
      go_on(w, s.lanes, s.pc + 1);
    }
  }
  /// The lanes of a shuffle get their values.
  void exchange(warp& w, const instruction& i, lane_mask ready) {
    std::uint32_t value[warp_lanes];
    lane_mask undefined = 0, had_source = 0;
    each_lane(ready, [&](int l) {
      const auto lanes = static_cast<std::uint32_t>(w.file.get(i.from[1], l)) & 31u;
      const auto c = static_cast<std::uint32_t>(w.file.get(i.from[2], l));
      const std::uint32_t clamp = c & 31u, segment = c >> 8 & 31u, lane = static_cast<std::uint32_t>(l);
      const std::uint32_t last = (lane & segment) | (clamp & ~segment), first = lane & segment;
      std::int64_t j = 0;
      bool has = true;
      switch (i.mode) {
        case shuffle_mode::up: j = std::int64_t{lane} - lanes, has = j >= std::int64_t{last}; break;
        case shuffle_mode::down: j = std::int64_t{lane} + lanes, has = j <= std::int64_t{last}; break;
        case shuffle_mode::bfly: j = lane ^ lanes, has = j <= std::int64_t{last}; break;
        case shuffle_mode::idx: j = first | (lanes & ~segment), has = j <= std::int64_t{last}; break;
      }
      const int from = has ? static_cast<int>(j) : l;
      value[l] = static_cast<std::uint32_t>(w.file.get(i.from[0], from));
      // The value of a lane that takes no part is not defined.
      if (!(ready >> from & 1) || w.file.undefined(i.from[0]) >> from & 1 || w.file.undefined(i.from[1]) >> l & 1)
        undefined |= 1u << l;
      if (has) had_source |= 1u << l;
    });
    each_lane(ready, [&](int l) { w.file.set(i.to, l, value[l]); });
    w.file.taint(i.to, ready, undefined);
    if (i.second) {
      lane_mask& p = w.file.predicate(i.second);
      p = (p & ~ready) | had_source;
      w.file.taint(i.second, ready, 0);
    }
  }

  /// Counts the request of a warp whose addresses are in requests_.
  void count(bool shared, bool write, std::uint32_t bytes) {
    if (requests_.empty()) return;
    if (!shared) {
      (write ? stats_->global_written : stats_->global_read) += requests_.size() * bytes;
      ++stats_->global_requests;
      sectors_.clear();
      for (const std::uint64_t a : requests_)
        for (std::uint64_t s = a / 32; s <= (a + bytes - 1) / 32; ++s) sectors_.push_back(s);
      std::sort(sectors_.begin(), sectors_.end());
      stats_->global_sectors +=
          static_cast<std::uint64_t>(std::unique(sectors_.begin(), sectors_.end()) - sectors_.begin());
      return;
    }
    // Lanes are served 32, 16 or 8 at a time, as many as 128 bytes are for; lanes that want one word share it.
    ++stats_->shared_requests;
    const std::size_t at_a_time = bytes <= 4 ? 32 : 128 / bytes;
    for (std::size_t first = 0; first < requests_.size(); first += at_a_time) {
      sectors_.clear();
      for (std::size_t r = first; r < std::min(first + at_a_time, requests_.size()); ++r)
        for (std::uint64_t word = requests_[r] / 4; word <= (requests_[r] + bytes - 1) / 4; ++word)
          sectors_.push_back(word);
      std::sort(sectors_.begin(), sectors_.end());
      sectors_.erase(std::unique(sectors_.begin(), sectors_.end()), sectors_.end());
      std::uint32_t of_bank[32] = {}, most = 0;
      for (const std::uint64_t word : sectors_) most = std::max(most, ++of_bank[word % 32]);
      stats_->shared_wavefronts += most;
      stats_->shared_least += 1;
    }
  }

  const grid& g_;
  const kernel& k_;
  global_memory& global_;
  shared_memory shared_;
  std::mt19937& random_;
  std::vector<warp> warps_;
  statistics* stats_ = nullptr;
  std::uint32_t index_ = 0, epoch_ = 0;
  std::uint64_t steps_ = 0;  ///< instructions of warps since the last barrier
  int warp_ = 0;
  const instruction* current_ = nullptr;
  std::vector<std::uint64_t> requests_, sectors_;  // of the request at hand; kept for their memory
};

}  // namespace

statistics run(const grid& g, global_memory& memory) {
  statistics s;
  if (!g.k.error.empty()) throw fault(g.k.error);
  std::mt19937 random(g.seed);
  ++memory.launch;
  block_of_threads block(g, memory, random);
  std::vector<std::uint32_t> order(g.blocks.count());
  std::iota(order.begin(), order.end(), 0u);
  if (g.order == thread_order::reverse) std::reverse(order.begin(), order.end());
  if (g.order == thread_order::random) std::shuffle(order.begin(), order.end(), random);
  for (const std::uint32_t b : order) block.run(b, s);
  s.launches = 1, s.blocks = g.blocks.count(), s.threads = g.blocks.count() * g.threads.count();
  return s;
}

}  // namespace ptx
