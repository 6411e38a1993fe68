#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of networks of the zoo beside PyTorch: forward and backward passes and SGD, in turn.

Called by ./dev bench --training, with the PyTorch of Debian 13. The networks are those of bench/onnxruntime/graphs.py.
Before they are timed, results of inference must agree.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'onnxruntime'))
import graphs  # noqa: E402
from programs import channels_first, milliseconds, run, shown, time_of, turns  # noqa: E402

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


class Graph(graphs.Names):
    """What graphs.py asks for, computed by PyTorch."""

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


class Peer:
    """A network as PyTorch trains it, with the weights and the samples of the zoo program."""

    def __init__(self, name, program, batch, layout):
        self.define = graphs.NETWORKS[name]
        with tempfile.TemporaryDirectory() as folder:
            weights, made = (pathlib.Path(folder) / f'{what}.safetensors' for what in ('weights', 'samples'))
            run(program, '--inference', '--steps', 1, '--batch', batch, '--save', weights, '--samples', made)
            of_samples = load_file(made)
            self.graph = Graph(load_file(weights), layout)
        x = torch.from_numpy(channels_first(of_samples['input.0']))
        self.x = x.contiguous(memory_format=layout)
        with torch.no_grad():
            y = self.forward()
        wanted = torch.from_numpy(channels_first(of_samples['result.0'])).reshape(y.shape)
        self.difference = float((y - wanted).abs().max() / wanted.abs().max())
        self.graph.training = True
        squares = NETWORKS[name][1] == 'squares'
        self.target = torch.randn(y.shape) if squares else torch.randint(y.shape[1], (batch,))
        self.loss = (lambda y, t: ((y - t) ** 2).sum()) if squares else F.cross_entropy
        self.optimizer = torch.optim.SGD(self.graph.parameters.values(), lr=1e-4)

    def forward(self):
        return self.define(self.graph, self.x, self.x.shape[1:])

    def step(self):
        self.optimizer.zero_grad()
        self.loss(self.forward(), self.target).backward()
        self.optimizer.step()


def in_turn(name, program, batch, threads, rounds, seconds):
    torch.set_num_threads(threads)
    peers = {}
    for text, layout in (('channels first', torch.contiguous_format), ('channels last', torch.channels_last)):
        peer = Peer(name, program, batch, layout)
        if not peer.difference < 1e-4:
            sys.exit(f'{name}: results of inference differ from PyTorch by {peer.difference:.1e}')
        peer.step()
        peers[text] = peer, milliseconds(peer.step, 2)
    best = min(peers, key=lambda text: peers[text][1])
    peer, took = peers[best]

    def ours(steps):
        return time_of('step', program, '--steps', steps, '--batch', batch, '--threads', threads)

    return *turns(ours, peer.step, max(3, min(200, int(1e3 * seconds / took))), rounds), best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('programs', type=pathlib.Path, help='the folder of the zoo programs')
    parser.add_argument('names', nargs='+', help=f'networks of {" ".join(NETWORKS)}')
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
    print(f'{"network":20s} batch threads  {"tern":>28s}  {"PyTorch":>28s}  ratio')
    for name in options.names:
        batch = options.batch or NETWORKS[name][0]
        for threads in options.threads:
            mine, theirs, layout = in_turn(name, options.programs / f'zoo_{name}', batch, threads, options.rounds,
                                           options.seconds)
            rows.append(dict(network=name, batch=batch, threads=threads, tern=mine, pytorch=theirs, layout=layout))
            print(f'{name:20s} {batch:5d} {threads:7d}  {shown(mine):>28s}  {shown(theirs):>28s}  '
                  f'{statistics.median(theirs) / statistics.median(mine):.2f}x, {layout}', flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + '\n')


if __name__ == '__main__':
    main()
