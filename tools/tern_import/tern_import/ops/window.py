# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pools, and what windows have in common."""

import dataclasses

from .. import cpp
from ..errors import Refused
from .table import op


def same_pads(spatial, kernel, stride, dilation, upper):
    begin, end = [], []
    for x, k, s, d in zip(spatial, kernel, stride, dilation):
        total = max((-(-x // s) - 1) * s + (k - 1) * d + 1 - x, 0)
        begin.append(total // 2 if upper else total - total // 2)
        end.append(total - begin[-1])
    return begin + end


def spatial_attributes(node, spatial, kernel):
    rank = len(spatial)
    kernel = list(kernel)
    stride = list(node.get('strides') or [1] * rank)
    dilation = list(node.get('dilations') or [1] * rank)
    auto = node.get('auto_pad', 'NOTSET')
    if auto in ('SAME_UPPER', 'SAME_LOWER'):
        pads = same_pads(spatial, kernel, stride, dilation, auto == 'SAME_UPPER')
    else:
        pads = list(node.get('pads') or [0] * 2 * rank) if auto != 'VALID' else [0] * 2 * rank
    return kernel, stride, dilation, pads


def pool_config(node, spatial, expected):
    rank = len(spatial)
    if not 1 <= rank <= 3:
        raise Refused('a pool has one, two or three spatial axes')
    kernel, stride, dilation, pads = spatial_attributes(node, spatial, node.get('kernel_shape'))
    begin, end = pads[:rank], pads[rank:]
    ceil = bool(node.get('ceil_mode', 0)) and node.get('auto_pad', 'NOTSET') == 'NOTSET'
    config = {'kernel': cpp.per_axis(kernel)}
    if stride != kernel:
        config['stride'] = cpp.per_axis(stride)
    if any(d != 1 for d in dilation):
        config['dilation'] = cpp.per_axis(dilation)
    if node.get('auto_pad') == 'SAME_UPPER' and any(pads):
        config['rule'] = 'tern::padding::same_tf'
    elif any(pads):
        config['pad'] = cpp.per_axis(begin)
        if begin != end:
            config['pad_end'] = cpp.per_axis(end)
    result = []
    for x, b, e, d, k, s in zip(spatial, begin, end, dilation, kernel, stride):
        room = x + b + e - ((k - 1) * d + 1)
        out = room // s + 1
        if ceil and room % s and out * s < x + b:  # the last window begins on the image or the padding before it
            out += 1
        result.append(out)
    config['ceil_mode'] = ceil and any(
        (x + b + e - ((k - 1) * d + 1)) % s for x, b, e, d, k, s in zip(spatial, begin, end, dilation, kernel, stride)
    )
    config['count_padding'] = bool(node.op == 'AveragePool' and node.get('count_include_pad', 0)) and any(pads)
    if tuple(result) != tuple(expected):
        raise Refused(f'tern gives {result} where ONNX gives {list(expected)}')
    return config, tuple(result)


network, calls = op(
    'MaxPool AveragePool', '`max_pool1d` to `max_pool3d`, `avg_pool1d` to `avg_pool3d`', 'all attributes; no indices'
)


def check_pool(node):
    if len(node.outputs) > 1 and node.outputs[1]:
        raise Refused('its indices are read: those of tern are of another kind')


@network
def _(w, node):
    check_pool(node)
    value, spatial, channels = w.spatial(w.tensor(node))
    expected = w.model.shape(node.outputs[0])
    config, result = pool_config(node, spatial, expected[2:])
    w.rounding += 4
    kind = 'max_pool' if node.op == 'MaxPool' else 'avg_pool'
    s = w.add(f'{kind}{len(spatial)}d', w.name_of(node), [config], [value], (result, channels))
    return w.result_of(s.variable, result, channels, s)


def as_planes(w, node):
    """The input and the result, every channel of every sample as a sample of one channel."""
    x, y = w.rows(node), w.result(node)
    return [
        dataclasses.replace(
            v, shape=(v.shape[0] * v.shape[1], 1, *v.shape[2:]), strides=(v.strides[1], 1, *v.strides[2:]), images=True
        )
        for v in (x, y)
    ]


@calls
def _(w, node):
    check_pool(node)
    x, y = as_planes(w, node)
    config, _ = pool_config(node, x.shape[2:], y.shape[2:])
    kind = 'max_pool' if node.op == 'MaxPool' else 'avg_pool'
    w.rounding += 4
    w.call(cpp.configured(f'{kind}{len(x.shape) - 2}d', config), x, y)


network, calls = op('GlobalAveragePool GlobalMaxPool', '`global_avg_pool`; a pool with `.kernel = whole_axis`')


@network
def _(w, node):
    value, spatial, channels = w.spatial(w.tensor(node))
    rank = len(spatial)
    if not 1 <= rank <= 3:
        raise Refused('a pool has one, two or three spatial axes')
    w.rounding += 4
    if node.op == 'GlobalAveragePool':
        s = w.add('global_avg_pool', w.name_of(node), [], [value], ((1,) * rank, channels))
    else:
        s = w.add(
            f'max_pool{rank}d', w.name_of(node), [{'kernel': 'tern::whole_axis'}], [value], ((1,) * rank, channels)
        )
    return w.result_of(s.variable, (1,) * rank, channels, s)


@calls
def _(w, node):
    x, y = as_planes(w, node)
    kind = 'max_pool' if node.op == 'GlobalMaxPool' else 'avg_pool'
    w.rounding += 4
    w.call(cpp.configured(f'{kind}{len(x.shape) - 2}d', {'kernel': 'tern::whole_axis'}), x, y)


_, calls = op('LpPool GlobalLpPool', 'the sums of an average pool between maps', '`p` up to 16')


@calls
def _(w, node):
    p = node.get('p', 2)
    if not 1 <= p <= 16:
        raise Refused('its p must be 1 to 16')
    x, y = as_planes(w, node)
    before = type(x).rows(w.scratch(x.size), x.shape)
    w.map('absolute', [dataclasses.replace(x, images=False)], before)
    if p > 1:
        w.map('integer_power', [before], before, str(p))
    if node.op == 'LpPool':
        config, _ = pool_config(node, x.shape[2:], y.shape[2:])
    else:
        config = {'kernel': 'tern::whole_axis'}
    w.rounding += 16
    w.call(cpp.configured(f'avg_pool{len(x.shape) - 2}d', {**config, 'divisor': 1}), before.as_images(), y)
    rows = dataclasses.replace(y, images=False)
    if p > 1:
        w.map('square_root' if p == 2 else 'power_of_size', [rows], rows, *([] if p == 2 else [repr(1 / p)]))
