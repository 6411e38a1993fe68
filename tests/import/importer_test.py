#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests tern-import: the headers that it writes of some models, whether they compile, agree with the models' reference and
give equal bits under all policies; and what it says about files that are no models.

    importer_test.py FOLDER COMPILER [ARGUMENT...]      FOLDER is for what is written
    importer_test.py --write                            writes the headers of golden/, and the table of docs/onnx.md, anew

Exits with 77 where Python has no onnx.
"""

import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOOL = HERE.parent.parent / 'tools' / 'tern_import'
PAGE = HERE.parent.parent / 'docs' / 'onnx.md'
sys.path[:0] = [str(HERE), str(TOOL)]
try:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper
    import safetensors.numpy
except ImportError as error:
    print(f'skipped: Python has no {error.name}: pip install onnx safetensors')
    raise SystemExit(77) from None

import models  # noqa: E402
import together  # noqa: E402

GOLDEN = ['cnn', 'residual', 'transformer', 'keras', 'calls', 'pairs']
SPDX = '// SPDX-FileCopyrightText: 2026 The tern authors\n// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n'
failures = []


def expect(right, what):
    if not right:
        failures.append(what)
        print(f'WRONG: {what}')


def tern_import(*arguments):
    return subprocess.run(
        [sys.executable, '-B', '-m', 'tern_import', *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={'PYTHONPATH': str(TOOL), 'PATH': '/usr/bin:/bin'},
    )


def import_all(folder):
    for make in models.ALL:
        name = make.__name__
        onnx.save(make(), str(folder / f'{name}.onnx'))
        done = tern_import(folder / f'{name}.onnx', '--out', folder / name)
        expect(done.returncode == 0, f'{name}: {done.stderr.strip()}')
        lines = done.stdout.strip().splitlines()
        expect(len(lines) == 1 and lines[0].startswith(name + ': '), f'{name} says: {done.stdout}')


def bad_files(folder):
    """(what it is, the file, a sentence of the message)."""

    def file(name, data):
        path = folder / 'bad' / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.SerializeToString())
        return path

    def small(nodes, opset=18, **more):
        info = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [2, 3]) for n in ('x', 'y')]
        graph = helper.make_graph(nodes, 'g', info[:1], info[1:], **more)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid('', opset)], ir_version=10)

    relu = helper.make_node('Relu', ['x'], ['y'], name='last')
    whole = models.cnn().SerializeToString()
    yield 'nothing', folder / 'bad' / 'none.onnx', 'there is no such file'
    yield 'an empty file', file('empty.onnx', b''), 'this is no ONNX file, or part of one'
    yield 'text', file('text.onnx', b'print("hello")\n' * 40), 'this is no ONNX file, or part of one'
    yield 'a picture', file(
        'picture.onnx', b'\x89PNG\r\n\x1a\n' + bytes(range(256)) * 4
    ), 'this is no ONNX file, or part of one'
    for cut in (7, len(whole) // 3, len(whole) - 9):
        yield f'the first {cut} bytes', file(f'cut_{cut}.onnx', whole[:cut]), ''
    circle = [
        helper.make_node('Add', ['x', 'b'], ['a']),
        helper.make_node('Relu', ['a'], ['b']),
        helper.make_node('Relu', ['b'], ['y']),
    ]
    yield 'a cycle', file('cycle.onnx', small(circle)), 'its nodes are no graph without cycles'
    yield 'an unknown opset', file('opset.onnx', small([relu], 999)), 'opset 999 is unknown'
    yield 'an unknown op', file(
        'op.onnx', small([helper.make_node('Frobnicate', ['x'], ['y'])])
    ), 'onnx refuses the file'
    foreign = small([helper.make_node('FusedGelu', ['x'], ['y'], domain='com.example')])
    foreign.opset_import.append(helper.make_opsetid('com.example', 1))
    yield 'ops of others', file('domain.onnx', foreign), "ops of domain 'com.example' are not ONNX's own"
    for name, location in (('above', '../secret.bin'), ('absolute', '/etc/hostname'), ('missing', 'not_there.bin')):
        weight = TensorProto(name='w', data_type=TensorProto.FLOAT, dims=[2, 3], data_location=TensorProto.EXTERNAL)
        weight.external_data.add(key='location', value=location)
        (folder / 'secret.bin').write_bytes(bytes(24))
        model = small([helper.make_node('Add', ['x', 'w'], ['y'])], initializer=[weight])
        yield f'data {name}', file(f'data_{name}.onnx', model), "tensor 'w' is in"
    mixed = [
        helper.make_node('Relu', ['x'], ['a']),
        helper.make_node('TopK', ['a', 'k'], ['y', 'i'], name='best'),
        helper.make_node('Sin', ['x'], ['s'], name='wave'),
    ]
    model = small(mixed, initializer=[helper.make_tensor('k', TensorProto.INT64, [1], [3])])
    model.graph.output.append(helper.make_tensor_value_info('s', TensorProto.FLOAT, [2, 3]))
    yield 'ops that tern has not', file('nodes.onnx', model), "TopK 'best': the nearest op is argmax\n"
    yield 'wrong shapes', file(
        'shapes.onnx', small([helper.make_node('MatMul', ['x', 'x'], ['y'])])
    ), 'shapes that disagree'
    info = helper.make_tensor_value_info
    window = helper.make_graph(
        [helper.make_node('Conv', ['x', 'w'], ['y'], name='last')],
        'g',
        [info('x', TensorProto.FLOAT, [1, 3, 8, 8])],
        [info('y', TensorProto.FLOAT, [1, 4, 0, 0])],
        [onnx.numpy_helper.from_array(np.ones((4, 3, 9, 9), np.float32), 'w')],
    )
    yield 'a window larger than its input', file(
        'window.onnx', helper.make_model(window, opset_imports=[helper.make_opsetid('', 18)], ir_version=10)
    ), "Conv 'last': its result is empty: (1, 4, 0, 0)"


def check_bad_files(folder):
    for what, path, says in bad_files(folder):
        out = folder / 'nothing'
        done = tern_import(path, '--out', out / 'model')
        lines = done.stderr.strip().splitlines()
        expect(done.returncode == 1, f'{what}: exit status {done.returncode}')
        expect(len(lines) == (2 if 'nodes' in path.name else 1), f'{what}: {len(lines)} lines: {done.stderr}')
        expect(says in done.stderr, f'{what}: says {done.stderr.strip()}')
        expect(all(line.startswith(f'tern-import: {path}: ') for line in lines), f'{what}: says {done.stderr.strip()}')
        expect('Traceback' not in done.stderr and 'unexpected' not in done.stderr, f'{what}: {done.stderr.strip()}')
        expect(not out.exists() and not done.stdout, f'{what}: something was written')


def check_options(folder):
    def sums(name, shape):
        info = helper.make_tensor_value_info
        nodes = [
            helper.make_node('Conv', ['x', 'w'], ['c']),
            helper.make_node('ReduceSum', ['c', 'axes'], ['y'], keepdims=0),
        ]
        graph = helper.make_graph(
            nodes,
            'g',
            [info('x', TensorProto.FLOAT, shape), info('axes', TensorProto.INT64, [2])],
            [info('y', TensorProto.FLOAT, None)],
            [onnx.numpy_helper.from_array(np.ones((4, 3, 1, 1), np.float32), 'w')],
        )
        path = folder / f'{name}.onnx'
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 18)], ir_version=10), str(path))
        return path

    path, out = sums('open', ['n', 3, None, None]), folder / 'options'
    for options, says in (
        ([], "the shape of input 'x' is ?x3x?x?: give it, as in --shape x=1,3,224,224"),
        (['--shape', 'x=1,2,8,8'], "the shape of input 'x' is ?x3x?x?, which --shape must not change"),
        (['--shape', 'z=1,3,8,8'], "it has no input 'z': it has x, axes"),
        (['--shape', 'x=1,3,8,8'], "where it is a constant, give it as --constant axes=..."),
        (['--shape', 'x=many'], '--shape takes name=1,3,224,224'),
        (['--constant', 'axes=a'], '--constant takes name=number,number,...'),
    ):
        done = tern_import(path, '--out', f'{out}/', *options)
        expect(done.returncode == 1 and says in done.stderr, f'{options}: says {done.stderr.strip()}')
        expect(not out.exists(), f'{options}: something was written')
    done = tern_import(
        path, '--out', f'{out}/', '--shape', 'x=1,3,8,8', '--constant', 'axes=2,3', '--no-test', '--name', 'sums'
    )
    expect(
        done.stdout == 'sums: a network of 2 blocks, 12 weights: sums.hpp sums.safetensors\n',
        f'options: {done.stdout}{done.stderr}',
    )
    expect(
        sorted(p.name for p in out.iterdir()) == ['sums.hpp', 'sums.safetensors'], 'options: other files were written'
    )
    done = tern_import(path, '--out', f'{out}/', '--shape', 'x=1,3,8,8', '--constant', 'axes=2,3', '--as', 'calls')
    expect(done.stdout.startswith('open: '), f'--as calls: {done.stdout}{done.stderr}')


def check_golden(folder):
    for name in GOLDEN:
        expected = (HERE / 'golden' / f'{name}.hpp').read_text().removeprefix(SPDX)
        expect(
            (folder / f'{name}.hpp').read_text() == expected,
            f'{name}.hpp is not golden/{name}.hpp; diff {folder}/{name}.hpp '
            'with it, and importer_test.py --write makes it so',
        )


def check_page():
    done = tern_import('--ops')
    expect(done.stdout.strip() in PAGE.read_text(), 'docs/onnx.md lacks what tern-import --ops prints')


def policies_program():
    """Whether networks and calls give equal bits under every policy."""
    return '\n'.join(
        [f'#include <{h}>' for h in together.HEADERS]
        + [
            '#include "cnn.hpp"',
            '#include "mobile.hpp"',
            '#include "pairs.hpp"',
            '#include "calls.hpp"',
            r'''
std::vector<float> numbers(tern::index_t count) {
  std::vector<float> x(count);
  for (tern::index_t i = 0; i < count; ++i) x[i] = float((i * 37 + 11) % 64) / 32 - 1;
  return x;
}
template <template <class> class Network, class Policy>
std::vector<float> of_network(const std::string& file) {
  using net = Network<Policy>;
  std::vector<float> parameters(net::parameters), statistics(net::statistics), y(3 * net::out.size());
  tern::load_safetensors(file, tern::tensors_of<net>(parameters, statistics));
  const std::vector<float> x = numbers(3 * net::in.size());
  std::vector<float> memory(net::infer_memory.elements(3));
  auto state = net::make_state();
  net::infer(state, parameters, statistics, x, y, memory);
  return y;
}
template <class Policy>
std::vector<float> of_calls(const std::string& file) {
  using net = calls<Policy>;
  std::vector<float> parameters(net::parameters_size), memory(net::memory_size), y(net::y_size);
  std::vector<std::int32_t> largest(net::largest_size);
  tern::load_safetensors(file, net::tensors(parameters));
  auto state = net::make_state();
  net::run(state, parameters, numbers(net::a_size), numbers(net::b_size), numbers(net::c_size), y, largest, memory);
  y.insert(y.end(), largest.begin(), largest.end());
  return y;
}
template <class Policy>
std::vector<float> all() {
  std::vector<float> y = of_network<cnn, Policy>("cnn.safetensors");
  for (const float v : of_network<mobile, Policy>("mobile.safetensors")) y.push_back(v);
  for (const float v : of_network<pairs, Policy>("pairs.safetensors")) y.push_back(v);
  for (const float v : of_calls<Policy>("calls.safetensors")) y.push_back(v);
  return y;
}
int main() {
  const std::vector<float> expected = all<tern::reference>();
  const auto same = [&](const std::vector<float>& y) {
    return y.size() == expected.size() && std::memcmp(y.data(), expected.data(), y.size() * sizeof(float)) == 0;
  };
  std::cout << same(all<tern::simd<>>()) << same(all<tern::mimd<tern::devices::native_tiles>>())
            << same(all<tern::simt<>>()) << "\n";
}
''',
        ]
    )


def check_programs(folder, compiler):
    names = [make.__name__ for make in models.ALL]
    program, says = together.compile_program(folder, 'all_tests', together.tests_program(names), compiler)
    expect(program is not None and not says, f'all_tests: {says[:5]}')
    if program is None:
        return
    done = together.run(program, str(folder))
    print(done.stdout, end='')
    lines = done.stdout.splitlines()
    expect(
        done.returncode == 0 and len(lines) == len(names), f'all_tests: status {done.returncode}, {len(lines)} lines'
    )
    for name, line in zip(names, lines):
        expect(
            re.fullmatch(rf'{name}: agrees with .*, error [-+.e\d]+, allowed [-+.e\d]+', line), f'{name} says: {line}'
        )
    # One number that is off, in each file, must be noticed.
    for name in names:
        path = folder / f'{name}_test.safetensors'
        tensors = safetensors.numpy.load_file(str(path))
        for key, t in tensors.items():
            if key.startswith('expected') and t.dtype == np.float32:
                t.reshape(-1)[-1] += 1e-3 * np.abs(t).max()
        safetensors.numpy.save_file(tensors, str(path))
    done = together.run(program, str(folder))
    expect(
        done.returncode == 1 and done.stdout.count('DISAGREES') == len(names), f'numbers that are off: {done.stdout}'
    )
    done = together.run(program, str(folder / 'bad'))
    expect(done.returncode == 1 and done.stdout.count('cannot be opened') == len(names), f'no files: {done.stdout}')

    # The program of the page, with the model cnn.
    source = next(b for b in re.findall(r'```c\+\+\n(.*?)```', PAGE.read_text(), re.S) if 'int main' in b)
    expect(len(source.splitlines()) <= 30, f'the program of docs/onnx.md has {len(source.splitlines())} lines')
    program, says = together.compile_program(folder, 'page', source, compiler)
    expect(program is not None and not says, f'the program of docs/onnx.md: {says[:5]}')
    if program is not None:
        done = together.run(program)
        expect(
            re.fullmatch(r'class [0-4]\n', done.stdout), f'the program of docs/onnx.md says: {done.stdout}{done.stderr}'
        )

    program, says = together.compile_program(folder, 'policies', policies_program(), compiler)
    expect(program is not None and not says, f'policies: {says[:5]}')
    if program is not None:
        done = together.run(program)
        expect(
            done.stdout == '111\n', f'bits of simd, mimd and simt equal those of reference: {done.stdout}{done.stderr}'
        )


def main():
    write = sys.argv[1:] == ['--write']
    folder = (HERE.parent.parent / 'build' / 'import_golden' if write else pathlib.Path(sys.argv[1])).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    import_all(folder)
    if write:
        for name in GOLDEN:
            (HERE / 'golden' / f'{name}.hpp').write_text(SPDX + (folder / f'{name}.hpp').read_text())
        before, marker, rest = PAGE.read_text().partition('<!-- written by tern-import --ops -->\n')
        behind = rest[rest.index('\n## ') :]
        PAGE.write_text(before + marker + '\n' + tern_import('--ops').stdout + behind)
        return bool(failures)
    check_golden(folder)
    check_page()
    check_options(folder)
    check_bad_files(folder)
    if not failures:
        check_programs(folder, sys.argv[2:])
    print(f'{len(failures)} wrong' if failures else 'all right')
    return bool(failures)


if __name__ == '__main__':
    raise SystemExit(main())
