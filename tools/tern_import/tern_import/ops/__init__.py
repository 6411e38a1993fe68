# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from . import (
    contraction,
    elementwise,
    joining,
    loss,
    moving,
    norm,
    reduction,
    window,
)  # noqa: F401, they fill the table
from .table import NEAREST, OPS


def reason(name):
    return NEAREST.get(name, 'tern has no such op') if name not in OPS else 'it is no block of a network'
