# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reduces a model to ops that the importer knows, over constants and known shapes. Uses onnx's shape inference, its
reference for nodes that depend on constants only, and its own definitions of ops that are functions of others."""

import warnings

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from .einsum import as_product
from .errors import ImportFailed, Refused
from .model import Model, Node, node_of, proto_of, proto_of_model, type_of
from .read import first_line
from .recurrent import GATES, unrolled

RANDOM = {'RandomNormal', 'RandomUniform', 'RandomNormalLike', 'RandomUniformLike', 'Bernoulli', 'Multinomial'}
REWRITES = {**dict.fromkeys(GATES, unrolled), 'Einsum': as_product}
LARGEST = 1 << 28  # elements of what is folded


SAME_SHAPE = {'GroupNormalization', 'RMSNormalization', 'Swish', 'Gelu', 'HardSwish', 'Mish'}


def infer_shapes(model, rest=True):
    try:
        proto = onnx.shape_inference.infer_shapes(
            proto_of_model(model), check_type=True, strict_mode=True, data_prop=True
        )
    except Exception as error:
        raise ImportFailed(f'onnx finds shapes that disagree: {first_line(error)}') from None
    for v in [*proto.graph.value_info, *proto.graph.output]:
        kind = type_of(v)
        if kind is None or v.name in model.inputs:
            continue
        known = model.types.get(v.name)
        if known is None or known[1] is None or None in known[1]:
            model.types[v.name] = kind
    if rest:
        infer_rest(model)


def infer_rest(model):
    """Infers the shapes that onnx leaves open after an op without a rule, whose result has the shape of its input."""
    for node in model.nodes:
        if all(model.shape(o) is not None for o in node.outputs if o):
            continue
        if any(model.shape(i) is None for i in node.inputs if i):
            continue
        if node.op in SAME_SHAPE:
            model.types[node.outputs[0]] = model.element(node.inputs[0]), model.shape(node.inputs[0])
            continue
        small = {i: model.constants[i] for i in node.inputs if i in model.constants}
        one = Model(
            '',
            model.opset,
            [node],
            [i for i in dict.fromkeys(node.inputs) if i and i not in small],
            [o for o in node.outputs if o],
            small,
            model.types,
        )
        infer_shapes(one, False)


def evaluate(model, node):
    inputs = {i: model.constants[i] for i in node.inputs if i}
    graph = helper.make_graph(
        [proto_of(node)],
        'node',
        [helper.make_tensor_value_info(i, model.element(i), a.shape) for i, a in inputs.items()],
        [helper.make_tensor_value_info(o, TensorProto.UNDEFINED, None) for o in node.outputs if o],
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid('', model.opset)])
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        return [np.asarray(r) for r in ReferenceEvaluator(proto).run(None, inputs)]


def fold_node(model, node):
    """Whether the results of a node are constants now."""
    shape = model.shape(node.inputs[0]) if node.inputs and node.inputs[0] else None
    if node.op == 'Constant':
        value = next(iter(node.attributes.values()))
        kind = {'value_float': np.float32, 'value_floats': np.float32, 'value_int': np.int64, 'value_ints': np.int64}
        model.constants[node.outputs[0]] = np.asarray(value, kind.get(next(iter(node.attributes))))
        return True
    if node.op == 'Shape' and shape is not None:
        model.constants[node.outputs[0]] = np.array(shape[node.get('start', 0) : node.get('end', len(shape))], np.int64)
        return True
    if node.op == 'Size' and shape is not None:
        model.constants[node.outputs[0]] = np.array(int(np.prod(shape)), np.int64)
        return True
    if (
        node.op in RANDOM
        or not all(i in model.constants for i in node.inputs if i)
        or any(isinstance(v, onnx.GraphProto) for v in node.attributes.values())
    ):
        return False
    if sum(int(np.prod(model.shape(o) or (1,))) for o in node.outputs if o) > LARGEST:
        return False
    try:
        results = evaluate(model, node)
    except Exception:
        return False
    large = [i for i in node.inputs if i and model.constants[i].size > 1 and model.constants[i].dtype.kind == 'f']
    for name, array in zip([o for o in node.outputs if o], results):
        model.constants[name] = array
        if large:
            model.origins[name] = model.origins.get(large[0], large[0])
    return True


def expand(model, node):
    """The nodes of ONNX's own definition of an op, or None."""
    try:
        schema = onnx.defs.get_schema(node.op, model.opset, '')
    except Exception:
        return None
    body = None
    if schema.has_function:
        versions = [v for v in schema.function_opset_versions if v <= model.opset]
        if not versions:
            return None
        body = schema.get_function_with_opset_version(max(versions))
        body = body if isinstance(body, onnx.FunctionProto) else onnx.FunctionProto.FromString(body)
    elif schema.has_context_dependent_function:
        types = []
        for i in node.inputs:
            t = (
                helper.make_tensor_type_proto(model.element(i) or TensorProto.FLOAT, model.shape(i))
                if i
                else onnx.TypeProto()
            )
            types.append(t.SerializeToString())
        versions = [v for v in schema.context_dependent_function_opset_versions if v <= model.opset]
        try:
            body = onnx.FunctionProto.FromString(
                schema.get_context_dependent_function_with_opset_version(
                    max(versions), proto_of(node).SerializeToString(), types
                )
            )
        except Exception:
            return None
    if body is None or any(a.HasField('g') for n in body.node for a in n.attribute):
        return None
    prefix = f'{node.name or node.outputs[0]}/'
    names = {
        **dict(zip(body.input, [*node.inputs, *[''] * len(body.input)])),
        **dict(zip(body.output, node.outputs)),
        '': '',
    }
    defaults = {a.name: onnx.helper.get_attribute_value(a) for a in body.attribute_proto}
    for a in schema.attributes.values():
        if a.default_value.type:
            defaults[a.name] = onnx.helper.get_attribute_value(a.default_value)
    nodes = []
    for proto in body.node:
        references = [a for a in proto.attribute if a.ref_attr_name]
        proto = onnx.NodeProto.FromString(proto.SerializeToString())
        kept = [a for a in proto.attribute if not a.ref_attr_name]
        del proto.attribute[:]
        proto.attribute.extend(kept)
        n = node_of(proto)
        for a in references:
            value = node.get(a.ref_attr_name, defaults.get(a.ref_attr_name))
            if value is not None:
                n.attributes[a.name] = value.decode() if isinstance(value, bytes) else value
        n.inputs = [names.setdefault(i, prefix + i) for i in n.inputs]
        n.outputs = [names.setdefault(o, prefix + o) for o in n.outputs]
        n.name = prefix + (n.name or n.op)
        if n.op != 'Constant' or not fold_node(model, n):  # older opsets have fewer kinds of constants
            nodes.append(n)
    return nodes


