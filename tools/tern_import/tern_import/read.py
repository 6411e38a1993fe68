# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads an ONNX file with onnx's own checks, and fixes its shapes."""

import pathlib

import numpy as np
import onnx
import onnx.inliner
from onnx import TensorProto, helper, numpy_helper

from .errors import ImportFailed
from .model import Model, node_of, type_of

FLOATS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16)


def first_line(error):
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def tensors_of_graph(graph):
    """All tensors that may lie in other files."""
    yield from graph.initializer
    for node in graph.node:
        for a in node.attribute:
            if a.HasField('t'):
                yield a.t
            yield from a.tensors
            if a.HasField('g'):
                yield from tensors_of_graph(a.g)
            for g in a.graphs:
                yield from tensors_of_graph(g)


def check_external_data(proto, path):
    folder = path.resolve().parent
    functions = [t for f in proto.functions for n in f.node for a in n.attribute if a.HasField('t') for t in [a.t]]
    for tensor in [*tensors_of_graph(proto.graph), *functions]:
        if tensor.data_location != TensorProto.EXTERNAL:
            continue
        location = {e.key: e.value for e in tensor.external_data}.get('location', '')
        data = (folder / location).resolve()
        if not location or pathlib.PurePath(location).is_absolute() or folder not in data.parents:
            raise ImportFailed(f"tensor '{tensor.name}' is in '{location}', which is outside of the model's folder")
        if not data.is_file():
            raise ImportFailed(f"tensor '{tensor.name}' is in '{location}', which is not beside the model")


def check_opsets(proto):
    newest = onnx.defs.onnx_opset_version()
    local = {f.domain for f in proto.functions}
    for opset in proto.opset_import:
        if opset.domain in ('', 'ai.onnx'):
            if not 1 <= opset.version <= newest:
                raise ImportFailed(f'opset {opset.version} is unknown: onnx {onnx.__version__} knows 1 to {newest}')
        elif opset.domain not in local and any(n.domain == opset.domain for n in proto.graph.node):
            ops = sorted({n.op_type for n in proto.graph.node if n.domain == opset.domain})
            raise ImportFailed(
                f"ops of domain '{opset.domain}' are not ONNX's own, and the file does not define them: "
                + ', '.join(ops[:5])
            )


def read_proto(path):
    try:
        proto = onnx.load(str(path), load_external_data=False)
    except FileNotFoundError:
        raise ImportFailed('there is no such file') from None
    except Exception as error:  # protobuf has several, by its implementation
        raise ImportFailed(f'this is no ONNX file, or part of one: {first_line(error)}') from None
    if not proto.HasField('graph') or not proto.ir_version:
        raise ImportFailed('this is no ONNX file, or part of one: it has no graph')
    check_opsets(proto)
    check_external_data(proto, path)
    try:
        onnx.load_external_data_for_model(proto, str(path.resolve().parent))
        if proto.ByteSize() < 2**31 - 2**20:
            # Results without a shape, which other readers take, too.
            open_results = [
                o.type.tensor_type
                for o in proto.graph.output
                if o.type.HasField('tensor_type') and not o.type.tensor_type.HasField('shape')
            ]
            for o in open_results:
                o.shape.SetInParent()
            onnx.checker.check_model(proto)
            for o in open_results:
                o.ClearField('shape')
    except Exception as error:
        what = first_line(error)
        if 'topologically sorted' in str(error):
            what = 'its nodes are no graph without cycles, in the order in which they run: ' + what
        raise ImportFailed(f'onnx refuses the file: {what}') from None
    return proto


def constant_of(text):
    """'axes=1,2' as a name and an array."""
    name, _, values = text.rpartition('=')
    try:
        numbers = [float(v) if '.' in v or 'e' in v else int(v) for v in values.split(',') if v]
    except ValueError:
        raise ImportFailed(f"--constant takes name=number,number,..., not '{text}'") from None
    if not name:
        raise ImportFailed(f"--constant takes name=number,number,..., not '{text}'")
    return name, np.array(numbers, np.float32 if any(isinstance(n, float) for n in numbers) else np.int64)


def read(path, name, shapes, given, batch):
    """The model of a file, whose functions are inlined.

    \\param shapes  of inputs, where the file leaves them open: {name: (1, 3, 224, 224)}
    \\param given   inputs that are constants: {name: array}
    \\param batch   what an open first extent is
    \\return        the model, and whether its number of samples was open
    """
    proto = read_proto(path)
    if proto.functions:
        try:
            proto = onnx.inliner.inline_local_functions(proto)
        except Exception as error:
            raise ImportFailed(f'onnx cannot inline its functions: {first_line(error)}') from None
        check_opsets(proto)
    opset = max([o.version for o in proto.opset_import if o.domain in ('', 'ai.onnx')], default=1)
    graph = proto.graph
    constants = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    if graph.sparse_initializer:
        raise ImportFailed('it has sparse tensors, which tern has not')
    types, inputs, open_batch = {}, [], False
    for unknown in sorted((set(shapes) | set(given)) - {i.name for i in graph.input}):
        raise ImportFailed(
            f"it has no input '{unknown}': it has " + ', '.join(i.name for i in graph.input if i.name not in constants)
        )
    for i in graph.input:
        if i.name in constants:
            continue
        kind = type_of(i)
        if kind is None:
            raise ImportFailed(f"input '{i.name}' is no tensor")
        element, shape = kind
        if i.name in given:
            array = np.asarray(given[i.name]).astype(helper.tensor_dtype_to_np_dtype(element))
            constants[i.name] = array.reshape(()) if shape == () and array.size == 1 else array
            continue
        have = 'unknown' if shape is None else 'x'.join('?' if e is None else str(e) for e in shape)
        if i.name in shapes:
            given_shape = tuple(shapes[i.name])
            if shape is not None and (
                len(shape) != len(given_shape) or any(a not in (None, b) for a, b in zip(shape, given_shape))
            ):
                raise ImportFailed(f"the shape of input '{i.name}' is {have}, which --shape must not change")
            shape = given_shape
        elif shape is not None and len(shape) > 0 and shape[0] is None:
            shape, open_batch = (batch, *shape[1:]), True
        if shape is None or None in shape:
            raise ImportFailed(f"the shape of input '{i.name}' is {have}: give it, as in --shape {i.name}=1,3,224,224")
        inputs.append(i.name)
        types[i.name] = element, shape
    nodes = []
    for n in graph.node:
        if any(a.HasField('g') or a.graphs for a in n.attribute) and n.op_type not in ('If', 'Loop', 'Scan'):
            raise ImportFailed(f'node {n.op_type} "{n.name}" has a graph inside')
        nodes.append(node_of(n))
    outputs = []
    for o in graph.output:
        kind = type_of(o)
        if kind is None:
            raise ImportFailed(f"result '{o.name}' is no tensor")
        outputs.append(o.name)
        types[o.name] = (kind[0], None if kind[1] is None or None in kind[1] or open_batch or shapes else kind[1])
    return Model(name, opset, nodes, inputs, outputs, constants, types), open_batch
