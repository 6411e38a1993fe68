# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Einsum of two tensors, as a matrix product between transposes and reshapes."""

import math

import numpy as np

from .errors import Refused
from .model import Node


def as_product(model, node):
    """The nodes that an Einsum is."""
    equation = node.get('equation').replace(' ', '')
    left, arrow, result = equation.partition('->')
    terms = left.split(',')
    if not arrow or '.' in equation or len(terms) != 2 or any(len(set(t)) != len(t) for t in (*terms, result)):
        raise Refused('an Einsum is a matrix product where it joins two tensors, says its result and repeats no index')
    shapes = [model.shape(i) for i in node.inputs]
    if None in shapes:
        raise Refused('its shape depends on values of inputs')
    size = {c: s for t, shape in zip(terms, shapes) for c, s in zip(t, shape)}
    a, b = terms
    batch = [c for c in result if c in a and c in b]
    summed = [c for c in a if c in b and c not in result]
    rows, columns = ([c for c in result if c in t and c not in batch] for t in terms)
    if sorted([*batch, *summed, *rows]) != sorted(a) or sorted([*batch, *summed, *columns]) != sorted(b):
        raise Refused('an Einsum that sums one of its tensors is no matrix product')
    nodes = []

    def add(op, *inputs, **attributes):
        name = f'{node.outputs[0]}/{op}_{len(nodes)}'
        nodes.append(Node(op, list(inputs), [name], attributes, node.name))
        return name

    def shaped(x, shape, has):
        if list(shape) == list(has):
            return x
        name = f'{node.outputs[0]}/shape_{len(nodes)}'
        model.constants[name] = np.array(shape, np.int64)
        return add('Reshape', x, name)

    def matrix(x, term, *groups):
        """(batch..., first, second), each of which may be several axes."""
        order = [term.index(c) for c in [*batch, *groups[0], *groups[1]]]
        if order != sorted(order):
            x = add('Transpose', x, perm=order)
        has = [size[term[i]] for i in order]
        return shaped(x, [*(size[c] for c in batch), *(math.prod(size[c] for c in g) for g in groups)], has)

    y = add('MatMul', matrix(node.inputs[0], a, rows, summed), matrix(node.inputs[1], b, summed, columns))
    has = [*(size[c] for c in batch), *(math.prod(size[c] for c in g) for g in (rows, columns))]
    letters = [*batch, *rows, *columns]
    y = shaped(y, [size[c] for c in letters], has)
    if letters != list(result):
        y = add('Transpose', y, perm=[letters.index(c) for c in result])
    nodes[-1].outputs = [node.outputs[0]]
    return nodes
