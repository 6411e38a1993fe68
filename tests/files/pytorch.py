#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of PyTorch, whose state dicts tern loads: both give the same results, and tern's files load in PyTorch.

usage: pytorch.py <the program files_pytorch>

Not run by the tests: needs PyTorch and its safetensors library. Exits with 1 where results differ.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import load_file, save_file

PAGE = pathlib.Path(__file__).parents[2] / 'docs/pytorch.md'


class Encoder(torch.nn.Module):
    """Groups, a PReLU, norms of flattened features, features that become an image, a transposed convolution."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 6, 3, stride=2, groups=3, padding=1)
        self.act = torch.nn.PReLU(6)
        self.norm = torch.nn.BatchNorm1d(6 * 4 * 5)
        self.dense = torch.nn.Linear(6 * 4 * 5, 24)
        self.norm2 = torch.nn.BatchNorm1d(24)
        self.up = torch.nn.ConvTranspose2d(4, 6, (2, 3), stride=2, groups=2, output_padding=(1, 0))

    def forward(self, x):
        x = self.norm(self.act(self.conv(x)).flatten(1))
        x = torch.relu(self.norm2(self.dense(x))).reshape(-1, 4, 2, 3)
        return self.up(x)


def page_network():
    """The network of docs/pytorch.md."""
    code = re.search(r'```python\n(.*?)```', PAGE.read_text(encoding='utf-8'), re.DOTALL)[1]
    names = {}
    exec(code.split('model = ')[0], names)  # pylint: disable=exec-used
    return names['Digits']()


def as_if_trained(model, random):
    for tensor in [*model.parameters(), *model.buffers()]:
        if tensor.dtype == torch.float32:
            tensor.data.copy_(torch.rand(tensor.shape, generator=random) * 2 - 1)
    for name, tensor in model.named_buffers():
        if name.endswith('running_var'):
            tensor.add_(1.5)


def channels_last(x):
    return x.movedim(1, -1).contiguous()


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    random = torch.Generator().manual_seed(1)
    for name, make, shape in [('digits', page_network, (1, 28, 28)), ('encoder', Encoder, (3, 8, 10))]:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            model = make()
            as_if_trained(model, random)
            model = model.half()
            save_file(model.state_dict(), 'half.safetensors')
            model = model.float().eval()
            save_file(model.state_dict(), 'float.safetensors')
            x = torch.rand((2, *shape), generator=random)
            y = model(x).detach()
            save_file({'x': channels_last(x), 'y': channels_last(y)}, 'samples.safetensors')
            if subprocess.run([program, name], check=False).returncode != 0:
                sys.exit(f'{name}: other results than PyTorch {torch.__version__}')
            back = make()
            back.load_state_dict(load_file('written.safetensors'))
            if not torch.equal(back.eval()(x), y):
                sys.exit(f'{name}: a file of tern gives PyTorch other results')
            os.chdir('/')


if __name__ == '__main__':
    main()
