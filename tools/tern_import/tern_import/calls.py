# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model as calls of kernels, one after the other, on tensors of ONNX's shapes: for models that are no networks.

A tensor is a view of a buffer: transposes, slices and expansions change its strides, and nothing moves. Where a kernel
wants channels next to each other, or a reshape wants rows, a copy is made, once.
"""

import dataclasses
import math

import numpy as np
from onnx import TensorProto

from . import cpp
from .errors import OF_NODES, Refused, why
from .maps import Maps
from .ops import OPS, NEAREST

TYPES = {
    TensorProto.FLOAT: 'float',
    TensorProto.BOOL: 'float',
    TensorProto.INT64: 'std::int32_t',
    TensorProto.INT32: 'std::int32_t',
}


def labels_of(model):
    """Inputs that are classes, which losses alone read."""
    read = [(i, n.op == 'SoftmaxCrossEntropyLoss' and at == 1) for n in model.nodes for at, i in enumerate(n.inputs)]
    return {i for i, _ in read if i in model.inputs and all(label for j, label in read if j == i)}


class Buffer:
    """Memory: of an input, a result, parameters, or intermediate tensors."""

    def __init__(self, kind, size, name='', element='float'):
        self.kind, self.size, self.name, self.element = kind, size, name, element
        self.first = self.last = None  # statements that use it
        self.offset = 0


@dataclasses.dataclass(frozen=True)
class View:
    buffer: Buffer
    shape: tuple
    strides: tuple
    offset: int = 0
    images: bool = False  # whether a kernel asks for channels that are next to each other

    @staticmethod
    def rows(buffer, shape):
        strides, step = [], 1
        for s in reversed(shape):
            strides.append(step)
            step *= s
        return View(buffer, tuple(shape), tuple(reversed(strides)))

    @staticmethod
    def channels_last(buffer, shape):
        places = View.rows(buffer, (shape[0], *shape[2:], shape[1]))
        return places.transposed([0, len(shape) - 1, *range(1, len(shape) - 1)])

    def as_images(self):
        return dataclasses.replace(self, images=True)

    @property
    def size(self):
        return math.prod(self.shape)

    def is_rows(self):
        step = 1
        for s, t in zip(reversed(self.shape), reversed(self.strides)):
            if s > 1 and t != step:
                return False
            step *= s
        return True

    def has_channels_last(self):
        wanted = View.channels_last(self.buffer, self.shape)
        return all(s == 1 or a == b for s, a, b in zip(self.shape, self.strides, wanted.strides))

    def transposed(self, order):
        return dataclasses.replace(
            self, shape=tuple(self.shape[i] for i in order), strides=tuple(self.strides[i] for i in order)
        )

    def expanded(self, shape):
        """Repeated, as numpy's broadcast_to does."""
        new = len(shape) - len(self.shape)
        if new < 0 or any(a not in (1, b) for a, b in zip(self.shape, shape[new:])):
            raise Refused(f'{self.shape} does not repeat to {tuple(shape)}')
        strides = [0] * new + [0 if a != b else t for a, b, t in zip(self.shape, shape[new:], self.strides)]
        return dataclasses.replace(self, shape=tuple(shape), strides=tuple(strides))

    def part(self, axis, first, count, step=1):
        shape, strides = list(self.shape), list(self.strides)
        offset = self.offset + first * strides[axis]
        shape[axis], strides[axis] = count, strides[axis] * step
        return View(self.buffer, tuple(shape), tuple(strides), offset)

    def reshaped(self, shape):
        """The same elements, row by row, under another shape; None where they must be copied for that."""
        if self.size == 0:
            return None
        axes = [(s, t) for s, t in zip(self.shape, self.strides) if s > 1]
        joined = []
        for s, t in axes:
            if joined and joined[-1][1] == s * t:
                joined[-1] = joined[-1][0] * s, t
            else:
                joined.append((s, t))
        strides, at, left = [], len(joined) - 1, None
        for extent in reversed(shape):
            if extent == 1:
                strides.append(0)
                continue
            if left is None:
                if at < 0:
                    return None
                left = joined[at]
                at -= 1
            size, step = left
            if size % extent:
                return None
            strides.append(step)
            left = (size // extent, step * extent) if size > extent else None
        return View(self.buffer, tuple(shape), tuple(reversed(strides)), self.offset)


def joined(views):
    """Views of one shape with as few axes as possible: at least two."""
    shape = views[0].shape
    axes = []  # (extent, strides)
    for i, s in enumerate(shape):
        if s == 1:
            continue
        strides = [v.strides[i] for v in views]
        if axes and all(a == s * b for a, b in zip(axes[-1][1], strides)):
            axes[-1] = axes[-1][0] * s, strides
        else:
            axes.append((s, strides))
    axes = [(1, [0] * len(views))] * (2 - len(axes)) + axes
    if len(axes) > 5:
        raise Refused('it takes more than five axes')
    return [
        View(v.buffer, tuple(s for s, _ in axes), tuple(t[k] for _, t in axes), v.offset) for k, v in enumerate(views)
    ]


class Calls:
    def __init__(self, model, name):
        self.model, self.name = model, name
        self.statements = []  # (op, [View or text], the node)
        self.node = None
        self.maps = Maps(name)
        self.parameters = {}  # name: (array, offset)
        self.weights = Buffer('parameters', 0, 'parameters')
        self.tensors = {}  # name: views of the same elements
        self.refused = []
        self.rounding = 4.0
        self.names = cpp.Names(['state', 'parameters', 'memory', *cpp.KEYWORDS])
        self.inputs, self.outputs = [], []
        labels = labels_of(model)
        for i in model.inputs:
            element = model.element(i)
            if i in labels:
                self.inputs.append(self.place('input', i, math.prod(model.shape(i)), 'std::int32_t'))
                self.tensors[i] = [View.rows(self.inputs[-1], model.shape(i))]
                continue
            if element not in (TensorProto.FLOAT, TensorProto.BOOL):
                raise Refused(
                    f"input '{i}' is of {TensorProto.DataType.Name(element).lower()}: only float32 is imported; "
                    f'where it is a constant, give it as --constant {i}=...'
                )
            self.inputs.append(self.place('input', i, math.prod(model.shape(i))))
            self.tensors[i] = [View.rows(self.inputs[-1], model.shape(i))]
        for o in model.outputs:
            shape = model.shape(o)
            if shape is None:
                raise Refused(f"the shape of result '{o}' depends on values of inputs")
            element = model.element(o)
            if element not in TYPES:
                raise Refused(
                    f"result '{o}' is of {TensorProto.DataType.Name(element).lower()}: only float32 is imported"
                )
            self.outputs.append(self.place('output', o, math.prod(shape), TYPES[element]))
        if any(b.size == 0 for b in self.inputs + self.outputs):
            raise Refused('a tensor has no elements')

    def place(self, kind, name, size, element='float'):
        return Buffer(kind, size, self.names.fresh(cpp.identifier(name)), element)

    # ------------------------------------------------------------------------------------------------------------------
    # Functions for the table of ops

    def shape(self, name):
        shape = self.model.shape(name)
        if shape is None:
            raise Refused('a shape depends on values of inputs')
        if math.prod(shape) == 0:
            raise Refused('a tensor has no elements')
        return tuple(int(s) for s in shape)

    def constant(self, name):
        return self.model.constants.get(name) if name else None

    def known(self, node, i, what, default=None):
        """An optional input that must be a constant."""
        name = node.input(i)
        if name is None:
            return default
        if name not in self.model.constants:
            raise Refused(
                f"its {what} must be constant: give it as --constant {name}=..."
                if name in self.model.inputs
                else f'its {what} depend on values of inputs'
            )
        return self.model.constants[name]

    def views(self, name):
        if name not in self.tensors:
            array = self.model.constants[name]
            if array.dtype not in (np.float32, np.bool_):
                raise Refused(f"constant '{name}' is of {array.dtype}: only float32 is imported")
            if array.size == 0:
                raise Refused('a tensor has no elements')
            label = cpp.plain(self.model.origins.get(name, name).replace('number ', 'number.'))
            number = 0
            while (label if not number else f'{label}.{number}') in self.parameters:
                number += 1
            label = label if not number else f'{label}.{number}'
            self.parameters[label] = np.ascontiguousarray(array, np.float32), self.weights.size
            v = View.rows(self.weights, array.shape)
            self.tensors[name] = [dataclasses.replace(v, offset=self.weights.size)]
            self.weights.size += array.size
        return self.tensors[name]

    def get(self, node, i=0):
        """A view of input i, with any strides."""
        name = node.input(i)
        if name is None:
            raise Refused(f'input {i} is left out')
        if self.model.element(name) not in (TensorProto.FLOAT, TensorProto.BOOL, None, 0):
            kind = TensorProto.DataType.Name(self.model.element(name)).lower()
            raise Refused(f'it computes with {kind}: only float32 is imported')
        return self.views(name)[0]

    def labels(self, node, i):
        """Input i, of integers."""
        views = self.tensors.get(node.input(i))
        if not views or views[0].buffer.element == 'float':
            raise Refused('its labels must be an input of the model')
        return views[0]

    def rows(self, node, i=0):
        """A view of input i whose elements lie row by row."""
        self.get(node, i)
        return self.in_rows(self.views(node.input(i)))

    def in_rows(self, views):
        views = views if isinstance(views, list) else [views]
        for v in views:
            if v.is_rows():
                return v
        copy = View.rows(self.scratch(views[0].size), views[0].shape)
        self.copy(views[0], copy)
        views.append(copy)
        return copy

    def last(self, node, i=0):
        """A view of input i whose channels, the second axis, are next to each other."""
        self.get(node, i)
        views = self.views(node.input(i))
        for v in views:
            if v.has_channels_last():
                return v
        copy = View.channels_last(self.scratch(views[0].size), views[0].shape)
        self.copy(views[0], copy)
        views.append(copy)
        return copy

    def scratch(self, size):
        return Buffer('memory', size)

    def result(self, node, i=0, channels_last=False):
        """A view for result i."""
        name = node.outputs[i]
        shape = self.shape(name)
        target = None
        if name in self.model.outputs:
            target = self.outputs[self.model.outputs.index(name)]
        if target is None or (channels_last and not View.rows(target, shape).has_channels_last()):
            target = self.scratch(math.prod(shape))
            v = View.channels_last(target, shape) if channels_last else View.rows(target, shape)
        else:
            v = View.rows(target, shape)
        self.tensors[name] = [v]
        return v

    def has_result(self, node, i):
        return i < len(node.outputs) and bool(node.outputs[i])

    def alias(self, node, view, i=0):
        self.tensors[node.outputs[i]] = [view]

    def call(self, op, *arguments):
        """Adds a call of a kernel: views, and text."""
        at = len(self.statements)
        self.statements.append((op, arguments, self.node))
        for a in arguments:
            if isinstance(a, View):
                if a.buffer.first is None:
                    a.buffer.first = at
                a.buffer.last = at

    def copy(self, source, target):
        try:
            a, b = joined([source, target])
        except Refused:
            if source.shape[0] > 64:
                raise
            for i in range(source.shape[0]):  # index by index of the first axis
                self.copy(
                    *(
                        dataclasses.replace(v.part(0, i, 1), shape=v.shape[1:], strides=v.strides[1:])
                        for v in (source, target)
                    )
                )
            return
        self.call('tern::reorder<>', a, b)

    def number(self, value):
        """A tensor of one number."""
        name = f'number {value}'
        self.model.constants.setdefault(name, np.full(1, value, np.float32))
        return self.views(name)[0]

    def map(self, name, inputs, y, *parameters):
        """y = F(inputs), which repeat."""
        views = joined([v.expanded(y.shape) for v in inputs] + [y])
        self.call(self.maps.use(name, *parameters), *views)

    def of_two(self, name, a, b, y):
        """y = a + b, a b, a - b, a / b, the larger or the smaller of both, which repeat."""
        if name in ('add', 'multiply'):
            self.elementwise({'residual' if name == 'add' else 'scale': True}, [a, b], y)
        else:
            self.call(f'tern::{name}<>', *joined([a.expanded(y.shape), b.expanded(y.shape), y]))

    def elementwise(self, config, inputs, y):
        views = joined([v.expanded(y.shape) for v in inputs] + [y])
        self.call(cpp.configured('elementwise', config), *views)

    # ------------------------------------------------------------------------------------------------------------------

    def run(self):
        lost = set()
        for node in self.model.nodes:
            entry = OPS.get(node.op)
            try:
                if any(i in lost for i in node.inputs):
                    lost.update(node.outputs)
                    continue
                if entry is None or entry.calls is None:
                    raise Refused(self.model.notes.get(node.outputs[0]) or NEAREST.get(node.op, 'tern has no such op'))
                self.node = node
                entry.calls(self, node)
                for o in node.outputs:
                    if o in self.tensors and any(extent < 1 for extent in self.shape(o)):
                        raise Refused(f'its result is empty: {tuple(self.shape(o))}')
            except OF_NODES as error:
                self.refused.append((node, why(error)))
                lost.update(node.outputs)
        if self.refused:
            return False
        self.node = None
        for o, buffer in zip(self.model.outputs, self.outputs):
            if o not in self.tensors and o not in self.model.constants:
                raise Refused(f"result '{o}' is computed by nobody")
            views = self.views(o)
            if not any(v.buffer is buffer for v in views):
                if buffer.element != 'float':
                    raise Refused(f"result '{o}' is of integers")
                self.copy(views[0], View.rows(buffer, self.shape(o)))
        self.place_memory()
        return True

    def place_memory(self):
        """Assigns offsets to intermediate tensors: the first gap among those that live at the same time."""
        buffers = []
        for _, arguments, _ in self.statements:
            for a in arguments:
                if isinstance(a, View) and a.buffer.kind == 'memory' and a.buffer not in buffers:
                    buffers.append(a.buffer)
        placed, self.memory = [], 0
        for b in buffers:
            others = sorted((o for o in placed if o.first <= b.last and b.first <= o.last), key=lambda o: o.offset)
            b.offset = 0
            size = -(-b.size // 16) * 16
            for o in others:
                if b.offset + size <= o.offset:
                    break
                b.offset = max(b.offset, o.offset + -(-o.size // 16) * 16)
            placed.append(b)
            self.memory = max(self.memory, b.offset + size)

    @staticmethod
    def text(view):
        """C++ of a view."""
        b = view.buffer
        shape = ', '.join(map(str, view.shape))
        offset = view.offset + (b.offset if b.kind == 'memory' else 0)
        start = 'memory' if b.kind == 'memory' else b.name
        if view.images:
            return f'images({start}.data(){f" + {offset}" if offset else ""}, {shape})'
        if view.is_rows() and view.size == b.size and b.kind in ('input', 'output'):
            return f'rows({start}.data(), {shape})'
        at = f'{start}.data()' + (f' + {offset}' if offset else '')
        if view.is_rows():
            return f'rows({at}, {shape})'
        strides = ', '.join(map(str, view.strides))
        return f'strided({at}, {{{shape}}}, {{{strides}}})'
