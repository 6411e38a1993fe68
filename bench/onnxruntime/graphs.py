# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of the zoo as ONNX models, written a second time, with the weights of a file that a zoo program wrote.

A model takes and returns images with channels first, as ONNX has them.
"""
import contextlib

import numpy as np
from onnx import TensorProto, helper, numpy_helper

ACTIVATIONS = {
    'relu': ('Relu', {}),
    'leaky_relu': ('LeakyRelu', {'alpha': 0.01}),
    'sigmoid': ('Sigmoid', {}),
    'hard_sigmoid': ('HardSigmoid', {'alpha': 1 / 6, 'beta': 0.5}),
    'hard_swish': ('HardSwish', {}),
    'gelu': ('Gelu', {}),
}
OPSET = 21  # the first with scales per channel in group norms


class Names:
    """Names of weights, which are those of the zoo's header."""

    def __init__(self, weights):
        self.weights, self.prefix = weights, ''

    @contextlib.contextmanager
    def inside(self, name, number=None):
        before = self.prefix
        self.prefix += name + '.' + ('' if number is None else f'{number}.')
        yield
        self.prefix = before

    def has(self, name):
        return self.prefix + name in self.weights


class Graph(Names):
    """Adds nodes to a model."""

    def __init__(self, weights):
        super().__init__(weights)
        self.used = set()
        self.nodes, self.constants, self.values = [], [], 0
        self.flattened = {}  # images that became features: their channels, height and width
        self.depth = 0.0  # the sum of sqrt(products) over layers, for the tolerance

    def node(self, kind, inputs, **attributes):
        self.values += 1
        result = f'v{self.values}'
        self.nodes.append(helper.make_node(kind, inputs, [result], **attributes))
        return result

    def constant(self, array):
        self.values += 1
        name = f'c{self.values}'
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def weight(self, name):
        name = self.prefix + name
        self.used.add(name)
        return self.weights[name]

    def activate(self, x, act):
        if act is None:
            return x
        if act == 'silu':
            return self.node('Mul', [x, self.node('Sigmoid', [x])])
        kind, attributes = ACTIVATIONS[act]
        return self.node(kind, [x], **attributes)

    def conv(self, name, x, stride=1, pad=0, groups=1, act=None, transposed=False):
        """A convolution, or a transposed one; `pad` is a number, the crop of a transposed one, or 'same'."""
        w = self.weight(name + '.weight')  # (height, width, in, out)
        inputs = [x, self.constant(w.transpose(3, 2, 0, 1))]
        if self.has(name + '.bias'):
            inputs.append(self.constant(self.weight(name + '.bias')))
        self.depth += np.sqrt(w.shape[0] * w.shape[1] * w.shape[3 if transposed else 2])
        pads = {'auto_pad': 'SAME_UPPER'} if pad == 'same' else {'pads': [pad] * 4}
        y = self.node('ConvTranspose' if transposed else 'Conv', inputs, kernel_shape=w.shape[:2],
                      strides=[stride] * 2, group=groups, **pads)
        return self.activate(y, act)

    def batch_norm(self, name, x, act=None):
        inputs = [self.constant(self.weight(f'{name}.{part}')) for part in ('scale', 'shift', 'mean', 'variance')]
        return self.activate(self.node('BatchNormalization', [x, *inputs], epsilon=1e-5), act)

    def group_norm(self, name, x, groups, act=None):
        inputs = [self.constant(self.weight(f'{name}.{part}')) for part in ('scale', 'shift')]
        return self.activate(self.node('GroupNormalization', [x, *inputs], num_groups=groups, epsilon=1e-5), act)

    def layer_norm(self, name, x):
        """Over the last axis."""
        inputs = [self.constant(self.weight(f'{name}.{part}')) for part in ('scale', 'shift')]
        return self.node('LayerNormalization', [x, *inputs], axis=-1, epsilon=1e-5)

    def pool(self, kind, x, kernel, stride, pad=0):
        pads = {'auto_pad': 'SAME_UPPER'} if pad == 'same' else {'pads': [pad] * 4}
        return self.node(kind, [x], kernel_shape=[kernel] * 2, strides=[stride] * 2, **pads)

    def global_avg_pool(self, x):
        return self.node('GlobalAveragePool', [x])

    def flatten(self, x, channels=1, height=1, width=1):
        y = self.node('Flatten', [x])
        self.flattened[y] = channels, height, width
        return y

    def dense(self, name, x, act=None):
        """A dense layer, at every position of (n, positions, channels); of an image that was flattened the rows of the
        weights are put in the order of its channels."""
        w = self.weight(name + '.weight')
        w = w.reshape(w.shape[-2:])  # of a convolution of one element, too
        self.depth += np.sqrt(w.shape[0])
        if x in self.flattened:
            c, height, width = self.flattened[x]
            if height * width > 1:
                w = w.reshape(height, width, c, -1).transpose(2, 0, 1, 3).reshape(w.shape)
        y = self.node('MatMul', [x, self.constant(w)])
        if self.has(name + '.bias'):
            y = self.node('Add', [y, self.constant(self.weight(name + '.bias'))])
        return self.activate(y, act)

    def reshape(self, x, *shape):
        return self.node('Reshape', [x, self.constant(np.array(shape, np.int64))])

    def transpose(self, x, *order):
        return self.node('Transpose', [x], perm=order)

    def add(self, x, y):
        return self.node('Add', [x, y])

    def model(self, result, input_shape):
        left = set(self.weights) - self.used
        if left:
            raise ValueError(f'weights that the ONNX model does not use: {sorted(left)[:8]}')
        graph = helper.make_graph(
            self.nodes, 'zoo', [helper.make_tensor_value_info('x', TensorProto.FLOAT, ['n', *input_shape])],
            [helper.make_tensor_value_info(result, TensorProto.FLOAT, None)], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', OPSET)])
        model.ir_version = 10
        return model


def resnet50(g, x, shape):
    def bottleneck(x, stride):
        y = g.batch_norm('bn1', g.conv('conv1', x), 'relu')
        y = g.batch_norm('bn2', g.conv('conv2', y, stride, pad=1), 'relu')
        y = g.batch_norm('bn3', g.conv('conv3', y))
        if g.has('downsample.0.weight'):
            x = g.batch_norm('downsample.1', g.conv('downsample.0', x, stride))
        return g.activate(g.add(y, x), 'relu')

    x = g.batch_norm('bn1', g.conv('conv1', x, 2, pad=3), 'relu')
    x = g.pool('MaxPool', x, 3, 2, pad=1)
    for stage, blocks in enumerate((3, 4, 6, 3), 1):
        for i in range(blocks):
            with g.inside(f'layer{stage}', i):
                x = bottleneck(x, 2 if i == 0 and stage > 1 else 1)
    return g.dense('fc', g.flatten(g.global_avg_pool(x)))


def resnext101(g, x, shape):
    def norm(name, x, act=None):
        return g.group_norm(name, x, 32, act)

    def bottleneck(x, stride):
        y = norm('norm1', g.conv('conv1', x), 'relu')
        y = norm('norm2', g.conv('conv2', y, stride, 'same', groups=32), 'relu')
        y = norm('norm3', g.conv('conv3', y))
        if g.has('shortcut.conv.weight'):
            with g.inside('shortcut'):
                x = norm('norm', g.conv('conv', x, stride))
        return g.activate(g.add(y, x), 'relu')

    x = norm('stem_norm', g.conv('stem', x, 2, 'same'), 'relu')
    x = g.pool('MaxPool', x, 3, 2, 'same')
    for stage, blocks in enumerate((3, 4, 23, 3), 1):
        for i in range(blocks):
            with g.inside(f'stage{stage}', i):
                x = bottleneck(x, 2 if i == 0 and stage > 1 else 1)
    return g.dense('classifier', g.flatten(g.global_avg_pool(x)))


def mobilenet(blocks):
    def define(g, x, shape):
        x, channels = g.batch_norm('stem_norm', g.conv('stem', x, 2, pad=1), 'hard_swish'), 16
        for i, (kernel, expanded, out, squeezes, act, stride) in enumerate(blocks):
            with g.inside('blocks', i):
                y = x
                if expanded != channels:
                    y = g.batch_norm('expand_norm', g.conv('expand', y), act)
                y = g.conv('depthwise', y, stride, kernel // 2, groups=expanded)
                y = g.batch_norm('depthwise_norm', y, act)
                if squeezes:
                    with g.inside('se'):
                        s = g.conv('fc1', g.global_avg_pool(y), act='relu')
                        y = g.node('Mul', [y, g.conv('fc2', s, act='hard_sigmoid')])
                y = g.batch_norm('project_norm', g.conv('project', y))
                x, channels = (g.add(x, y) if stride == 1 and out == channels else y), out
        x = g.batch_norm('last_norm', g.conv('last', x), 'hard_swish')
        x = g.dense('head', g.flatten(g.global_avg_pool(x)), 'hard_swish')
        return g.dense('classifier', x)

    return define


def efficientnet_b0(g, x, shape):
    def block(x, expansion, channels, out, kernel, stride):
        y, expanded = x, channels * expansion
        if expansion > 1:
            y = g.batch_norm('expand_norm', g.conv('expand', y), 'silu')
        y = g.batch_norm('depthwise_norm', g.conv('depthwise', y, stride, 'same', groups=expanded), 'silu')
        with g.inside('se'):
            s = g.conv('reduce', g.global_avg_pool(y), act='silu')
            y = g.node('Mul', [y, g.conv('expand', s, act='sigmoid')])
        y = g.batch_norm('project_norm', g.conv('project', y))
        return g.add(x, y) if stride == 1 and out == channels else y

    x, channels, number = g.batch_norm('stem_norm', g.conv('stem', x, 2, 'same'), 'silu'), 32, 0
    for expansion, out, repeats, stride, kernel in ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5),
                                                    (6, 80, 3, 2, 3), (6, 112, 3, 1, 5), (6, 192, 4, 2, 5),
                                                    (6, 320, 1, 1, 3)):
        for i in range(repeats):
            with g.inside('blocks', number):
                x = block(x, expansion, channels, out, kernel, stride if i == 0 else 1)
            channels, number = out, number + 1
    x = g.batch_norm('top_norm', g.conv('top', x), 'silu')
    return g.dense('classifier', g.flatten(g.global_avg_pool(x)))


