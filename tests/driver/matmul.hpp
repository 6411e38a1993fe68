// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of matmuls whose sizes only the run knows.
#pragma once

#include "tern/kernel/matmul.hpp"
#include "tests/driver/packed.hpp"
#include "tests/driver/parity.hpp"
#include "tests/driver/places.hpp"

namespace tern::test::inline TERN_ISA {

/// Sizes of at most about `most` products: of nothing, one and primes, about those of every block, several chunks and
/// grains.
call_rules matmul_calls(std::mt19937& engine, double most);

/// A pass whose weights a policy packs.
template <class Pass, class Policy>
struct packing : Pass {
  template <pass For, class B>
  static auto packed(const B& b) {
    using T = typename Pass::value_type;
    using kernels = contraction_kernel<Policy>;
    T* const to = packed_memory<T>(kernels::template packed_size<T>(b.extent(0), b.extent(1)));
    kernels::pack(operand<const T>{b.data(), b.stride(0), b.stride(1), 0}, b.extent(0), b.extent(1), to);
    return packed_view<For>(to, b);
  }
};

struct matmul_family {
  static constexpr int cases = 2000;
  static constexpr double most = 1e6;              ///< products
  static constexpr index_t large_bytes = 1 << 14;  ///< of tensors that count as out of cache
  static constexpr tiles_used on_tiles{.spread = 2000, .stepped = 700, .cut_in_both = 250, .folded = 130};

  /// A call of every pass.
  template <class T, class Run>
  static void calls(Run& run) {
    using policy = typename Run::policy;
    constexpr matmul_config C{}, sloped{.bias = true, .residual = true, .act = activation::prelu},
        batches{.batch = dynamic, .residual = true, .act = activation::relu};
    using plain = matmul<C, T>;
    using everything = matmul<sloped, T>;
    using batched = matmul<batches, T>;
    using packed = packed_for<pass::forward>;
    const auto call = [&]<class Op, class Pass, int Rank, class... Layouts> {
      run.template call<Op, Pass, Rank, Layouts...>(matmul_calls(run.engine, run.few_or_many()));
    };
    call.template operator()<plain, packing<declare::matmul_pass<C, T>, policy>, 2, packed>();
    call.template operator()<everything, packing<adding<declare::matmul_pass<sloped, T>>, policy>, 2, packed>();
    call.template operator()<batched, not_adding<declare::matmul_pass<batches, T>>, 3>();
    call.template operator()<plain, packing<declare::matmul_gradient_pass<C, T>, policy>, 2, packed>();
    call.template operator()<batched, declare::matmul_gradient_pass<batches, T>, 3>();
    call.template operator()<plain, declare::matmul_weights_pass<C, T, false>, 2>();
    call.template operator()<batched, declare::matmul_weights_pass<batches, T, true>, 3>();
  }
};

}  // namespace tern::test::inline TERN_ISA
