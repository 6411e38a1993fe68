// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of gradients of scale and shift, alone and with those of x, and of statistics of channels.
#pragma once

#include "tests/driver/norms.hpp"
#include "tests/driver/parity.hpp"
#include "tests/driver/places.hpp"

namespace tern::test::inline TERN_ISA {

/// Sums of norms over samples and axes of any tensors: no op has them with results of places.
struct sums_of_norms {
  static constexpr const char* name = "sums_of_norms";
};
template <class T>
struct any_sums_pass {
  using value_type = T;
  using required = declare::options<values_seen>;
  using optional = declare::options<accumulate_t>;
  template <class Policy>
  using kernel = place_sums_kernel<Policy>;
  static constexpr const char *whole = "n channels spatial...", *repeated = "n|1 channels spatial...|1";
  static constexpr declare::tensor in(const char* name) { return declare::in(name, repeated).or_vector("channels"); }
  static constexpr declare::tensor out(const char* name) { return declare::out(name, repeated).or_vector("channels"); }

  /// Results have one shape.
  static constexpr bool made(index_t*, int) { return true; }
  static constexpr void demand(declare::sentence&, const declare::fact&) {}

 protected:
  template <class Pass, class Terms, class First, class... More>
  static auto sums(const values_seen& seen, const First& first, const More&... more) {
    auto q = declare::summed_places<place_sums<T, Terms>, Pass>(first, more...);
    q.seen = seen.values;
    return q;
  }
};
template <class T>
struct any_statistics_pass : any_sums_pass<T> {
  using base = any_sums_pass<T>;
  static constexpr declare::declaration declared{
      "statistics", 0, 3, declare::in("x", base::whole), base::out("mean"), base::out("squares").made_of("mean")};
  template <bool Add, class... View>
  static auto problem(const char*, const values_seen& seen, const View&... view) {
    return base::template sums<any_statistics_pass, tile::moment_terms<Add>>(seen, view...);
  }
};
template <class T>
struct any_weights_pass : any_sums_pass<T> {
  using base = any_sums_pass<T>;
  static constexpr declare::declaration declared{"weights",
                                                 0,
                                                 3,
                                                 declare::in("dy", base::whole),
                                                 base::in("x"),
                                                 base::in("rstd"),
                                                 base::in("mean"),
                                                 base::out("dscale"),
                                                 base::out("dshift").made_of("dscale")};
  template <bool Add, class... View>
  static auto problem(const char*, const values_seen& seen, const View&... view) {
    return base::template sums<any_weights_pass, tile::norm_weight_terms<true, Add>>(seen, view...);
  }
};

struct norm_sums_family {
  static constexpr int cases = 300;
  static constexpr double most = 6e4;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 500, .stepped = 100, .cut_in_both = 60};

  /// A call of passes that the other families of norms have no kernels for.
  template <class T, class Run>
  static void calls(Run& run) {
    constexpr norm_config plain{}, root{.shift = false}, four{.groups = 4};
    using group = norm_of<norm_kind::group, plain, T>;
    using four_groups = norm_of<norm_kind::group, four, T>;
    using instance = norm_of<norm_kind::instance, plain, T>;
    using rms = norm_of<norm_kind::rms, root, T>;
    using batch = norm_of<norm_kind::batch, plain, T>;
    constexpr int across = 96 / sizeof(T);  // whole vectors cross from one block to the next
    std::mt19937& engine = run.engine;
    const auto call = [&]<class Norm, class Pass, int Rank, class... Layouts>(index_t groups, const auto&... option) {
      run.template call<typename Norm::op, Pass, Rank, Layouts...>(norm_calls(engine, run.few_or_many(), groups),
                                                                   option...);
    };
    call.template operator()<four_groups, adding<typename four_groups::template of_weights<true>>, 5, blocks<4, 16>>(4);
    call.template operator()<instance, adding<typename instance::template of_weights<false>>, 5, blocks<16, across>>(1);
    call.template operator()<rms, not_adding<typename rms::template of_weights<true>>, 3, vectors>(1);
    call.template operator()<group, any_groups<not_adding<typename group::template gradients<false, true>>>, 5>(
        some_groups(engine));
    call.template operator()<group, any_groups<adding_weights<typename group::template gradients<true, false>>>, 5>(
        some_groups(engine));
    call.template operator()<batch, declare::norm_statistics_pass<plain, T, true>, 5, blocks<16>>(
        1, values_seen{below(engine, 1000)});
    const auto sum = [&]<class Pass>(index_t seen) {
      run.template call<sums_of_norms, Pass, 5, vectors, blocks<16, 4, across, 4>>(norm_sums(engine, run.few_or_many()),
                                                                                   values_seen{seen});
    };
    sum.template operator()<adding<any_weights_pass<T>>>(0);
    sum.template operator()<adding<any_statistics_pass<T>>>(17 * below(engine, 3));
  }
};

}  // namespace tern::test::inline TERN_ISA
