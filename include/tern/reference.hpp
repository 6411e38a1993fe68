// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels under the policy tern::reference: plain loops that define what every other policy computes.
#pragma once

#include "tern/core/as_view.hpp"
#include "tern/core/layout.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/core/part.hpp"
#include "tern/core/view.hpp"
#include "tern/kernel/conv.hpp"
#include "tern/kernel/elementwise.hpp"
#include "tern/kernel/matmul.hpp"
#include "tern/kernel/pool.hpp"
#include "tern/kernel/rearrange.hpp"
#include "tern/kernel/reference/contraction.hpp"
#include "tern/kernel/reference/convolution.hpp"
#include "tern/kernel/reference/mapping.hpp"
#include "tern/kernel/reference/pooling.hpp"
#include "tern/kernel/reference/rearrangement.hpp"
#include "tern/op/channel_shuffle.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/pad.hpp"
#include "tern/op/pool.hpp"
#include "tern/op/reorder.hpp"
#include "tern/op/space_to_depth.hpp"
#include "tern/op/upsample.hpp"
#include "tern/policy/reference.hpp"
