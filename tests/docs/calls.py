#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collects the configs and calls of all ops from the headers: docs/calls.md.

    calls.py REPOSITORY          prints the page
    calls.py REPOSITORY PAGE     compares it with this one
"""
import pathlib
import re
import sys

HEAD = """# Calls

For those who write a call: the config of each op, and the arguments of its kernel `k`. The page is generated from the headers in
`include/tern/op/` and `include/tern/kernel/`, which also state errors and costs. An argument in `[...]` is optional, or required
exactly if the config asks for it: the list after the call says when. `state` is that of the policy ([the tour](tour.md#state)).
Results, `[tern::accumulate]` and other options come last. A result may share an element with an input only where the list says
so. Elements are of the op's type where the list names no other. An op is a type: `tern::kernel<tern::softmax<>, tern::simd<>> k`,
in float64 `tern::softmax<tern::softmax_config{}, double>`. Fields of a config are given in the order of the list.

<!-- written by tests/docs/calls.py -->
"""

# The headers in order, and their ops. Configs are in the op header of the same name, in the kernel header, or in OTHERS.
HEADERS = [
    ("matmul", "matmul"),
    ("conv", "conv1d, conv2d, conv3d, conv_transpose1d, conv_transpose2d, conv_transpose3d"),
    ("pool", "max_pool, avg_pool, global_max_pool, global_avg_pool: 1d, 2d, 3d"),
    ("elementwise", "elementwise"),
    ("glu", "glu, swiglu"),
    ("binary", "binary: subtract, divide, maximum, minimum"),
    ("map_of", "map_of"),
    ("coupling", "coupling"),
    ("norm", "batch_norm, layer_norm, group_norm, instance_norm, rms_norm"),
    ("norm_parts", "batch_norm over parts of a batch"),
    ("softmax", "softmax"),
    ("l2_normalize", "l2_normalize"),
    ("argmax", "argmax"),
    ("cross_entropy", "cross_entropy"),
    ("loss", "squared_error, bce_with_logits, gaussian_nll, gaussian_kl"),
    ("multivariate_gaussian_nll", "multivariate_gaussian_nll"),
    ("dropout", "dropout, stochastic_depth"),
    ("normal_sample", "normal_sample"),
    ("optimizer", "sgd, adam, adamw, rmsprop, lars, lamb_update, lamb, moving_average, sum_of_squares"),
    ("rearrange", "reorder, channel_shuffle, space_to_depth, depth_to_space, upsample, pad"),
]

OTHERS = {
    "conv": ["conv", "conv_transpose"],
    "cross_entropy": ["loss"],
    "multivariate_gaussian_nll": ["loss"],
    "rearrange": ["channel_shuffle", "space_to_depth", "upsample", "pad"],
}


def configs(root, header):
    """The fields of every config of the section, with their comments, as they are declared."""
    found = [root / "include/tern/op" / f"{name}.hpp" for name in OTHERS.get(header, [header])]
    for path in [*found, root / "include/tern/kernel" / f"{header}.hpp"]:
        if not path.exists():
            continue
        for name, fields in re.findall(r"^struct (\w+_config) \{\n(.*?)^$", path.read_text(encoding="utf-8"), re.M | re.S):
            yield name, fields.rstrip()


def ops(header):
    """The ops of a section, without the number of axes: conv, not conv1d."""
    names, _, kinds = dict(HEADERS)[header].partition(": ")
    listed = names if not kinds or re.match(r"\dd\b", kinds) else kinds
    return list(dict.fromkeys(re.sub(r"\dd$", "", name.split()[0]) for name in listed.split(", ")))


def comments(text):
    """(position, lines) of the runs of lines that begin with ///, without that."""
    for run in re.finditer(r"(?:^ *///.*\n)+", text, re.MULTILINE):
        yield run.start(), [re.sub(r"^ */// ?", "", line) for line in run.group().splitlines()]


def parameters(lines):
    """A list of the arguments that a comment describes."""
    found = []
    for line in lines:
        if match := re.match(r"\\param ([\w., ]*[\w.])\s\s+(.*)|\\param (\w+)\s(.*)", line):
            found.append(f"- `{match[1] or match[3]}`: {match[2] or match[4]}")
        elif found and line.startswith("  "):
            found[-1] += " " + line.strip()
        elif found:
            break
    return [re.sub(r"`([\w.]+(?:, [\w.]+)+)`", lambda names: "`" + names[1].replace(", ", "`, `") + "`", line, count=1) for line in found]


def calls(path):
    """(op, what, call, arguments) of each comment that shows one; op is the template whose operations it stands in, or ""."""
    text = path.read_text(encoding="utf-8")
    for position, lines in comments(text):
        at = [i for i, line in enumerate(lines) if re.match(r"    k[.(]", line)]
        if not at:
            continue
        end = at[-1] + 1
        while end < len(lines) and lines[end].startswith("    "):
            end += 1
        what = []
        for line in lines[: at[0]]:
            if not line:
                break
            what.append(line.strip())
        owners = re.findall(r"^struct operations<(\w+)", text[:position], re.M)
        yield owners[-1] if owners else "", " ".join(what), "\n".join(lines[at[0] : end]), parameters(lines[end:])


def page(root):
    parts = [HEAD]
    for header, ops in HEADERS:
        parts.append(f"## {ops}\n")
        for name, fields in configs(root, header):
            parts.append(f"`{name}`:\n\n" + re.sub("^", "  ", fields, flags=re.M).replace("///< ", "// ") + "\n")
        found = list(calls(root / "include/tern/kernel" / f"{header}.hpp"))
        if not found:
            sys.exit(f"calls.py: {header}.hpp shows no call")
        parts += ["\n".join([f"{what}\n\n{call}\n", *arguments, *[""] * bool(arguments)]) for _, what, call, arguments in found]
    return "\n".join(parts)


def main():
    written = page(pathlib.Path(sys.argv[1]))
    if len(sys.argv) == 2:
        print(written, end="")
    elif pathlib.Path(sys.argv[2]).read_text(encoding="utf-8") != written:
        sys.exit(f"{sys.argv[2]} is not what the headers say: tests/docs/calls.py . > docs/calls.md")


if __name__ == "__main__":
    main()
