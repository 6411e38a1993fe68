// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

#include "tern/core/config.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/host_copy.hpp"
#include "tern/exec/simt/loop_block.hpp"

namespace tern {

/// Run-time state of SIMT kernels, the default: blocks run one after the other on the calling thread, their threads in
/// loops. The knobs change only the order of independent work.
///
///     k(tern::simt_host{.reverse = true}, a, b, c);
struct simt_host {
  bool reverse = false;  ///< threads from the last to the first
  int run_ahead = 0;     ///< slots that a pipeline fills ahead, including the consumed one; 0 for all
};
template <>
inline constexpr bool is_simt_state<simt_host> = true;

}  // namespace tern

namespace tern::inline TERN_ISA {

/// Runs `blocks` blocks of Kernel. Needs sizeof(Kernel::shared) and the kernel's per_thread variables on the stack:
/// about 200 KiB for the largest tiles.
template <class Kernel, class... Arguments>
void launch(const simt_host& how, index_t blocks, const Arguments&... arguments) {
  typename Kernel::shared shared;
  for (index_t i = 0; i < blocks; ++i) {
    impl::poison(shared);
    loop_block<Kernel::threads> block(i, how.reverse, how.run_ahead);
    Kernel::run(block, shared, arguments...);
  }
}

}  // namespace tern::inline TERN_ISA