def expand_functions(model, known):
    """Ops that are functions, whose types need not be known for that."""
    nodes = []
    for node in model.nodes:
        plain = node.op not in known and node.op not in ('Cast', 'CastLike', 'Dropout')
        try:
            plain = plain and onnx.defs.get_schema(node.op, model.opset, '').has_function
        except Exception:
            plain = False
        nodes += (expand(model, node) if plain else None) or [node]
    model.nodes = nodes


def drop_unread(model):
    """Leaves out nodes whose results nobody reads, and constants likewise."""
    read = set(model.outputs)
    kept = []
    for node in reversed(model.nodes):
        if any(o in read for o in node.outputs):
            kept.append(node)
            node.outputs = [o if o in read else '' for o in node.outputs]
            while node.outputs and not node.outputs[-1]:
                node.outputs.pop()
            read.update(i for i in node.inputs if i)
    model.nodes = kept[::-1]
    model.constants = {k: v for k, v in model.constants.items() if k in read}


def same_value(model, node):
    """The input that a node passes on as it is, in inference."""
    if node.op == 'Identity' or (
        node.op == 'Dropout'
        and (model.opset < 12 or not node.input(2) or not model.constants.get(node.inputs[2], np.array(True)).any())
    ):
        return node.inputs[0]
    if node.op in ('Sum', 'Mean', 'Max', 'Min') and len(node.inputs) == 1:
        return node.inputs[0]
    if node.op in ('Cast', 'CastLike'):
        to = node.get('to') if node.op == 'Cast' else model.element(node.inputs[1])
        if to and model.element(node.inputs[0]) == to:
            return node.inputs[0]
    return None


def align_old_operands(model):
    """Before opset 7, the second operand of an op said where its axes begin."""
    if model.opset >= 7:
        return
    nodes = []
    for node in model.nodes:
        first, second = (model.shape(i) if i else None for i in (*node.inputs, '', '')[:2])
        if (
            node.op in ('Add', 'Sub', 'Mul', 'Div', 'Pow')
            and node.get('broadcast', 0)
            and 'axis' in node.attributes
            or (node.op == 'PRelu' and second is not None and len(second) == 1 and len(first) > 2)
        ):
            axis = node.attributes.pop('axis', 1)
            behind = len(first) - axis % len(first) - len(second)
            shape, aligned = f'{node.outputs[0]}/shape', f'{node.outputs[0]}/aligned'
            model.constants[shape] = np.array([*second, *[1] * behind], np.int64)
            nodes.append(Node('Reshape', [node.inputs[1], shape], [aligned], {}, node.name))
            model.types[aligned] = (TensorProto.FLOAT, (*second, *[1] * behind))
            model.origins[aligned] = node.inputs[1]
            node.inputs[1] = aligned
            node.attributes.pop('broadcast', None)
        nodes.append(node)
    model.nodes = nodes


def fold(model, known):
    """Folds until nothing changes.

    \\param known  ops that the importer knows: others are replaced by their definitions, where ONNX has one
    """
    for _ in range(1000):
        changed, nodes, same = False, [], {}
        for node in model.nodes:
            node.inputs = [same.get(i, i) for i in node.inputs]
            source = same_value(model, node)
            if fold_node(model, node):
                changed = True
            elif source is not None and not any(node.outputs[1:]):
                if node.outputs[0] in model.outputs:  # a result keeps its name
                    nodes.append(Node('Identity', [source], [node.outputs[0]], {}, node.name))
                else:
                    same[node.outputs[0]] = source
                    changed = True
            else:
                body = None
                if node.op in REWRITES:
                    try:
                        body = REWRITES[node.op](model, node)
                    except Refused as why:
                        model.notes[node.outputs[0] or node.outputs[-1]] = str(why)
                elif node.op not in known and node.op not in ('Cast', 'CastLike', 'Dropout'):
                    body = expand(model, node)
                nodes += body or [node]
                changed |= body is not None
        model.nodes = nodes
        drop_unread(model)
        if not changed:
            return
        infer_shapes(model)
    raise ImportFailed('it does not become simpler: a definition that refers to itself')
