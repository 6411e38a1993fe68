// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over places as sums of exec/simt/sample_sums_block.hpp.
#pragma once

#include "tern/core/config.hpp"
#include "tern/family/reduction/place_sums.hpp"

namespace tern::inline TERN_ISA::impl {

/// A call of the place_sums family. Parts are places with results of their own.
template <class T, class F>
class place_terms {
 public:
  using value_type = T;
  static constexpr int results = F::results;

  explicit place_terms(const place_sums<T, F>& q) : q_(q) {}

  TERN_FN int channels() const { return static_cast<int>(q_.channels); }
  TERN_FN index_t parts() const { return q_.of.places(); }
  index_t batch() const { return q_.summed.batch; }
  index_t positions() const { return q_.summed.positions(); }
  TERN_FN index_t seen() const { return q_.seen; }

  TERN_FN void begin(index_t part, int channel, T (&total)[results]) const {
    q_.begin(q_.origin_of(part, channel), total);
  }
  TERN_FN void end(index_t part, int channel, const T (&total)[results]) const {
    q_.end(q_.origin_of(part, channel), total);
  }
  TERN_FN void chunk(index_t part, int channel, index_t sample, int position, int count, T (&chain)[results]) const {
    q_.chunk(q_.origin_of(part, channel), sample, position, count, chain);
  }
  TERN_FN void join(T (&total)[results], const T (&chain)[results], index_t before, int count) const {
    q_.f.join(total, chain, before, count);
  }

 private:
  place_sums<T, F> q_;
};

}  // namespace tern::inline TERN_ISA::impl
