// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts tern chooses for matmuls, convolutions and pools, device by device. Compiling this file is the test.
#include "tern/policy/layout_for.hpp"

#include <type_traits>

#include "tern/core/bfloat16.hpp"
#include "tern/device/catalog.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/op/pool.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/policy/reference.hpp"
#include "tern/policy/simd.hpp"
#include "tern/policy/simt.hpp"

namespace tern::test {

using mm = matmul<matmul_config{}, float>;
using mm_double = matmul<matmul_config{}, double>;
using mm_bfloat16 = matmul<matmul_config{}, bfloat16>;
struct named : mm {};

constexpr layout_choice panels(index_t block, index_t inner = 1) { return {layout_kind::panels, block, inner}; }
constexpr layout_choice rows(index_t block) { return {layout_kind::row_major, block, 1}; }
constexpr layout_choice channels(index_t block) { return {layout_kind::channel_blocked, block, 1}; }

// SIMD: panels as wide as the register tile, two vectors; activations as they come.
static_assert(layout_for<mm>(devices::avx512) == op_layouts{rows(16), panels(32)});
static_assert(layout_for<mm>(devices::avx2) == op_layouts{rows(8), panels(16)});
static_assert(layout_for<mm>(devices::sse2) == op_layouts{rows(4), panels(8)});
static_assert(layout_for<mm>(devices::neon) == op_layouts{rows(4), panels(8)});
static_assert(layout_for<mm>(devices::emulated256) == layout_for<mm>(devices::avx2));
static_assert(layout_for<mm>(devices::zen4) == layout_for<mm>(devices::avx512));
static_assert(layout_for<mm_double>(devices::avx512) == op_layouts{rows(8), panels(16)});
// one lane, whatever the element and whatever the registers
static_assert(layout_for<mm>(devices::scalar) == op_layouts{rows(1), panels(2)});
static_assert(layout_for<mm_double>(devices::scalar) == layout_for<mm>(devices::scalar));
static_assert(layout_for<mm>(devices::power8) == layout_for<mm>(devices::scalar));

// MIMD: the input and output channels of the matrix unit; 32 bytes of input, 8 outputs.
static_assert(layout_for<mm>(devices::gc2) == op_layouts{channels(8), panels(8, 8)});
static_assert(layout_for<mm>(devices::gc200) == layout_for<mm>(devices::gc2));
static_assert(layout_for<mm_bfloat16>(devices::bow) == op_layouts{channels(16), panels(8, 16)});
// tiles that are cores have no matrix unit: their panels are those of the core
static_assert(layout_for<mm>(devices::native_tiles) == layout_for<mm>(devices::native));

// SIMT: rows, coalesced: 32 lanes of 4 bytes.
static_assert(layout_for<mm>(devices::h200) == op_layouts{rows(32), rows(32)});
static_assert(layout_for<mm_double>(devices::p100) == op_layouts{rows(16), rows(16)});
static_assert(layout_for<mm_bfloat16>(devices::a100) == op_layouts{rows(64), rows(64)});

// Images: channels last, but in blocks where a matrix unit takes them so.
using conv = conv2d<conv2d_config{.in = 64, .out = 64, .kernel = {3, 3}}>;
using transposed = conv_transpose1d<conv_transpose1d_config{.in = 64, .out = 64, .kernel = {4}}, double>;
using pool = max_pool2d<pool2d_config{.kernel = {2, 2}}>;
constexpr layout_choice last(index_t block) { return {layout_kind::channels_last, block, 1}; }
static_assert(layout_for<conv>(devices::avx512) == op_layouts{last(16), panels(32)});
static_assert(layout_for<transposed>(devices::avx2) == op_layouts{last(4), panels(8)});
static_assert(layout_for<conv>(devices::gc200) == layout_for<mm>(devices::gc200));
static_assert(layout_for<conv>(devices::h200) == op_layouts{last(32), rows(32)});
static_assert(layout_for<pool>(devices::avx512) == op_layouts{last(16), {}});
static_assert(layout_for<pool>(devices::gc2) == op_layouts{channels(8), {}});

// As the type that views take: one template argument, another layout.
static_assert(std::is_same_v<image_layout<conv, simd<devices::avx512>>, layout_channels_last>);
static_assert(std::is_same_v<image_layout<conv, mimd<devices::native_tiles>>, layout_channels_last>);
static_assert(std::is_same_v<image_layout<conv, mimd<devices::gc200>>, layout_channel_blocked<8>>);
static_assert(std::is_same_v<image_layout<pool, mimd<devices::gc200>>, layout_channel_blocked<8>>);
static_assert(std::is_same_v<image_layout<conv, simt<devices::h200>>, layout_channels_last>);
static_assert(std::is_same_v<image_layout<conv, reference>, layout_channels_last>);

// Another device is another choice; another name for the op is not.
static_assert(layout_for<mm>(devices::avx512) != layout_for<mm>(devices::avx2));
static_assert(layout_for<mm>(devices::avx2) != layout_for<mm>(devices::gc200));
static_assert(layout_for<mm>(devices::gc200) != layout_for<mm>(devices::v100));
static_assert(layout_for<named>(devices::gc200) == layout_for<mm>(devices::gc200));

}  // namespace tern::test
