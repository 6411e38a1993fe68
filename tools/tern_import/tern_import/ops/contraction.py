# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products and convolutions."""

import dataclasses
import math

import numpy as np

from .. import cpp
from ..errors import Refused
from .table import op
from .window import spatial_attributes


def conv_window(node, spatial, weight_spatial):
    """Kernel, stride, dilation and padding of a convolution as fields of a config."""
    kernel, stride, dilation, pads = spatial_attributes(node, spatial, node.get('kernel_shape') or weight_spatial)
    rank = len(spatial)
    config = {'kernel': cpp.per_axis(kernel)}
    if any(s != 1 for s in stride):
        config['stride'] = cpp.per_axis(stride)
    if any(d != 1 for d in dilation):
        config['dilation'] = cpp.per_axis(dilation)
    begin, end = pads[:rank], pads[rank:]
    if node.get('auto_pad') == 'SAME_UPPER' and any(pads):
        config['rule'] = 'tern::padding::same_tf'
    elif any(pads):
        config['pad'] = cpp.per_axis(begin)
        if begin != end:
            config['pad_end'] = cpp.per_axis(end)
    if min(pads) < 0:
        raise Refused('its padding is negative: the nearest is crop')
    result = [
        (x + b + e - (d * (k - 1) + 1)) // s + 1
        for x, b, e, d, k, s in zip(spatial, begin, end, dilation, kernel, stride)
    ]
    return config, result


def call_convolution(w, node, op, config, x, weight, y):
    rank = len(weight.shape) - 2
    w.call(
        cpp.configured(f'{op}{rank}d', config),
        x.as_images(),
        weight.transposed([*range(2, 2 + rank), 1, 0]),
        *([w.rows(node, 2)] if config['bias'] else []),
        y.as_images(),
    )


def count_rounding(w, products):
    w.rounding += 2 + math.sqrt(products)


network, calls = op('Conv', '`conv1d`, `conv2d`, `conv3d`', 'groups, strides, dilations, `pads` and `auto_pad`')


@network
def _(w, node):
    t, weight = w.tensor(node), w.weight(node, 1, 'weight')
    value, spatial, channels = w.spatial(t)
    rank = len(spatial)
    if not 1 <= rank <= 3:
        raise Refused('a convolution has one, two or three spatial axes')
    window, result = conv_window(node, spatial, weight.shape[2:])
    groups = node.get('group', 1)
    config = {
        'out': weight.shape[0],
        'groups': groups if groups > 1 else None,
        **window,
        'bias': node.input(2) is not None,
    }
    parameters = {'weight': weight.transpose(*range(2, 2 + rank), 1, 0)}
    if config['bias']:
        parameters['bias'] = w.weight(node, 2, 'bias')
    count_rounding(w, weight[0].size)
    s = w.add(
        f'conv{rank}d', w.name_of(node, node.inputs[1]), [config], [value], (tuple(result), weight.shape[0]), parameters
    )
    return w.result_of(s.variable, result, weight.shape[0], s)


@calls
def _(w, node):
    x, weight, y = w.last(node), w.get(node, 1), w.result(node, channels_last=True)
    rank = len(x.shape) - 2
    if not 1 <= rank <= 3:
        raise Refused('a convolution has one, two or three spatial axes')
    window, _ = conv_window(node, x.shape[2:], weight.shape[2:])
    groups = node.get('group', 1)
    config = {
        'in': x.shape[1],
        'out': weight.shape[0],
        'groups': groups if groups > 1 else None,
        **window,
        'bias': node.input(2) is not None,
    }
    count_rounding(w, math.prod(weight.shape[1:]))
    call_convolution(w, node, 'conv', config, x, weight, y)


network, calls = op(
    'ConvTranspose',
    '`conv_transpose1d`, `conv_transpose2d`, `conv_transpose3d`',
    'groups, strides, dilations, `pads`, `output_padding`, `output_shape` and `auto_pad`',
)


