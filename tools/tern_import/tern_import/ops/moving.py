# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that move elements, or only say that they are elsewhere."""

import dataclasses
import math

import numpy as np

from .. import cpp
from ..errors import Refused
from .table import op

network, calls = op('Reshape Flatten Squeeze Unsqueeze', '`flatten`, `reshape`, or nothing')


@network
def _(w, node):
    shape = w.model.shape(node.outputs[0])
    if shape is None:
        raise Refused('its shape depends on values of inputs')
    from ..network import Scores

    t = w.raw(node, 0)
    if isinstance(t, Scores):  # batches and heads as one axis or two
        if shape[-2:] != t.shape[-2:]:
            raise Refused('products of two tensors are blocks only as attention: softmax(q k^T) v')
        return dataclasses.replace(t, shape=tuple(shape))
    return as_signal(w, node, w.shuffled(w.reshape(t, shape)))


def as_signal(w, node, t):
    """Positions of an image that become those of a signal, once and not wherever it is read."""
    if len(t.shape) != 3 or len(t.typed[0]) < 2 or t.factor != 1:
        return t
    for axis in (1, 2):
        if t.shape[axis] == t.typed[1] and t.positions_before(axis) == t.shape[3 - axis] and len(t.order()) == 2:
            shape = (t.shape[3 - axis],), t.typed[1]
            s = w.add(
                'reshape',
                w.name_of(node),
                [f'tern::sample_shape::signal({shape[1]}, {shape[0][0]})'],
                [t.variable],
                shape,
            )
            return dataclasses.replace(t, variable=s.variable, statement=s, typed=shape)
    return t


@calls
def _(w, node):
    shape = w.shape(node.outputs[0])
    v = w.get(node).reshaped(shape)
    if v is None:
        v = w.rows(node).reshaped(shape)
    w.alias(node, v)


network, calls = op('Transpose', 'nothing in networks, which have an order of their own; a view, or `reorder`')


@network
def _(w, node):
    t = w.raw(node, 0)
    rank = len(t.shape)
    order = node.get('perm') or list(range(rank))[::-1]
    if not hasattr(t, 'axes'):
        raise Refused('products of two tensors are blocks only as attention: softmax(q k^T) v')
    return t.with_axes([t.axes[i] for i in order])


@calls
def _(w, node):
    v = w.get(node)
    w.alias(node, v.transposed(node.get('perm') or list(range(len(v.shape)))[::-1]))


_, calls = op('Expand', 'a view, or `reorder`')


@calls
def _(w, node):
    w.alias(node, w.get(node).expanded(w.shape(node.outputs[0])))


_, calls = op('Tile', '`reorder`')


