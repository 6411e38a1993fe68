#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of networks of the zoo beside PyTorch and a chain of oneDNN's primitives: forward and backward passes
and SGD, in turn.

Called by ./dev bench --training, with the PyTorch and oneDNN of Debian 13. The networks are those of
bench/onnxruntime/graphs.py. Before they are timed, results of inference must agree with PyTorch's, and oneDNN's
gradients, too.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'onnxruntime'))
import graphs  # noqa: E402
from programs import channels_first, milliseconds, run, said, shown, time_of, turns  # noqa: E402

ACTIVATIONS = {
    'relu': F.relu,
    'leaky_relu': F.leaky_relu,
    'sigmoid': torch.sigmoid,
    'silu': F.silu,
    'hard_sigmoid': F.hardsigmoid,
    'hard_swish': F.hardswish,
    'gelu': F.gelu,
}
# Batches that training of each takes, and the loss: of classes, or squares.
NETWORKS = {
    'braggnn': (64, 'squares'),
    'cifar10_cnn': (64, 'classes'),
    'efficientnet_b0': (16, 'classes'),
    'mobilenet_v3_small': (16, 'classes'),
    'resnet50': (16, 'classes'),
}


# Where the line of a layer says that a relu follows.
FUSED = {'conv': 3, 'norm': 3, 'add': 4}


