// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: layer_norm: the element type must be float or double: there are no kernels for others yet
#include "tern/reference.hpp"

template struct tern::kernel<tern::layer_norm<tern::norm_config{}, tern::bfloat16>, tern::reference>;
