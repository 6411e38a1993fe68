# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Norms and softmax."""

import dataclasses
import math

import numpy as np

from .. import cpp
from ..errors import Refused
from .elementwise import near, short
from .table import op


def epsilon(node, default=1e-5):
    e = node.get('epsilon', default)
    if e <= 0:
        raise Refused('its epsilon must be positive')
    return None if near(e, 1e-5) else short(e)


network, calls = op('BatchNormalization', '`batch_norm`, with its running statistics', 'in inference')


def check_inference(node):
    if (
        node.get('training_mode', 0)
        or any(node.outputs[1:])
        or node.get('spatial', 1) == 0
        or node.get('is_test', 1) == 0
    ):
        raise Refused('it is for training: export the model for evaluation, as after model.eval()')


@network
def _(w, node):
    check_inference(node)
    t = w.tensor(node)
    if len(t.shape) == 2:
        value, extents, channels = w.positions(t)
        if extents:
            raise Refused('its channels are not next to each other')
    else:
        value, extents, channels = w.spatial(t)
    config = {'epsilon': epsilon(node)}
    parameters = {part: w.weight(node, i, part) for i, part in enumerate(('scale', 'shift', 'mean', 'variance'), 1)}
    if len(t.shape) == 2:
        parameters = {k: w.rows(t, v) for k, v in parameters.items()}
    w.rounding += 8
    s = w.add('batch_norm', w.name_of(node, node.inputs[1]), [config], [value], (tuple(extents), channels), parameters)
    return w.like(t, s)


@calls
def _(w, node):
    check_inference(node)
    x, y = w.get(node), w.result(node)
    channels = x.shape[1] if len(x.shape) > 1 else 1
    factor, offset = (type(x).rows(w.scratch(channels), (channels,)) for _ in range(2))
    scale, shift, mean, variance = (w.rows(node, i) for i in range(1, 5))
    eps = node.get('epsilon', 1e-5)
    w.call(
        'fold ' + cpp.configured('batch_norm', {}),
        mean,
        variance,
        scale,
        shift,
        factor,
        offset,
        f'tern::epsilon{{{short(eps)}}}',
    )
    per_channel = (channels, *[1] * (len(x.shape) - 2))
    w.rounding += 8
    w.elementwise({'scale': True, 'bias': True}, [x, factor.reshaped(per_channel), offset.reshaped(per_channel)], y)


def normed_sizes(shape, axis):
    axis %= len(shape)
    return math.prod(shape[:axis]), math.prod(shape[axis:])


network, calls = op(
    'LayerNormalization RMSNormalization',
    '`layer_norm_channels`, `rms_norm_channels`; `layer_norm`, `rms_norm`',
    'of a network over the last axis, or all of a sample',
)


@network
def _(w, node):
    t, axis = w.tensor(node), node.get('axis', -1)
    if any(node.outputs[1:]):
        raise Refused('its statistics are read')
    axis %= len(t.shape)
    flat = w.reshape(t, (*t.shape[:axis], math.prod(t.shape[axis:])))
    value, extents, channels = w.positions(flat)
    kind = 'layer_norm' if node.op[0] == 'L' else 'rms_norm'
    config, parameters = {'epsilon': epsilon(node)}, {}
    for i, part in ((1, 'scale'), (2, 'shift')):
        if node.input(i) and not (kind == 'rms_norm' and i == 2):
            array = np.broadcast_to(w.weight(node, i, part), t.shape[axis:]).reshape(-1)
            parameters[part] = w.rows(flat, array)
    if 'scale' not in parameters:
        config['scale'] = 'false'
    if 'shift' not in parameters:
        config['shift'] = 'false'
    w.rounding += 10
    call = kind + ('_channels' if extents else '')
    s = w.add(call, w.name_of(node, node.input(1)), [config], [value], (tuple(extents), channels), parameters)
    return w.like(t, s)


@calls
def _(w, node):
    x, axis = w.rows(node), node.get('axis', -1)
    y = w.result(node)
    outer, inner = normed_sizes(x.shape, axis)
    kind = 'layer_norm' if node.op[0] == 'L' else 'rms_norm'
    config, operands = {'epsilon': epsilon(node)}, []
    for i, part in ((1, 'scale'), (2, 'shift')):
        if node.input(i) and not (kind == 'rms_norm' and i == 2):
            v = w.in_rows(w.get(node, i).expanded(x.shape[axis % len(x.shape) :]))
            operands.append(v.reshaped((inner,)))
        else:
            config[part] = 'false'
    statistics = []
    if kind == 'layer_norm' and (w.has_result(node, 1) or w.has_result(node, 2)):
        for i in (1, 2):
            statistics.append(
                w.result(node, i).reshaped((outer,))
                if w.has_result(node, i)
                else type(x).rows(w.scratch(outer), (outer,))
            )
    w.rounding += 10
    w.call(cpp.configured(kind, config), x.reshaped((outer, inner)), *operands, y.reshaped((outer, inner)), *statistics)


