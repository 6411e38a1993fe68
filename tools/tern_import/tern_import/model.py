# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model as plain Python: nodes, constants and shapes."""

import dataclasses

import numpy as np
from onnx import AttributeProto, TensorProto, helper, numpy_helper

SMALL = 4096  # elements of constants that shape inference sees the values of


@dataclasses.dataclass
class Node:
    op: str
    inputs: list  # '' where an optional one is left out
    outputs: list
    attributes: dict
    name: str = ''

    def get(self, attribute, default=None):
        return self.attributes.get(attribute, default)

    def input(self, i):
        """The name of input i, or None."""
        return self.inputs[i] if i < len(self.inputs) and self.inputs[i] else None

    def described(self):
        return f"{self.op} '{self.name or self.outputs[0]}'"


@dataclasses.dataclass
class Model:
    name: str
    opset: int
    nodes: list
    inputs: list
    outputs: list
    constants: dict  # name: array
    types: dict  # name: (TensorProto type, shape), shape being None or a tuple of numbers and, where unknown, None
    origins: dict = dataclasses.field(default_factory=dict)  # of folded constants: the weights that they were made of
    notes: dict = dataclasses.field(default_factory=dict)  # why nodes, by their first result, were not replaced

    def shape(self, name):
        """The shape of a tensor, in which all numbers are known; or None."""
        if name in self.constants:
            return self.constants[name].shape
        shape = self.types.get(name, (0, None))[1]
        return None if shape is None or None in shape else shape

    def element(self, name):
        if name in self.constants:
            return helper.np_dtype_to_tensor_dtype(self.constants[name].dtype)
        return self.types.get(name, (0, None))[0]

    def readers(self):
        """The number of times that every tensor is read, by nodes or as a result."""
        count = {}
        for name in [i for n in self.nodes for i in n.inputs] + self.outputs:
            count[name] = count.get(name, 0) + 1
        return count

    def producers(self):
        return {o: n for n in self.nodes for o in n.outputs if o}


def attribute_value(a):
    if a.type == AttributeProto.TENSOR:
        return numpy_helper.to_array(a.t)
    value = helper.get_attribute_value(a)
    if isinstance(value, bytes):
        return value.decode('utf-8', 'replace')
    if a.type == AttributeProto.STRINGS:
        return [v.decode('utf-8', 'replace') for v in value]
    return list(value) if a.type in (AttributeProto.INTS, AttributeProto.FLOATS) else value


def node_of(proto):
    return Node(
        proto.op_type,
        list(proto.input),
        list(proto.output),
        {a.name: attribute_value(a) for a in proto.attribute},
        proto.name,
    )


def proto_of(node):
    attributes = {k: numpy_helper.from_array(v) if isinstance(v, np.ndarray) else v for k, v in node.attributes.items()}
    return helper.make_node(node.op, node.inputs, node.outputs, name=node.name, **attributes)


def type_of(value_info):
    """(element type, shape) of a tensor; None where it is another kind of value."""
    t = value_info.type
    if t.WhichOneof('value') != 'tensor_type':
        return None
    shape = None
    if t.tensor_type.HasField('shape'):
        shape = tuple(d.dim_value if d.HasField('dim_value') else None for d in t.tensor_type.shape.dim)
    return t.tensor_type.elem_type, shape


def proto_of_model(model, small_only=True):
    """The model for onnx's own passes. Large constants are inputs there, unless all are asked for."""
    inputs = [helper.make_tensor_value_info(i, *model.types[i]) for i in model.inputs]
    initializers = []
    for name, array in model.constants.items():
        if small_only and array.size > SMALL:
            inputs.append(helper.make_tensor_value_info(name, model.element(name), array.shape))
        else:
            initializers.append(numpy_helper.from_array(np.asarray(array, order='C'), name))
    outputs = []
    for o in model.outputs:
        element, shape = model.types.get(o, (TensorProto.UNDEFINED, None))
        outputs.append(helper.make_tensor_value_info(o, element, shape))
    graph = helper.make_graph([proto_of(n) for n in model.nodes], 'graph', inputs, outputs, initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid('', model.opset)], ir_version=10)
