# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of the zoo, and the calls of a peer, as the comparisons run and time them."""
import pathlib
import re
import statistics
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'support'))
from progress import Progress  # noqa: E402

said = Progress(pathlib.Path(sys.argv[0]).name)


def run(program, *options):
    said(f'{program.name} {" ".join(map(str, options))}')
    done = subprocess.run([str(program), *map(str, options)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f'{program.name} {" ".join(map(str, options))}: {done.stderr.strip() or done.returncode}')
    return done.stdout


def time_of(what, program, *options):
    """Milliseconds of 'inference' or of a 'step', as the program says."""
    return float(re.search(what + r' +([0-9.]+) ms', run(program, *options))[1])


def channels_first(samples):
    """Channels are the last axis of a tensor of the zoo."""
    return np.ascontiguousarray(np.moveaxis(samples, -1, 1)) if samples.ndim > 2 else samples


def milliseconds(call, count):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def turns(rounds, *calls):
    """Milliseconds that each call returns, measured in turn and sorted; an empty list for None."""
    times = [[] for _ in calls]
    for _ in range(rounds):
        for call, of_call in zip(calls, times):
            if call is not None:
                of_call.append(call())
                time.sleep(0.2)  # threads of onnxruntime spin for 40 ms after a call
    return [sorted(t) for t in times]


def shown(times):
    return f'{statistics.median(times):.3f} ({times[0]:.3f}-{times[-1]:.3f})'
