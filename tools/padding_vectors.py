# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the results of PyTorch and TensorFlow for padded convolutions: the vectors of tests/kernel/padding_*.inc.

usage: padding_vectors.py torch      > tests/kernel/padding_torch.inc
       padding_vectors.py tensorflow > tests/kernel/padding_tensorflow.inc

Needs the framework that is asked, for a CPU: pip install torch, or Debian's python3-torch; pip install tensorflow-cpu.

A case is a convolution or a transposed one, with its gradients as the framework differentiates it. Operands are small
integers that are computed (`numbers` here, `integers` in conv_conventions.cpp), so results are exact in any order. Only
results are printed: y, dx and dw with the channels last. Weights are (kernel..., in / groups, out), those of a
transposed convolution (kernel..., out / groups, in). The framework gets its own convention (`call`), tern the
configuration beside it. If a framework has no such convention, x is padded beforehand ("pad").
"""
import datetime
import sys
import textwrap


def numbers(count, seed):
    """Integers in [-3, 3]."""
    return [((i * 2654435761 + seed * 40503) % 2**32 >> 16) % 7 - 3 for i in range(count)]


def product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


def case(call, x, kernel, **options):
    """The description of a case: x and kernel are sizes per axis, options what is not usual."""
    return {"call": call, "transposed": False, "batch": 1, "in": 1, "out": 1, "groups": 1, "rule": "given", "x": x,
            "kernel": kernel, "stride": (1,) * len(x), "dilation": (1,) * len(x), "pad": (0,) * len(x),
            "pad_end": (0,) * len(x), "output_padding": (0,) * len(x)} | options


def text(c, results):
    """A case as an initialiser of framework_case in conv_conventions.cpp."""
    lines = [f'{{"{c["call"]}", "{geometry(c)}",']
    for values in results:
        assert all(v == int(v) for v in values)
        pieces = textwrap.wrap(" ".join(str(int(v)) for v in values), 112)
        lines += [f' "{piece} "' for piece in pieces[:-1]] + [f' "{pieces[-1]}",']
    return "\n".join(lines)[:-1] + "},"


def geometry(c):
    """The convolution as tests/support/conv_problem.hpp writes it."""
    def sizes(of):
        return "x".join(map(str, of))

    rank = len(c["x"])
    result = f"conv{'_transpose' if c['transposed'] else ''}{rank}d "
    result += sizes([c["batch"], c["in"], *c["x"]]) + f" to {c['out']}, kernel {sizes(c['kernel'])}"
    for name in ("stride", "dilation"):
        if c[name] != (1,) * rank:
            result += f", {name} {sizes(c[name])}"
    if c["groups"] != 1:
        result += f", groups {c['groups']}"
    if c["rule"] != "given":
        result += f", padding {c['rule']}"
    if any(c["pad"] + c["pad_end"]):
        result += (", crop " if c["transposed"] else ", pad ") + sizes(c["pad"])
    if c["pad_end"] != c["pad"]:
        result += " " + sizes(c["pad_end"])
    if any(c["output_padding"]):
        result += f", output padding {sizes(c['output_padding'])}"
    return result


# PyTorch: tensors are (n, c, spatial...), weights (out, in / groups, kernel...).

def torch_cases():
    for kernel, dilation, x in [(k, d, x) for k in (2, 3, 4, 5) for d in (1, 2, 3) for x in (5, 8)]:
        yield case("padding='same'", (x,), (kernel,), dilation=(dilation,), rule="same_torch")
    yield case("padding='same'", (4, 5), (2, 4), rule="same_torch", **{"in": 2, "out": 2})
    yield case("padding='same'", (4, 3), (3, 2), dilation=(1, 3), rule="same_torch", groups=2, **{"in": 2, "out": 4})
    yield case("padding='same'", (3, 2, 4), (2, 3, 4), rule="same_torch")
    for kernel, stride, x in [(k, s, x) for k in (1, 2, 3) for s in (1, 2, 3) for x in (5, 6)]:
        yield case("padding='valid'", (x,), (kernel,), stride=(stride,), rule="valid")
    for kernel, stride, pad, x in [(k, s, p, x) for k in (2, 3) for s in (1, 2, 3) for p in (1, 2) for x in (5, 6)]:
        yield case(f"padding={pad}", (x,), (kernel,), stride=(stride,), pad=(pad,), pad_end=(pad,))
    yield case("padding=4", (3,), (2,), stride=(2,), pad=(4,), pad_end=(4,))
    yield case("padding=(2, 1)", (5, 4), (3, 2), stride=(2, 1), dilation=(2, 1), pad=(2, 1), pad_end=(2, 1), batch=2,
               **{"in": 2, "out": 3})
    yield case("padding=(1, 1), groups=3", (4, 4), (3, 3), stride=(2, 2), pad=(1, 1), pad_end=(1, 1), groups=3,
               **{"in": 3, "out": 6})
    yield case("padding=1, groups=4", (6,), (3,), stride=(2,), pad=(1,), pad_end=(1,), groups=4,
               **{"in": 4, "out": 4})
    yield case("padding=(1, 0, 2)", (3, 3, 3), (2, 1, 3), stride=(2, 1, 2), dilation=(1, 1, 2), pad=(1, 0, 2),
               pad_end=(1, 0, 2))
    for kernel, stride, dilation in [(2, 1, 1), (2, 1, 4), (3, 1, 2), (3, 2, 1), (4, 3, 1)]:
        yield case("pad, all before", (7,), (kernel,), stride=(stride,), dilation=(dilation,), rule="causal")
    yield case("pad, all before", (3, 4), (2, 3), dilation=(1, 2), rule="causal", **{"in": 2, "out": 2})
    for pad, end, stride in [(0, 1, 1), (1, 0, 2), (3, 1, 2), (0, 2, 3)]:
        yield case("pad", (6,), (3,), stride=(stride,), pad=(pad,), pad_end=(end,))
    yield case("pad", (4, 3), (2, 3), stride=(2, 1), pad=(0, 2), pad_end=(1, 0), groups=2, **{"in": 4, "out": 2})
    up = {"transposed": True}
    for kernel, stride, pad in [(2, 1, 0), (2, 2, 0), (3, 1, 1), (3, 2, 0), (3, 2, 1), (4, 2, 1), (5, 3, 2), (2, 3, 0)]:
        yield case(f"padding={pad}", (4,), (kernel,), stride=(stride,), pad=(pad,), pad_end=(pad,), **up)
    for kernel, stride, pad, more in [(3, 2, 1, 1), (5, 3, 1, 1), (5, 3, 1, 2), (2, 3, 1, 2)]:
        yield case(f"padding={pad}, output_padding={more}", (4,), (kernel,), stride=(stride,), pad=(pad,),
                   pad_end=(pad,), output_padding=(more,), **up)
    yield case("padding=2", (4,), (3,), stride=(2,), dilation=(2,), pad=(2,), pad_end=(2,), **up)
    yield case("padding=(1, 0), output_padding=(1, 2)", (3, 2), (3, 2), stride=(2, 3), pad=(1, 0), pad_end=(1, 0),
               output_padding=(1, 2), batch=2, **up, **{"in": 3, "out": 2})
    yield case("padding=(1, 1), groups=2", (3, 3), (4, 3), stride=(2, 1), pad=(1, 1), pad_end=(1, 1), groups=2, **up,
               **{"in": 2, "out": 4})
    yield case("padding=(0, 1, 1), output_padding=(1, 0, 1)", (2, 2, 2), (1, 3, 3), stride=(2, 1, 2), pad=(0, 1, 1),
               pad_end=(0, 1, 1), output_padding=(1, 0, 1), **up)


def torch_run(c):
    import torch
    import torch.nn.functional as F
    rank = len(c["x"])
    c_in, c_out, g = c["in"], c["out"], c["groups"]
    x = torch.tensor(numbers(c["batch"] * product(c["x"]) * c_in, 1), dtype=torch.float64)
    x = x.reshape(c["batch"], *c["x"], c_in).requires_grad_()
    narrow_rows, narrow = (c_out // g, c_in) if c["transposed"] else (c_in // g, c_out)
    w = torch.tensor(numbers(product(c["kernel"]) * narrow_rows * narrow, 2), dtype=torch.float64)
    w = w.reshape(*c["kernel"], narrow_rows, narrow).requires_grad_()
    first, behind = [0, rank + 1, *range(1, rank + 1)], [0, *range(2, rank + 2), 1]
    weights, images = w.permute(rank + 1, rank, *range(rank)), x.permute(first)
    sizes = {"stride": c["stride"], "dilation": c["dilation"], "groups": g}
    if c["transposed"]:
        up = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[rank - 1]
        y = up(images, weights, padding=c["pad"], output_padding=c["output_padding"], **sizes)
    else:
        conv = (F.conv1d, F.conv2d, F.conv3d)[rank - 1]
        if c["call"] in ("pad", "pad, all before"):
            begin, end = c["pad"], c["pad_end"]
            if c["rule"] == "causal":
                begin = [d * (k - 1) for d, k in zip(c["dilation"], c["kernel"])]
            images = F.pad(images, [p for r in reversed(range(rank)) for p in (begin[r], end[r])])
            y = conv(images, weights, **sizes)
        else:
            y = conv(images, weights, padding=c["pad"] if c["rule"] == "given" else c["rule"].split("_")[0], **sizes)
    y = y.permute(behind)
    y.backward(torch.tensor(numbers(y.numel(), 3), dtype=torch.float64).reshape(y.shape))
    return [t.detach().flatten().tolist() for t in (y, x.grad, w.grad)]


# TensorFlow: as tern, channels last.

def tensorflow_cases():
    for kernel, stride, x in [(k, s, x) for k in (1, 2, 3, 4, 5) for s in (1, 2, 3) for x in (6, 7)]:
        yield case("conv1d SAME", (x,), (kernel,), stride=(stride,), rule="same_tf")
    for kernel, stride, x in [(5, 1, 2), (5, 2, 2), (7, 3, 4), (4, 3, 3), (2, 3, 8), (3, 1, 1), (4, 2, 1)]:
        yield case("conv1d SAME", (x,), (kernel,), stride=(stride,), rule="same_tf")
    for kernel, dilation, x in [(k, d, x) for k in (2, 3, 4) for d in (2, 3) for x in (6, 7)]:
        yield case("conv1d SAME", (x,), (kernel,), dilation=(dilation,), rule="same_tf")
    for kernel, stride in [(2, 1), (3, 2), (4, 3)]:
        yield case("conv1d VALID", (8,), (kernel,), stride=(stride,), rule="valid")
    yield case("conv2d SAME", (5, 6), (3, 2), stride=(2, 2), rule="same_tf", batch=2, **{"in": 2, "out": 3})
    yield case("conv2d SAME", (4, 7), (4, 3), stride=(1, 3), rule="same_tf", **{"in": 2, "out": 2})
    yield case("conv2d SAME", (5, 4), (2, 3), dilation=(2, 1), rule="same_tf", **{"in": 1, "out": 2})
    yield case("conv2d VALID", (5, 6), (3, 2), stride=(2, 2), rule="valid", **{"in": 2, "out": 2})
    yield case("conv2d explicit", (4, 5), (3, 3), stride=(2, 1), pad=(0, 2), pad_end=(1, 0), **{"in": 1, "out": 2})
    yield case("conv3d SAME", (3, 4, 5), (2, 3, 2), stride=(1, 2, 2), rule="same_tf")
    yield case("depthwise_conv2d SAME", (5, 6), (3, 2), stride=(2, 2), rule="same_tf", groups=3,
               **{"in": 3, "out": 3})
    yield case("depthwise_conv2d SAME", (4, 4), (2, 4), stride=(1, 1), rule="same_tf", groups=2,
               **{"in": 2, "out": 4})
    for kernel, stride, x in [(k, s, x) for k in (1, 2, 3, 4, 5) for s in (1, 2, 3) for x in (3, 4)]:
        yield same_transposed("conv1d_transpose SAME", (x,), (kernel,), (stride,), (x * stride,))
    for kernel, stride, y in [(3, 2, 7), (4, 2, 7), (2, 3, 10), (5, 3, 11)]:
        yield same_transposed(f"conv1d_transpose SAME to {y}", (4,), (kernel,), (stride,), (y,))
    yield same_transposed("conv2d_transpose SAME", (3, 2), (3, 4), (2, 2), (6, 4), batch=2, **{"in": 2, "out": 3})
    yield same_transposed("conv2d_transpose SAME", (2, 3), (2, 5), (3, 1), (6, 3), **{"in": 2, "out": 1})
    yield same_transposed("conv3d_transpose SAME", (2, 2, 2), (3, 2, 3), (2, 2, 1), (4, 4, 2))
    for kernel, stride in [(2, 1), (3, 2), (2, 3)]:
        y = (4 - 1) * stride + max(kernel, stride)  # the length that Keras asks for
        yield case("conv1d_transpose VALID", (4,), (kernel,), stride=(stride,), y=(y,), transposed=True,
                   output_padding=(max(stride - kernel, 0),))


def same_transposed(call, x, kernel, stride, y, **options):
    """TensorFlow's SAME takes the crops from what a convolution of the result would pad: all but what is missing to
    (x - 1) stride + kernel, the odd one from the end."""
    crop = [(n - 1) * s + k - m for n, s, k, m in zip(x, stride, kernel, y)]
    return case(call, x, kernel, stride=stride, y=y, transposed=True, pad=tuple(max(a, 0) // 2 for a in crop),
                pad_end=tuple(max(a, 0) - max(a, 0) // 2 for a in crop),
                output_padding=tuple(max(-a, 0) for a in crop), **options)


def tensorflow_run(c):
    import tensorflow as tf
    rank, g = len(c["x"]), c["groups"]
    x = tf.constant(numbers(c["batch"] * product(c["x"]) * c["in"], 1), tf.float32, [c["batch"], *c["x"], c["in"]])
    rows, narrow = (c["out"] // g, c["in"]) if c["transposed"] else (c["in"] // g, c["out"])
    w = tf.constant(numbers(product(c["kernel"]) * rows * narrow, 2), tf.float32, [*c["kernel"], rows, narrow])
    name, padding = c["call"].split(" ")[:2]
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        if c["transposed"]:
            shape = [c["batch"], *c["y"], c["out"]]
            y = getattr(tf.nn, name)(x, w, shape, c["stride"] if rank > 1 else c["stride"][0], padding)
        elif name == "depthwise_conv2d":
            each = tf.reshape(w, [*c["kernel"], c["in"], c["out"] // c["in"]])
            y = tf.nn.depthwise_conv2d(x, each, [1, *c["stride"], 1], padding)
        elif padding == "explicit":
            pads = [[0, 0], *map(list, zip(c["pad"], c["pad_end"])), [0, 0]]
            y = tf.nn.conv2d(x, w, c["stride"], pads)
        else:
            y = tf.nn.convolution(x, w, c["stride"], padding, ("NWC", "NHWC", "NDHWC")[rank - 1], c["dilation"])
        loss = tf.reduce_sum(y * tf.constant(numbers(tf.size(y).numpy(), 3), tf.float32, y.shape))
    dx, dw = tape.gradient(loss, [x, w])
    return [t.numpy().flatten().tolist() for t in (y, dx, dw)]


def main():
    framework = sys.argv[1]
    if framework == "torch":
        import torch
        version, run, cases = f"PyTorch {torch.__version__}", torch_run, torch_cases()
    else:
        import tensorflow
        version, run, cases = f"TensorFlow {tensorflow.__version__}", tensorflow_run, tensorflow_cases()
    print("// SPDX-FileCopyrightText: 2026 The tern authors\n"
          "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n//\n"
          f"// Written by tools/padding_vectors.py with {version} on {datetime.date.today()}.")
    for c in cases:
        print(text(c, run(c)))


if __name__ == "__main__":
    main()
