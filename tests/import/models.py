# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models as PyTorch's exporters and tf2onnx write them, with random weights: for importer_test.py."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Builder:
    """Adds nodes to a model."""

    def __init__(self, seed, opset=18):
        self.random, self.opset = np.random.default_rng(seed), opset
        self.nodes, self.weights, self.count = [], {}, 0

    def weight(self, name, *shape, low=None, high=None, value=None):
        if value is None:
            fan = max(int(np.prod(shape[1:])), 1)
            value = (
                self.random.uniform(-1, 1, shape) * (3 / fan) ** 0.5
                if low is None
                else self.random.uniform(low, high, shape)
            )
        self.weights[name] = np.asarray(value, np.float32)
        return name

    def constant(self, value, dtype=np.int64):
        self.count += 1
        name = f'const_{self.count}'
        self.weights[name] = np.asarray(value, dtype)
        return name

    def node(self, op, *inputs, name='', outputs=1, result=None, **attributes):
        self.count += 1
        results = (
            [result] if result else [f'v{self.count}_{i}' if outputs > 1 else f'v{self.count}' for i in range(outputs)]
        )
        self.nodes.append(helper.make_node(op, list(inputs), results, name=name, **attributes))
        return results[0] if outputs == 1 else results

    def conv(self, name, x, channels, out, kernel=3, bias=True, op='Conv', groups=1, **attributes):
        shape = (out, channels // groups, kernel, kernel) if op == 'Conv' else (channels, out // groups, kernel, kernel)
        inputs = [x, self.weight(name + '.weight', *shape)]
        if bias:
            inputs.append(self.weight(name + '.bias', out, low=-0.5, high=0.5))
        return self.node(op, *inputs, kernel_shape=[kernel, kernel], group=groups, **attributes)

    def batch_norm(self, name, x, channels):
        parts = [
            self.weight(f'{name}.{part}', channels, low=low, high=1.5)
            for part, low in (('weight', 0.5), ('bias', -0.5), ('running_mean', -0.5), ('running_var', 0.5))
        ]
        return self.node('BatchNormalization', x, *parts, epsilon=1e-3)

    def layer_norm(self, name, x, width):
        """Taken apart, as exporters did before opset 17."""
        centred = self.node('Sub', x, self.node('ReduceMean', x, axes=[-1]))
        variance = self.node('ReduceMean', self.node('Pow', centred, self.constant(2, np.float32)), axes=[-1])
        y = self.node('Div', centred, self.node('Sqrt', self.node('Add', variance, self.constant(1e-5, np.float32))))
        y = self.node('Mul', y, self.weight(name + '.weight', width, low=0.5, high=1.5))
        return self.node('Add', y, self.weight(name + '.bias', width, low=-0.5, high=0.5))

    def linear(self, name, x, inputs, outputs):
        y = self.node(
            'MatMul', x, self.weight(name + '.weight', inputs, outputs, low=-(inputs**-0.5), high=inputs**-0.5)
        )
        return self.node('Add', self.weight(name + '.bias', outputs, low=-0.5, high=0.5), y)

    def model(self, inputs, outputs, functions=(), **more):
        def info(name, shape):
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

        graph = helper.make_graph(
            self.nodes,
            'graph',
            [info(*i) for i in inputs.items()],
            [info(*o) for o in outputs.items()],
            [numpy_helper.from_array(w, n) for n, w in self.weights.items()],
        )
        imports = [helper.make_opsetid('', self.opset)] + [helper.make_opsetid(f.domain, 1) for f in functions]
        return helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=10, **more)


def cnn():
    """Two convolutions with norms, and a dense layer."""
    b = Builder(1)
    y = b.node('Relu', b.batch_norm('bn1', b.conv('conv1', 'image', 1, 6, bias=False, pads=[1] * 4), 6))
    y = b.node('MaxPool', y, kernel_shape=[2, 2], strides=[2, 2])
    y = b.node('Relu', b.batch_norm('bn2', b.conv('conv2', y, 6, 9, pads=[0, 1, 1, 0], strides=[2, 1]), 9))
    y = b.node('Flatten', y)
    b.node(
        'Gemm',
        y,
        b.weight('fc.weight', 5, 9 * 3 * 4, low=-0.1, high=0.1),
        b.weight('fc.bias', 5, low=-1, high=1),
        transB=1,
        result='scores',
    )
    return b.model({'image': ['n', 1, 12, 10]}, {'scores': ['n', 5]})


