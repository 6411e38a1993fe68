# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops on the elements of every place."""

import dataclasses
import math

import numpy as np

from .. import cpp
from ..errors import Refused
from .table import op

SIMPLE = {
    'Relu': 'relu',
    'Sigmoid': 'sigmoid',
    'Tanh': 'tanh',
    'Softplus': 'softplus',
    'HardSwish': 'hard_swish',
    'Mish': 'mish',
}


def near(a, b):
    return abs(a - b) <= 1e-6 * abs(b)


def activation(node):
    """tern's activation of a node, or None."""
    if node.op in SIMPLE:
        return f'tern::activation::{SIMPLE[node.op]}'
    if node.op == 'LeakyRelu' and node.get('alpha', 0.01) >= 0:
        alpha = node.get('alpha', 0.01)
        return 'tern::activation::leaky_relu' if near(alpha, 0.01) else f'tern::leaky_relu({short(alpha)})'
    if node.op == 'Elu' and node.get('alpha', 1.0) >= 0:
        alpha = node.get('alpha', 1.0)
        return 'tern::activation::elu' if near(alpha, 1) else f'tern::elu({short(alpha)})'
    if (
        node.op == 'Selu'
        and near(node.get('alpha', 1.6732632), 1.6732632)
        and near(node.get('gamma', 1.050701), 1.050701)
    ):
        return 'tern::activation::selu'
    if node.op == 'HardSigmoid' and near(node.get('alpha', 0.2), 1 / 6) and near(node.get('beta', 0.5), 0.5):
        return 'tern::activation::hard_sigmoid'
    if node.op == 'Gelu':
        return 'tern::activation::' + ('gelu_tanh' if node.get('approximate', 'none') == 'tanh' else 'gelu')
    if node.op == 'Swish' and near(node.get('alpha', 1.0), 1):
        return 'tern::activation::silu'
    return None


def short(x):
    """A float32 with as few digits as it needs."""
    for digits in range(1, 10):
        text = f'{x:.{digits}g}'
        if np.float32(text) == np.float32(x):
            return cpp.number(float(text))
    return cpp.number(x)


CARRIERS = (
    'conv1d',
    'conv2d',
    'conv3d',
    'conv_transpose1d',
    'conv_transpose2d',
    'conv_transpose3d',
    'matmul',
    'batch_norm',
    'layer_norm',
    'group_norm',
    'instance_norm',
    'rms_norm',
    'layer_norm_channels',
    'rms_norm_channels',
    'elementwise',
)


def activate(w, node, act):
    """Applies an activation, in the block that makes the input where that has none yet and nobody else reads it."""
    t = w.tensor(node)
    w.rounding += 4
    s = t.statement
    if s is not None and s.call in CARRIERS and not s.config.get('act') and w.is_only_reader(node.inputs[0]):
        s.config['act'] = act
        return t
    return w.like(t, w.add('activate', w.name_of(node), [act], [t.variable], t.typed))


def block_of(w, node, t, name, *parameters):
    block = w.maps.use(name, *parameters)
    w.use_block(block)
    return w.like(t, w.add(f'block<{block}>', w.name_of(node), [], [t.variable], t.typed))


network, calls = op(
    'Relu Sigmoid Tanh Softplus HardSwish Mish LeakyRelu Elu Selu HardSigmoid Gelu Swish',
    'the `.act` of the block before, or `activate`; `elementwise`',
    'slopes of at least 0',
)


@network
def _(w, node):
    act = activation(node)
    if act is not None:
        return activate(w, node, act)
    t = w.tensor(node)
    if node.op == 'Selu' and node.get('alpha', 1.6732632) >= 0:
        return dataclasses.replace(
            activate(w, node, f'tern::elu({short(node.get("alpha", 1.6732632))})'), factor=node.get('gamma', 1.050701)
        )
    if node.op == 'HardSigmoid':
        return block_of(w, node, t, 'hard_sigmoid_of', short(node.get('alpha', 0.2)), short(node.get('beta', 0.5)))
    raise Refused(f'tern has no {node.op} with these attributes')


