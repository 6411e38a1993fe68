#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's times for the rows of gpu_times, in float32 without TF32, channels last. Not interleaved with tern's.

usage: torch_times.py <file of gpu_times> [--device cpu]

Exits with 77 where PyTorch or its GPU is missing.
"""
import argparse
import re
import statistics
import sys
import time


def work_of(torch, name, device):
    """A function that does what the row's name says, or None."""
    def random(*shape, dtype=torch.float32):
        return torch.rand(shape, dtype=dtype, device=device) * 2 - 1

    if match := re.fullmatch(r"matmul (float\d+) (\d+) (\d+) (\d+)", name):
        dtype = getattr(torch, match.group(1))
        m, n, k = map(int, match.groups()[1:])
        a, b, c = random(m, k, dtype=dtype), random(k, n, dtype=dtype), random(m, n, dtype=dtype)
        return lambda: torch.matmul(a, b, out=c)
    if match := re.fullmatch(r"conv (\d+) x (\d+)->(\d+) (\d+) k(\d+) s(\d+) p(\d+) g(\d+) (forward|data|weights)", name):
        n, in_, out, size, k, s, p, g = map(int, match.groups()[:8])
        x = random(n, in_, size, size).contiguous(memory_format=torch.channels_last)
        w = random(out, in_ // g, k, k).contiguous(memory_format=torch.channels_last)
        y = torch.nn.functional.conv2d(x, w, stride=s, padding=p, groups=g)
        if match.group(9) == "forward":
            return lambda: torch.nn.functional.conv2d(x, w, stride=s, padding=p, groups=g)
        wanted = [match.group(9) == "data", match.group(9) == "weights", False]
        return lambda: torch.ops.aten.convolution_backward(y, x, w, None, [s, s], [p, p], [1, 1], False, [0, 0], g, wanted)
    if match := re.fullmatch(r"layer_norm (\d+) (\d+)", name):
        rows, n = map(int, match.groups())
        x, scale = random(rows, n), random(n)
        return lambda: torch.nn.functional.layer_norm(x, (n,), scale, scale)
    if match := re.fullmatch(r"softmax (\d+) (\d+)", name):
        x = random(*map(int, match.groups()))
        return lambda: torch.softmax(x, 1)
    if match := re.fullmatch(r"max_pool (\d+) x (\d+) (\d+) k3 s2 p1", name):
        n, c, size = map(int, match.groups())
        x = random(n, c, size, size).contiguous(memory_format=torch.channels_last)
        return lambda: torch.nn.functional.max_pool2d(x, 3, 2, 1)
    return None


def milliseconds(torch, device, run, operations):
    """Median per call of 11 rounds after one that warms up."""
    repeats = min(200, max(1, int(2e11 / operations))) if device == "cuda" else 1
    times = []
    for _ in range(12):
        if device == "cuda":
            start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            for _ in range(repeats):
                run()
            stop.record()
            stop.synchronize()
            times.append(start.elapsed_time(stop) / repeats)
        else:
            begin = time.perf_counter()
            run()
            times.append(1e3 * (time.perf_counter() - begin))
    return statistics.median(times[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=argparse.FileType())
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    arguments = parser.parse_args()
    rows = []
    for number, line in enumerate(arguments.rows, 1):
        try:
            name, ours, operations = line.rstrip("\n").split("\t")
            rows.append((name, float(ours), float(operations)))
        except ValueError:
            sys.exit(f"{arguments.rows.name}, line {number}: no row of gpu_times: name, milliseconds, operations")
    try:
        import torch
    except ImportError:
        print("PyTorch was not found")
        return 77
    if arguments.device == "cuda" and not torch.cuda.is_available():
        print(f"PyTorch {torch.__version__} finds no GPU")
        return 77
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    print(f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}")
    with torch.no_grad():
        for name, ours, operations in rows:
            run = work_of(torch, name, arguments.device)
            if run is not None:
                theirs = milliseconds(torch, arguments.device, run, operations)
                print(f"{name:<44} PyTorch {theirs:10.4f} ms, ratio {theirs / ours:5.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
