# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model as a network: a struct with `define`, which builds a graph of blocks.

ONNX's tensors are (samples, channels, spatial...), tern's samples (spatial..., channels). A tensor here is a value of the
graph, which lies in memory in tern's order, and axes of ONNX's order: both are lists of atoms, which are factors of
extents. So transposes and reshapes change lists, and nothing moves; a dense layer behind a flattened image gets its rows
in the order of the memory.
"""

import dataclasses
import math
import re

import numpy as np

from . import cpp
from .errors import OF_NODES, Refused, why
from .maps import Maps
from .ops import OPS, reason


class Atom:
    """A factor of the extent of an axis. Compared by identity."""

    def __init__(self, size, samples=False):
        self.size, self.samples = size, samples


@dataclasses.dataclass
class Statement:
    """A block."""

    variable: str
    call: str  # "conv2d", "block<tern::class_token>"
    name: str  # of the block
    arguments: list  # text between the name and the values; a dict is a config
    values: list  # text
    result: tuple  # tern's shape: (extents, channels)
    comment: str = ''

    @property
    def config(self):
        return self.arguments[0]

    def config_has(self, *names):
        return not self.arguments or not isinstance(self.config, dict) or any(self.config.get(n) for n in names)


@dataclasses.dataclass
class Tensor:
    variable: str
    typed: tuple  # what tern takes its shape for: (extents, channels)
    memory: list  # atoms, but that of the samples
    axes: list  # of lists of atoms
    statement: Statement = None
    factor: float = 1.0  # by which it is multiplied where it is read

    @property
    def shape(self):
        return tuple(math.prod(a.size for a in axis) for axis in self.axes)

    @property
    def elements(self):
        return math.prod(a.size for a in self.memory)

    def with_axes(self, axes):
        return dataclasses.replace(self, axes=axes)

    def order(self):
        """How the axes lie in memory: (axis, step within the axis, size), from the outside; neighbours are joined."""
        places = {}
        for number, axis in enumerate(self.axes):
            step = 1
            for a in reversed(axis):
                places[id(a)] = number, step
                step *= a.size
        joined = []
        for a in self.memory:
            if a.size == 1:
                continue
            axis, step = places[id(a)]
            if joined and joined[-1][0] == axis and joined[-1][1] == a.size * step:
                joined[-1] = axis, step, joined[-1][2] * a.size
            else:
                joined.append((axis, step, a.size))
        return joined

    def in_memory(self, array):
        """An array of ONNX's shape, which may repeat, in the order of the memory of a sample; with samples in front
        where the axes have them."""
        array = np.broadcast_to(array, self.shape)
        atoms = [a for axis in self.axes for a in axis]
        array = array.reshape([a.size for a in atoms] or [1])
        where = {id(a): i for i, a in enumerate(atoms)}
        samples = [where[id(a)] for a in atoms if a.samples]
        return array.transpose(samples + [where[id(a)] for a in self.memory if id(a) in where]) if atoms else array

    def positions_before(self, axis):
        """The memory is (outer, inner), where inner are the atoms of the axis, in any order; the outer size, or None."""
        inner = [a for a in self.axes[axis] if a.size > 1]
        rest = [a for a in self.memory if a.size > 1]
        tail = rest[len(rest) - len(inner) :] if inner else []
        if any(a.samples for a in self.axes[axis]) or {id(a) for a in tail} != {id(a) for a in inner}:
            return None
        return self.elements // math.prod(a.size for a in inner)


@dataclasses.dataclass
class Scores:
    """softmax(q k^T scale), which only a product with values makes a value of a graph."""

    q: Tensor
    k: Tensor
    heads: int
    width: int
    scale: float
    shape: tuple
    soft: bool = False


ANONYMOUS = re.compile(
    r'^(onnx::\w+|val|c|v|w|b|t|(\w+\.)*const(ant)?(_\d+)?(_output_\d+)?|initializer|tensor|arg|unnamed|p)?[_:]?\d*$',
    re.I,
)
NOISE = {
    'ReadVariableOp',
    'Conv2D',
    'Conv1D',
    'BiasAdd',
    'MatMul',
    'FusedBatchNormV3',
    'StatefulPartitionedCall',
    'depthwise',
    'Tensordot',
    'kernel',
    'gamma',
}


def block_name(weight, node):
    """The name of a block, from those of its weight or node; None where they say nothing."""
    if weight and not ANONYMOUS.match(weight.strip('/').rpartition('/')[2]):
        parts = [p for p in re.split(r'[/.]', re.sub(r':\d+$', '', weight)) if p]
        if len(parts) > 1 and re.match(r'^(weights?|bias|scale|gamma|kernel|w|b|value|slope)(_\w+)?$', parts[-1], re.I):
            parts.pop()
        else:
            parts[-1] = re.sub(r'_(weight|kernel|w|scale|gamma)(_\d+)?$', '', parts[-1], flags=re.I)
        kept = [p for p in parts if p not in NOISE] if '/' in weight else parts
        if kept:
            return '.'.join(kept)
    if '/' in node:
        path = ''
        for part in [p for p in node.split('/') if p][:-1]:
            last = path.rpartition('/')[2]
            path = part if part.startswith(last + '.') and last == path else f'{path}.{part}' if path else part
        return path or None
    return None


SHORT = {
    'BatchNormalization': 'norm',
    'LayerNormalization': 'norm',
    'GroupNormalization': 'norm',
    'RMSNormalization': 'norm',
    'InstanceNormalization': 'norm',
    'GlobalAveragePool': 'pool',
    'GlobalMaxPool': 'pool',
    'MaxPool': 'pool',
    'AveragePool': 'pool',
    'ReduceMean': 'mean',
    'MatMul': 'dense',
    'Gemm': 'dense',
    'ConvTranspose': 'conv',
    'Mul': 'product',
    'Add': 'sum',
    'Sub': 'difference',
    'Div': 'quotient',
    'Max': 'maximum',
    'Min': 'minimum',
    'Gather': 'part',
    'Slice': 'part',
    'Split': 'part',
    'Resize': 'resized',
    'Reshape': 'shaped',
    'Concat': 'joined',
    'LogSoftmax': 'softmax',
}


class Network:
    def __init__(self, model, name, last):
        """\\param last  for each input whether its channels, ONNX's second axis, are last in memory"""
        self.model, self.name = model, name
        self.statements, self.parameters, self.blocks, self.refused = [], {}, [], []
        self.names, self.variables = cpp.Names(), cpp.Names(['g', *cpp.KEYWORDS])
        self.readers = model.readers()
        self.tensors, self.maps = {}, Maps(name)
        self.rounding = 4.0  # of the arithmetic, in units of the last place: see docs/onnx.md
        self.outer = ''  # what all names of weights begin with
        named = [
            block_name(model.origins.get(n.input(1), n.input(1)), n.name)
            for n in model.nodes
            if n.op in ('Conv', 'ConvTranspose', 'Gemm', 'MatMul') and n.input(1) in model.constants
        ]
        named = [n.split('.') for n in named if n]
        if len(named) > 1:
            while all(len(n) > 1 and n[0] == named[0][0] for n in named):
                self.outer += named[0][0] + '.'
                named = [n[1:] for n in named]
        self.inputs = []
        first = {model.shape(i)[0] for i in model.inputs if model.shape(i)}
        if len(first) != 1 or not all(model.shape(i) for i in model.inputs):
            raise Refused('inputs have no common number of samples')
        self.batch = first.pop()
        if self.batch < 1:
            raise Refused('there are no samples')
        for i, channels_last in zip(model.inputs, last):
            self.add_input(i, channels_last)

    # The number of samples is an atom of its own, unless it is 1.
    def samples(self):
        return [Atom(self.batch, True)] if self.batch > 1 else []

    def add_input(self, name, channels_last):
        shape = self.model.shape(name)
        if self.model.element(name) != 1:
            raise Refused(f"input '{name}' is not of float32")
        atoms = [Atom(s) for s in shape[1:]]
        variable = self.variables.fresh(cpp.identifier(name))
        memory = atoms[1:] + atoms[:1] if channels_last else list(atoms)
        if len(memory) > 4:
            raise Refused(f"input '{name}' has more than three spatial axes")
        typed = (tuple(a.size for a in memory[:-1]), memory[-1].size) if memory else ((), 1)
        t = Tensor(variable, typed, memory, [self.samples(), *[[a] for a in atoms]])
        self.inputs.append(t)
        self.tensors[name] = t

    # ------------------------------------------------------------------------------------------------------------------
    # Functions for the table of ops

    def constant(self, name):
        """The array of an input that is a constant; None where it is a tensor, or left out."""
        return self.model.constants.get(name) if name else None

    def weight(self, node, i, what):
        array = self.constant(node.input(i))
        if array is None:
            raise Refused(
                f'its {what} {"is left out" if node.input(i) is None else "is computed"}: a block has constants'
            )
        if array.dtype != np.float32:
            raise Refused(f'its {what} is {array.dtype}: only float32 is imported')
        return array

    def raw(self, node, i):
        t = self.tensors.get(node.input(i))
        if t is None:
            raise Refused(
                f'input {i} is a constant' if node.input(i) in self.model.constants else f'input {i} is left out'
            )
        return t

    def tensor(self, node, i=0):
        t = self.raw(node, i)
        if isinstance(t, Scores):
            raise Refused('products of two tensors are blocks only as attention: softmax(q k^T) v')
        if t.factor != 1.0:
            factor, t = t.factor, dataclasses.replace(t, factor=1.0)
            t = self.scale_and_shift(node, t, np.float32(factor), None)
            self.tensors[node.input(i)] = t
        return t

    def is_only_reader(self, name):
        return self.readers.get(name, 0) == 1

    def only_reader_of(self, t):
        """Whether each tensor that is what a block makes, through reshapes, is read once."""
        return all(
            self.is_only_reader(n)
            for n, x in self.tensors.items()
            if isinstance(x, Tensor) and x.statement is t.statement
        )

    def name_of(self, node, weight=None):
        """A name for a block, which no other has."""
        origin = self.model.origins.get(weight, weight)
        name = block_name(origin, node.name)
        if name is None:
            name = SHORT.get(node.op) or re.sub(r'(?<=[a-z])(?=[A-Z][a-z])', '_', node.op).lower()
        return self.names.fresh(cpp.plain(name.replace('::', '_').removeprefix(self.outer)))

    def name_beside(self, t, name):
        """The name within what the block that makes a tensor is in."""
        outer = t.statement.name.rpartition('.')[0] if t.statement else ''
        return self.names.fresh(f'{outer}.{name}' if outer else name)

    def typed_as(self, t, extents, channels):
        """The value with another shape of the same elements."""
        if t.typed == (tuple(extents), channels):
            return t.variable
        if not extents:
            return f'g.flatten({t.variable})'
        kind = ('signal', 'image', 'volume')[len(extents) - 1]
        sizes = ', '.join(map(str, [channels, *extents]))
        return f'g.reshape("{t.variable}", tern::sample_shape::{kind}({sizes}), {t.variable})'

    def spatial(self, t):
        """The value as an image (n, channels, spatial...), by any number of axes; and its extents and channels."""
        extents, channels = t.shape[2:], t.shape[1]
        expected = [(axis, 1, t.shape[axis]) for axis in [*range(2, len(t.shape)), 1] if t.shape[axis] > 1]
        order = t.order()
        if order != expected:
            raise Refused('the channels of its input are not next to each other')
        return self.typed_as(t, extents, channels), extents, channels

    def shuffled(self, t):
        """An image whose channels were cut into groups, turned, and joined: a block puts them in order."""
        order, extents, channels = t.order(), t.shape[2:], t.shape[1]
        places = [(axis, 1, t.shape[axis]) for axis in range(2, len(t.shape)) if t.shape[axis] > 1]
        if len(t.shape) < 3 or len(order) != len(places) + 2 or order[:-2] != places or order[-2][:2] != (1, 1):
            return t
        groups = order[-2][2]
        if order[-1] != (1, groups, channels // groups):
            return t
        name = self.names.fresh('shuffle')
        value = self.typed_as(t, extents, channels)
        s = self.add('channel_shuffle', name, [{'groups': groups}], [value], (extents, channels))
        return self.result_of(s.variable, extents, channels, s)

    def result_of(self, variable, extents, channels, statement=None, rank=None):
        """A tensor (n, channels, spatial...)."""
        c, places = Atom(channels), [Atom(e) for e in extents]
        return Tensor(
            variable, (tuple(extents), channels), [*places, c], [self.samples(), [c], *[[p] for p in places]], statement
        )

    def positions(self, t, axis=-1):
        """The value with an axis as its channels at every position: its text, extents, channels, and the order in which the
        atoms of the axis lie there."""
        axis %= len(t.axes)
        before = t.positions_before(axis)
        if before is None:
            raise Refused('the elements that it joins are not next to each other')
        channels = t.shape[axis]
        extents = () if before == 1 else t.typed[0] if t.typed[1] == channels else (before,)
        return self.typed_as(t, extents, channels), extents, channels

    def rows(self, t, array, axis=-1):
        """Rows of a constant matrix, which belong to the elements of an axis, in the order of the memory."""
        atoms = t.axes[axis % len(t.axes)]
        if not atoms:
            return array
        parts = array.reshape([a.size for a in atoms] + list(array.shape[1:]))
        where = {id(a): i for i, a in enumerate(atoms)}
        order = [where[id(a)] for a in t.memory if id(a) in where]
        order += [i for i in range(len(atoms)) if i not in order]
        return parts.transpose(order + list(range(len(atoms), parts.ndim))).reshape(array.shape)

    def add(self, call, name, arguments, values, result, parameters=None, comment=''):
        """Adds a block; its parameters by their names within it."""
        variable = self.variables.fresh(cpp.identifier(name))
        statement = Statement(variable, call, name, list(arguments), list(values), result, comment)
        self.statements.append(statement)
        for part, array in (parameters or {}).items():
            self.parameters[f'{name}.{part}'] = np.ascontiguousarray(array, np.float32)
        return statement

    def like(self, t, statement):
        """The tensor with the elements of a block that kept the shape."""
        return dataclasses.replace(t, variable=statement.variable, statement=statement, typed=statement.result)

    def use_block(self, block):
        if block not in self.blocks:
            self.blocks.append(block)

    def scale_and_shift(self, node, t, scale, shift, act=None):
        """t scale + shift with constants that repeat as ONNX's do: one number per channel, or one for every element."""
        steps = {'scale': scale, 'bias': shift}
        parameters, per_channel = {}, True
        channels = t.typed[1]
        for part, array in steps.items():
            if array is None:
                continue
            array = np.asarray(array, np.float32)
            if (
                len(np.broadcast_shapes(array.shape, t.shape)) > len(t.shape)
                or np.broadcast_shapes(array.shape, t.shape) != t.shape
            ):
                raise Refused('a constant makes its input larger')
            array = t.in_memory(array)
            if self.batch > 1 and t.axes and any(a.samples for axis in t.axes for a in axis):
                if not (array == array[:1]).all():
                    raise Refused('a constant differs between samples')
                array = array[0]
            array = array.reshape(-1, channels)
            parameters[part] = array
            per_channel &= bool((array == array[:1]).all())
        s = t.statement
        if (
            per_channel
            and s is not None
            and s.call == 'group_norm'
            and s.variable == t.variable
            and act is None
            and len(parameters) == 1
            and self.only_reader_of(t)
        ):
            part, field = ('scale', 'scale') if shift is None else ('bias', 'shift')
            if s.config.get(field) == 'false' and (field == 'shift' or s.config.get('shift') == 'false'):
                s.config[field] = None
                self.parameters[f'{s.name}.{field}'] = np.ascontiguousarray(parameters[part][0])
                return t
        name = self.name_of(
            node, next((i for i in node.inputs if i in self.model.constants and self.model.constants[i].size > 1), None)
        )
        config = {'scale': scale is not None, 'bias': shift is not None, 'act': act}
        if per_channel:
            s = self.add('elementwise', name, [config], [t.variable], t.typed, {k: v[0] for k, v in parameters.items()})
        else:
            block = f'tern::per_element<{cpp.configured("elementwise", config)}>'
            self.use_block(block)
            s = self.add(
                f'block<{block}>',
                name,
                [],
                [t.variable],
                t.typed,
                {k: v.reshape(*t.typed[0], channels) for k, v in parameters.items()},
            )
        return self.like(t, s)

    def take(self, node, t, axis, first, count):
        """Elements [first, first + count) of an axis."""
        axis %= len(t.axes)
        atoms = [a for a in t.axes[axis] if a.size > 1]
        if first == 0 and count == t.shape[axis]:
            return t
        if any(a.samples for a in atoms):
            raise Refused('it takes some of the samples')
        inner = math.prod(a.size for a in atoms[1:])
        if len(atoms) > 1 and (first % inner or count % inner):
            order = t.order()
            merged = [o for o in order if o[0] == axis]
            if len(merged) != 1:
                raise Refused('it cuts an axis that several were joined to')
            whole = Atom(t.shape[axis])
            ids = {id(a) for a in atoms}
            memory = []
            for a in t.memory:
                if id(a) in ids:
                    if whole not in memory:
                        memory.append(whole)
                elif a.size > 1 or a not in t.axes[axis]:
                    memory.append(a)
            t = dataclasses.replace(t, memory=memory, axes=[[whole] if i == axis else x for i, x in enumerate(t.axes)])
            atoms, inner = [whole], 1
        lead = atoms[0]
        first, count = first // inner, count // inner
        at = next(i for i, a in enumerate(t.memory) if a is lead)
        outer = math.prod(a.size for a in t.memory[:at])
        behind = math.prod(a.size for a in t.memory[at + 1 :])
        rest = Atom(count)
        memory = [rest if a is lead else a for a in t.memory]
        axes = [[rest if a is lead else a for a in x] for x in t.axes]
        extents, channels = t.typed
        name = self.name_of(node)
        place = [
            i
            for i in range(len(extents))
            if math.prod(extents[:i]) == outer
            and math.prod(extents[i + 1 :]) * channels == behind
            and extents[i] == lead.size
        ]
        if place:
            before, end = [0] * len(extents), [0] * len(extents)
            before[place[0]], end[place[0]] = first, lead.size - first - count
            cut = (tuple(count if i == place[0] else e for i, e in enumerate(extents)), channels)
            s = self.add(
                f'crop{len(extents)}d',
                name,
                [{'crop': cpp.per_axis(before), 'crop_end': cpp.per_axis(end)}],
                [t.variable],
                cut,
            )
        else:
            if not (math.prod(extents) == outer and channels == lead.size * behind):
                extents = (outer,) if outer > 1 else ()
            value = self.typed_as(t, extents, lead.size * behind)
            s = self.add(
                'slice', name, [str(first * behind), str(count * behind)], [value], (tuple(extents), count * behind)
            )
        return dataclasses.replace(t, variable=s.variable, statement=s, typed=s.result, memory=memory, axes=axes)

    def reshape(self, t, shape):
        """The same elements, row by row, under another shape."""
        atoms, memory, axes, at = [a for axis in t.axes for a in axis], list(t.memory), [], 0
        for extent in shape:
            axis = []
            while extent > 1:
                while at < len(atoms) and atoms[at].size == 1:
                    at += 1
                if at == len(atoms):
                    raise Refused('a reshape changes the number of elements')
                a = atoms[at]
                if extent % a.size == 0:
                    axis.append(a)
                    extent //= a.size
                    at += 1
                elif a.size % extent == 0 and not a.samples:
                    parts = [Atom(extent), Atom(a.size // extent)]
                    atoms[at : at + 1] = parts
                    memory = [b for m in memory for b in (parts if m is a else [m])]
                else:
                    raise Refused('a reshape cuts axes where they do not meet')
            axes.append(axis)
        return dataclasses.replace(t, memory=memory, axes=axes)

    # ------------------------------------------------------------------------------------------------------------------
    # What is written of it

    def has_parameters(self, statement):
        return any(p.startswith(statement.name + '.') for p in self.parameters)

    def rename_parameters(self, old, new):
        self.parameters = {new + p[len(old) :] if p.startswith(old + '.') else p: a for p, a in self.parameters.items()}

    @staticmethod
    def text_of(s):
        parts = (
            [cpp.string(s.name)]
            + [f'{{{cpp.fields(a)}}}' if isinstance(a, dict) else a for a in s.arguments]
            + s.values
        )
        return f'const auto {s.variable} = g.{s.call}({", ".join(parts)});'

    # ------------------------------------------------------------------------------------------------------------------

    def run(self):
        """Whether all nodes are blocks; `refused` says why not."""
        for node in self.model.nodes:
            entry = OPS.get(node.op)
            try:
                if entry is None or entry.network is None:
                    raise Refused(self.model.notes.get(node.outputs[0]) or reason(node.op))
                if any(i and i not in self.tensors and i not in self.model.constants for i in node.inputs):
                    continue  # follows from one that was refused
                result = entry.network(self, node)
                results = result if isinstance(result, list) else [result]
                for name, t in zip(node.outputs, results):
                    if name:
                        self.tensors[name] = t
                        expected = self.model.shape(name)
                        if expected is not None and tuple(expected) != tuple(t.shape):
                            raise Refused(f'tern gives {t.shape} where ONNX gives {expected}')
                        if any(extent < 1 for extent in getattr(t, 'shape', ())):
                            raise Refused(f'its result is empty: {tuple(t.shape)}')
            except OF_NODES as error:
                self.refused.append((node, why(error)))
        if self.refused:
            return False
        for o in self.model.outputs:
            t = self.tensors.get(o)
            if t is None or isinstance(t, Scores):
                raise Refused(f"result '{o}' is a constant" if t is None else 'products of two tensors are no result')
            if t.factor != 1.0:
                t = self.tensors[o] = self.scale_and_shift(
                    self.model.producers()[o], dataclasses.replace(t, factor=1.0), np.float32(t.factor), None
                )
            if t.statement is None:
                raise Refused(f"result '{o}' is an input: a network has blocks")
        self.results = [self.tensors[o] for o in self.model.outputs]
        read = ' '.join([v for s in self.statements for v in s.values] + [t.variable for t in self.results])
        read = set(re.findall(r'\w+', read))
        self.statements = [s for s in self.statements if s.call != 'reshape' or s.variable in read]
        return True