@calls
def _(w, node):
    act, x = activation(node), w.get(node)
    if act is not None:
        w.elementwise({'act': act}, [x], w.result(node))
    elif node.op == 'HardSigmoid':
        w.map('hard_sigmoid_of', [x], w.result(node), short(node.get('alpha', 0.2)), short(node.get('beta', 0.5)))
    elif node.op == 'Selu' and node.get('alpha', 1.6732632) >= 0:
        y = w.result(node)
        w.elementwise({'act': f'tern::elu({short(node.get("alpha", 1.6732632))})'}, [x], y)
        w.of_two('multiply', y, w.number(node.get('gamma', 1.050701)), y)
    elif node.op == 'Swish':
        scaled = dataclasses.replace(w.result(node), buffer=w.scratch(x.size))
        alpha = w.number(node.get('alpha', 1.0))
        w.of_two('multiply', x, alpha, scaled)
        gate = dataclasses.replace(scaled, buffer=w.scratch(x.size))
        w.elementwise({'act': 'tern::activation::sigmoid'}, [scaled], gate)
        w.of_two('multiply', x, gate, w.result(node))
    else:
        raise Refused(f'tern has no {node.op} with these attributes')
    w.rounding += 4


UNARY = {
    'Neg': 'negative',
    'Abs': 'absolute',
    'Reciprocal': 'reciprocal',
    'Sqrt': 'square_root',
    'Exp': 'exponential',
    'Log': 'logarithm',
    'Erf': 'error_function',
    'Softsign': 'softsign',
    'Sign': 'sign_of',
    'Floor': 'floor_of',
    'Ceil': 'ceiling_of',
    'Round': 'rounded',
    'Not': 'opposite',
    'IsNaN': 'is_nan',
}
network, calls = op(' '.join(UNARY), 'a map of the program: [own-ops.md](own-ops.md)')


@network
def _(w, node):
    w.rounding += 4
    return block_of(w, node, w.tensor(node), UNARY[node.op])


@calls
def _(w, node):
    w.rounding += 4
    w.map(UNARY[node.op], [w.get(node)], w.result(node))


network, calls = op('Shrink ThresholdedRelu', 'a map of the program')


def limits(node):
    if node.op == 'Shrink':
        return 'shrunk', short(node.get('lambd', 0.5)), short(node.get('bias', 0.0))
    return 'above', short(node.get('alpha', 1.0))


@network
def _(w, node):
    return block_of(w, node, w.tensor(node), *limits(node))


@calls
def _(w, node):
    name, *parameters = limits(node)
    w.map(name, [w.get(node)], w.result(node), *parameters)


network, calls = op('Clip', '`relu` or `relu6` where it is one; else a map of the program')


CLIPS = {(0, math.inf): 'tern::activation::relu', (0, 6): 'tern::activation::relu6'}


def bounds(w, node):
    """Both ends of a Clip, None where one is computed."""
    ends = []
    for i, attribute, default in ((1, 'min', -math.inf), (2, 'max', math.inf)):
        array = w.constant(node.input(i))
        if node.input(i) and array is None:
            return None
        ends.append(float(array) if array is not None else float(node.get(attribute, default)))
    return ends


@network
def _(w, node):
    ends = bounds(w, node)
    if ends is None:
        raise Refused('its ends are computed')
    if tuple(ends) in CLIPS:
        return activate(w, node, CLIPS[tuple(ends)])
    return block_of(w, node, w.tensor(node), 'clipped', *map(short, ends))


@calls
def _(w, node):
    ends, x = bounds(w, node), w.get(node)
    if ends is not None:
        if tuple(ends) in CLIPS:
            w.elementwise({'act': CLIPS[tuple(ends)]}, [x], w.result(node))
        else:
            w.map('clipped', [x], w.result(node), *map(short, ends))
        return
    low = w.get(node, 1) if node.input(1) else w.number(-math.inf)
    high = w.get(node, 2) if node.input(2) else w.number(math.inf)
    w.map('clipped_between', [x, low, high], w.result(node))


network, calls = op('PRelu', '`elementwise` with `.act = prelu`', 'of slopes that are constant: a number per channel')


@network
def _(w, node):
    t, slopes = w.tensor(node), w.weight(node, 1, 'slopes')
    slopes = t.in_memory(slopes).reshape(-1, t.typed[1])
    if not (slopes == slopes[:1]).all():
        raise Refused('its slopes differ between positions')
    name = w.name_of(node, node.inputs[1])
    return w.like(
        t, w.add('elementwise', name, [{'act': 'tern::activation::prelu'}], [t.variable], t.typed, {'slope': slopes[0]})
    )


@calls
def _(w, node):
    x, y = w.get(node), w.result(node)
    w.elementwise({'act': 'tern::activation::prelu'}, [x, w.get(node, 1)], y)


network, calls = op('Add Sum', '`add`; with a constant the `.bias` of the block before, or `elementwise`')


