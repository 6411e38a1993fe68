# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tern-import: writes an ONNX model as a C++ header, a file of weights and a test."""

import argparse
import copy
import itertools
import os
import pathlib
import sys
import tempfile

import numpy as np
from safetensors.numpy import save_file

from . import cpp, reference, write
from .calls import Calls
from .errors import ImportFailed, Refused
from .fold import align_old_operands, expand_functions, fold, infer_shapes
from .network import Network
from .ops import OPS
from .ops.table import page
from .patterns import recognise
from .read import constant_of, first_line, read, read_proto

INTEGERS = (2, 3, 4, 5, 6, 7, 12, 13)  # of TensorProto
BATCH = 2  # samples of a test, where the model leaves it open


def shape_of(text):
    name, _, sizes = text.rpartition('=')
    try:
        return name, tuple(int(s) for s in sizes.replace('x', ',').split(','))
    except ValueError:
        raise ImportFailed(f"--shape takes name=1,3,224,224, not '{text}'") from None


def as_network(model, name):
    """The model as a network: the first order of its inputs with which all nodes are blocks."""
    best, why = None, None
    for last in itertools.product((True, False), repeat=min(len(model.inputs), 4)):
        last = last + (True,) * (len(model.inputs) - len(last))
        if any(not of_i and len(model.shape(i) or ()) < 3 for of_i, i in zip(last, model.inputs)):
            continue
        try:
            net = Network(model, name, last)
            if len(net.inputs) > 6:
                raise Refused('a network has at most six inputs')
            if net.run():
                return net, None
            if best is None or len(net.refused) < len(best.refused):
                best = net
        except Refused as error:
            why = why or str(error)
    return best, why


def as_calls(model, name):
    try:
        calls = Calls(copy.copy(model), name)
        calls.model.constants = dict(model.constants)
        calls.run()
        return calls, None
    except Refused as error:
        return None, str(error)


def translate(model, name, kind):
    """The writer of the model; raises ImportFailed with a line for every node that cannot be written."""
    tries = []
    weights = any(a.size > 1 and a.dtype == np.float32 for a in model.constants.values())
    for which, f in (('network', as_network), ('calls', as_calls)):
        if kind == which or (kind is None and (which == 'calls' or weights)):
            result, why = f(model, name)
            if result is not None and not result.refused and why is None:
                return which, result
            tries.append((result, why))
    best = min((r for r, _ in tries if r is not None and r.refused), key=lambda r: len(r.refused), default=None)
    if best is None:
        raise ImportFailed(next(why for _, why in reversed(tries) if why))
    raise ImportFailed('\n'.join(f'{cpp.plain(node.described())}: {why}' for node, why in best.refused))


class PrintsOps(argparse.Action):
    def __call__(self, parser, *_):
        print(page())
        parser.exit()


def main(arguments=None):
    parser = argparse.ArgumentParser(prog='tern-import', description=__doc__)
    parser.add_argument('--ops', action=PrintsOps, nargs=0, help='prints the table of ops, and exits')
    parser.add_argument('model', help='an .onnx file')
    parser.add_argument(
        '--out',
        required=True,
        metavar='FOLDER_OR_PREFIX',
        help='where the files go: FOLDER/, with the name of the model, or PREFIX.hpp and so on',
    )
    parser.add_argument('--name', help='of the network; the name of the files unless given')
    parser.add_argument(
        '--shape',
        action='append',
        default=[],
        metavar='INPUT=1,3,224,224',
        help='the shape of an input, where the model leaves it open',
    )
    parser.add_argument(
        '--constant',
        action='append',
        default=[],
        metavar='INPUT=1,2',
        help='makes a constant of an input, such as one that is a shape',
    )
    parser.add_argument(
        '--as', dest='kind', choices=('network', 'calls'), help='how it is written; as a network if it can be'
    )
    parser.add_argument('--no-test', action='store_true', help='writes no test')
    options = parser.parse_args(arguments)
    path = pathlib.Path(options.model)
    try:
        print(import_model(path, options))
        return 0
    except ImportFailed as error:
        for line in str(error).splitlines():
            print(f'tern-import: {path}: {line}', file=sys.stderr)
    except OSError as error:
        print(f'tern-import: {error}', file=sys.stderr)
    except Exception as error:  # a defect of the importer, which writes nothing either
        print(f'tern-import: {path}: unexpected {type(error).__name__}: {first_line(error)}', file=sys.stderr)
    return 1


