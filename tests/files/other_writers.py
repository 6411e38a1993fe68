#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares tern's files with those of the formats' own libraries, both ways: safetensors and numpy, from the network.

    other_writers.py BUILD      after cmake --build BUILD --target files_exchange; the libraries go to BUILD/files-venv

Not among the tests: those compare with bytes that these libraries wrote once.
"""
import pathlib
import subprocess
import sys
import venv

SHAPES = [(), (5,), (2, 3), (4, 0), (3, 1, 2), (2, 2, 2, 3), (1, 2, 1, 3, 2)]
TYPES = {"bool": 1, "uint8": 1, "int8": 1, "int16": 2, "uint16": 2, "float16": 2, "bfloat16": 2, "int32": 4, "uint32": 4,
         "float32": 4, "float64": 8, "int64": 8, "uint64": 8}


def tensors(types):
    """name: (type, shape, bytes), as exchange.cpp makes them."""
    result = {}
    for kind in types:
        for shape in SHAPES:
            size = TYPES[kind]
            for extent in shape:
                size *= extent
            number = len(result) + 1
            data = bytes(i % 2 if kind == "bool" else (7 * i + number) % 64 for i in range(size))
            result[f'{kind}/Größe "{len(shape)}.{size}'] = (kind, shape, data)
    return result


def compare(build):
    """With the libraries at hand."""
    import numpy
    import safetensors

    program = next(p for p in build.rglob("files_exchange") if p.is_file())
    theirs, ours = build / "theirs", build / "ours"

    def exchange(kind):
        print(kind, subprocess.run([program, kind, theirs, ours], check=True, capture_output=True, text=True).stdout.strip())

    every = tensors(TYPES)
    buffers = {name: numpy.frombuffer(data, "uint8") for name, (_, _, data) in every.items()}
    specs = {name: safetensors.TensorSpec(dtype=kind, shape=list(shape), data_ptr=buffers[name].ctypes.data,
                                          data_len=len(data)) for name, (kind, shape, data) in every.items()}
    theirs.write_bytes(safetensors.serialize(specs, {"by": "x"}))
    exchange("safetensors")
    if ours.read_bytes() != theirs.read_bytes():
        sys.exit("safetensors: the files differ")
    with safetensors.safe_open(ours, "numpy") as opened:
        if set(opened.keys()) != set(every) or opened.metadata() != {"by": "x"}:
            sys.exit("safetensors: the library finds other names")

    every = tensors([kind for kind in TYPES if kind != "bfloat16"])
    arrays = {name: numpy.frombuffer(data, kind).reshape(shape) for name, (kind, shape, data) in every.items()}
    for save in (numpy.savez, numpy.savez_compressed):
        with open(theirs, "wb") as file:
            save(file, **arrays)
        exchange("npz")
        with numpy.load(ours) as loaded:
            if set(loaded) != set(arrays):
                sys.exit("npz: numpy finds other names")
            for name, array in arrays.items():
                found = loaded[name]
                if (found.dtype, found.shape, found.tobytes()) != (array.dtype, array.shape, array.tobytes()):
                    sys.exit(f"npz: {name} differs")
    print(f"equal: safetensors {safetensors.__version__}, numpy {numpy.__version__}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    home = build / "files-venv"
    if pathlib.Path(sys.prefix) == home:
        compare(build)
        return
    if not (home / "bin" / "python").exists():
        venv.create(home, with_pip=True)
    subprocess.run([home / "bin" / "pip", "install", "--quiet", "numpy==2.4.6", "safetensors==0.8.0"], check=True)
    sys.exit(subprocess.run([home / "bin" / "python", __file__, build], check=False).returncode)


if __name__ == "__main__":
    main()