def sum_with_constant(w, node, t, at, array):
    """A constant on a tensor: a bias of the block that makes it, where it has none."""
    s = t.statement
    if s is not None and w.is_only_reader(node.inputs[at]) and t.factor == 1 and not s.config_has('act', 'bias'):
        if s.call in ('matmul', 'conv1d', 'conv2d', 'conv3d', 'elementwise'):
            channels = s.result[1]
            try:
                wide = t.in_memory(array)
            except ValueError:
                raise Refused('a constant makes its input larger') from None
            wide = wide.reshape(-1, channels) if t.typed[1] == channels else None
            if wide is not None and (wide == wide[:1]).all():
                s.config['bias'] = True
                w.parameters[f'{s.name}.bias'] = np.ascontiguousarray(wide[0], np.float32)
                return t
    return w.scale_and_shift(node, t, None, array)


@network
def _(w, node):
    result = None
    w.rounding += len(node.inputs)
    constants = [(i, w.constant(i)) for i in node.inputs if w.constant(i) is not None]
    tensors = [k for k, i in enumerate(node.inputs) if w.constant(i) is None]
    for k in tensors:
        t = w.tensor(node, k)
        if result is None:
            result = t
            continue
        result = of_two(w, node, 'add', result, t)
    for _, array in constants:
        result = sum_with_constant(w, node, result, tensors[0], array)
    return result


def of_two(w, node, call, a, b):
    """A block of two tensors."""
    if a.shape != b.shape or a.order() != b.order():
        raise Refused(f'both tensors must have one shape and layout, not {a.shape} and {b.shape}')
    return w.like(a, w.add(call, w.name_of(node), [], [a.variable, w.typed_as(b, *a.typed)], a.typed))


@calls
def _(w, node):
    w.rounding += len(node.inputs)
    many(w, node, 'add')


def many(w, node, name):
    """F of two, F of that and the third, ..."""
    y = w.result(node)
    before = w.get(node)
    if len(node.inputs) == 1:
        w.copy(before, y)
    for i in range(1, len(node.inputs)):
        w.of_two(name, before, w.get(node, i), y)
        before = y


network, calls = op('Mul', '`multiply`; with a constant `elementwise` with `.scale`')


@network
def _(w, node):
    w.rounding += 2
    arrays = [w.constant(i) for i in node.inputs]
    if arrays[0] is not None or arrays[1] is not None:
        at = 0 if arrays[0] is None else 1
        return scaled(w, node, at, np.asarray(arrays[1 - at], np.float32))
    a, b = w.tensor(node, 0), w.tensor(node, 1)
    if b.elements > a.elements:
        a, b = b, a
    if a.shape == b.shape and a.order() == b.order():
        return of_two(w, node, 'multiply', a, b)
    kept = [i for i in range(1, len(a.shape)) if len(b.shape) == len(a.shape) and b.shape[i] > 1]
    fits = (
        len(b.shape) == len(a.shape)
        and b.shape[0] == a.shape[0]
        and len(kept) == 1
        and b.shape[kept[0]] == a.shape[kept[0]]
        and a.positions_before(kept[0]) is not None
    )
    if not fits:
        raise Refused(
            f'tensors that are multiplied must have one shape, or one a number per channel, not {a.shape} and '
            f'{b.shape}'
        )
    value, extents, channels = w.positions(a, kept[0])
    gates = w.typed_as(b, [1] * len(extents), channels)
    return w.like(a, w.add('multiply', w.name_of(node), [], [value, gates], (extents, channels)))


def scaled(w, node, at, array):
    from ..network import Scores

    t = w.raw(node, at)
    if array.size == 1:
        factor = float(array.reshape(()))
        if isinstance(t, Scores):
            if t.soft:
                raise Refused('a product behind a softmax of two tensors is no block')
            return dataclasses.replace(t, scale=t.scale * factor)
        return dataclasses.replace(t, factor=t.factor * factor)
    return w.scale_and_shift(node, w.tensor(node, at), array, None)


@calls
def _(w, node):
    w.rounding += 1
    many(w, node, 'multiply')


network, calls = op('Sub', '`subtract`; of a constant as `Add`')


@network
def _(w, node):
    w.rounding += 2
    array = w.constant(node.input(1))
    if array is not None:
        return sum_with_constant(w, node, w.tensor(node), 0, -np.asarray(array, np.float32))
    array = w.constant(node.input(0))
    if array is None:
        return of_two(w, node, 'subtract', w.tensor(node, 0), w.tensor(node, 1))
    return w.scale_and_shift(node, w.tensor(node, 1), np.float32(-1), array)


@calls
def _(w, node):
    w.rounding += 2
    w.of_two('subtract', w.get(node, 0), w.get(node, 1), w.result(node))


