// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the calls of norms hold.
#include "tern/simd.hpp"
#include "tests/kernel/declared_driver.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

using declare::norm_gradients_of;

/// \tparam Rank      axes of x
/// \tparam Vectors   whether tensors that may be vectors are
/// \param  multiple  what divides all extents
template <class Op, class Policy, class Pass, int Rank = 4, bool Vectors = false, class... Option>
void check(index_t multiple, const Option&... option) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    INFO(Op::name << ", " << Pass::declared.pass << ", seed " << seed);
    CHECK(declared_driver<Op, Policy, Pass, Rank, Vectors>(seed, multiple).complaint(option...) == "");
  }
}

template <norm_kind K, norm_config C, class T, class Policy, int Rank, bool Vectors = false>
void check_norm() {
  constexpr int statistics = K == norm_kind::batch ? 3 : K == norm_kind::rms ? 1 : 2;
  using op = normalization<K, C, T>;
  using all = declare::norm_pass<K, C, T, statistics>;
  using of_x = declare::norm_backward_pass<K, C, T, norm_gradients_of::x>;
  using of_scale = declare::norm_backward_pass<K, C, T, norm_gradients_of::weights, false, false>;
  using gradients = declare::norm_backward_pass<K, C, T, norm_gradients_of::all>;
  check<op, Policy, all, Rank, Vectors>(C.groups, epsilon{0.5});
  check<op, Policy, of_x, Rank, Vectors>(C.groups);
  check<op, Policy, of_scale, Rank, Vectors>(C.groups);
  check<op, Policy, gradients, Rank, Vectors>(C.groups);
}

constexpr norm_config full{.residual = true, .act = activation::relu}, bare{.scale = false, .shift = false};

TEST_CASE("declarations of norms hold", "[declared][norm]") {
  check_norm<norm_kind::layer, full, float, simd<>, 2, true>();
  check_norm<norm_kind::layer, bare, double, reference, 4>();
  check_norm<norm_kind::rms, norm_config{.shift = false}, float, reference, 2>();
  check_norm<norm_kind::group, norm_config{.groups = 3, .residual = true}, float, simd<>, 4>();
  check_norm<norm_kind::instance, norm_config{}, double, reference, 5>();
  check_norm<norm_kind::batch, full, float, simd<>, 4>();
  check_norm<norm_kind::batch, bare, double, reference, 3>();
}

TEST_CASE("declarations of batch norms of parts hold", "[declared][norm]") {
  using op = batch_norm<full>;
  constexpr values_seen seen{7};
  constexpr declare::norm_join_pass<float>::counts joined{7, 3};
  check<op, simd<>, declare::norm_statistics_pass<full, float, false>>(1);
  check<op, simd<>, declare::norm_statistics_pass<full, float, true>>(1, seen);
  check<op, simd<>, declare::norm_join_pass<float>>(1, joined);
  check<op, simd<>, declare::norm_deviation_pass<float, false>>(1, seen);
  check<op, simd<>, declare::norm_deviation_pass<float, true>>(1, seen, epsilon{1});
  check<op, simd<>, declare::norm_fold_pass<full, float>>(1, epsilon{1});
  check<op, simd<>, declare::norm_fold_pass<bare, float>>(1);
  check<op, simd<>, declare::norm_apply_pass<full, float>>(1);
  check<op, simd<>, declare::norm_part_pass<full, float>>(1, seen);
}

}  // namespace
}  // namespace tern::test