class Graph(graphs.Names):
    """The network of graphs.py, computed by PyTorch."""

    def __init__(self, weights, layout):
        super().__init__(weights)
        self.layout, self.training = layout, False
        self.parameters, self.statistics, self.flattened = {}, {}, {}

    def parameter(self, name, arrange=lambda w: w):
        name = self.prefix + name
        if name not in self.parameters:
            w = torch.from_numpy(np.ascontiguousarray(arrange(self.weights[name])))
            if w.ndim == 4:
                w = w.contiguous(memory_format=self.layout)
            self.parameters[name] = w.requires_grad_()
        return self.parameters[name]

    def statistic(self, name):
        name = self.prefix + name
        if name not in self.statistics:
            self.statistics[name] = torch.from_numpy(self.weights[name].copy())
        return self.statistics[name]

    def activate(self, x, act):
        return x if act is None else ACTIVATIONS[act](x)

    def conv(self, name, x, stride=1, pad=0, groups=1, act=None):
        w = self.parameter(name + '.weight', lambda w: w.transpose(3, 2, 0, 1))
        bias = self.parameter(name + '.bias') if self.has(name + '.bias') else None
        if pad == 'same':  # TensorFlow's: the odd row and column are at the end
            need = [max((-(-size // stride) - 1) * stride + kernel - size, 0)
                    for size, kernel in zip(x.shape[2:], w.shape[2:])]
            if any(n % 2 for n in need):
                x = F.pad(x, (need[1] // 2, need[1] - need[1] // 2, need[0] // 2, need[0] - need[0] // 2))
                pad = 0
            else:
                pad = [n // 2 for n in need]
        return self.activate(F.conv2d(x, w, bias, stride, pad, groups=groups), act)

    def batch_norm(self, name, x, act=None):
        mean, variance = (self.statistic(f'{name}.{part}') for part in ('mean', 'variance'))
        scale, shift = (self.parameter(f'{name}.{part}') for part in ('scale', 'shift'))
        return self.activate(F.batch_norm(x, mean, variance, scale, shift, self.training, 0.1, 1e-5), act)

    def pool(self, kind, x, kernel, stride, pad=0):
        return {'MaxPool': F.max_pool2d, 'AveragePool': F.avg_pool2d}[kind](x, kernel, stride, pad)

    def global_avg_pool(self, x):
        return x.mean((2, 3), keepdim=True)

    def flatten(self, x, channels=1, height=1, width=1):
        y = x.flatten(1)
        self.flattened[id(y)] = channels, height, width
        return y

    def dense(self, name, x, act=None):
        c, height, width = self.flattened.pop(id(x), (1, 1, 1))

        def arrange(w):
            w = w.reshape(w.shape[-2:])
            if height * width > 1:  # rows in the order of an image with channels first
                w = w.reshape(height, width, c, -1).transpose(2, 0, 1, 3).reshape(w.shape)
            return w.T

        bias = self.parameter(name + '.bias') if self.has(name + '.bias') else None
        return self.activate(F.linear(x, self.parameter(name + '.weight', arrange), bias), act)

    def reshape(self, x, *shape):
        return x.reshape([x.shape[i] if s == 0 else s for i, s in enumerate(shape)])

    def transpose(self, x, *order):
        return x.permute(order)

    def add(self, x, y):
        return x + y

    def node(self, kind, inputs, **attributes):
        if kind == 'Mul':
            return inputs[0] * inputs[1]
        if kind == 'MatMul':
            return inputs[0] @ inputs[1]
        if kind == 'Softmax':
            return F.softmax(inputs[0], attributes['axis'])
        if kind == 'Concat':
            return torch.cat(inputs, attributes['axis'])
        raise NotImplementedError(kind)


class Chain(graphs.Names):
    """The network of graphs.py, as lines for onednn_steps: a layer, its result, its inputs, and numbers."""

    def __init__(self, weights, batch):
        super().__init__(weights)
        self.batch, self.lines, self.order, self.shapes = batch, [], {}, {}

    def line(self, layer, shape, *words):
        y = f'v{len(self.lines)}'
        self.shapes[y] = shape
        self.lines.append([layer, y, *words])
        return y

    def takes(self, name, arrange=lambda w: w):
        name = self.prefix + name
        self.order[name] = np.ascontiguousarray(arrange(self.weights[name]))
        return self.order[name].shape

    def bias(self, name):
        has = self.has(name + '.bias')
        if has:
            self.takes(name + '.bias')
        return int(has)

    def activate(self, x, act):
        if act is None:
            return x
        last = self.lines[-1]
        if act == 'relu' and last[0] in ('conv', 'norm', 'add') and last[1] == x:
            last[FUSED[last[0]]] = 1
            return x
        return self.line('activate', self.shapes[x], x, act)

    def window(self, x, kernel, stride, pad):
        """The extents of the result, and the padding before and after the input."""
        before, after, sizes = [], [], []
        for size, k in zip(self.shapes[x][1:], kernel):
            whole = max((-(-size // stride) - 1) * stride + k - size, 0) if pad == 'same' else 2 * pad
            before.append(whole // 2)
            after.append(whole - whole // 2)
            sizes.append((size + whole - k) // stride + 1)
        return sizes, (stride, stride, *before, *after)

    def conv(self, name, x, stride=1, pad=0, groups=1, act=None):
        def arrange(w):
            w = w.transpose(3, 2, 0, 1)
            return w.reshape(groups, w.shape[0] // groups, *w.shape[1:]) if groups > 1 else w

        w = self.takes(name + '.weight', arrange)
        channels = w[0] * w[1] if groups > 1 else w[0]
        sizes, window = self.window(x, w[-2:], stride, pad)
        shape = (channels, *sizes)
        y = self.line('conv', shape, x, 0, self.bias(name), len(w), *w, self.batch, *shape, *window)
        return self.activate(y, act)

    def batch_norm(self, name, x, act=None):
        self.takes(name + '.scale')
        self.takes(name + '.shift')
        return self.activate(self.line('norm', self.shapes[x], x, 0), act)

    def pool(self, kind, x, kernel, stride, pad=0):
        sizes, window = self.window(x, (kernel, kernel), stride, pad)
        shape = (self.shapes[x][0], *sizes)
        return self.line('pool', shape, x, int(kind == 'MaxPool'), self.batch, *shape, kernel, kernel, *window)

    def global_avg_pool(self, x):
        channels, *sizes = self.shapes[x]
        return self.line('pool', (channels, 1, 1), x, 0, self.batch, channels, 1, 1, *sizes, 1, 1, 0, 0, 0, 0)

    def flatten(self, x, channels=1, height=1, width=1):
        return x

    def dense(self, name, x, act=None):
        channels, *sizes = self.shapes[x]

        def arrange(w):
            w = w.reshape(*sizes, channels, -1)
            return np.moveaxis(w, (-1, -2), (0, 1))

        w = self.takes(name + '.weight', arrange)
        return self.activate(self.line('dense', w[:1], x, w[0], np.prod(w[1:]), self.bias(name)), act)

    def add(self, x, y):
        return self.line('add', self.shapes[x], x, y, 0)

    def node(self, kind, inputs, **attributes):
        if kind == 'Mul':
            return self.line('scale', self.shapes[inputs[0]], *inputs)
        raise NotImplementedError(kind)


class Peer:
    """A network as PyTorch trains it, with the weights and the samples of the zoo program."""

    def __init__(self, name, weights, samples, target, layout):
        self.target, self.define = target, graphs.NETWORKS[name]
        self.graph = Graph(weights, layout)
        self.x = torch.from_numpy(channels_first(samples['input.0'])).contiguous(memory_format=layout)
        with torch.no_grad():
            y = self.forward()
        wanted = torch.from_numpy(channels_first(samples['result.0'])).reshape(y.shape)
        self.difference = float((y - wanted).abs().max() / wanted.abs().max())
        self.graph.training = True
        self.loss = F.cross_entropy if NETWORKS[name][1] == 'classes' else lambda y, t: ((y - t) ** 2).sum()
        self.optimizer = torch.optim.SGD(self.graph.parameters.values(), lr=1e-4)

    def forward(self):
        return self.define(self.graph, self.x, self.x.shape[1:])

    def backward(self):
        self.optimizer.zero_grad()
        self.loss(self.forward(), self.target).backward()

    def gradients(self):
        self.backward()
        return {name: p.grad.contiguous().numpy().ravel().copy() for name, p in self.graph.parameters.items()}

    def step(self):
        self.backward()
        self.optimizer.step()


def difference(these, those):
    """The median over tensors of the root mean square of the difference, relative to that of the tensor."""
    def rms(v):
        return np.sqrt(np.mean(np.square(v, dtype=np.float64)))

    return statistics.median(float(rms(these[name] - those[name]) / rms(those[name])) for name in those)


class Primitives:
    """The same network as a chain of oneDNN's primitives, which onednn_steps trains."""
    layout = 'blocks'

    def __init__(self, name, program, folder, weights, samples, classes):
        self.program, self.folder = program, folder
        x = channels_first(samples['input.0'])
        chain = Chain(weights, len(x))
        result = graphs.NETWORKS[name](chain, chain.line('input', x.shape[1:], *x.shape), x.shape[1:])
        chain.line('result', chain.shapes[result], result)
        (folder / 'network').write_text('\n'.join(' '.join(map(str, line)) for line in chain.lines) + '\n')
        self.order = chain.order
        np.concatenate([w.ravel() for w in chain.order.values()]).tofile(folder / 'weights')
        x.tofile(folder / 'samples')
        np.asarray(classes, np.int32).tofile(folder / 'classes')

    def gradients(self):
        self.run(0)
        all_of_them, split = np.fromfile(self.folder / 'gradients', np.float32), {}
        for name, w in self.order.items():
            split[name], all_of_them = all_of_them[:w.size], all_of_them[w.size:]
        return split

    def time(self, steps, threads):
        return float(re.search(r'step ([0-9.]+) ms', self.run(steps, threads))[1])

    def run(self, steps, threads=1):
        done = subprocess.run([self.program, self.folder, self.layout, str(steps)], capture_output=True, text=True,
                              check=False, env={**os.environ, 'OMP_NUM_THREADS': str(threads)})
        if done.returncode:
            sys.exit(done.stderr.strip() or f'onednn_steps: {done.returncode}')
        return done.stdout


class Network:
    """A network of the zoo, and its peers: PyTorch in the faster layout, and oneDNN if it has all layers."""

    def __init__(self, name, program, onednn, batch, folder):
        self.name, self.program, self.batch = name, program, batch
        run(program, '--inference', '--steps', 1, '--batch', batch, '--save', folder / 'zoo', '--samples',
            folder / 'made')
        weights, made = load_file(folder / 'zoo'), load_file(folder / 'made')
        results = made['result.0'].reshape(batch, -1).shape
        target = torch.randint(results[1], (batch,)) if NETWORKS[name][1] == 'classes' else torch.randn(results)
        peers = {}
        for text, layout in (('channels first', torch.contiguous_format), ('channels last', torch.channels_last)):
            peers[text] = peer = Peer(name, weights, made, target, layout)
            if not peer.difference < 1e-4:
                sys.exit(f'{name}: results of inference differ from PyTorch by {peer.difference:.1e}')
        self.chain = None
        if onednn and NETWORKS[name][1] == 'classes':
            self.chain = Primitives(name, onednn, folder, weights, made, target)
            times = {}
            for self.chain.layout in ('channels_last', 'blocks'):
                times[self.chain.layout] = self.chain.time(2, 1)
            self.chain.layout = min(times, key=times.get)
            # Deep networks of relus amplify roundings, in the two layouts of PyTorch as much.
            first, last = (peer.gradients() for peer in peers.values())
            apart, own = difference(self.chain.gradients(), first), difference(last, first)
            if not apart < max(1e-3, 3 * own):
                sys.exit(f'{name}: gradients of oneDNN differ from PyTorch by {apart:.1e}, its layouts by {own:.1e}')
        took = {}
        for text, peer in peers.items():
            peer.step()
            took[text] = milliseconds(peer.step, 2)
        self.layout = min(took, key=took.get)
        self.peer, self.took = peers[self.layout], took[self.layout]

    def layouts(self):
        return [self.layout, self.chain.layout.replace('_', ' ')] if self.chain else [self.layout]

    def in_turn(self, threads, rounds, seconds):
        """Milliseconds of a step of tern, PyTorch and oneDNN, sorted."""
        count = max(3, min(200, int(1e3 * seconds / self.took)))
        return turns(
            rounds,
            lambda: time_of('step', self.program, '--steps', count, '--batch', self.batch, '--threads', threads),
            lambda: milliseconds(self.peer.step, count),
            self.chain and (lambda: self.chain.time(count, threads)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('programs', type=pathlib.Path, help='the folder of the zoo programs')
    parser.add_argument('names', nargs='+', help=f'networks of {" ".join(NETWORKS)}')
    parser.add_argument('--onednn', type=pathlib.Path, help='the program onednn_steps')
    parser.add_argument('--batch', type=int, help='samples of a step; by default 64 of small networks, 16 of others')
    parser.add_argument('--threads', type=int, nargs='+', default=[1])
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=float, default=1, help='of a turn')
    parser.add_argument('--json', type=pathlib.Path, help='writes the times')
    options = parser.parse_args()
    unknown = [n for n in options.names if n not in NETWORKS]
    if unknown:
        parser.error(f'no training of {" ".join(unknown)}: there are {" ".join(NETWORKS)}')
    rows = []
    print(f'PyTorch {torch.__version__}; medians of {options.rounds} turns each, milliseconds, lowest and highest')
    print(f'{"network":20s} batch threads  {"tern":>28s}  {"PyTorch":>28s}  {"oneDNN":>28s}  ratios')
    for name in options.names:
        batch = options.batch or NETWORKS[name][0]
        for threads in options.threads:
            torch.set_num_threads(threads)
            with tempfile.TemporaryDirectory() as folder:
                network = Network(name, options.programs / f'zoo_{name}', options.onednn, batch, pathlib.Path(folder))
                mine, theirs, primitives = network.in_turn(threads, options.rounds, options.seconds)
            rows.append(dict(network=name, batch=batch, threads=threads, tern=mine, pytorch=theirs, onednn=primitives,
                             layout=network.layout))
            ratios = [f'{statistics.median(t) / statistics.median(mine):.2f}x' for t in (theirs, primitives) if t]
            said.erase()
            print(f'{name:20s} {batch:5d} {threads:7d}  {shown(mine):>28s}  {shown(theirs):>28s}  '
                  f'{shown(primitives) if primitives else "-":>28s}  {" ".join(ratios)}, '
                  f'{", ".join(network.layouts())}', flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + '\n')


if __name__ == '__main__':
    main()