network, calls = op('Div', '`divide`; by a constant as `Mul`')


@network
def _(w, node):
    w.rounding += 2
    array = w.constant(node.input(1))
    if array is None:
        return of_two(w, node, 'divide', w.tensor(node, 0), w.tensor(node, 1))
    if (array == 0).any():
        raise Refused('a quotient by 0 is no block')
    return scaled(w, node, 0, (1 / np.asarray(array, np.float64)).astype(np.float32))


@calls
def _(w, node):
    w.rounding += 2
    w.of_two('divide', w.get(node, 0), w.get(node, 1), w.result(node))


COMPARISONS = {'Less': 'is_less', 'LessOrEqual': 'is_at_most', 'Equal': 'is_equal'}
_, calls = op('Less LessOrEqual Greater GreaterOrEqual Equal', 'a map of the program, 0 or 1')


@calls
def _(w, node):
    inputs = [w.get(node, 0), w.get(node, 1)]
    name = COMPARISONS[node.op.replace('Greater', 'Less')]
    w.map(name, inputs[::-1] if node.op.startswith('Greater') else inputs, w.result(node))


_, calls = op('And Or', 'the product and the `maximum` of 0 and 1')


@calls
def _(w, node):
    many(w, node, 'multiply' if node.op == 'And' else 'maximum')


EXTREMES = {'Max': 'maximum', 'Min': 'minimum'}
network, calls = op('Max Min', '`maximum`, `minimum`', 'of a network of tensors')


@network
def _(w, node):
    result = w.tensor(node)
    for i in range(1, len(node.inputs)):
        result = of_two(w, node, EXTREMES[node.op], result, w.tensor(node, i))
    return result


@calls
def _(w, node):
    many(w, node, EXTREMES[node.op])


_, calls = op('Mean', 'sums, and `divide`')


@calls
def _(w, node):
    y = w.result(node)
    before = w.get(node)
    for i in range(1, len(node.inputs)):
        w.of_two('add', before, w.get(node, i), y)
        before = y
    w.of_two('divide', before, w.number(len(node.inputs)), y)
    w.rounding += len(node.inputs)


_, calls = op('Where', 'a map of the program')


@calls
def _(w, node):
    w.map('chosen', [w.get(node, 0), w.get(node, 1), w.get(node, 2)], w.result(node))


network, calls = op('Pow', 'a map of the program', 'negative numbers are for integer exponents')


def exponent(w, node):
    array = w.constant(node.input(1))
    return float(array.reshape(-1)[0]) if array is not None and array.size == 1 else None


@network
def _(w, node):
    e, t = exponent(w, node), w.tensor(node)
    w.rounding += 4
    if e == 0.5:
        return block_of(w, node, t, 'square_root')
    if e is None or e != int(e) or not 0 <= e <= 16:
        raise Refused('its exponent must be 0.5, or an integer of at most 16')
    return block_of(w, node, t, 'integer_power', str(int(e)))


@calls
def _(w, node):
    e, x, y = exponent(w, node), w.get(node), w.result(node)
    w.rounding += 4
    if e == 0.5:
        w.map('square_root', [x], y)
    elif e is not None and e == int(e) and 0 <= e <= 16:
        w.map('integer_power', [x], y, str(int(e)))
    else:
        if w.constant(node.input(1)) is not None:
            w.model.constants[node.inputs[1]] = np.asarray(w.constant(node.input(1)), np.float32)
        w.rounding += 200  # errors of exp grow with its argument
        w.map('power', [x, w.get(node, 1)], y)


network, calls = op('Identity Dropout Cast CastLike', 'nothing: it is left out', 'between equal types; in inference')


@network
def _(w, node):
    if node.op.startswith('Cast'):
        raise Refused('it converts: only float32 is imported')
    if len(node.outputs) > 1:
        raise Refused('its mask is read')
    return w.tensor(node)


@calls
def _(w, node):
    numbers = (1, 9)
    if node.op.startswith('Cast') and not (
        w.model.element(node.inputs[0]) in numbers and w.model.element(node.outputs[0]) in numbers[:1]
    ):
        raise Refused('it converts: only float32 is imported')
    if node.op == 'Dropout' and w.has_result(node, 1):
        raise Refused('its mask is read')
    if (
        node.op == 'Dropout'
        and node.input(2)
        and (w.constant(node.inputs[2]) is None or w.constant(node.inputs[2]).any())
    ):
        raise Refused('it draws random numbers: the nearest is tern::dropout, with a seed of its own')
    w.alias(node, w.get(node))