def residual():
    """Stages of residual blocks, named as torchvision names them."""
    b = Builder(2)
    x = b.node('Relu', b.batch_norm('bn1', b.conv('conv1', 'x', 3, 8, 7, bias=False, pads=[3] * 4, strides=[2, 2]), 8))
    x, channels = b.node('MaxPool', x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4), 8
    for stage, width in ((1, 8), (2, 12)):
        for i in range(2):
            name, stride = f'layer{stage}.{i}', 2 if stage == 2 and i == 0 else 1
            y = b.conv(f'{name}.conv1', x, channels, width, bias=False, pads=[1] * 4, strides=[stride] * 2)
            y = b.node('Relu', b.batch_norm(f'{name}.bn1', y, width))
            y = b.batch_norm(f'{name}.bn2', b.conv(f'{name}.conv2', y, width, width, bias=False, pads=[1] * 4), width)
            if stride > 1:
                x = b.conv(f'{name}.downsample.0', x, channels, width, 1, bias=False, strides=[2, 2])
                x = b.batch_norm(f'{name}.downsample.1', x, width)
            x, channels = b.node('Relu', b.node('Add', y, x)), width
    x = b.node('ReduceMean', x, b.constant([-1, -2]), keepdims=0)
    b.node('Gemm', x, b.weight('fc.weight', 12, 4), alpha=0.5, result='y')
    return b.model({'x': ['n', 3, 21, 24]}, {'y': ['n', 4]})


def mobile():
    """Depthwise convolutions, squeeze and excitation, and activations taken apart."""
    b = Builder(3)

    def hard_swish(x):
        six = b.node(
            'Clip', b.node('Add', x, b.constant(3, np.float32)), b.constant(0, np.float32), b.constant(6, np.float32)
        )
        return b.node('Div', b.node('Mul', x, six), b.constant(6, np.float32))

    x = hard_swish(b.conv('stem', 'x', 3, 8, pads=[1] * 4, strides=[2, 2]))
    y = b.conv('expand', x, 8, 16, 1)
    y = b.node('Mul', b.node('Sigmoid', y), y)
    y = b.node(
        'Clip',
        b.conv('depthwise', y, 16, 16, 5, groups=16, pads=[2] * 4),
        b.constant(0, np.float32),
        b.constant(6, np.float32),
    )
    s = b.node('Relu', b.conv('se.fc1', b.node('GlobalAveragePool', y), 16, 4, 1))
    y = b.node('Mul', b.node('HardSigmoid', b.conv('se.fc2', s, 4, 16, 1), alpha=1 / 6, beta=0.5), y)
    x = b.node('Add', b.conv('project', y, 16, 8, 1), x)
    x = b.node('Reshape', b.node('GlobalAveragePool', x), b.constant([0, -1]))
    b.node('LogSoftmax', b.linear('classifier', b.node('Dropout', x), 8, 5), axis=1, result='y')
    return b.model({'x': ['n', 3, 14, 14]}, {'y': ['n', 5]})