network, calls = op(
    'InstanceNormalization GroupNormalization',
    '`instance_norm`, `group_norm`',
    'of opset 21 and later, where scales are per channel; others by their definition',
)


def group_scales(array, groups, channels):
    """Before opset 21 there is one scale per group."""
    return array if array.size == channels else np.repeat(array, channels // groups)


def in_groups(w, node, t):
    """A group norm as PyTorch exports it: groups as channels, all else as positions."""
    groups = t.shape[1]
    inner = [a for a in t.memory if any(a is b for b in t.axes[1])]
    behind = [a for a in t.axes[2] if a.size > 1]
    if len(inner) != 1 or not behind or behind[0] is not t.memory[-1] or t.memory[-2] is not inner[0]:
        return None
    if [id(a) for a in behind[1:]] != [id(a) for a in t.memory[:-2] if a.size > 1]:
        return None
    extents, channels = t.typed
    if channels != groups * behind[0].size:
        return None
    config = {'groups': groups, 'epsilon': epsilon(node)}
    parameters = {}
    for i, part, plain in ((1, 'scale', 1), (2, 'shift', 0)):
        array = w.weight(node, i, part)
        if (array == plain).all():
            config[part] = 'false'
        else:
            parameters[part] = np.repeat(array, behind[0].size)
    w.rounding += 10
    return w.like(t, w.add('group_norm', w.name_of(node, node.inputs[1]), [config], [t.variable], t.typed, parameters))


@network
def _(w, node):
    t = w.tensor(node)
    if node.op[0] == 'I' and len(t.shape) == 3:
        grouped = in_groups(w, node, t)
        if grouped is not None:
            return grouped
    value, extents, channels = w.spatial(t)
    groups = node.get('num_groups', 1)
    config = {'groups': groups if node.op[0] == 'G' else None, 'epsilon': epsilon(node)}
    parameters = {
        part: group_scales(w.weight(node, i, part), groups, channels) for i, part in ((1, 'scale'), (2, 'shift'))
    }
    w.rounding += 10
    call = 'group_norm' if node.op[0] == 'G' else 'instance_norm'
    s = w.add(call, w.name_of(node, node.inputs[1]), [config], [value], (tuple(extents), channels), parameters)
    return w.like(t, s)


@calls
def _(w, node):
    x, y = w.last(node), w.result(node, channels_last=True)
    channels, groups = x.shape[1], node.get('num_groups', 1)
    operands = []
    for i in (1, 2):
        v = w.get(node, i)
        if v.shape[0] != channels:
            v = dataclasses.replace(v, shape=(groups, channels // groups), strides=(v.strides[0], 0))
            copy = type(v).rows(w.scratch(channels), v.shape)
            w.copy(v, copy)
            v = copy.reshaped((channels,))
        operands.append(w.in_rows(v))
    if len(x.shape) > 5:
        raise Refused('it takes more than five axes')
    w.rounding += 10
    config = {'groups': groups if node.op[0] == 'G' else None, 'epsilon': epsilon(node)}
    w.call(
        cpp.configured('group_norm' if node.op[0] == 'G' else 'instance_norm', config),
        x.as_images(),
        *operands,
        y.as_images(),
    )


network, calls = op(
    'Softmax LogSoftmax', '`softmax`', 'of a network over the channels of a sample; along any axis in calls'
)


@network
def _(w, node):
    from ..network import Scores

    t = w.raw(node, 0)
    axis = node.get('axis', -1 if w.model.opset >= 13 else 1) % len(t.shape)
    if w.model.opset < 13 and math.prod(t.shape[axis + 1 :]) != 1:
        raise Refused('before opset 13 it joins all axes from its axis on')
    if isinstance(t, Scores):
        if axis != len(t.shape) - 1 or node.op != 'Softmax':
            raise Refused('products of two tensors are blocks only as attention: softmax(q k^T) v')
        return dataclasses.replace(t, soft=True)
    t = w.tensor(node)
    value, extents, channels = w.positions(t, axis)
    w.rounding += 8
    # Axes of a call: samples, channels, positions.
    config = {'axis': 1, 'log': node.op == 'LogSoftmax'}
    return w.like(t, w.add('softmax', w.name_of(node), [config], [value], (tuple(extents), channels)))


@calls
def _(w, node):
    x, y = w.get(node), w.result(node)
    rank = len(x.shape)
    axis = node.get('axis', -1 if w.model.opset >= 13 else 1) % rank
    if w.model.opset < 13:
        x = w.rows(node)
        shape = (1, math.prod(x.shape[:axis]), math.prod(x.shape[axis:]), 1)
    else:
        x = w.rows(node)
        shape = (1, math.prod(x.shape[:axis]), x.shape[axis], math.prod(x.shape[axis + 1 :]))
    shape = [s for i, s in enumerate(shape) if i == 2 or s > 1 or i == 1]
    w.rounding += 8
    config = {'axis': 1, 'log': node.op == 'LogSoftmax'}
    w.call(cpp.configured('softmax', config), x.reshaped(shape), y.reshaped(shape))


_, calls = op('LpNormalization', '`l2_normalize`; of `p = 1` a sum between maps')


@calls
def _(w, node):
    from .reduction import reduce

    x, axis = w.rows(node), node.get('axis', -1)
    axis %= len(x.shape)
    if node.get('p', 2) == 1:
        sizes = type(x).rows(w.scratch(x.size), x.shape)
        shape = tuple(1 if a == axis else s for a, s in enumerate(x.shape))
        total = type(x).rows(w.scratch(math.prod(shape)), shape)
        w.map('absolute', [x], sizes)
        reduce(w, 'avg_pool', 1, sizes, [axis], total)
        w.of_two('divide', x, total, w.result(node))
        w.rounding += 8
        return
    shape = (math.prod(x.shape[:axis]), x.shape[axis], math.prod(x.shape[axis + 1 :]))
    w.rounding += 8
    w.call(cpp.configured('l2_normalize', {'axis': 1}), x.reshaped(shape), w.result(node).reshaped(shape))


network, calls = op('LRN', '`conv2d` of one element whose weight is a band, and a map; a pool over channels')


@network
def _(w, node):
    t, size, e = w.tensor(node), node.get('size'), -node.get('beta', 0.75)
    value, extents, channels = w.spatial(t)
    if not 1 <= len(extents) <= 3:
        raise Refused('it has one, two or three spatial axes')
    distance = np.arange(channels)[:, None] - np.arange(channels)[None, :]  # of an input from an output
    band = (distance >= -((size - 1) // 2)) & (distance <= size // 2)
    name = w.name_of(node)
    squares = w.add(
        f'block<{w.maps.use("square")}>', w.names.fresh(name + '_squares'), [], [value], (extents, channels)
    )
    w.use_block(w.maps.use('square'))
    sums = w.add(
        f'conv{len(extents)}d',
        w.names.fresh(name + '_sums'),
        [{'out': channels, 'bias': True}],
        [squares.variable],
        (extents, channels),
        {
            'weight': band.reshape((1,) * len(extents) + band.shape) * np.float32(node.get('alpha', 1e-4) / size),
            'bias': np.full(channels, node.get('bias', 1.0)),
        },
    )
    power = w.maps.use('power_of_size', short(e))
    w.use_block(power)
    factor = w.add(f'block<{power}>', w.names.fresh(name + '_factor'), [], [sums.variable], (extents, channels))
    w.rounding += 20
    return w.like(t, w.add('multiply', name, [], [value, factor.variable], (extents, channels)))


@calls
def _(w, node):
    x, y = w.rows(node), w.result(node)
    size, e = node.get('size'), -node.get('beta', 0.75)
    squares, means = (type(x).rows(w.scratch(x.size), x.shape) for _ in range(2))
    w.map('square', [x], squares)
    # Channels are positions of a pool.
    shape = (x.shape[0], math.prod(x.shape[2:]), x.shape[1])
    a, b = (type(x).channels_last(v.buffer, shape).as_images() for v in (squares, means))
    w.call(
        cpp.configured(
            'avg_pool1d', {'kernel': size, 'stride': 1, 'pad': (size - 1) // 2, 'pad_end': size // 2, 'divisor': size}
        ),
        a,
        b,
    )
    w.of_two('multiply', means, w.number(node.get('alpha', 1e-4)), means)
    w.of_two('add', means, w.number(node.get('bias', 1.0)), means)
    w.map('power_of_size', [means], means, short(e))
    w.of_two('multiply', x, means, y)
    w.rounding += 20
