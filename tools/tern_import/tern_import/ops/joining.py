# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Concatenations of tensors."""

import dataclasses
import math

from ..errors import Refused
from .table import op

network, calls = op('Concat', '`concat` of channels, `class_token`; `reorder` to parts')


def token(w, node):
    """A constant position in front of those of a signal."""
    array, t = w.constant(node.inputs[0]), w.tensor(node, 1)
    if node.get('axis') != 1 or len(t.shape) != 3 or array.ndim != 3 or array.shape[1] != 1:
        raise Refused('a constant is joined: the nearest is class_token, one position in front of others')
    if not (array == array[:1]).all():
        raise Refused('a constant differs between samples')
    value, extents, channels = w.positions(t)
    if t.order() != [(1, 1, t.shape[1]), (2, 1, t.shape[2])]:
        raise Refused('the channels of its input are not next to each other')
    value = w.typed_as(t, (t.shape[1],), channels)
    w.use_block('tern::class_token')
    s = w.add(
        'block<tern::class_token>',
        w.name_of(node, node.inputs[0]),
        [],
        [value],
        ((t.shape[1] + 1,), channels),
        {'token': array[0, 0]},
    )
    from ..network import Atom

    places, c = Atom(t.shape[1] + 1), Atom(channels)
    return dataclasses.replace(
        t, variable=s.variable, statement=s, typed=s.result, memory=[places, c], axes=[t.axes[0], [places], [c]]
    )


@network
def _(w, node):
    from ..network import Atom

    if len(node.inputs) == 2 and w.constant(node.inputs[0]) is not None:
        return token(w, node)
    parts = [w.tensor(node, i) for i in range(len(node.inputs))]
    first = parts[0]
    axis = node.get('axis') % len(first.shape)
    if any(a.samples for a in first.axes[axis]) or axis == 0:
        raise Refused('it joins samples')

    def apart(t):
        """The atoms outside of the axis in memory, and those inside."""
        atoms = [a for a in t.axes[axis] if a.size > 1]
        rest = [a for a in t.memory if a.size > 1]
        if not atoms:
            return None
        at = [i for i, a in enumerate(rest) if any(a is b for b in atoms)]
        if at != list(range(at[0], at[0] + len(atoms))) or [id(a) for a in rest[at[0] : at[0] + len(at)]] != [
            id(a) for a in atoms
        ]:
            raise Refused('the elements that it joins are not next to each other')
        places = {id(a): (k, j) for k, x in enumerate(t.axes) for j, a in enumerate(x)}
        return [(places[id(a)][0], a.size) for a in rest[: at[0]]], [
            (places[id(a)][0], a.size) for a in rest[at[-1] + 1 :]
        ]

    lies = [apart(t) for t in parts]
    known = [x for x in lies if x is not None]
    if not known or any(x != known[0] for x in known):
        raise Refused('the tensors that it joins lie differently in memory')
    outer, inner = (math.prod(s for _, s in x) for x in known[0])
    if not inner == 1 and any(x is None for x in lies):
        raise Refused('the tensors that it joins lie differently in memory')
    total = sum(t.shape[axis] for t in parts)
    extents = next((t.typed[0] for t in parts if math.prod(t.typed[0]) == outer), (outer,) if outer > 1 else ())
    if inner == 1 and len(first.shape) > 2 and axis == 1 and math.prod(first.shape[2:]) == outer:
        extents = tuple(first.shape[2:])
    values = [w.typed_as(t, extents, t.shape[axis] * inner) for t in parts]
    joined = Atom(total)
    at = next(t for t, x in zip(parts, lies) if x is not None)
    ids = [id(a) for a in at.axes[axis]]
    memory = []
    for a in at.memory:
        if id(a) not in ids:
            memory.append(a)
        elif joined not in memory:
            memory.append(joined)
    s = w.add('concat', w.name_of(node), [], ['{' + ', '.join(values) + '}'], (tuple(extents), total * inner))
    return dataclasses.replace(
        at,
        variable=s.variable,
        statement=s,
        typed=s.result,
        memory=memory,
        axes=[[joined] if i == axis else x for i, x in enumerate(at.axes)],
    )


@calls
def _(w, node):
    y, first = w.result(node), 0
    axis = node.get('axis', 1) % len(y.shape)
    for i in range(len(node.inputs)):
        size = w.shape(node.inputs[i])[axis] if math.prod(w.model.shape(node.inputs[i]) or (1,)) else 0
        if size == 0:
            continue
        w.copy(w.get(node, i), y.part(axis, first, size))
        first += size
