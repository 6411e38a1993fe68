#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of the zoo beside onnxruntime: whether their results agree, and how long they take.

Called by ./dev zoo --all and ./dev bench --networks.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

import numpy as np
import onnxruntime
from safetensors.numpy import load_file, save_file

import graphs
from programs import channels_first, milliseconds, run, said, shown, time_of, turns


def session(model, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])


def vary(tensors, seed):
    """Replaces the initial zeros and ones of norms and biases by numbers like trained ones."""
    random = np.random.default_rng(seed)
    for name, values in tensors.items():
        part = name.rsplit('.', 1)[-1]
        if part in ('scale', 'variance'):
            values[...] = random.uniform(0.5, 1.5, values.shape)
        elif part in ('shift', 'bias', 'mean'):
            values[...] = random.uniform(-0.1, 0.1, values.shape)


def agrees(name, program, size, samples):
    """Runs the zoo program and onnxruntime with the same weights and samples. Returns their largest difference relative
    to the largest result, what the arithmetic allows, and the model."""
    with tempfile.TemporaryDirectory() as folder:
        weights, made = (pathlib.Path(folder) / f'{what}.safetensors' for what in ('weights', 'samples'))
        at_size = [*size, '--inference', '--steps', 1, '--batch', samples]
        run(program, *at_size, '--save', weights)
        tensors = load_file(weights)
        vary(tensors, 1)
        save_file(tensors, weights)
        run(program, *at_size, '--load', weights, '--samples', made)
        of_samples = load_file(made)
    x = channels_first(of_samples['input.0'])
    parameters = {k: v for k, v in tensors.items() if not k.startswith('trainer.')}
    model, allowed = graphs.model_of(name, parameters, x.shape[1:])
    theirs = session(model, 1).run(None, {'x': x})[0]
    ours = channels_first(of_samples['result.0']).reshape(theirs.shape)
    return float(np.abs(ours - theirs).max() / np.abs(theirs).max()), allowed, model, x.shape[1:]


def check(names, programs):
    wrong = []
    for name in names:
        difference, allowed, *_ = agrees(name, programs / f'zoo_{name}', ['--reduced'], 2)
        said.erase()
        print(f'{name}: differs from onnxruntime {onnxruntime.__version__} by {difference:.1e}; the arithmetic allows '
              f'{allowed:.1e}', flush=True)
        if not difference <= allowed:
            wrong.append(name)
    if wrong:
        sys.exit(f'other results than onnxruntime: {" ".join(wrong)}')


def in_turn(program, options, model, shape, batch, threads, rounds, seconds, longest=float('inf')):
    """Milliseconds of the program's inference and of the model's, by turns of about so many seconds. Only those of the
    program where there is no model, and of one turn where it takes more than the `longest` seconds."""
    def inference(steps):
        return time_of('inference', program, *options, '--inference', '--steps', steps, '--batch', batch, '--threads',
                       threads)

    first = inference(1)
    if first > 1e3 * longest:
        return [first], []
    call = None
    if model is not None:
        x = np.random.default_rng(2).standard_normal((batch, *shape), np.float32)
        peer = session(model, threads)
        call = lambda: peer.run(None, {'x': x})
        milliseconds(call, 1)
        time.sleep(0.2)
    count = max(3, min(200, int(1e3 * seconds / first)))
    return turns(rounds, lambda: inference(count), call and (lambda: milliseconds(call, count)))


def bench(names, programs, batches, threads, rounds, seconds):
    """Both in turn, `rounds` times; a turn takes about so many seconds."""
    rows = []
    print(f'onnxruntime {onnxruntime.__version__}; medians of {rounds} turns each, milliseconds, lowest and highest')
    print(f'{"network":20s} batch threads  {"tern":>26s}  {"onnxruntime":>26s}  ratio')
    for name in names:
        difference, allowed, model, shape = agrees(name, programs / f'zoo_{name}', [], 1)
        if not difference <= allowed:
            sys.exit(f'{name}: differs from onnxruntime by {difference:.1e}: {allowed:.1e} is allowed')
        for batch in batches:
            for t in threads:
                ours, theirs = in_turn(programs / f'zoo_{name}', [], model, shape, batch, t, rounds, seconds)
                row = dict(network=name, batch=batch, threads=t, tern=ours, onnxruntime=theirs)
                rows.append(row)
                said.erase()
                print(f'{name:20s} {batch:5d} {t:7d}  {shown(ours):>26s}  {shown(theirs):>26s}  '
                      f'{statistics.median(theirs) / statistics.median(ours):.2f}x', flush=True)
    ratios = [statistics.median(r['onnxruntime']) / statistics.median(r['tern']) for r in rows]
    print(f'geometric mean of {len(ratios)} ratios: {statistics.geometric_mean(ratios):.2f}x')
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('programs', type=pathlib.Path, help='the folder of the zoo programs')
    parser.add_argument('names', nargs='*', help='networks, by default all')
    parser.add_argument('--list', action='store_true', help='only the names of the networks that these arguments mean')
    parser.add_argument('--check', action='store_true', help='compares results at a reduced size, and times nothing')
    parser.add_argument('--batch', type=int, nargs='+', default=[1, 16])
    parser.add_argument('--threads', type=int, nargs='+', default=[1, 2])
    parser.add_argument('--rounds', type=int, default=7)
    parser.add_argument('--seconds', type=float, default=0.5, help='of a turn')
    parser.add_argument('--json', type=pathlib.Path, help='writes the times')
    options = parser.parse_args()
    # U-Net at full size takes a minute a batch: timed is its variant.
    timed = [n for n in graphs.NETWORKS if n != 'unet'] + list(graphs.VARIANTS)
    known = list(graphs.NETWORKS) if options.check else timed
    names = options.names or [n for n in known if not n.endswith('_relaxed')]  # one mean is of one numerics
    unknown = [n for n in names if n not in known]
    if unknown:
        parser.error(f'no ONNX model of {" ".join(unknown)}: there are {" ".join(known)}')
    if options.list:
        print('\n'.join(names))
        return
    if options.check:
        check(names, options.programs)
        return
    rows = bench(names, options.programs, options.batch, options.threads, options.rounds, options.seconds)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + '\n')


if __name__ == '__main__':
    main()
