#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of docs/zoo.md: what networks take, beside onnxruntime where there is an ONNX model of one.

Called by ./dev zoo --table, which builds the programs.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import time

for folder in ('onnxruntime', 'support'):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'bench' / folder))
from progress import Progress  # noqa: E402

said = Progress('table.py')
BEGIN, END = '<!-- table: ./dev zoo --table -->', '<!-- end of the table -->'
HEAD = """\
| network | parameters | multiply-adds | inference, MB | stored, MB | recomputed | reversible | one image, ms | onnxruntime | 16 images, ms | onnxruntime | step of 16, ms | compiled in, s | MB |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""


def measured(program, *options):
    """What the program says of itself, and the times of one run in milliseconds."""
    said(f'{program.name} {" ".join(map(str, options))}')
    text = subprocess.run([str(program), *map(str, options)], capture_output=True, text=True, check=True).stdout
    title, parameters, work = re.match(r'(.*): (\d+) parameters, (\S+) million multiply-adds', text).groups()
    found = dict(title=title, parameters=int(parameters), work=float(work) * 1e6)
    inference = re.search(r'inference +(\S+) ms, +(\S+) MB', text)
    found['inference'], found['inference_mb'] = map(float, inference.groups())
    step = re.search(r'step +(\S+) ms', text)
    if step:
        found['step'] = float(step[1])
    return found


def strategies(program):
    """By name: megabytes of a step of a sample that keeps everything, computes blocks again, inverts couplings."""
    lines = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.splitlines()
    rows = (line.split() for line in lines)
    return {name: [f'{int(n) / 1e6:.2f}' if int(n) else '' for n in numbers] for name, *numbers in rows}


def compile_cost(build, name):
    """Seconds of CPU time and megabytes of the compiler for the network at full size."""
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        if entry['file'].endswith(f'/zoo/{name}.cpp'):
            break
    else:
        sys.exit(f'there is no compile command of {name}.cpp in {build}')
    # Without what makes this project's own builds faster with more memory.
    command = [word for word in shlex.split(entry['command']) if not word.startswith('--param=ggc')]
    command[command.index('-o') + 1] = os.devnull
    said(f'compiling {name}.cpp')
    child = subprocess.Popen(command, cwd=entry['directory'])
    _, status, used = os.wait4(child.pid, 0)
    if status:
        sys.exit(f'{name}.cpp does not compile')
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def number(value, digits=3):
    if value >= 1e9:
        return f'{value / 1e9:.{digits}g} G'
    if value >= 1e6:
        return f'{value / 1e6:.{digits}g} M'
    if value >= 1e3:
        return f'{value / 1e3:.{digits}g} k'
    return f'{value:.0f}'


def milliseconds(value):
    return f'{value:.3g}' if value < 1000 else f'{value:,.0f}'


def processor():
    """The processor's name and vectors. Virtual machines name the maker only: family and model give the generation."""
    text = pathlib.Path('/proc/cpuinfo').read_text()
    name, family, model = (re.search(rf'^{field}\s*: (.*)', text, re.M)[1] for field in ('model name', 'cpu family', 'model'))
    generation = {('25', '17'): 'Zen 4', ('26', '2'): 'Zen 5'}.get((family, model), f'family {family}, model {model}')
    return f'{name} ({generation}, {"AVX-512" if "avx512bw" in text else "AVX2"})'


def row(name, build, options, cost, kept):
    import compare
    import graphs
    program = build / 'examples' / 'zoo' / f'zoo_{name}'
    model = shape = None
    if name in graphs.NETWORKS and name != 'unet':  # whose ONNX model is compared at the reduced size
        difference, allowed, model, shape = compare.agrees(name, program, [], 1)
        if not difference <= allowed:
            sys.exit(f'{name}: differs from onnxruntime by {difference:.1e}')
    def times(batch):
        ours, theirs = compare.in_turn(program, [], model, shape, batch, 1, options.rounds, options.seconds,
                                       longest=20)
        return statistics.median(ours), statistics.median(theirs) if theirs else None

    one, peer_one = times(1)
    many, peer_many = times(16)
    facts = measured(program, '--steps', 1)
    step = None if 3 * many > 60e3 else measured(program, '--batch', 16, '--steps', 2)['step']
    seconds, megabytes = cost
    ratio = lambda ours, theirs: '' if theirs is None else f'{theirs / ours:.2f}x'
    cells = [facts['title'], f'{facts["parameters"]:,}', number(facts['work']), f'{facts["inference_mb"]:.2f}',
             *kept, milliseconds(one), ratio(one, peer_one), milliseconds(many),
             ratio(many, peer_many), '' if step is None else milliseconds(step), f'{seconds:.0f}', f'{megabytes:.0f}']
    return '| ' + ' | '.join(cells) + ' |'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('page', type=pathlib.Path, help='docs/zoo.md')
    parser.add_argument('names', nargs='+')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=float, default=0.5, help='of a turn')
    options = parser.parse_args()
    page = options.page.read_text()
    if BEGIN not in page or END not in page:
        sys.exit(f'{options.page} has no line "{BEGIN}" followed by "{END}"')
    machine = processor()
    # First, because what a child is said to take is at least what this process takes.
    costs = {name: compile_cost(options.build.resolve(), name) for name in options.names}
    import onnxruntime
    kept = strategies(options.build / 'examples' / 'zoo' / 'zoo_strategies')
    rows = []
    for name in options.names:
        rows.append(row(name, options.build.resolve(), options, costs[name], kept[name]))
        said.erase()
        print(rows[-1], flush=True)
    text = f"""{BEGIN}
{time.strftime('%F')}, one thread of {machine}, medians of {options.rounds} turns; ratios are the time of onnxruntime
{onnxruntime.__version__} over tern's, in the same run.

{HEAD}""" + '\n'.join(rows) + f'\n{END}'
    first, last = page.index(BEGIN), page.index(END) + len(END)
    options.page.write_text(page[:first] + text + page[last:])


if __name__ == '__main__':
    main()