def transformer():
    """Patches, then a layer of an encoder with packed queries, keys and values."""
    b, width, heads = Builder(4, 17), 24, 3
    x = b.conv('patches', 'x', 2, width, 4, strides=[4, 4])
    x = b.node('Transpose', b.node('Reshape', x, b.constant([0, width, 12])), perm=[0, 2, 1])
    x = b.node('Add', x, b.weight('position', 1, 12, width))
    y = b.layer_norm('layers.0.norm1', x, width)
    y = b.node(
        'Reshape',
        b.linear('layers.0.attention.qkv', y, width, 3 * width),
        b.constant([0, 12, 3, heads, width // heads]),
    )
    y = b.node('Transpose', y, perm=[2, 0, 3, 1, 4])
    q, k, v = (b.node('Gather', y, b.constant(i), axis=0) for i in range(3))
    s = b.node('MatMul', q, b.node('Transpose', k, perm=[0, 1, 3, 2]))
    s = b.node('Softmax', b.node('Div', s, b.constant((width / heads) ** 0.5, np.float32)), axis=-1)
    y = b.node('Reshape', b.node('Transpose', b.node('MatMul', s, v), perm=[0, 2, 1, 3]), b.constant([0, 0, width]))
    x = b.node('Add', x, b.linear('layers.0.attention.proj', y, width, width))
    y = b.linear('layers.0.mlp.fc1', b.layer_norm('layers.0.norm2', x, width), width, 2 * width)
    e = b.node('Add', b.node('Erf', b.node('Div', y, b.constant(2**0.5, np.float32))), b.constant(1, np.float32))
    y = b.node('Mul', b.node('Mul', y, e), b.constant(0.5, np.float32))
    x = b.node('Add', x, b.linear('layers.0.mlp.fc2', y, 2 * width, width))
    b.linear('head', b.node('ReduceMean', x, axes=[1], keepdims=0), width, 3)
    b.nodes[-1].output[0] = 'y'
    return b.model({'x': ['n', 2, 12, 16]}, {'y': ['n', 3]})


def keras():
    """As tf2onnx writes it: images with channels last, transposed around convolutions."""
    b = Builder(5, 13)
    prefix = 'StatefulPartitionedCall/net/'

    def conv(name, x, channels, out, **attributes):
        weight = b.weight(f'{prefix}{name}/Conv2D/ReadVariableOp:0', out, channels, 3, 3)
        bias = b.weight(f'{prefix}{name}/BiasAdd/ReadVariableOp:0', out, low=-0.5, high=0.5)
        return b.node('Conv', x, weight, bias, name=f'{prefix}{name}/Conv2D', kernel_shape=[3, 3], **attributes)

    x = b.node('Transpose', 'x:0', perm=[0, 3, 1, 2])
    x = b.node('Relu', conv('conv2d', x, 3, 6, auto_pad='SAME_UPPER', strides=[2, 2]))
    x = b.node('MaxPool', x, kernel_shape=[2, 2], strides=[2, 2])
    x = b.node('Transpose', x, perm=[0, 2, 3, 1])
    x = b.node('Pad', x, b.constant([0, 1, 1, 0, 0, 1, 1, 0]))
    x = b.node('Transpose', x, perm=[0, 3, 1, 2])
    x = b.node('Transpose', b.node('LeakyRelu', conv('conv2d_1', x, 6, 8), alpha=0.2), perm=[0, 2, 3, 1])
    y = b.node('ReduceMean', x, axes=[1, 2], keepdims=1)
    y = b.node('Sigmoid', y)
    x = b.node('Mul', x, y)
    x = b.node('Reshape', x, b.constant([-1, 4 * 5 * 8]))
    weight = b.weight(prefix + 'dense/MatMul/ReadVariableOp:0', 4 * 5 * 8, 5, low=-0.1, high=0.1)
    x = b.node('MatMul', x, weight, name=prefix + 'dense/MatMul')
    x = b.node('Add', x, b.weight(prefix + 'dense/BiasAdd/ReadVariableOp:0', 5, low=-0.5, high=0.5))
    b.node('Softmax', x, axis=-1, result='dense')
    return b.model({'x:0': ['n', 16, 20, 3]}, {'dense': ['n', 5]})


def functions():
    """As PyTorch's new exporter writes it: a module is a function."""
    b = Builder(6)
    nodes = [
        helper.make_node('Conv', ['x', 'w', 'b'], ['c'], pads=[1] * 4),
        helper.make_node('Elu', ['c'], ['y'], name='elu'),
    ]
    nodes[1].attribute.append(onnx.AttributeProto(name='alpha', ref_attr_name='slope', type=onnx.AttributeProto.FLOAT))
    block = helper.make_function(
        'modules', 'Block', ['x', 'w', 'b'], ['y'], nodes, [helper.make_opsetid('', b.opset)], ['slope']
    )
    y = 'x'
    for i, (channels, out) in enumerate(((2, 4), (4, 4))):
        b.count += 1
        name = f'blocks.{i}.conv'
        inputs = [y, b.weight(name + '.weight', out, channels, 3, 3), b.weight(name + '.bias', out, low=-0.5, high=0.5)]
        y = 'y' if i else 'first'
        b.nodes.append(helper.make_node('Block', inputs, [y], domain='modules', name=f'block_{i}', slope=0.5 + i))
    return b.model({'x': [2, 2, 7, 6]}, {'y': [2, 4, 7, 6]}, [block])


def shapes():
    """Parts that are joined and cut, and made larger; two inputs and two results."""
    b = Builder(7)
    left, right = b.node('Split', 'x', axis=1, num_outputs=2, outputs=2)
    y = b.conv('down', left, 4, 6, pads=[1] * 4)
    y = b.node(
        'InstanceNormalization',
        y,
        b.weight('norm.scale', 6, low=0.5, high=1.5),
        b.weight('norm.shift', 6, low=-1, high=1),
    )
    y = b.node('PRelu', y, b.weight('bend.slope', 6, 1, 1, low=0, high=0.5))
    up = b.conv(
        'up',
        b.node('AveragePool', y, kernel_shape=[2, 2], strides=[2, 2], count_include_pad=1, pads=[1] * 4),
        6,
        4,
        2,
        op='ConvTranspose',
        strides=[2, 2],
    )
    up = b.node('Slice', up, b.constant([1, 1]), b.constant([-1, -1]), b.constant([2, 3]))
    y = b.node('Concat', right, up, 'z', axis=1)
    y = b.node('Resize', y, '', b.constant([1, 1, 2, 2], np.float32), mode='linear')
    y = b.conv('last', y, 10, 8, 1)
    shuffled = b.node('Transpose', b.node('Reshape', y, b.constant([0, 2, 4, 12, 12])), perm=[0, 2, 1, 3, 4])
    shuffled = b.conv('shuffled', b.node('Reshape', shuffled, b.constant([0, 8, 12, 12])), 8, 8, 3, groups=2)
    b.node('DepthToSpace', b.node('Tanh', shuffled), blocksize=2, mode='CRD', result='image')
    b.node('Softplus', b.node('Flatten', b.node('GlobalMaxPool', y)), result='features')
    return b.model({'x': [2, 8, 6, 6], 'z': [2, 2, 6, 6]}, {'image': [2, 2, 20, 20], 'features': [2, 8]})


def calls():
    """Ops on tensors of any shape: no network."""
    b = Builder(8)
    s = b.node('Softmax', b.node('Transpose', 'a', perm=[1, 0, 2]), axis=0)
    p = b.node('MatMul', s, b.node('Unsqueeze', 'b', b.constant([0])))
    m = b.node('ReduceMax', p, b.constant([1]), keepdims=1)
    d = b.node('Div', b.node('Sub', p, m), b.node('Exp', b.node('Abs', 'c')))
    d = b.node(
        'Where', b.node('Greater', d, b.constant(-0.25, np.float32)), d, b.node('Neg', b.node('Sqrt', b.node('Abs', d)))
    )
    d = b.node('Pad', d, b.constant([0, 1, 0, 0, 0, 2]), mode='reflect')
    b.node('ReduceLogSumExp', b.node('Concat', d, d, axis=0), b.constant([0, 2]), keepdims=0, result='y')
    b.node('ArgMax', p, axis=1, keepdims=0, result='largest')
    model = b.model({'a': [3, 4, 5], 'b': [5, 6], 'c': [6]}, {'y': [4], 'largest': [4, 6]})
    model.graph.output[1].type.tensor_type.elem_type = TensorProto.INT64
    return model


def names():
    """Names that are none in C++, or would end a string or a comment there."""
    b = Builder(10)
    y = b.conv('Größe/"α"\\\n.class', 'for', 1, 2, pads=[1] * 4)
    y = b.node('Sigmoid', b.conv('ends*/\n}; int x', y, 2, 2), name='a "b" // c\\\nd')
    b.node('Flatten', b.node('Exp', b.node('Tanh', y), name='\u2028 exp'), result='1 result\n#error')
    return b.model({'for': [1, 1, 5, 5]}, {'1 result\n#error': [1, 18]})


def pairs():
    """Functions of two tensors, and of one that tern has no op for."""
    b = Builder(11)
    left, right = b.conv('left', 'x', 2, 6, pads=[1] * 4), b.conv('right', 'x', 2, 6, pads=[1] * 4)
    less = b.node('Sub', left, right)
    over = b.node('Div', less, b.node('Exp', b.node('Tanh', right)))
    most = b.node('Max', b.node('Min', over, left), right, less)
    y = b.node('Clip', b.conv('joined', b.node('Abs', most), 6, 4), b.constant(0, np.float32), b.constant(6, np.float32))
    b.node('Flatten', b.node('GlobalAveragePool', y), result='y')
    return b.model({'x': ['n', 2, 7, 6]}, {'y': ['n', 4]})


ALL = [names, cnn, residual, mobile, transformer, keras, functions, shapes, calls, pairs]
