// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller's workspace under simd: as large as workspace_bytes() says or smaller, whatever it holds, the bits are
// those of the reference and nothing beside it is touched; one in which nothing fits is refused.
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {
namespace {

using op = matmul<>;
using family = contraction_kernel<simd<>>;
constexpr index_t least = family::core<float>::least_memory_bytes;

/// Memory of which the middle is lent, misaligned by `shift` bytes and full of NaN.
class lent_memory {
 public:
  lent_memory(index_t bytes, index_t shift) : bytes_(bytes), first_(guard + shift) {
    memory_.assign(static_cast<std::size_t>(first_ + bytes + guard), canary);
    std::memset(memory_.data() + first_, 0xff, static_cast<std::size_t>(bytes));
  }
  workspace lend() { return {memory_.data() + first_, bytes_}; }
  bool surroundings_untouched() const {
    for (index_t i = 0; i < static_cast<index_t>(memory_.size()); ++i)
      if ((i < first_ || i >= first_ + bytes_) && memory_[static_cast<std::size_t>(i)] != canary) return false;
    return true;
  }
  bool used() const {
    for (index_t i = first_; i < first_ + bytes_; ++i)
      if (memory_[static_cast<std::size_t>(i)] != 0xff) return true;
    return false;
  }

 private:
  static constexpr index_t guard = 4096;
  static constexpr unsigned char canary = 0x5a;
  index_t bytes_, first_;
  std::vector<unsigned char> memory_;
};

/// All passes on an executor of any type, with a workspace.
template <class Executor>
void check_workspace(index_t m, index_t n, index_t k, order o, index_t bytes, Executor& run) {
  INFO(m << "x" << n << "x" << k << " order " << static_cast<int>(o) << " with " << bytes << " bytes");
  const kernel<op, reference> correct;
  const kernel<op, simd<>> fast;
  numbers next(Catch::rngSeed());
  matrix<float> a(1, m, k, o), b(1, k, n, o), dy(1, m, n, o);
  matrix<float> c_wanted(1, m, n), c(1, m, n), dx_wanted(1, m, k), dx(1, m, k), db_wanted(1, k, n), db(1, k, n);
  a.fill(next), b.fill(next), dy.fill(next);
  correct(a.strided(), b.strided(), c_wanted.strided());
  correct.backward_data(dy.strided(), b.strided(), dx_wanted.strided());
  correct.backward_weights(a.strided(), dy.strided(), db_wanted.strided());
  const auto packed = fast.pack(b.strided());
  for (const index_t shift : {0, 64, 4}) {
    lent_memory memory(bytes, shift);
    fast(run, a.strided(), b.strided(), c.strided(), memory.lend());
    CHECK(equal_bits(c_wanted, c));
    fast.backward_data(run, dy.strided(), b.strided(), dx.strided(), memory.lend());
    CHECK(equal_bits(dx_wanted, dx));
    dx.poison();
    fast.backward_data(run, dy.strided(), packed, dx.strided(), memory.lend());
    CHECK(equal_bits(dx_wanted, dx));
    fast.backward_weights(run, a.strided(), dy.strided(), db.strided(), memory.lend());
    CHECK(equal_bits(db_wanted, db));
    CHECK(memory.surroundings_untouched());
    if (o == order::padded) CHECK(memory.used());
  }
}

TEST_CASE("a workspace changes no bit and is not overrun", "[matmul][simd][workspace]") {
  serial caller;
  team threads({.threads = 3, .oversubscribe = true});
  for (const order o : {order::row, order::padded})
    for (const index_t m : {13, 70})
      for (const index_t n : {33, 513})
        for (const index_t k : {257, 1031}) {
          const kernel<op, simd<>> fast;
          const index_t wanted = fast.workspace_bytes({.m = m, .n = n, .k = k}, 1);
          check_workspace(m, n, k, o, wanted < least ? least : wanted, caller);
          check_workspace(m, n, k, o, least + least / 3, caller);
          const index_t shared = fast.workspace_bytes({.m = m, .n = n, .k = k}, 3);
          check_workspace(m, n, k, o, shared < 3 * least ? 3 * least : shared, threads);
        }
}

std::string message(const std::vector<float>& a, std::vector<float>& c, index_t bytes, index_t shift = 0) {
  std::vector<unsigned char> memory(static_cast<std::size_t>(bytes + shift));
  try {
    kernel<op, simd<>>{}(view{unchecked, a.data(), extents{40, 300}},
                         transposed(view{unchecked, a.data(), extents{50, 300}}),
                         view{unchecked, c.data(), extents{40, 50}}, workspace{memory.data() + shift, bytes});
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "no error";
}

TEST_CASE("a workspace in which nothing fits is refused before anything is written", "[matmul][simd][contract]") {
  const std::vector<float> a(50 * 300, 1.0f), untouched(40 * 50, 7.0f);
  std::vector<float> c = untouched;
  const std::string bytes = std::to_string(least);
  CHECK(message(a, c, 64) ==
        "simd: the workspace has 64 bytes: it must have at least " + bytes + ", or workspace_bytes() for full speed");
  CHECK(message(a, c, least - 1).find("simd: the workspace has " + std::to_string(least - 1)) == 0);
  CHECK(message(a, c, least, 1) == "simd: the workspace must begin at a multiple of 4 bytes, as its elements do");
  CHECK(c == untouched);
  CHECK(message(a, c, least) == "no error");
  CHECK(c[0] == 300);
  CHECK(message(a, c, 0) == "no error");  // the same as none
}

}  // namespace
}  // namespace tern::test