def densenet201(g, x, shape):
    def norm(name, x):
        return g.batch_norm(name, x, 'relu')

    x = norm('norm0', g.conv('conv0', x, 2, pad=3))
    x = g.pool('MaxPool', x, 3, 2, pad=1)
    for b, layers in enumerate((6, 12, 48, 32), 1):
        for i in range(layers):
            with g.inside(f'denseblock{b}', i):
                y = g.conv('conv1', norm('norm1', x))
                y = g.conv('conv2', norm('norm2', y), pad=1)
                x = g.node('Concat', [x, y], axis=1)
        if b < 4:
            with g.inside(f'transition{b}'):
                x = g.pool('AveragePool', g.conv('conv', norm('norm', x)), 2, 2)
    return g.dense('classifier', g.flatten(g.global_avg_pool(norm('norm5', x))))


def unet(g, x, shape):
    def two(x):
        return g.conv('conv2', g.conv('conv1', x, act='relu'), act='relu')

    side, left = shape[1], []
    for d in range(4):
        with g.inside('down', d):
            x, side = two(x), side - 4
        left.append((x, side))
        x, side = g.pool('MaxPool', x, 2, 2), side // 2
    with g.inside('bottom'):
        x, side = two(x), side - 4
    for d in reversed(range(4)):
        with g.inside('up', d):
            x, side = g.conv('widen', x, 2, act='relu', transposed=True), 2 * side
            before, wide = left[d]
            first = (wide - side) // 2
            middle = g.node('Slice', [before, *(g.constant(np.array(v, np.int64)) for v in
                                                ([first] * 2, [first + side] * 2, [2, 3]))])
            x, side = two(g.node('Concat', [middle, x], axis=1)), side - 4
    return g.conv('classes', x)


