# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


class ImportFailed(Exception):
    """A file that is no model, or one that nothing can be written of: one line, or one for each node."""


class Refused(Exception):
    """Why a node cannot be written."""


# Exceptions that entries of the table raise for a node: its attributes may be missing, or of a kind or length that ONNX
# does not allow.
OF_NODES = (Refused, ValueError, IndexError, KeyError, TypeError, AttributeError)


def why(error):
    return str(error) if isinstance(error, Refused) else f'its inputs or attributes are others than expected: {error}'
