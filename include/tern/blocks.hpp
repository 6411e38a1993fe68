// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks of blocks: needs the header of a model, too, such as tern/simd.hpp.
#pragma once

#include "tern/block/attention.hpp"
#include "tern/block/drawing_layers.hpp"
#include "tern/block/each_position.hpp"
#include "tern/block/graph.hpp"
#include "tern/block/joins.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/memory_plan.hpp"
#include "tern/block/moving_layers.hpp"
#include "tern/block/named_tensors.hpp"
#include "tern/block/network.hpp"
#include "tern/block/non_local.hpp"
#include "tern/block/norm_layers.hpp"
#include "tern/block/recompute.hpp"
#include "tern/block/recompute_plan.hpp"
#include "tern/block/repeat.hpp"
#include "tern/block/reversible.hpp"
#include "tern/block/shortcut_coupling.hpp"
#include "tern/block/stream.hpp"
#include "tern/block/trainer.hpp"
#include "tern/block/weight_layers.hpp"
#include "tern/reference.hpp"