def vit_b16(g, x, shape):
    width, heads = 768, 12
    positions = (shape[1] // 16) * (shape[2] // 16)

    def apart(x):
        return g.transpose(g.reshape(x, 0, 0, heads, width // heads), 0, 2, 1, 3)

    x = g.transpose(g.reshape(g.conv('patches', x, 16), 0, width, positions), 0, 2, 1)
    ones = g.node('Shape', [x], end=1)
    token = g.constant(g.weight('class.token').reshape(1, 1, width))
    token = g.node('Expand', [token, g.node('Concat', [ones, g.constant(np.array([1, width], np.int64))], axis=0)])
    x = g.node('Concat', [token, x], axis=1)
    x = g.add(x, g.constant(g.weight('position.bias').reshape(1, positions + 1, width)))
    for i in range(12):
        with g.inside('layers', i):
            y = g.layer_norm('norm1', x)
            q, k, v = (apart(g.dense(name, y)) for name in ('query', 'key', 'value'))
            q = g.node('Mul', [q, g.constant(np.float32((width // heads) ** -0.5))])
            y = g.node('MatMul', [g.node('Softmax', [g.node('MatMul', [q, g.transpose(k, 0, 1, 3, 2)])], axis=-1), v])
            y = g.dense('project', g.reshape(g.transpose(y, 0, 2, 1, 3), 0, 0, width))
            x = g.add(x, y)
            x = g.add(x, g.dense('mlp2', g.dense('mlp1', g.layer_norm('norm2', x), 'gelu')))
    first = g.node('Gather', [x, g.constant(np.array(0, np.int64))], axis=1)
    return g.dense('head', g.layer_norm('norm', first))


def braggnn(g, x, shape):
    x = g.conv('0', x)
    with g.inside('1.0'):
        q, k, v = (g.reshape(g.conv(f'0.{i}', x), 0, 32, 81) for i in range(3))
        looks = g.node('Softmax', [g.node('MatMul', [g.transpose(q, 0, 2, 1), k])], axis=-1)
        seen = g.transpose(g.node('MatMul', [looks, g.transpose(v, 0, 2, 1)]), 0, 2, 1)
        x = g.add(x, g.conv('1', g.reshape(seen, 0, 32, 9, 9)))
    x = g.activate(x, 'leaky_relu')
    x = g.conv('4', g.conv('3', x, act='leaky_relu'), act='leaky_relu')
    x = g.flatten(x, 8, 5, 5)
    for layer in range(6, 11):
        x = g.dense(str(layer), x, 'leaky_relu' if layer < 10 else None)
    return x


def cifar10_cnn(g, x, shape):
    for i in range(2):
        with g.inside('stages', i):
            x = g.conv('conv2', g.conv('conv1', x, pad='same', act='relu'), act='relu')
            x = g.pool('MaxPool', x, 2, 2)
    return g.dense('classes', g.dense('dense', g.flatten(x, 32, 6, 6), 'relu'))


def cookienetae(g, x, shape):
    for i in range(4):
        with g.inside('encoder', i):
            x = g.conv('conv', x, pad=1, act='relu')
            if i < 3:
                x = g.pool('MaxPool', x, 2, 2)
    for i in range(3):
        with g.inside('decoder', i):
            x = g.conv('widen', x, 2, act='relu', transposed=True)
    x = g.conv('smooth', x, pad=1, act='relu', transposed=True)
    return g.conv('image', x, pad=1, act='relu')


SMALL = [(3, 16, 16, 1, 'relu', 2), (3, 72, 24, 0, 'relu', 2), (3, 88, 24, 0, 'relu', 1)] + [
    (5, e, o, 1, 'hard_swish', s) for e, o, s in ((96, 40, 2), (240, 40, 1), (240, 40, 1), (120, 48, 1), (144, 48, 1),
                                                  (288, 96, 2), (576, 96, 1), (576, 96, 1))]
LARGE = [(3, 16, 16, 0, 'relu', 1), (3, 64, 24, 0, 'relu', 2), (3, 72, 24, 0, 'relu', 1), (5, 72, 40, 1, 'relu', 2),
         (5, 120, 40, 1, 'relu', 1), (5, 120, 40, 1, 'relu', 1), (3, 240, 80, 0, 'hard_swish', 2),
         (3, 200, 80, 0, 'hard_swish', 1), (3, 184, 80, 0, 'hard_swish', 1), (3, 184, 80, 0, 'hard_swish', 1),
         (3, 480, 112, 1, 'hard_swish', 1), (3, 672, 112, 1, 'hard_swish', 1), (5, 672, 160, 1, 'hard_swish', 2),
         (5, 960, 160, 1, 'hard_swish', 1), (5, 960, 160, 1, 'hard_swish', 1)]

NETWORKS = {
    'braggnn': braggnn,
    'cifar10_cnn': cifar10_cnn,
    'cookienetae': cookienetae,
    'densenet201': densenet201,
    'efficientnet_b0': efficientnet_b0,
    'mobilenet_v3_large': mobilenet(LARGE),
    'mobilenet_v3_small': mobilenet(SMALL),
    'resnet50': resnet50,
    'resnext101': resnext101,
    'unet': unet,
    'vit_b16': vit_b16,
}

# Programs that run one of these another way, and what errors grow by: Winograd's algorithm loses three bits of those of a
# direct convolution (docs/numerics.md, relaxed).
VARIANTS = {'resnet50_relaxed': ('resnet50', 10), 'unet_188': ('unet', 1), 'unet_188_relaxed': ('unet', 10)}


def model_of(name, weights, input_shape):
    """The model, and the error that its arithmetic allows relative to the largest result.

    \\param input_shape  channels, height, width
    """
    network, growth = VARIANTS.get(name, (name, 1))
    g = Graph(weights)
    result = NETWORKS[network](g, 'x', input_shape)
    return g.model(result, input_shape), growth * g.depth * 2.0**-24
