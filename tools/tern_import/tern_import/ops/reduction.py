# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums, means and maxima along axes: pools whose window is all of an axis."""

import math

from .. import cpp
from ..errors import Refused
from .table import op

SINCE_INPUT = {'ReduceSum': 13}  # the opset in which axes became an input; 18 for others


def axes_of(w, node, rank):
    """The axes, of which there are none where nothing is to be done."""
    if w.model.opset >= SINCE_INPUT.get(node.op, 18):
        axes = w.constant(node.input(1))
        if node.input(1) and axes is None:
            raise Refused(f'its axes must be constant: give them as --constant {node.input(1)}=...')
        axes = None if axes is None else [int(a) for a in axes.reshape(-1)]
    else:
        axes = node.get('axes')
    if not axes:
        return [] if node.get('noop_with_empty_axes', 0) else list(range(rank))
    return sorted(a % rank for a in axes)


network, calls = op(
    'ReduceMean ReduceSum ReduceMax',
    '`global_avg_pool`, `global_sum_pool`, a pool with `.kernel = whole_axis`',
    'of a network over all positions',
)


@network
def _(w, node):
    t = w.tensor(node)
    axes = axes_of(w, node, len(t.shape))
    if axes == list(range(2, len(t.shape))) and len(t.shape) <= 5:
        value, extents, channels = w.spatial(t)
    else:
        # Positions may come before the channels, as in (samples, positions, channels) and TensorFlow's images.
        rest = [a for a in range(1, len(t.shape)) if a not in axes]
        if 0 in axes or len(rest) != 1 or t.positions_before(rest[0]) is None or not axes:
            raise Refused('it reduces other axes than all positions')
        value, extents, channels = w.positions(t, rest[0])
    rank = len(extents)
    if rank == 0:
        return w.reshape(t, w.model.shape(node.outputs[0]))
    if node.op == 'ReduceMax':
        s = w.add(
            f'max_pool{rank}d', w.name_of(node), [{'kernel': 'tern::whole_axis'}], [value], ((1,) * rank, channels)
        )
    else:
        call = 'global_avg_pool' if node.op == 'ReduceMean' else 'global_sum_pool'
        s = w.add(call, w.name_of(node), [], [value], ((1,) * rank, channels))
    w.rounding += 8
    return w.reshape(w.result_of(s.variable, (1,) * rank, channels, s), w.model.shape(node.outputs[0]))


def reduce(w, kind, divisor, v, axes, y):
    """y = the pool of v over axes, which become 1, or go."""
    kept = [a for a in range(len(v.shape)) if a not in axes]
    groups = []
    for a in [a for a in axes if v.shape[a] > 1] or axes[:1]:
        if groups and groups[-1][-1] + 1 == a:
            groups[-1].append(a)
        else:
            groups.append([a])
    if len(groups) > 1:
        v = w.in_rows(v.transposed(kept + list(axes)))
        outer, size, inner = math.prod(v.shape[: len(kept)]), math.prod(v.shape[len(kept) :]), 1
    else:
        v = w.in_rows(v)
        first, last = groups[0][0], groups[0][-1]
        outer, size = math.prod(v.shape[:first]), math.prod(v.shape[first : last + 1])
        inner = math.prod(v.shape[last + 1 :])
    # In the order (outer, size, inner): samples, positions, channels.
    a = v.reshaped((outer, size, inner)).transposed([0, 2, 1])
    b = y.reshaped((outer, 1, inner)).transposed([0, 2, 1])
    a, b = (type(v)(x.buffer, x.shape, (inner * n, 1, inner), x.offset, True) for x, n in ((a, size), (b, 1)))
    w.rounding += 4 + math.sqrt(size)
    w.call(cpp.configured(f'{kind}1d', {'kernel': 'tern::whole_axis', 'divisor': divisor}), a, b)


@calls
def _(w, node):
    v = w.get(node)
    axes = axes_of(w, node, len(v.shape))
    y = w.result(node)
    if not axes or not v.shape:
        w.copy(v, y)
    else:
        pools = {'ReduceMean': ('avg_pool', None), 'ReduceSum': ('avg_pool', 1), 'ReduceMax': ('max_pool', None)}
        reduce(w, *pools[node.op], v, axes, y)


_, calls = op(
    'ReduceMin ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSum ReduceLogSumExp', 'the same between maps of the program'
)


@calls
def _(w, node):
    v = w.get(node)
    axes = axes_of(w, node, len(v.shape))
    y = w.result(node)

    def mapped(name, x):
        to = type(x).rows(w.scratch(math.prod(x.shape)), x.shape)
        w.map(name, [x], to)
        return to

    def sums(x, to):
        if axes and x.shape:
            reduce(w, 'avg_pool', 1, x, axes, to)
        else:
            w.copy(x, to)

    w.rounding += 8
    before = {'ReduceMin': 'negative', 'ReduceL1': 'absolute', 'ReduceL2': 'square', 'ReduceSumSquare': 'square'}.get(
        node.op
    )
    after = {'ReduceMin': 'negative', 'ReduceL2': 'square_root', 'ReduceLogSum': 'logarithm'}.get(node.op)
    if node.op == 'ReduceLogSumExp':
        if not axes or not v.shape:
            w.copy(v, y)
            return
        kept_shape = tuple(1 if a in axes else s for a, s in enumerate(v.shape))
        largest = type(v).rows(w.scratch(y.size), kept_shape)
        reduce(w, 'max_pool', None, v, axes, largest)
        total = type(v).rows(w.scratch(y.size), kept_shape)
        less = type(v).rows(w.scratch(v.size), v.shape)
        w.of_two('subtract', v, largest, less)
        sums(mapped('exponential', less), total)
        w.of_two('add', mapped('logarithm', total), largest, y.reshaped(kept_shape))
        return
    x = mapped(before, v) if before else v
    to = type(y).rows(w.scratch(y.size), y.shape) if after else y
    if node.op == 'ReduceMin' and axes and v.shape:
        reduce(w, 'max_pool', None, x, axes, to)
    else:
        sums(x, to)
    if after:
        w.map(after, [to], y)


_, calls = op('ArgMax ArgMin', '`argmax`', 'the first of several; as a result, of std::int32_t')


@calls
def _(w, node):
    if node.get('select_last_index', 0):
        raise Refused('of several it takes the last: the nearest is argmax, which takes the first')
    o = node.outputs[0]
    if o not in w.model.outputs:
        raise Refused('its result must be one of the model: tern has no ops on integers')
    v = w.rows(node)
    axis = node.get('axis', 0) % len(v.shape)
    if node.op == 'ArgMin':
        to = type(v).rows(w.scratch(v.size), v.shape)
        w.map('negative', [v], to)
        v = to
    outer, inner = math.prod(v.shape[:axis]), math.prod(v.shape[axis + 1 :])
    y = w.result(node)
    w.call(
        cpp.configured('argmax', {'axis': 1}), v.reshaped((outer, v.shape[axis], inner)), y.reshaped((outer, 1, inner))
    )
