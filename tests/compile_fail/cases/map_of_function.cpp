// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a function of one's own that takes arrays, as maps with several results do
// error: map_of: the function must take 1 to 4 numbers or vectors V: V operator()(V a) const
#include "tern/reference.hpp"

struct doubled {
  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    out[0] = in[0] + in[0];
  }
};
tern::kernel<tern::map_of<doubled>, tern::reference> k;