def transposed_window(node, spatial, weight_spatial):
    rank = len(spatial)
    kernel = node.get('kernel_shape') or list(weight_spatial)
    stride = node.get('strides') or [1] * rank
    dilation = node.get('dilations') or [1] * rank
    extra = list(node.get('output_padding') or [0] * rank)
    pads = node.get('pads') or [0] * 2 * rank
    full = [(x - 1) * s + (k - 1) * d + 1 for x, s, k, d in zip(spatial, stride, kernel, dilation)]
    shape, auto = node.get('output_shape'), node.get('auto_pad', 'NOTSET')
    if shape or auto in ('SAME_UPPER', 'SAME_LOWER'):
        shape = list(shape[-rank:]) if shape else [x * s for x, s in zip(spatial, stride)]
        total = [f + e - o for f, e, o in zip(full, extra, shape)]
        extra = [e + max(-t, 0) for e, t in zip(extra, total)]
        total = [max(t, 0) for t in total]
        half = [t // 2 for t in total]
        rest = [t - h for t, h in zip(total, half)]
        pads = half + rest if auto == 'SAME_UPPER' else rest + half
    elif auto == 'VALID':
        pads = [0] * 2 * rank
    begin, end = list(pads[:rank]), list(pads[rank:])
    # Output padding and the crop at the end of an axis cancel.
    for r in range(rank):
        both = min(end[r], extra[r])
        end[r], extra[r] = end[r] - both, extra[r] - both
    if min(begin + end) < 0:
        raise Refused('its padding is negative')
    if any(e >= s for e, s in zip(extra, stride)):
        raise Refused('what is added to its result must be less than the stride')
    config = {'kernel': cpp.per_axis(kernel)}
    for field, values, otherwise in (('stride', stride, 1), ('dilation', dilation, 1)):
        if any(v != otherwise for v in values):
            config[field] = cpp.per_axis(values)
    if any(begin + end):
        config['crop'] = cpp.per_axis(begin)
        if begin != end:
            config['crop_end'] = cpp.per_axis(end)
    if any(extra):
        config['output_padding'] = cpp.per_axis(extra)
    return config, [f - b - e + x for f, b, e, x in zip(full, begin, end, extra)]


@network
def _(w, node):
    t, weight = w.tensor(node), w.weight(node, 1, 'weight')
    value, spatial, channels = w.spatial(t)
    rank, groups = len(spatial), node.get('group', 1)
    if not 1 <= rank <= 3:
        raise Refused('a convolution has one, two or three spatial axes')
    window, result = transposed_window(node, spatial, weight.shape[2:])
    out = weight.shape[1] * groups
    config = {'out': out, 'groups': groups if groups > 1 else None, **window, 'bias': node.input(2) is not None}
    parameters = {'weight': weight.transpose(*range(2, 2 + rank), 1, 0)}
    if config['bias']:
        parameters['bias'] = w.weight(node, 2, 'bias')
    count_rounding(w, weight[:, 0].size)
    s = w.add(
        f'conv_transpose{rank}d', w.name_of(node, node.inputs[1]), [config], [value], (tuple(result), out), parameters
    )
    return w.result_of(s.variable, result, out, s)


@calls
def _(w, node):
    x, weight, y = w.last(node), w.get(node, 1), w.result(node, channels_last=True)
    rank, groups = len(x.shape) - 2, node.get('group', 1)
    if not 1 <= rank <= 3:
        raise Refused('a convolution has one, two or three spatial axes')
    window, result = transposed_window(node, x.shape[2:], weight.shape[2:])
    if tuple(result) != tuple(y.shape[2:]):
        raise Refused(f'tern gives {result} where ONNX gives {y.shape[2:]}')
    config = {
        'in': x.shape[1],
        'out': weight.shape[1] * groups,
        'groups': groups if groups > 1 else None,
        **window,
        'bias': node.input(2) is not None,
    }
    count_rounding(w, weight.size // weight.shape[1])
    call_convolution(w, node, 'conv_transpose', config, x, weight, y)


network_matmul, calls_matmul = op(
    'MatMul',
    '`matmul`; at every position `conv1d` of one element, or as many axes as the '
    'sample has; of two tensors `attention`, or `matmul` with `.batch`',
)


def dense(w, node, t, matrix, bias=None, weight=None):
    """t matrix, over the last axis."""
    value, extents, channels = w.positions(t)
    out = matrix.shape[1]
    if len(extents) > 3:
        raise Refused('a sample has more than three axes beside the channels')
    config = {'n' if not extents else 'out': out, 'bias': bias is not None}
    parameters = {'weight': w.rows(t, matrix).reshape([1] * len(extents) + list(matrix.shape))}
    if bias is not None:
        parameters['bias'] = bias
    count_rounding(w, channels)
    call = f'conv{len(extents)}d' if extents else 'matmul'
    s = w.add(call, w.name_of(node, weight), [config], [value], (extents, out), parameters)
    from ..network import Atom

    c = Atom(out)
    inner = {id(a) for a in t.axes[-1]}
    memory = [a for a in t.memory if id(a) not in inner] + [c]
    return dataclasses.replace(
        t, variable=s.variable, statement=s, typed=s.result, memory=memory, axes=[*t.axes[:-1], [c]]
    )


def heads_of(t):
    """The atoms of a batch of matrices: heads, rows, columns."""
    heads = [a for axis in t.axes[:-2] for a in axis if not a.samples and a.size > 1]
    return heads, [a for a in t.axes[-2] if a.size > 1], [a for a in t.axes[-1] if a.size > 1]


def lies(t, *groups):
    """Whether the memory has these atoms in this order."""
    return [id(a) for a in t.memory if a.size > 1] == [id(a) for g in groups for a in g]


def sizes(atoms):
    return [a.size for a in atoms]


def product_of_tensors(w, node, a, b):
    from ..network import Atom, Scores

    if isinstance(b, Scores):
        raise Refused('products of two tensors are blocks only as attention: softmax(q k^T) v')
    heads, rows, columns = heads_of(b)
    if isinstance(a, Scores):
        if not a.soft or not lies(b, rows, heads, columns) or math.prod(sizes(heads)) != a.heads:
            raise Refused('products of two tensors are blocks only as attention: softmax(q k^T) v')
        key_places, channels = b.shape[-2], math.prod(sizes(heads)) * b.shape[-1]
        q, k = a.q, a.k
        factor = a.scale * math.sqrt(a.width)
        query_places = a.shape[-2]
        if abs(factor - 1) > 1e-6:
            q = w.scale_and_shift(node, q, np.float32(factor), None)
        v = dataclasses.replace(b, factor=1.0)
        s = w.add(
            'attention',
            w.name_beside(q, 'attention'),
            [str(a.heads)],
            [
                w.typed_as(q, (query_places,), a.heads * a.width),
                w.typed_as(k, (key_places,), a.heads * a.width),
                w.typed_as(v, (key_places,), channels),
            ],
            ((query_places,), channels),
        )
        count_rounding(w, key_places + a.width)
        places, h, width = Atom(query_places), Atom(a.heads), Atom(b.shape[-1])
        lead = [[x if x.samples else h for x in axis if x.samples or x.size > 1][:2] for axis in b.axes[:-2]]
        if sum(axis.count(h) for axis in lead) > 1:
            raise Refused('its heads are more than one axis')
        memory = [places, h, width] if a.heads > 1 else [places, width]
        return dataclasses.replace(
            b,
            variable=s.variable,
            statement=s,
            typed=s.result,
            memory=memory,
            axes=[*lead, [places], [width]],
            factor=b.factor,
        )
    q_heads, q_rows, q_columns = heads_of(a)
    if not (lies(a, q_rows, q_heads, q_columns) and lies(b, columns, heads, rows) and sizes(heads) == sizes(q_heads)):
        raise Refused('products of two tensors are blocks only as attention: softmax(q k^T) v')
    count_rounding(w, a.shape[-1])
    return Scores(
        dataclasses.replace(a, factor=1.0),
        dataclasses.replace(b, factor=1.0),
        math.prod(sizes(heads)),
        a.shape[-1],
        a.factor * b.factor,
        (*a.shape[:-1], b.shape[-1]),
    )


@network_matmul
def _(w, node):
    matrix = w.constant(node.input(1))
    if matrix is None:
        if w.constant(node.input(0)) is not None:
            raise Refused('a constant on the left of a product is no block')
        return product_of_tensors(w, node, w.raw(node, 0), w.raw(node, 1))
    if matrix.ndim > 2 and all(s == 1 for s in matrix.shape[:-2]):
        matrix = matrix.reshape(matrix.shape[-2:])
    if matrix.ndim != 2 or matrix.dtype != np.float32:
        raise Refused('its weight is no matrix of float32')
    return dense(w, node, w.tensor(node), matrix, weight=node.inputs[1])


def batched(w, a, b, y):
    """y = a b for matrices of a batch, which repeat."""
    batch = y.shape[:-2]
    a, b = (v.expanded((*batch, *v.shape[-2:])) for v in (a, b))
    count = math.prod(batch)

    def one_axis(v):
        if count == 1:
            return dataclasses.replace(v, shape=v.shape[-2:], strides=v.strides[-2:])
        axes = [(s, t) for s, t in zip(v.shape[:-2], v.strides[:-2]) if s > 1]
        for (_, outer), (size, inner) in zip(axes, axes[1:]):
            if outer != size * inner:
                return None
        return dataclasses.replace(v, shape=(count, *v.shape[-2:]), strides=(axes[-1][1], *v.strides[-2:]))

    views = []
    for v in (a, b):
        one = one_axis(v)
        if one is None:
            copy = type(v).rows(w.scratch(v.size), v.shape)
            w.copy(v, copy)
            one = one_axis(copy)
        views.append(one)
    count_rounding(w, a.shape[-1])
    config = {'batch': 'tern::dynamic'} if count > 1 else {}
    w.call(cpp.configured('matmul', config), *views, one_axis(y))


@calls_matmul
def _(w, node):
    a, b, y = w.get(node, 0), w.get(node, 1), w.result(node)
    if len(a.shape) == 1:
        a = dataclasses.replace(a, shape=(1, *a.shape), strides=(0, *a.strides))
        y = dataclasses.replace(
            y,
            shape=(*y.shape[:-1], 1, *y.shape[-1:]) if len(b.shape) > 1 else (1,),
            strides=(*y.strides[:-1], 0, *y.strides[-1:]) if len(b.shape) > 1 else (0,),
        )
    if len(b.shape) == 1:
        b = dataclasses.replace(b, shape=(*b.shape, 1), strides=(*b.strides, 0))
        y = dataclasses.replace(y, shape=(*y.shape, 1), strides=(*y.strides, 0))
    # Matrices have steps of at least 1 along an axis of one element, too.
    batched(w, a, b, y)


network, calls = op('Gemm', '`matmul`', '`alpha`, `beta`, `transA` and `transB`')


@network
def _(w, node):
    matrix = w.weight(node, 1, 'weight')
    t = w.tensor(node)
    if node.get('transA', 0) or len(t.shape) != 2:
        raise Refused('its first factor is transposed')
    matrix = (matrix.T if node.get('transB', 0) else matrix) * np.float32(node.get('alpha', 1.0))
    bias = None
    if node.input(2):
        bias = w.weight(node, 2, 'bias') * np.float32(node.get('beta', 1.0))
        bias = np.broadcast_to(bias, np.broadcast_shapes(bias.shape, (1, matrix.shape[1])))
        if not (bias == bias[:1]).all():
            raise Refused('its bias differs between samples')
        bias = bias[0]
    return dense(w, node, t, matrix, bias, node.inputs[1])


@calls
def _(w, node):
    a, b, y = w.get(node, 0), w.get(node, 1), w.result(node)
    a = a.transposed([1, 0]) if node.get('transA', 0) else a
    b = b.transposed([1, 0]) if node.get('transB', 0) else b
    alpha, beta = node.get('alpha', 1.0), node.get('beta', 1.0)
    c = w.get(node, 2) if node.input(2) and beta != 0 else None
    count_rounding(w, a.shape[1])
    simple = c is not None and alpha == 1 and beta == 1
    if simple and len(c.shape) == 1 and c.shape[0] == y.shape[1] and c.is_rows():
        w.call(cpp.configured('matmul', {'bias': True}), a, b, c, y)
        return
    w.call(cpp.configured('matmul', {}), a, b, y)
    w.rounding += 4
    if alpha != 1:
        w.of_two('multiply', y, w.number(alpha), y)
    if c is not None:
        if beta != 1:
            scaled = type(y).rows(w.scratch(math.prod(c.shape)), c.shape)
            w.of_two('multiply', c, w.number(beta), scaled)
            c = scaled
        w.of_two('add', y, c, y)