def simple_model(path, name, shapes, given, batch):
    """The model of a file, of ops that the importer knows; and whether the number of samples was open."""
    model, open_batch = read(path, name, shapes, given, batch)
    expand_functions(model, OPS)
    infer_shapes(model)
    align_old_operands(model)
    fold(model, OPS)
    recognise(model)
    return model, open_batch


def import_model(path, options):
    given_out = str(options.out)
    out = pathlib.Path(given_out)
    if given_out.endswith('/') or out.is_dir():
        stem = path.parent.name if path.stem == 'model' and path.resolve().parent.name else path.stem
        out = out / cpp.identifier(options.name or stem, 'model')
    name = cpp.identifier(options.name or out.name, 'model')
    given = dict(constant_of(t) for t in options.constant)
    shapes = dict(shape_of(t) for t in options.shape)
    names = []
    if path.name == 'model.onnx' and (path.parent / 'test_data_set_0').is_dir():
        proto = read_proto(path)
        initialized = {t.name for t in proto.graph.initializer}
        names = [i.name for i in proto.graph.input if i.name not in initialized]
        integers = {i.name for i in proto.graph.input if i.type.tensor_type.elem_type in INTEGERS}
        for n in proto.graph.node:
            if n.op_type == 'SoftmaxCrossEntropyLoss':  # labels
                integers.discard(n.input[1])
            if n.op_type in ('Resize', 'Upsample'):  # scales, which say a shape, too
                integers.update(n.input[1:])
    data = reference.data_beside(path, names) if names else None
    if data is not None:
        # Integers say shapes and axes: they are constants.
        for i, array in data[0].items():
            if i in integers and i not in given:
                given[i] = array
    model, open_batch = simple_model(path, name, shapes, given, BATCH)
    if not model.nodes:
        raise ImportFailed('its results are constants')
    kind, result = translate(model, name, options.kind)
    if kind == 'calls' and open_batch:  # they have a fixed number of samples: one
        model, _ = simple_model(path, name, shapes, given, 1)
        kind, result = translate(model, name, 'calls')

    files = {}
    source = cpp.plain(path.name)
    if kind == 'network':
        files[f'{out.name}.hpp'] = write.network_header(result, source)
        weights = result.parameters
        described = f'a network of {len(result.statements)} blocks'
    else:
        files[f'{out.name}.hpp'] = write.calls_header(result, source)
        weights = {k: v.reshape(-1) for k, (v, _) in result.parameters.items()}
        described = f'{len(result.statements)} calls'
    tensors = {f'{out.name}.safetensors': weights} if weights or kind == 'network' else {}
    if not options.no_test:
        feeds = data[0] if data is not None else {**reference.random_inputs(model), **given}
        feeds = {k: np.asarray(v) for k, v in feeds.items()}
        results, by = reference.results_of(path, feeds, model, data[1] if data is not None else None)
        allowed = result.rounding * 2.0**-24
        w = (
            (write.network_test, write.network_tensors)
            if kind == 'network'
            else (write.calls_test, write.calls_tensors)
        )
        files[f'{out.name}_test.cpp'] = w[0](result, source, by, allowed)
        tensors[f'{out.name}_test.safetensors'] = w[1](result, feeds, results)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix='tern-import-', dir=out.parent) as folder:
        folder = pathlib.Path(folder)
        for file, text in files.items():
            (folder / file).write_text(text)
        for file, arrays in tensors.items():
            save_file({k: np.ascontiguousarray(v) for k, v in arrays.items()}, str(folder / file))
        for file in [*tensors, *files]:
            os.replace(folder / file, out.parent / file)
    count = sum(int(np.size(v)) for v in weights.values())
    return f'{name}: {described}, {count} weights: ' + ' '.join(sorted([*files, *tensors]))
