# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of ops that the importer knows. Each entry says how an ONNX op is written as a block of a network, as a call
of a kernel, or both; the table of docs/onnx.md is made from it."""

import dataclasses
import typing

OPS = {}


@dataclasses.dataclass
class Entry:
    op: str
    tern: str  # what it becomes
    when: str = ''  # conditions, for the page
    network: typing.Optional[typing.Callable] = None  # (writer, node)
    calls: typing.Optional[typing.Callable] = None


def op(names, tern, when=''):
    """Lists ONNX ops; what follows adds the ways to write them: `.network` and `.calls`."""
    for name in names.split():
        OPS[name] = Entry(name, tern, when)

    def network(f):
        for name in names.split():
            OPS[name].network = f
        return f

    def calls(f):
        for name in names.split():
            OPS[name].calls = f
        return f

    return network, calls


def page():
    """The table of docs/onnx.md."""
    rows = {}
    for e in OPS.values():
        row = rows.setdefault((e.tern, e.when, e.network is not None, e.calls is not None), [])
        row.append(e.op)
    lines = ['| ONNX | tern | conditions | block | call |', '|---|---|---|---|---|']
    for (tern, when, network, calls), names in rows.items():
        lines.append(
            f'| {", ".join(names)} | {tern} | {when} | {"yes" if network else ""} | {"yes" if calls else ""} |'
        )
    return '\n'.join(lines)


# The nearest op of tern for ONNX ops that have none, or why there is none.
NEAREST = {
    'TopK': 'the nearest op is argmax',
    'NonMaxSuppression': 'the nearest op is argmax',
    'GatherElements': 'tern has no gather: indices must be constants, in Gather or Slice',
    'GatherND': 'tern has no gather: indices must be constants, in Gather or Slice',
    'ScatterElements': 'tern has no scatter',
    'ScatterND': 'tern has no scatter',
    'GridSample': 'the nearest op is upsample',
    'RoiAlign': 'the nearest op is avg_pool',
    'DeformConv': 'the nearest op is conv',
    'Loop': 'tern has no control flow inside of networks',
    'If': 'tern has no control flow inside of networks',
    'Scan': 'tern has no control flow inside of networks',
    'QLinearConv': 'integers are for weights that are moved: dequantise the model',
    'QLinearMatMul': 'integers are for weights that are moved: dequantise the model',
    'ConvInteger': 'integers are for weights that are moved: dequantise the model',
    'MatMulInteger': 'integers are for weights that are moved: dequantise the model',
    'ReduceProd': 'tern has sums and maxima: the nearest is ReduceSum of Log',
    'CumSum': 'the nearest op is avg_pool with .divisor = 1',
}
for name in 'Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh'.split():
    NEAREST[name] = 'tern::math has exp, expm1, log, tanh, erf and sqrt'
