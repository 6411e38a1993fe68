# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that tern-import wrote, compiled together: a program of many takes a fraction of many programs' time."""

import pathlib
import subprocess

HEADERS = [
    'algorithm',
    'array',
    'cmath',
    'cstdint',
    'cstring',
    'exception',
    'iostream',
    'span',
    'string',
    'utility',
    'vector',
    'tern/blocks.hpp',
    'tern/files/safetensors.hpp',
    'tern/mimd.hpp',
    'tern/simd.hpp',
    'tern/simt.hpp',
]


def compile_program(folder, name, source, compiler):
    """The program, or what the compiler says."""
    (folder / f'{name}.cpp').write_text(source)
    done = subprocess.run(
        [*compiler, f'-I{folder}', f'{name}.cpp', '-o', name], cwd=folder, capture_output=True, text=True, check=False
    )
    lines = [line for line in done.stderr.splitlines() if 'error' in line or 'warning' in line]
    return None if done.returncode else folder / name, lines


def tests_program(names):
    """The source of a program that runs the tests of models, each in a namespace of its own."""
    source = [f'#include <{h}>' for h in HEADERS] + [f'#include "{n}.hpp"' for n in names]
    for n in names:
        source += [f'namespace test_of_{n} {{', f'#include "{n}_test.cpp"', '}']
    calls = [f'  wrong += test_of_{n}::main(argc, argv) != 0;' for n in names]
    return (
        '\n'.join(
            source + ['int main(int argc, char** argv) {', '  int wrong = 0;', *calls, '  return wrong != 0;', '}']
        )
        + '\n'
    )


def run(program, *arguments):
    return subprocess.run(
        [str(program), *arguments], cwd=pathlib.Path(program).parent, capture_output=True, text=True, check=False
    )
