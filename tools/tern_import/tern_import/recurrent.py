# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recurrent ops, which tern lacks, as matrix products and activations, step by step."""

import numpy as np

from .errors import Refused
from .model import Node

GATES = {'LSTM': 4, 'GRU': 3, 'RNN': 1}
STEPS = 128  # the most that are written
DEFAULTS = {'LSTM': ['Sigmoid', 'Tanh', 'Tanh'], 'GRU': ['Sigmoid', 'Tanh'], 'RNN': ['Tanh']}


def unrolled(model, node):
    """The nodes that replace a recurrent op."""
    shape, gates = model.shape(node.inputs[0]), GATES[node.op]
    if shape is None:
        raise Refused('its shape depends on values of inputs')
    batch_first = node.get('layout', 0) == 1
    steps, batch = (shape[1], shape[0]) if batch_first else shape[:2]
    hidden, direction = node.get('hidden_size'), node.get('direction', 'forward')
    directions = 2 if direction == 'bidirectional' else 1
    functions = [f.capitalize() for f in node.get('activations') or DEFAULTS[node.op] * directions]
    if any(f not in ('Sigmoid', 'Tanh', 'Relu') for f in functions) or node.get('clip') or node.get('input_forget', 0):
        raise Refused('tern has no recurrent ops: as steps with sigmoid, tanh and relu only, without clip')
    if steps > STEPS:
        raise Refused(f'tern has no recurrent ops, and this one has {steps} steps: the nearest is a loop of matmuls')
    lengths = model.constants.get(node.input(4)) if node.input(4) else np.array([steps])
    if lengths is None or (lengths != steps).any():
        raise Refused('its sequences have lengths of their own')
    nodes, count = [], [0]

    def constant(value):
        count[0] += 1
        name = f'{node.outputs[0] or node.outputs[-1]}/constant_{count[0]}'
        model.constants[name] = np.asarray(value, np.int64)
        return name

    def add(op, *inputs, **attributes):
        count[0] += 1
        name = f'{node.outputs[0] or node.outputs[-1]}/{op}_{count[0]}'
        nodes.append(Node(op, list(inputs), [name], attributes, node.name))
        return name

    def part(x, axis, first, count_of):
        return add('Slice', x, constant([first]), constant([first + count_of]), constant([axis]))

    def of_direction(i, d, *sizes):
        """Input i of a direction, without that axis."""
        return add('Reshape', part(node.inputs[i], 0, d, 1), constant(sizes))

    def state(i, d):
        if not node.input(i):
            return None
        axis = 1 if batch_first else 0
        return add('Reshape', part(node.inputs[i], axis, d, 1), constant([batch, hidden]))

    features = shape[2]
    results, ends, cells = [], [], []
    for d in range(directions):
        act = functions[d * len(DEFAULTS[node.op]) :]
        w = add('Transpose', of_direction(1, d, gates * hidden, features), perm=[1, 0])
        r = add('Transpose', of_direction(2, d, gates * hidden, hidden), perm=[1, 0])
        bias = (
            [
                add(
                    'Reshape',
                    (
                        part(node.inputs[3], 1, k * gates * hidden, gates * hidden)
                        if directions == 1
                        else part(part(node.inputs[3], 0, d, 1), 1, k * gates * hidden, gates * hidden)
                    ),
                    constant([gates * hidden]),
                )
                for k in range(2)
            ]
            if node.input(3)
            else None
        )
        h, c = state(5, d), state(6, d) if node.op == 'LSTM' else None
        peepholes = (
            [part(of_direction(7, d, 3 * hidden), 0, k * hidden, hidden) for k in range(3)] if node.input(7) else None
        )
        outputs = [None] * steps
        backwards = direction == 'reverse' or d == 1
        for t in range(steps)[::-1] if backwards else range(steps):
            x = add('Reshape', part(node.inputs[0], 1 if batch_first else 0, t, 1), constant([batch, features]))
            given = add('MatMul', x, w)
            if bias:
                given = add('Add', given, bias[0])
            apart = node.op == 'GRU'  # whose last gate sees the reset state
            known = add('MatMul', h, r) if h and not (apart and not node.get('linear_before_reset', 0)) else None
            if known and bias:
                known = add('Add', known, bias[1])

            def gate(k, peep=None, state_part=True):
                """The sum of a gate."""
                g = part(given, 1, k * hidden, hidden)
                if known and state_part:
                    g = add('Add', g, part(known, 1, k * hidden, hidden))
                elif bias and state_part:
                    g = add('Add', g, part(bias[1], 0, k * hidden, hidden))
                if h and apart and not known and state_part:
                    g = add('Add', g, add('MatMul', h, part(r, 1, k * hidden, hidden)))
                return add('Add', g, add('Mul', peep[0], peep[1])) if peep and peep[1] else g

            if node.op == 'RNN':
                h = add(act[0], gate(0))
            elif node.op == 'LSTM':
                p = peepholes or [None] * 3
                i = add(act[0], gate(0, (p[0], c) if p[0] else None))
                f = add(act[0], gate(2, (p[2], c) if p[2] else None))
                new = add('Mul', i, add(act[1], gate(3)))
                c = add('Add', add('Mul', f, c), new) if c else new
                o = add(act[0], gate(1, (p[1], c) if p[1] else None))
                h = add('Mul', o, add(act[2], c))
            else:
                z, reset = add(act[0], gate(0)), add(act[0], gate(1))
                inner = gate(2, state_part=False)
                if node.get('linear_before_reset', 0):
                    if known:
                        inner = add('Add', inner, add('Mul', reset, part(known, 1, 2 * hidden, hidden)))
                    elif bias:
                        inner = add('Add', inner, add('Mul', reset, part(bias[1], 0, 2 * hidden, hidden)))
                else:
                    if h:
                        inner = add('Add', inner, add('MatMul', add('Mul', reset, h), part(r, 1, 2 * hidden, hidden)))
                    if bias:
                        inner = add('Add', inner, part(bias[1], 0, 2 * hidden, hidden))
                new = add(act[1], inner)
                kept = add('Sub', h, new) if h else add('Neg', new)
                h = add('Add', new, add('Mul', z, kept))
            outputs[t] = add('Reshape', h, constant([batch, 1, 1, hidden] if batch_first else [1, 1, batch, hidden]))
        results.append(add('Concat', *outputs, axis=1 if batch_first else 0) if steps > 1 else outputs[0])
        shape_of_end = constant([batch, 1, hidden] if batch_first else [1, batch, hidden])
        ends.append(add('Reshape', h, shape_of_end))
        cells.append(add('Reshape', c, shape_of_end) if c else None)

    axis = 1 if batch_first else 0
    for i, (values, join) in enumerate(((results, 2 if batch_first else 1), (ends, axis), (cells, axis))):
        if i < len(node.outputs) and node.outputs[i]:
            nodes.append(
                Node(
                    'Concat' if directions > 1 else 'Identity',
                    values,
                    [node.outputs[i]],
                    {'axis': join} if directions > 1 else {},
                    node.name,
                )
            )
    return nodes
