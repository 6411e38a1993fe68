#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports the float models of onnx's own test data, compiles and runs what comes of them, and says which agree, and why the
rest is refused.

    onnx_data.py [--only REGEX] [--known] FOLDER COMPILER [ARGUMENT...]      FOLDER is for what is written

--known leaves out models with ops that are not in the table of docs/onnx.md. The data of `node` are made by
onnx.backend.test, those of `light`, `simple` and PyTorch's ops come with it.
"""

import argparse
import pathlib
import re
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), *(str(HERE.parent.parent / f) for f in ('tools/tern_import', 'bench/support'))]
warnings.simplefilter('ignore')

import numpy as np  # noqa: E402
import onnx  # noqa: E402
from onnx import TensorProto, numpy_helper  # noqa: E402
from onnx.backend.test.case.node import collect_testcases  # noqa: E402

import together  # noqa: E402
from progress import Progress  # noqa: E402
from tern_import import cli  # noqa: E402
from tern_import.errors import ImportFailed  # noqa: E402
from tern_import.ops import OPS  # noqa: E402


progress = Progress('onnx_data.py')


def write_node_models(folder):
    progress('making the data of onnx.backend.test')
    for case in collect_testcases(None):
        data = folder / case.name / 'test_data_set_0'
        data.mkdir(parents=True, exist_ok=True)
        onnx.save(case.model, str(data.parent / 'model.onnx'))
        for arrays in case.data_sets[:1]:
            for kind, values, infos in zip(
                ('input', 'output'), arrays, (case.model.graph.input, case.model.graph.output)
            ):
                for i, (value, info) in enumerate(zip(values, infos)):
                    if isinstance(value, TensorProto):
                        (data / f'{kind}_{i}.pb').write_bytes(value.SerializeToString())
                    elif isinstance(value, (np.ndarray, np.generic)):
                        (data / f'{kind}_{i}.pb').write_bytes(
                            numpy_helper.from_array(np.asarray(value), info.name).SerializeToString()
                        )


def models_of(folder):
    """(set, name, file)."""
    write_node_models(folder / 'node')
    data = pathlib.Path(onnx.__file__).parent / 'backend' / 'test' / 'data'
    for path in sorted((folder / 'node').glob('*/model.onnx')):
        yield 'node', path.parent.name, path
    for path in sorted((data / 'light').glob('*.onnx')):
        yield 'light', path.stem, path
    for kind in ('simple', 'pytorch-converted', 'pytorch-operator'):
        for path in sorted((data / kind).glob('*/model.onnx')):
            yield kind, path.parent.name, path


def is_of_floats(model):
    """Whether an input and the first result are tensors of float32."""
    types = [[v.type.tensor_type.elem_type for v in values] for values in (model.graph.input, model.graph.output)]
    return TensorProto.FLOAT in types[0] and types[1][:1] == [TensorProto.FLOAT]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--only', default='')
    parser.add_argument('--known', action='store_true')
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('compiler', nargs=argparse.REMAINDER)
    options = parser.parse_args()
    out = (options.folder / 'imported').resolve()
    out.mkdir(parents=True, exist_ok=True)
    said, written = {}, []  # {(set, name): what}
    for kind, name, path in models_of(options.folder.resolve()):
        if not re.search(options.only, name):
            continue
        model = onnx.load(str(path), load_external_data=False)
        if (
            not is_of_floats(model)
            or options.known
            and not all(n.op_type in OPS or n.op_type == 'Constant' for n in model.graph.node)
        ):
            continue
        progress(f'importing {name}')
        identifier = cli.cpp.identifier(name)
        arguments = argparse.Namespace(
            out=str(out / identifier), name=None, shape=[], constant=[], kind=None, no_test=False
        )
        try:
            cli.import_model(path, arguments)
            said[kind, name] = 'does not compile'
            written.append((kind, name, identifier))
        except ImportFailed as error:
            said[kind, name] = 'refused: ' + str(error).splitlines()[0]
    # Small models together and not optimised; whole networks one by one, since they run for longer than they compile.
    small = [m for m in written if m[0] != 'light']
    batches = [small[i : i + 80] for i in range(0, len(small), 80)] + [[m] for m in written if m[0] == 'light']
    done = 0
    for some in batches:
        progress(f'compiling {len(some)} models')
        compiler = options.compiler + (['-O1', '-UTERN_PLAIN_INLINE'] if some[0][0] == 'light' else [])
        program, lines = together.compile_program(
            out, 'some_tests', together.tests_program([i for _, _, i in some]), compiler
        )
        done += len(some)
        progress.erase()
        print(f'{done} of {len(written)} compiled', *lines[:3], file=sys.stderr, sep='\n', flush=True)
        if program is None:
            continue
        results = together.run(program, str(out)).stdout.splitlines()
        for (kind, name, identifier), line in zip(some, results):
            said[kind, name] = 'agrees' if f'{identifier}: agrees' in line else line
    for (kind, name), what in said.items():
        print(f'{kind:18}{name:60}{what}')
    for kind in dict.fromkeys(k for k, _ in said):
        those = [what for (k, _), what in said.items() if k == kind]
        count = {w: sum(t.startswith(w) for t in those) for w in ('agrees', 'refused')}
        print(
            f'{kind}: {len(those)} models, {count["agrees"]} agree, {count["refused"]} are refused, '
            f'{len(those) - sum(count.values())} are wrong'
        )
    return any(not what.startswith(('agrees', 'refused')) for what in said.values())


if __name__ == '__main__':
    raise SystemExit(main())
