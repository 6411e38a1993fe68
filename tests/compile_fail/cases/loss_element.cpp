// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: squared_error: the element type must be float or double: there are no kernels for others yet
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using column = tern::view<float, tern::dims<1>>;

template struct tern::kernel<tern::squared_error<tern::loss_config{}, tern::half>, tern::reference>;
