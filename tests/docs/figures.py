#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The speed tables of README.md and docs/performance.md, computed from the tables of docs/results and docs/zoo.md.

    figures.py REPOSITORY            fails if a table differs from its sources
    figures.py REPOSITORY --write    writes the tables, each between <!-- figures: NAME --> and <!-- end of the figures -->
"""
import functools
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(sys.argv[1])
MATMUL, CONV = "2026-11-21-matmul-debian13", "2026-11-22-convolution-debian13"
NORMS, NORMS_XEON = "2026-11-23-norms", "2026-11-24-norms-xeon"
NETWORKS, BLOCKS, GPU = "2026-11-28-networks", "2026-11-24-blocks-xeon", "2026-11-27-gpu-h200"
STATIC = "against best peer"  # of matmuls: static sizes for small shapes, packed weights for others

# ---------------------------------------------------------------------------------------------------------------------
# Sources


@functools.cache
def table(page, heading):
    """The first table below a heading of docs/results/PAGE.md: its columns, and its rows as lists of cells."""
    text = (ROOT / "docs/results" / f"{page}.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not section:
        sys.exit(f"figures.py: docs/results/{page}.md has no heading '{heading}'")
    columns, _, *rows = (split(line) for line in re.search(r"(?:^\|.*\n)+", section[1], re.M)[0].splitlines())
    return columns, rows


def split(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def cells(page, heading, column, rows=""):
    """The cells of a column (its name or its number), in rows whose first cell matches the pattern."""
    columns, lines = table(page, heading)
    at = columns.index(column) if isinstance(column, str) else column
    return [line[at] for line in lines if re.search(rows, line[0])]


def ratios(page, heading, column, rows=""):
    """The ratios in the cells of a column. A cell may have a time before its ratio, or a range of ratios."""
    found = []
    for cell in cells(page, heading, column, rows):
        found += [float(number) for number in re.findall(r"([\d.]+)x", cell) or re.findall(r"^[\d.]+$", cell)]
    if not found:
        sys.exit(f"figures.py: docs/results/{page}.md, '{heading}', {column}: no ratio in rows '{rows}'")
    return found


def mean(*source):
    return f"{statistics.geometric_mean(ratios(*source)):.2f}x"


def spread(*source):
    numbers = ratios(*source)
    return " to ".join(dict.fromkeys(f"{number:.2f}x" for number in (min(numbers), max(numbers))))


def link(page, text):
    """The text, with its words in brackets as a link."""
    return text.replace("]", f"](results/{page}.md)")


def markdown(columns, rows):
    """A table. Columns that begin with > are aligned at the right."""
    lines = [[column.lstrip(">") for column in columns], *rows]
    text = ["| " + " | ".join(line) + " |" for line in lines]
    text.insert(1, "|" + "|".join("--:" if column.startswith(">") else "---" for column in columns) + "|")
    return "\n".join(text) + "\n"


# ---------------------------------------------------------------------------------------------------------------------
# Tables


def cpus():
    best, none = "best of six libraries", "not measured"
    training = "Training beside PyTorch 2.6 and oneDNN 3.7"

    def matmuls(what, column):
        return [best, link(MATMUL, what), "Zen 5", *(mean(MATMUL, n, column) for n in ("One thread", "Two threads"))]

    def kernels(page, what, machine, group):
        means = (mean(page, f"{group}, {n}", "against it") for n in ("1 thread", "2 threads"))
        return [best, link(page, what), machine, *means]

    return markdown(["peer", "measured", "on", ">one thread", ">two threads"], [
        matmuls("[34 matmuls], small ones with static sizes", STATIC),
        matmuls("the same matmuls with run-time sizes", "against it"),
        kernels(CONV, "[77 convolutions]", "Zen 5", "Convolutions"),
        kernels(CONV, "[20 pools]", "Zen 5", "Pools"),
        kernels(NORMS_XEON, "[20 pools]", "Xeon", "Pools"),
        kernels(NORMS_XEON, "[34 norms, softmaxes and their gradients]", "Xeon", "Reductions"),
        kernels(NORMS, "[32 of them]", "Zen 5", "Reductions"),
        kernels(NORMS_XEON, "[10 activations and sums]", "Xeon", "Maps"),
        kernels(NORMS, "[the same ten]", "Zen 5", "Maps"),
        ["onnxruntime 1.32", link(NETWORKS, "[inference of 11 networks], 1 and 16 images"), "Zen 4",
         inference(1, 3), inference(2, 4)],
        ["oneDNN 3.7", link(BLOCKS, "[inference of BraggNN], one crop"), "Xeon",
         mean(BLOCKS, "BraggNN for one crop", "tern's speed against it", r"oneDNN 3\.7"), none],
        ["oneDNN 3.7", link(NETWORKS, "[training steps of 4 networks]"), "Zen 4", spread(NETWORKS, training, 6), none],
        ["PyTorch 2.6", link(NETWORKS, "[training steps of 5 networks]"), "Zen 4", spread(NETWORKS, training, 4), none],
    ])


def inference(*columns):
    """The mean over networks with exact numerics, in these columns."""
    found = [ratio for column in columns
             for ratio in ratios(NETWORKS, "Inference beside onnxruntime 1.32", column, "^(?!.*relaxed)")]
    return f"{statistics.geometric_mean(found):.2f}x"


def gpus():
    return markdown(["peer", "measured", "on", ">ratio"], [
        ["cuBLAS of CUDA 13", link(GPU, "[14 matmuls]"), "H200", spread(GPU, "Times", "cuBLAS, cuDNN", "^matmul")],
        ["cuDNN 9.19", link(GPU, "[18 convolutions and gradients]"), "H200", spread(GPU, "Times", "cuBLAS, cuDNN", "^conv")],
        ["PyTorch 2.11", link(GPU, "[all of these, layer norm, softmax and max pools]"), "H200",
         spread(GPU, "Times", "PyTorch")],
    ])


def matmuls():
    shown = """gemm_8 gemm_16 gemm_64 gemm_256 gemm_1024 gemm_2048 gemm_37x53x71 mlp_1024_m1 lstm1536_m1 bert_ffn1_m8
               lstm1536_m8 bert_ffn1_m32 lstm1536_m32 bert_ffn1_m128 attn_qk_b16 attn_pv_b1""".split()
    rows = []
    for name in shown:
        time, peer, ratio = (cells(MATMUL, "One thread", column, f"^{name}$")[0]
                             for column in ("sizes in the type µs", "best peer", STATIC))
        rows.append([f"`{name}`", time, peer, f"{ratio}x"])
    return markdown(["matmul, float32", ">tern, µs", "best peer", ">tern's speed relative to it"], rows)


def convolutions():
    dense = "^(?=rn50|cifar|bragg_3x3_64|vae_3x3|wavenet|unet)"
    groups = (
        ("dense, one image", f"{dense}.*_n1$"),
        ("dense, 16 to 512 images", rf"{dense}.*_n\d\d+$"),
        ("dense, data gradient", f"{dense}.*/data$"),
        ("dense, 3 x 3, weight gradient", f"{dense}.*3x3.*/weights$"),
        ("dense, 1 x 1, weight gradient", f"{dense}.*1x1.*/weights$"),
        ("transposed, stride 2", "^vae_deconv"),
        ("1 input channel", "^(?:bragg_3x3_1_|c3d_5x5x5_1_)"),
        ("groups of 16 channels, one image", "^grp16.*_n1$"),
        ("groups of 16 channels, 16 images", "^grp16.*_n16$"),
        ("groups of 4 and 8 channels; 8 channels in a volume", "^(?:resnext|c3d.*_8_8_)"),
        ("depthwise, strided", "^dw3x3s2"),
        ("depthwise, one image", r"^dw\dx\d_.*_n1$"),
        ("depthwise, 16 images", r"^dw\dx\d_.*_n16$"),
        ("depthwise, data gradient", "^dw.*/data$"),
        ("depthwise, weight gradient", "^dw.*/weights$"),
    )
    rows = [[name, spread(CONV, "Convolutions, 1 thread", "against it", pattern)] for name, pattern in groups]
    relaxed = "Relaxed numerics, 1 thread"
    rows.append([f"3 x 3, stride 1, relaxed numerics ({mean(CONV, relaxed, 'against exact')} the speed of exact ones), mean",
                 mean(CONV, relaxed, "against it")])
    return markdown(["convolution", ">tern's speed relative to the best peer"], rows)


def headlines():
    """Of README.md: one line per claim."""
    layers = mean(MATMUL, "One thread", STATIC), mean(CONV, "Convolutions, 1 thread", "against it")
    checksums = sum(not line.startswith("#") for line in (ROOT / "tests/verify/checksums.txt").open(encoding="utf-8"))
    revnet = [cells(BLOCKS, "RevNet: the same bits in 35 % of the memory", column, "^reversible")[0] for column in (3, 5)]
    return markdown(["figure", ">value", "meaning"], [
        ["speed, single layers", " to ".join(layers),
         "the speed of the fastest of six libraries, geometric means of 34 matmuls (small ones with static sizes) and 77 "
         "convolutions: [where tern stands](docs/performance.md)"],
        ["speed, whole networks", inference(1, 2, 3, 4),
         f"the speed of onnxruntime 1.32, geometric mean of 11 networks: [table](docs/results/{NETWORKS}.md)"],
        ["bits", f"{checksums:,} checksums",
         "are equal under every policy, compiler and instruction set tried: [determinism](docs/determinism.md)"],
        ["memory", f"{float(revnet[0].split()[0]):.0f} %",
         f"the bytes of a training step of a reversible RevNet-38, relative to one that stores its activations. It takes "
         f"{revnet[1]} times the time and has the same bits: [table](docs/results/{BLOCKS}.md)"],
    ])


def networks():
    """Of README.md: ten rows of docs/zoo.md."""
    text = (ROOT / "docs/zoo.md").read_text(encoding="utf-8")
    text = text.partition("<!-- table: ./dev zoo --table -->")[2].partition("<!-- end of the table -->")[0]
    machine = re.search(r"one thread of (.*?), medians", text)[1]
    version = re.search(r"onnxruntime\s+(\d+\.\d+)", text)
    lines = [split(line) for line in text.splitlines() if line.startswith("|")][2:]
    rows = {line[0]: line for line in lines}
    shown = ("CookieNetAE", "BraggNN", "ResNeXt-101 32x4d, group norms", "MobileNetV3-Small, head of 1280", "MobileNetV3-Large",
             "ViT-B/16", "DenseNet-201", "CIFAR-10 CNN", "ResNet-50 v1.5", "EfficientNet-B0")

    def short(parameters):
        number = int(parameters.replace(",", ""))
        return f"{number / 1e6:.1f} M" if number >= 1e6 else f"{number / 1e3:.0f} k"

    columns = [f"inference, one thread of {machine}", ">parameters", ">one image, ms",
               f">speed relative to onnxruntime {version[1]}", ">16 images, ms", ">relative speed"]
    return markdown(columns, [[name.partition(",")[0], short(rows[name][1]), *rows[name][7:11]] for name in shown])


PAGES = {"README.md": (headlines, networks), "docs/performance.md": (cpus, gpus, matmuls, convolutions)}


def main():
    write = sys.argv[2:] == ["--write"]
    wrong = []
    for name, tables in PAGES.items():
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        for make in tables:
            begin, end = f"<!-- figures: {make.__name__} -->\n", "<!-- end of the figures -->"
            before, found, rest = text.partition(begin)
            written, ended, after = rest.partition(end)
            if not found or not ended:
                sys.exit(f"figures.py: {name} has no '{begin.strip()}' with '{end}'")
            table_now = make()
            if written != table_now:
                wrong.append(f"{name}: the table '{make.__name__}' differs from its sources")
            text = before + begin + table_now + end + after
        if write:
            path.write_text(text, encoding="utf-8")
    if wrong and not write:
        sys.exit("\n".join(wrong) + "\nwrite them: tests/docs/figures.py . --write")


if __name__ == "__main__":
    main()