@calls
def _(w, node):
    x, shape = w.get(node), w.shape(node.outputs[0])
    repeats = [b // a for a, b in zip(x.shape, shape)]
    y = w.result(node)
    apart = [d for r, s in zip(repeats, x.shape) for d in (r, s)]
    source = type(x)(x.buffer, tuple(apart), tuple(d for t in x.strides for d in (0, t)), x.offset)
    w.copy(source, y.reshaped(apart))


network, calls = op('Slice', '`slice` of channels, `crop` of positions; a view, or `reorder`', 'of constant ends')


def slices(w, node, shape):
    """(axis, first, step) for every axis that is cut; ends are in the shape of the result."""
    if w.model.opset < 10:
        starts = node.get('starts')
        axes, steps = node.get('axes') or list(range(len(starts))), [1] * len(starts)
    else:

        def known(i, what):
            if node.input(i) is None:
                return None
            array = w.constant(node.input(i))
            if array is None:
                raise Refused(f'its {what} must be constant: give them as --constant {node.input(i)}=...')
            return [int(v) for v in np.asarray(array).reshape(-1)]

        starts = known(1, 'starts')
        known(2, 'ends')
        axes = known(3, 'axes') or list(range(len(starts)))
        steps = known(4, 'steps') or [1] * len(starts)
    result = []
    for start, axis, step in zip(starts, axes, steps):
        size = shape[axis % len(shape)]
        start = start + size if start < 0 else start
        start = min(max(start, 0), size if step > 0 else size - 1)
        result.append((axis % len(shape), start, step))
    return result


@network
def _(w, node):
    t, shape = w.tensor(node), w.model.shape(node.outputs[0])
    cuts = [(a, f, s) for a, f, s in slices(w, node, t.shape) if shape[a] != t.shape[a] or s < 0]
    if any(s != 1 for _, _, s in cuts):
        raise Refused('its step must be 1')
    spatial = [c for c in cuts if c[0] >= 2]
    if len(spatial) > 1 and len(spatial) == len(cuts):
        value, extents, channels = w.spatial(t)
        before, end = [0] * len(extents), [0] * len(extents)
        for axis, first, _ in spatial:
            before[axis - 2], end[axis - 2] = first, t.shape[axis] - first - shape[axis]
        extents = tuple(shape[2:])
        config = {'crop': cpp.per_axis(before), 'crop_end': cpp.per_axis(end) if end != before else None}
        s = w.add(f'crop{len(extents)}d', w.name_of(node), [config], [value], (extents, channels))
        return w.result_of(s.variable, extents, channels, s)
    for axis, first, _ in cuts:
        t = w.take(node, t, axis, first, shape[axis])
    return t


@calls
def _(w, node):
    v, shape = w.get(node), w.shape(node.outputs[0])
    cuts = slices(w, node, v.shape)
    for axis, first, step in cuts:
        if step > 0:
            v = v.part(axis, first, shape[axis], step)
    backwards = [(a, f, s) for a, f, s in cuts if s < 0]
    if not backwards:
        w.alias(node, v)
        return
    for k, (axis, first, step) in enumerate(backwards):
        size = list(v.shape)
        size[axis] = shape[axis]
        y = w.result(node) if k == len(backwards) - 1 else type(v).rows(w.scratch(math.prod(size)), size)
        for i in range(shape[axis]):
            w.copy(v.part(axis, first + i * step, 1), y.part(axis, i, 1))
        v = y


network, calls = op('Split', '`slice` of channels, `crop` of positions; views', 'of constant sizes')


@network
def _(w, node):
    t, axis, first, parts = w.tensor(node), node.get('axis', 0), 0, []
    for o in node.outputs:
        if not o:
            raise Refused('one of its results is left out, and its size with it')
        size = w.model.shape(o)[axis % len(t.shape)]
        parts.append(w.take(node, t, axis, first, size))
        first += size
    return parts


@calls
def _(w, node):
    v, axis, first = w.get(node), node.get('axis', 0), 0
    sizes = node.get('split') or (w.known(node, 1, 'sizes').tolist() if node.input(1) else None)
    for i, o in enumerate(node.outputs):
        size = sizes[i] if sizes else w.shape(o)[axis % len(v.shape)]
        if o:
            w.alias(node, v.part(axis % len(v.shape), first, size), i)
        first += size


network, calls = op('Gather', '`slice` of channels, `crop` of positions; `reorder`', 'of constant indices')


@network
def _(w, node):
    t, axis = w.tensor(node), node.get('axis', 0) % len(w.raw(node, 0).shape)
    indices = w.constant(node.input(1))
    if indices is None:
        raise Refused('tern has no gather: its indices must be constant')
    flat = [int(i) % t.shape[axis] for i in indices.reshape(-1)]
    if flat != list(range(flat[0], flat[0] + len(flat))):
        raise Refused('tern has no gather: its indices must be neighbours')
    t = w.take(node, t, axis, flat[0], len(flat))
    return w.reshape(t, (*t.shape[:axis], *indices.shape, *t.shape[axis + 1 :]))


@calls
def _(w, node):
    v = w.get(node)
    axis = node.get('axis', 0) % len(v.shape)
    indices = w.constant(node.input(1))
    if indices is None:
        raise Refused('tern has no gather: its indices must be constant')
    flat = [int(i) % v.shape[axis] for i in indices.reshape(-1)]
    if len(flat) > 64:
        raise Refused('tern has no gather: it has more than 64 indices')
    y = w.result(node)
    wide = y.reshaped((*v.shape[:axis], len(flat), *v.shape[axis + 1 :]))
    first = 0
    while first < len(flat):
        count = 1
        while first + count < len(flat) and flat[first + count] == flat[first] + count:
            count += 1
        w.copy(v.part(axis, flat[first], count), wide.part(axis, first, count))
        first += count


network, calls = op(
    'Pad', '`pad1d` to `pad3d`; of zeros the `.pad` of the op behind is as good', 'of positions in networks'
)
MODES = {'constant': 'constant', 'reflect': 'reflect', 'edge': 'replicate', 'wrap': 'circular'}


def paddings(w, node, rank, any_value=False):
    if w.model.opset < 11:
        pads, value = node.get('pads', node.get('paddings')), node.get('value', 0.0)
    else:
        pads = w.constant(node.input(1))
        if pads is None:
            raise Refused(f'its pads must be constant: give them as --constant {node.input(1)}=...')
        pads = [int(p) for p in pads.reshape(-1)]
        array = w.constant(node.input(2))
        if node.input(2) and array is None and not any_value:
            raise Refused('its value must be constant')
        value = float(array.reshape(-1)[0]) if array is not None and array.size else 0.0
        if node.input(3):
            axes = w.constant(node.input(3))
            if axes is None:
                raise Refused(f'its axes must be constant: give them as --constant {node.input(3)}=...')
            axes = [int(a) % rank for a in axes.reshape(-1)]
            wide = [0] * 2 * rank
            for i, a in enumerate(axes):
                wide[a], wide[rank + a] = pads[i], pads[len(axes) + i]
            pads = wide
    if len(pads) != 2 * rank:
        raise Refused('its pads do not fit its input')
    return list(pads[:rank]), list(pads[rank:]), value


@network
def _(w, node):
    t = w.tensor(node)
    rank = len(t.shape)
    begin, end, value = paddings(w, node, rank)
    mode = node.get('mode', 'constant')
    # Channels may be the last axis, as TensorFlow has them.
    order = list(range(rank))
    if begin[1:] and (begin[1] or end[1]) and not begin[-1] and not end[-1]:
        order = [0, rank - 1, *range(1, rank - 1)]
    begin, end = ([ends[i] for i in order] for ends in (begin, end))
    if any(begin[:2] + end[:2]) or min(begin + end) < 0 or value != 0:
        raise Refused('a block pads positions, with zeros or what is there')
    text, extents, channels = w.spatial(t.with_axes([t.axes[i] for i in order]))
    begin, end = begin[2:], end[2:]
    result = tuple(b + x + e for b, x, e in zip(begin, extents, end))
    config = {
        'pad': cpp.per_axis(begin),
        'pad_end': cpp.per_axis(end) if end != begin else None,
        'mode': None if mode == 'constant' else f'tern::border::{MODES[mode]}',
    }
    s = w.add(f'pad{len(extents)}d', w.name_of(node), [config], [text], (result, channels))
    padded = w.result_of(s.variable, result, channels, s)
    return padded.with_axes([padded.axes[order.index(i)] for i in range(rank)])


@calls
def _(w, node):
    v = w.get(node)
    rank = len(v.shape)
    computed = w.model.opset >= 11 and node.input(2) and w.constant(node.input(2)) is None
    begin, end, value = paddings(w, node, rank, computed)
    mode = MODES[node.get('mode', 'constant')]
    for axis in range(rank):  # negative padding cuts
        lost = max(-begin[axis], 0), max(-end[axis], 0)
        if any(lost):
            v = v.part(axis, lost[0], v.shape[axis] - sum(lost))
    begin, end = [max(b, 0) for b in begin], [max(e, 0) for e in end]
    if not any(begin + end):
        w.alias(node, v)
        return
    if computed and mode == 'constant':
        y = w.result(node)
        w.copy(w.get(node, 2).expanded(y.shape), y)
        for axis in range(rank):
            y = y.part(axis, begin[axis], v.shape[axis])
        w.copy(v, y)
        return
    # A padded axis is a spatial axis; the axes before it are samples, those after it channels.
    padded = [a for a in range(rank) if begin[a] or end[a]]
    y = w.result(node)
    for k, axis in enumerate(padded):
        shape = list(v.shape)
        shape[axis] += begin[axis] + end[axis]
        target = y if k == len(padded) - 1 else type(v).rows(w.scratch(math.prod(shape)), shape)
        source = w.in_rows(v)
        outer, inner = math.prod(v.shape[:axis]), math.prod(v.shape[axis + 1 :])
        a, b = (type(v).channels_last(x.buffer, (outer, inner, x.shape[axis])).as_images() for x in (source, target))
        a = dataclasses.replace(a, offset=source.offset)
        config = {
            'pad': begin[axis],
            'pad_end': end[axis],
            'mode': None if mode == 'constant' else f'tern::border::{mode}',
        }
        more = [f'tern::padding_value{{{cpp.number(value)}}}'] if value != 0 else []
        w.call(cpp.configured('pad1d', config), a, b, *more)
        v = target


network, calls = op(
    'Resize Upsample',
    '`upsample1d` to `upsample3d`',
    'by integer factors, nearest or linear; others, and cubic, in calls, as products with a matrix',
)


def scales_of(w, node):
    name = node.input(2 if node.op == 'Resize' and w.model.opset >= 11 else 1)
    if name and w.constant(name) is None and name in w.model.inputs:
        raise Refused(f'its scales must be constant: give them as --constant {name}=...')
    return w.constant(name)


def upsampling(w, node, shape, result):
    """Factors and mode."""
    factors = []
    for axis, (a, b) in enumerate(zip(shape, result)):
        if b % a or (axis < 2 and a != b):
            raise Refused(f'it makes {b} of {a}: upsample takes integer factors, of positions')
        factors.append(b // a)
    mode = node.get('mode', 'nearest')
    where = (
        node.get('coordinate_transformation_mode', 'half_pixel')
        if node.op == 'Resize' and w.model.opset >= 11
        else 'asymmetric'
    )
    if node.get('antialias', 0) or where == 'tf_crop_and_resize':
        raise Refused('tern has no upsampling of that kind')
    scales = scales_of(w, node)
    if (
        scales is not None
        and scales.size == len(factors)
        and not np.array_equal(scales, np.array(factors, scales.dtype))
    ):
        raise Refused('upsample takes integer factors, of positions')
    if mode == 'nearest':
        rounding = (
            node.get('nearest_mode', 'round_prefer_floor') if node.op == 'Resize' and w.model.opset >= 11 else 'floor'
        )
        for a, f in zip(shape, factors):
            if [source(o, a, f, where, rounding) for o in range(a * f)] != [o // f for o in range(a * f)]:
                raise Refused(f'upsample takes input floor(o / f), which {where} with {rounding} is not')
        return factors, None
    if mode in ('linear', 'bilinear', 'trilinear'):
        if where in ('half_pixel', 'pytorch_half_pixel', 'half_pixel_symmetric'):
            return factors, 'tern::interpolation::linear'
        if where == 'align_corners':
            return factors, 'tern::interpolation::linear_align_corners'
        if all(f == 1 for f in factors):
            return factors, None
        raise Refused(f'tern has linear upsampling with half_pixel and align_corners, not {where}')
    raise Refused(f'tern has no {mode} upsampling: the nearest is linear')


def source(o, size, factor, where, rounding):
    x = {
        'half_pixel': (o + 0.5) / factor - 0.5,
        'half_pixel_symmetric': (o + 0.5) / factor - 0.5,
        'pytorch_half_pixel': (o + 0.5) / factor - 0.5 if size * factor > 1 else 0,
        'asymmetric': o / factor,
        'align_corners': o * (size - 1) / (size * factor - 1) if size * factor > 1 else 0,
    }[where]
    i = {
        'floor': math.floor(x),
        'ceil': math.ceil(x),
        'round_prefer_floor': math.ceil(x - 0.5),
        'round_prefer_ceil': math.floor(x + 0.5),
    }[rounding]
    return min(max(i, 0), size - 1)


@network
def _(w, node):
    t, shape = w.tensor(node), w.model.shape(node.outputs[0])
    factors, mode = upsampling(w, node, t.shape, shape)
    text, extents, channels = w.spatial(t)
    result = tuple(shape[2:])
    w.rounding += 8
    s = w.add(
        f'upsample{len(extents)}d',
        w.name_of(node),
        [{'factor': cpp.per_axis(factors[2:]), 'mode': mode}],
        [text],
        (result, channels),
    )
    return w.result_of(s.variable, result, channels, s)


def interpolation(w, node, axis, size, result):
    """The matrix (result, size) that a resize along one axis is: what onnx makes of the unit vectors."""
    from onnx.reference import ReferenceEvaluator
    from onnx import TensorProto, helper

    if node.get('coordinate_transformation_mode') == 'tf_crop_and_resize':
        raise Refused('tern has no upsampling of that kind')
    scale = result / size
    scales = scales_of(w, node)
    axes = list(node.get('axes') or range(len(w.shape(node.inputs[0]))))
    axes = [a % len(w.shape(node.inputs[0])) for a in axes]
    if scales is not None and scales.size == len(axes):
        scale = float(scales[axes.index(axis)]) if axis in axes else 1.0
    elif node.input(3) and node.get('keep_aspect_ratio_policy', 'stretch') != 'stretch':
        sizes = w.constant(node.input(3))
        if sizes is None:
            raise Refused('its sizes must be constant')
        all_scales = [s / w.shape(node.inputs[0])[a] for s, a in zip(sizes, axes)]
        scale = (
            (min if node.get('keep_aspect_ratio_policy') == 'not_larger' else max)(all_scales) if axis in axes else 1.0
        )
    attributes = {k: v for k, v in node.attributes.items() if k not in ('axes', 'keep_aspect_ratio_policy')}
    names = ['x', '', 'scales'] if w.model.opset >= 11 else ['x', 'scales']
    graph = helper.make_graph(
        [helper.make_node('Resize', names, ['y'], **attributes)],
        'resize',
        [
            helper.make_tensor_value_info('x', TensorProto.FLOAT, None),
            helper.make_tensor_value_info('scales', TensorProto.FLOAT, None),
        ],
        [helper.make_tensor_value_info('y', TensorProto.FLOAT, None)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', w.model.opset)])
    unit = np.eye(size, dtype=np.float32)[:, None]
    matrix = ReferenceEvaluator(model).run(None, {'x': unit, 'scales': np.array([1, 1, scale], np.float32)})[0][:, 0].T
    if matrix.shape != (result, size):
        raise Refused(f'it makes {result} of {size}: upsample takes integer factors')
    return np.ascontiguousarray(matrix)


@calls
def _(w, node):
    from .contraction import batched

    v, shape = w.rows(node), w.shape(node.outputs[0])
    w.rounding += 16
    try:
        factors, mode = upsampling(w, node, v.shape, shape)
        if not 3 <= len(shape) <= 5:
            raise Refused('it has one, two or three spatial axes')
    except Refused:
        if node.op == 'Upsample':
            raise
        changed = [a for a in range(len(shape)) if v.shape[a] != shape[a]]
        for k, axis in enumerate(changed):  # a product with the matrix of the interpolation, axis by axis
            name = f'{node.outputs[0]}.interpolation.{axis}'
            w.model.constants[name] = interpolation(w, node, axis, v.shape[axis], shape[axis])
            size = (*v.shape[:axis], shape[axis], *v.shape[axis + 1 :])
            y = w.result(node) if k == len(changed) - 1 else type(v).rows(w.scratch(math.prod(size)), size)
            outer, inner = math.prod(size[:axis]), math.prod(size[axis + 1 :])
            batched(
                w, w.views(name)[0], v.reshaped((outer, v.shape[axis], inner)), y.reshaped((outer, shape[axis], inner))
            )
            v = y
        if not changed:
            raise
        return
    y = w.result(node)
    a, b = (
        dataclasses.replace(
            x, shape=(x.shape[0] * x.shape[1], 1, *x.shape[2:]), strides=(x.strides[1], 1, *x.strides[2:]), images=True
        )
        for x in (v, y)
    )
    w.call(cpp.configured(f'upsample{len(shape) - 2}d', {'factor': cpp.per_axis(factors[2:]), 'mode': mode}), a, b)


network, calls = op('DepthToSpace SpaceToDepth', '`depth_to_space2d`, `space_to_depth2d`')


def block_config(node):
    size = node.get('blocksize')
    order = node.get('mode', 'DCR')
    return {'block': size if size != 2 else None, 'order': 'tern::depth_order::crd' if order == 'CRD' else None}


@network
def _(w, node):
    text, extents, channels = w.spatial(w.tensor(node))
    shape = w.model.shape(node.outputs[0])
    call = 'depth_to_space2d' if node.op[0] == 'D' else 'space_to_depth2d'
    s = w.add(call, w.name_of(node), [block_config(node)], [text], (tuple(shape[2:]), shape[1]))
    return w.result_of(s.variable, shape[2:], shape[1], s)


@calls
def _(w, node):
    call = 'depth_to_space2d' if node.op[0] == 'D' else 'space_to_depth2d'
    x, y = w.last(node), w.result(node, channels_last=True)
    w.call(cpp.configured(call, block_config(node)), x.as_images(), y.as_images())
