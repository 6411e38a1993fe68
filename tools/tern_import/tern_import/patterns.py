# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recognises what exporters write as several nodes: activations and norms."""

import math


from .fold import drop_unread
from .model import Node


class Any:
    """Any tensor; the same one wherever the same name stands."""

    def __init__(self, name):
        self.name = name


class Number:
    """A constant of equal numbers, near `value`; of any, kept under a name, where that is None."""

    def __init__(self, value=None, name=None):
        self.value, self.name = value, name


class Array(Any):
    """A constant."""


class Op:
    def __init__(self, ops, *inputs, swaps=None, where=None):
        self.ops, self.inputs, self.where = ops.split('|'), inputs, where
        self.swaps = swaps if swaps is not None else ops in ('Add', 'Mul', 'Max') and len(inputs) == 2


class Match:
    def __init__(self, model):
        self.model, self.producers = model, model.producers()

    def match(self, pattern, name, found):
        """The bindings under which a tensor matches a pattern, or None."""
        if isinstance(pattern, Number):
            array = self.model.constants.get(name)
            if array is None or array.size == 0 or array.dtype.kind not in 'fi':
                return None
            first = float(array.reshape(-1)[0])
            if not (array == array.reshape(-1)[0]).all():
                return None
            if pattern.value is not None and abs(first - pattern.value) > 1e-4 * max(abs(pattern.value), 1e-3):
                return None
            return {**found, pattern.name: first} if pattern.name else found
        if isinstance(pattern, Any):
            if isinstance(pattern, Array) and name not in self.model.constants:
                return None
            if found.get(pattern.name, name) != name:
                return None
            return {**found, pattern.name: name}
        node = self.producers.get(name)
        if node is None or node.op not in pattern.ops or len([i for i in node.inputs if i]) < len(pattern.inputs):
            return None
        if pattern.where is not None and not pattern.where(self.model, node):
            return None
        orders = [node.inputs] + ([node.inputs[::-1]] if pattern.swaps else [])
        for order in orders:
            result = found
            for p, i in zip(pattern.inputs, order):
                result = self.match(p, i, result)
                if result is None:
                    break
            if result is not None:
                return result
        return None


X = Any('x')


def constant_axes(model, node):
    axes = node.get('axes')
    if axes is None and node.input(1):
        array = model.constants.get(node.input(1))
        axes = None if array is None else array.reshape(-1).tolist()
    return axes


def over_last(model, node):
    shape, axes = model.shape(node.inputs[0]), constant_axes(model, node)
    return (
        shape is not None
        and axes is not None
        and bool(node.get('keepdims', 1))
        and [a % len(shape) for a in axes] == [len(shape) - 1]
    )


def six(low, high):
    def where(model, node):
        ends = [model.constants.get(node.input(i)) if node.input(i) else None for i in (1, 2)]
        ends = [node.get(a, None) if e is None else float(e) for e, a in zip(ends, ('min', 'max'))]
        return ends == [low, high]

    return where


def halves(product):
    """x times something, halved, in the orders that exporters have."""
    return [
        Op('Mul', Op('Mul', X, product), Number(0.5)),
        Op('Mul', Op('Mul', X, Number(0.5)), product),
        Op('Mul', X, Op('Mul', product, Number(0.5))),
        Op('Div', Op('Mul', X, product), Number(2)),
    ]


