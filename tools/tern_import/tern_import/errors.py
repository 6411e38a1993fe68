# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


class ImportFailed(Exception):
    """A file that is no model, or one that nothing can be written of: one line, or one for each node."""


class Refused(Exception):
    """Why a node cannot be written."""