ERF = [
    Op('Add', Op('Erf', Op('Div', X, Number(math.sqrt(2)))), Number(1)),
    Op('Add', Op('Erf', Op('Mul', X, Number(math.sqrt(0.5)))), Number(1)),
]
CUBES = [Op('Pow', X, Number(3)), Op('Mul', Op('Mul', X, X), X)]
INNER = [Op('Add', X, Op('Mul', cube, Number(0.044715))) for cube in CUBES] + [
    Op('Mul', X, Op('Add', Op('Mul', Op('Mul', X, X), Number(0.044715)), Number(1))),
    Op('Add', X, Op('Mul', X, Op('Mul', Op('Mul', X, X), Number(0.044715)))),
]
TANH = [Op('Add', Op('Tanh', Op('Mul', inner, Number(math.sqrt(2 / math.pi)))), Number(1)) for inner in INNER]
MEAN = Op('ReduceMean', X, where=over_last)
CENTRED = Op('Sub', X, MEAN)
SQUARES = [Op('Pow', CENTRED, Number(2)), Op('Mul', CENTRED, CENTRED)]
DEVIATIONS = [Op('Sqrt', Op('Add', Op('ReduceMean', s, where=over_last), Number(None, 'epsilon'))) for s in SQUARES]
NORMED = [Op('Div', CENTRED, d) for d in DEVIATIONS] + [Op('Mul', CENTRED, Op('Reciprocal', d)) for d in DEVIATIONS]
MEAN_SQUARES = [Op('ReduceMean', s, where=over_last) for s in (Op('Pow', X, Number(2)), Op('Mul', X, X))]
ROOTS = [Op('Sqrt', Op('Add', m, Number(None, 'epsilon'))) for m in MEAN_SQUARES]
RMS = (
    [Op('Div', X, r) for r in ROOTS]
    + [Op('Mul', X, Op('Reciprocal', r)) for r in ROOTS]
    + [Op('Mul', X, Op('Div', Number(1), r)) for r in ROOTS]
)
SIGMOID_OF_X = Op('Sigmoid', X)
SIX = Op('Clip', Op('Add', X, Number(3)), where=six(0.0, 6.0))


def norm(op):
    def attributes(found):
        return {'axis': -1, 'epsilon': found['epsilon']}, [found[k] for k in ('x', 'scale', 'shift') if k in found]

    return op, attributes


def plain(op, **more):
    return op, lambda found: (more, [found['x']])


# Larger patterns come first.
RULES = [(Op('Add', Op('Mul', n, Array('scale')), Array('shift')), norm('LayerNormalization')) for n in NORMED]
RULES += [(Op('Mul', n, Array('scale')), norm('RMSNormalization')) for n in RMS]
RULES += [(p, plain('Gelu')) for e in ERF for p in halves(e)]
RULES += [(p, plain('Gelu', approximate='tanh')) for t in TANH for p in halves(t)]
RULES += [
    (Op('Mul', X, Op('Div', SIX, Number(6))), plain('HardSwish')),
    (Op('Div', Op('Mul', X, SIX), Number(6)), plain('HardSwish')),
    (Op('Mul', Op('Mul', X, SIX), Number(1 / 6)), plain('HardSwish')),
    (Op('Mul', X, Op('Mul', SIX, Number(1 / 6))), plain('HardSwish')),
    (Op('Div', SIX, Number(6)), plain('HardSigmoid', alpha=1 / 6, beta=0.5)),
    (Op('Mul', SIX, Number(1 / 6)), plain('HardSigmoid', alpha=1 / 6, beta=0.5)),
    (
        Op('Mul', X, Op('HardSigmoid', X, where=lambda m, n: abs(n.get('alpha', 0.2) - 1 / 6) < 1e-4)),
        plain('HardSwish'),
    ),
    (Op('Mul', X, SIGMOID_OF_X), plain('Swish')),
    (Op('Mul', X, Op('Tanh', Op('Softplus', X))), plain('Mish')),
    (Op('Max', X, Number(0)), plain('Relu')),
    # PyTorch's threshold, beyond which log(1 + exp(x)) is x.
    (Op('Where', Op('Greater', X, Number(20)), X, Op('Softplus', X)), plain('Softplus')),
]


def recognise(model):
    """Replaces each pattern by its op, even if the model's opset lacks that op."""
    matcher = Match(model)
    for node in model.nodes[::-1]:  # the largest pattern ends last
        if len(node.outputs) != 1 or not any(node is n for n in model.nodes):
            continue
        for pattern, (op, attributes) in RULES:
            if node.op not in pattern.ops:
                continue
            found = matcher.match(pattern, node.outputs[0], {})
            if found is None or found['x'] in model.constants:
                continue
            shape = model.shape(found['x'])
            if shape is None or shape != model.shape(node.outputs[0]):
                continue
            if any(
                k in found
                and model.constants[found[k]].shape[-1:] != shape[-1:]
                and model.constants[found[k]].size != 1
                for k in ('scale', 'shift')
            ):
                continue
            if any(k in found and model.constants[found[k]].size != shape[-1] for k in ('scale', 'shift')):
                continue
            values, inputs = attributes(found)
            for i in inputs[1:]:
                model.constants[i] = model.constants[i].reshape(-1)
            model.nodes = [Node(op, inputs, n.outputs, values, n.name) if n is node else n for n in model.nodes]
            drop_unread(model)
            matcher = Match(model)
            break
