#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns what `tern_bench --json=FILE` wrote into something to look at.

usage: report.py FILE                    a self-contained page of HTML on standard output, or in the file after -o
       report.py --markdown FILE         the tables and summary as markdown, as docs/performance.md has them; plain Python, no other package
       report.py -o PAGE.html FILE

The page has plots and needs matplotlib: Debian's python3-matplotlib, which belongs to /usr/bin/python3.
"""
import argparse
import html
import io
import json
import math
import sys


class Failure(Exception):
    """One sentence for the user."""


def load(path):
    """The document, with the cases that were measured."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError) as error:
        raise Failure(f"{path}: {error}") from error
    if not isinstance(document, dict) or "context" not in document or "benchmarks" not in document:
        raise Failure(f"{path}: this was not written by tern_bench --json")
    cases = document["benchmarks"]
    if any("policy" not in case for case in cases):
        raise Failure(f"{path}: its entries were not written by tern_bench --json")
    document["wrong"] = [case for case in cases if case.get("error_occurred")]
    document["benchmarks"] = [case for case in cases if not case.get("error_occurred")]
    if not document["benchmarks"]:
        raise Failure(f"{path}: there is no correct result in it")
    return document


def fastest(cases):
    return min(cases, key=lambda case: case["real_time"], default=None)


class Row:
    """The times of tern and its peers for one problem and number of threads, as in tern_bench's summary."""

    def __init__(self, cases):
        first = cases[0]
        self.name, self.problem, self.threads, self.judged = (first[k] for k in
                                                              ("row", "problem", "threads", "judged_row"))
        self.first, self.cases, self.alone = first, cases, None  # alone: packed, with one thread
        peers = [c for c in cases if c["peer"]]
        # entries "judged" are simd<native,exact> on the usual executor, in a judged row
        ours = [c for c in cases if c["policy"] == "simd<native,exact>" and "-" not in c["executor"]]
        typed = [c for c in ours if c["weights"].endswith("-static")]
        dynamic = [c for c in ours if c not in typed]
        packs = any(c["weights"] == "packed" for c in dynamic)
        self.packed = fastest(c for c in dynamic if not packs or c["weights"] == "packed")
        self.plain = fastest(c for c in dynamic if c["weights"] == "plain")
        self.typed = fastest(typed + ([self.packed] if self.packed else []))
        self.has_types = bool(typed)
        self.relaxed = fastest(c for c in cases if c["policy"] == "simd<native,relaxed>" and "-" not in c["executor"])
        self.peer = fastest(peers)
        self.loop = fastest(c for c in cases if c.get("loop"))
        self.onednn = fastest(c for c in peers if c["policy"].startswith("onednn"))
        self.plain_peer = fastest(c for c in peers if not packs or c["weights"] == "plain")

    @staticmethod
    def ratio(ours, peer):
        """The speedup over the peer."""
        return peer["real_time"] / ours["real_time"] if ours and peer else None

    def ratios(self):
        return {"packed": self.ratio(self.packed, self.peer), "plain": self.ratio(self.plain, self.plain_peer),
                "typed": self.ratio(self.typed, self.peer)}


def rows_of(document, threads):
    groups = {}
    for case in document["benchmarks"]:
        if case["threads"] == threads and not case["tuned"]:
            groups.setdefault(case["problem"], []).append(case)
    rows = [Row(cases) for cases in groups.values()]
    if threads > 1:
        alone = {row.problem: row.packed for row in rows_of(document, 1)}
        for row in rows:
            row.alone = alone.get(row.problem)
    return rows


def geometric_mean(ratios):
    ratios = [r for r in ratios if r]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def microseconds(case):
    if not case:
        return "–"
    us = case["real_time"] / 1e3
    return f"{us:.3g}" if us < 1000 else f"{us:,.0f}"


def times(ratio):
    return f"{ratio:.2f}" if ratio else "–"


def name_of(peer):
    if not peer:
        return "–"
    return peer["policy"] if peer["weights"] == "none" else f"{peer['policy']}, {peer['weights']}"


HEADINGS = ["row", "packed µs", "GFLOP/s", "% of bound", "best peer", "against it", "plain µs", "against plain peers"]
TYPED_HEADINGS = ["sizes in the type µs", "against best peer"]
RELAXED_HEADINGS = ["row", "µs", "against exact", "best peer", "against it"]
# of rows without a choice of weights, which move bytes rather than multiply
MOVING = {"pool": "pools", "reduction": "reductions", "map": "maps", "construction": "constructing kernels and packing"}
MOVING_HEADINGS = ["row", "µs", "GB/s", "% of bound", "best peer", "against it"]
LOOP_HEADINGS = ["best plain loop", "against it"]
SUMMARY = {"packed": "packed weights", "plain": "plain weights, against peers with plain weights",
           "typed": "packed weights, sizes in the type where they are small"}


def table(rows, typed):
    lines = []
    for row in rows:
        r, ours = row.ratios(), row.packed
        lines.append([row.name, microseconds(ours), f"{ours['flops_per_second'] / 1e9:.1f}",
                      f"{100 * ours['bound'] / ours['real_time']:.0f}", name_of(row.peer), times(r["packed"]),
                      microseconds(row.plain), times(r["plain"])])
        lines[-1] += [microseconds(row.typed), times(r["typed"])] if typed else []
    return lines


def relaxed_table(rows):
    return [[row.name, microseconds(row.relaxed), times(row.ratio(row.relaxed, row.packed)), name_of(row.peer),
             times(row.ratio(row.relaxed, row.peer))] for row in rows]


def moving_table(rows, against_loops, against_alone, against_onednn):
    lines = []
    for row in rows:
        lines.append([row.name, microseconds(row.packed), f"{row.packed['bytes_per_second'] / 1e9:.1f}",
                      f"{100 * row.packed['bound'] / row.packed['real_time']:.0f}", name_of(row.peer),
                      times(row.ratios()["packed"])])
        lines[-1] += [name_of(row.loop), times(row.ratio(row.packed, row.loop))] if against_loops else []
        lines[-1] += [times(row.ratio(row.packed, row.alone))] if against_alone else []
        lines[-1] += [times(row.ratio(row.packed, row.onednn))] if against_onednn else []
    return lines


def tables(rows):
    """(title, headings, alignment, lines, sentences) of matmuls and convolutions, of those among them under relaxed
    numerics, and of each kind that moves bytes."""
    multiplying = [row for row in rows if row.first.get("op", "matmul") not in MOVING]
    if multiplying:
        typed = any(row.has_types for row in multiplying)
        headings = HEADINGS + (TYPED_HEADINGS if typed else [])
        yield ("", headings, "|---" + "|--:" * 3 + "|---" + "|--:" * (len(headings) - 5) + "|",
               table(multiplying, typed), summary(multiplying, None if typed else
                                                  {kind: SUMMARY[kind] for kind in ("packed", "plain")}))
    relaxed = [row for row in multiplying if row.relaxed and row.peer]
    if relaxed:
        exact = geometric_mean([row.ratio(row.relaxed, row.packed) for row in relaxed])
        peers = geometric_mean([row.ratio(row.relaxed, row.peer) for row in relaxed])
        yield ("relaxed numerics", RELAXED_HEADINGS, "|---|--:|--:|---|--:|", relaxed_table(relaxed),
               [f"relaxed numerics: {exact:.3f} times as fast as exact ones and {peers:.3f} times as fast as the best "
                f"peer of each row (geometric means of {len(relaxed)} rows)"])
    for op, title in MOVING.items():
        moving = [row for row in rows if row.first.get("op") == op]
        if moving:
            against_onednn = op == "construction" and any(row.onednn for row in moving)
            against_loops = any(row.loop for row in moving)
            against_alone = any(row.alone for row in moving)
            headings = (LOOP_HEADINGS if against_loops else []) + (["against 1 thread"] if against_alone else []) + \
                       (["against onednn"] if against_onednn else [])
            yield (title, MOVING_HEADINGS + headings,
                   "|---" + "|--:" * 3 + "|---|--:|" + ("---|--:|" if against_loops else "") +
                   ("--:|" if against_alone else "") + ("--:|" if against_onednn else ""),
                   moving_table(moving, against_loops, against_alone, against_onednn), summary(moving, {"packed": title}))


def summary(rows, kinds=None):
    """One sentence per mean."""
    result = []
    for kind, text in (kinds or SUMMARY).items():
        ratios = {row.name: row.ratios()[kind] for row in rows if row.ratios()[kind]}
        if ratios:
            least = min(ratios, key=ratios.get)
            result.append(f"{text}: {geometric_mean(ratios.values()):.3f} times as fast as the best peer of each row "
                          f"(geometric mean of {len(ratios)} rows; least {ratios[least]:.2f}, {least})")
    return result


# --- Layout and batching ----------------------------------------------------------------------------------------------

LAYOUTS = ("last", "blocks of 8", "blocks of 16", "planes")
CALLS = (1, 4, 16, 64, 0)


class Cuts:
    """One problem and number of threads, in every layout of images and cut of the batch."""

    def __init__(self, cases):
        self.name, self.threads = cases[0]["row"], cases[0]["threads"]
        chosen = next((c for c in cases if c["chosen"]), None)
        self.complete = chosen is not None
        if self.complete:
            self.times = {(c["layout"], c["samples"]): c["real_time"] / chosen["real_time"] for c in cases}
            self.chosen = (chosen["layout"], chosen["samples"])
            self.best = min(self.times, key=self.times.get)

    def line(self, layout):
        cells = [f"{self.times[layout, n]:.2f}{'*' if (layout, n) == self.chosen else ''}"
                 if (layout, n) in self.times else "–" for n in CALLS]
        return [self.name, layout] + cells


def cuts_of(document, threads):
    groups = {}
    for case in document["benchmarks"]:
        if case["threads"] == threads and "layout" in case:
            groups.setdefault(case["problem"], []).append(case)
    return [cuts for cuts in map(Cuts, groups.values()) if cuts.complete]


def against_best(what, factors):
    """A sentence about {name: time of the choice over that of the best}."""
    within = sum(1 for factor in factors.values() if factor <= 1.05)
    most = max(factors, key=factors.get)
    return (f"{what}: the choice of layout_for and training_batch_for is the best or within 5 % of it in {within} of "
            f"{len(factors)}; most {factors[most]:.2f} times as long as the best ({most})")


def measured_sentence(cuts):
    threads = f"{cuts[0].threads} thread{'s' if cuts[0].threads > 1 else ''}"
    return against_best(f"measured, {threads}", {c.name: 1 / c.times[c.best] for c in cuts})


def modelled_of(document):
    """{device: {row: {(layout, samples): seconds}}} and {device: {row: what is chosen}}."""
    times, chosen = {}, {}
    for case in document.get("modelled", []):
        key = case["layout"], case["samples"]
        times.setdefault(case["device"], {}).setdefault(case["row"], {})[key] = case["seconds"]
        if case["chosen"]:
            chosen.setdefault(case["device"], {})[case["row"]] = key
    return times, chosen


def modelled_sentences(document):
    times, chosen = modelled_of(document)
    return [against_best(f"modelled, {device}", {row: cells[chosen[device][row]] / min(cells.values())
                                                 for row, cells in rows.items()}) for device, rows in times.items()]


CUT_HEADINGS = ["row", "layout"] + [str(n) if n else "all" for n in CALLS]


def about(document):
    context = document["context"]
    return [(key, context[key]) for key in context if isinstance(context[key], (str, int)) and
            key not in ("executable", "library_build_type", "num_cpus", "peak_and_bandwidth")]


def markdown(document):
    out = []
    for threads in sorted({case["threads"] for case in document["benchmarks"]}):
        rows = [row for row in rows_of(document, threads) if row.judged and row.packed]
        if not rows:
            continue
        for title, headings, alignment, lines, sentences in tables(rows):
            out += [f"### {title}{', ' if title else ''}{threads} thread{'s' if threads > 1 else ''}", "",
                    "| " + " | ".join(headings) + " |", alignment]
            out += ["| " + " | ".join(line) + " |" for line in lines] + [""]
            out += [f"- {sentence}." for sentence in sentences] + [""]
    for threads in sorted({case["threads"] for case in document["benchmarks"]}):
        cuts = cuts_of(document, threads)
        if cuts:
            out += [f"### Layout, and images to a call, {threads} thread{'s' if threads > 1 else ''}", "",
                    "Times are relative to the choice of `layout_for` and `training_batch_for` (*).", "",
                    "| " + " | ".join(CUT_HEADINGS) + " |", "|---|---" + "|--:" * len(CALLS) + "|"]
            out += ["| " + " | ".join(c.line(layout)) + " |" for c in cuts for layout in LAYOUTS] + [""]
            out += [f"- {measured_sentence(cuts)}."]
    out += [f"- {sentence}." for sentence in modelled_sentences(document)] + [""] if "modelled" in document else []
    if not out:
        raise Failure("none of the rows that speed is judged by is in this file")
    out += ["; ".join(f"{key}: {value}" for key, value in about(document)) + "."]
    return "\n".join(out) + "\n"


# --- HTML -------------------------------------------------------------------------------------------------------------

def plots():
    try:
        import matplotlib
    except ImportError as error:
        raise Failure("the plots need matplotlib: apt-get install python3-matplotlib, then run this with "
                      "/usr/bin/python3; or take --markdown") from error
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tern", "font.size": 9,
                                "axes.spines.top": False, "axes.spines.right": False})
    import matplotlib.pyplot
    return matplotlib.pyplot


def svg(plt, figure):
    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    return text.getvalue()[text.getvalue().index("<svg"):]


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


def roofline(plt, rows):
    figure, axes = plt.subplots(figsize=(9, 5))
    peak = median([row.first["peak_flops_per_second"] for row in rows])
    low = min(row.first["flop"] / row.first["bytes"] for row in rows) / 2
    high = max(row.first["flop"] / row.first["bytes"] for row in rows) * 2
    for level in ("L1", "L2", "L3", "memory"):
        speeds = [max(r.first["read_bytes_per_second"], r.first["copy_bytes_per_second"]) for r in rows
                  if r.first["data_in"] == level]
        if speeds:
            speed = median(speeds)
            ends = [low, max(low, peak / speed)]
            axes.plot(ends, [speed * x / 1e9 for x in ends], color="0.6", lw=1)
            axes.annotate(f"{level} {speed / 1e9:.0f} GB/s", (low, speed * low / 1e9), fontsize=8, color="0.4")
    axes.plot([low, high], [peak / 1e9] * 2, color="0.3", lw=1)
    axes.annotate(f"peak {peak / 1e9:.0f} GFLOP/s", (high, peak / 1e9), fontsize=8, ha="right", va="bottom")
    for pick, label, marker in (("peer", "best peer", "x"), ("packed", "tern", "o")):
        shown = [row for row in rows if getattr(row, pick)]
        axes.scatter([r.first["flop"] / r.first["bytes"] for r in shown],
                     [getattr(r, pick)["flops_per_second"] / 1e9 for r in shown], marker=marker, s=24, label=label)
    axes.set(xscale="log", yscale="log", xlabel="FLOP per byte read or written once", ylabel="GFLOP/s")
    axes.legend(frameon=False)
    return svg(plt, figure)


def bars(plt, rows):
    rows = [row for row in rows if row.peer]
    if not rows:
        return "<p>No peers took part.</p>"
    figure, axes = plt.subplots(figsize=(9, 0.8 + 0.36 * len(rows)))
    for offset, kind, label in ((-0.27, "typed", "sizes in the type where small"), (0, "packed", "packed weights"),
                                (0.27, "plain", "plain weights, against peers with such")):
        axes.barh([i + offset for i in range(len(rows))], [row.ratios()[kind] or 0 for row in rows], height=0.25,
                  label=label)
    axes.axvline(1, color="0.3", lw=1)
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel("times as fast as the best peer")
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
    return svg(plt, figure)


def latency(plt, rows):
    """Time against rows of the left operand, for products that share n and k."""
    families = {}
    for row in rows:
        if row.packed and row.first["batch"] == 1 and row.problem.startswith("matmul:") and ":f32" in row.problem:
            families.setdefault((row.first["n"], row.first["k"]), []).append(row)
    families = {key: sorted(rows, key=lambda r: r.first["m"]) for key, rows in families.items() if len(rows) > 2}
    if not families:
        return ""
    figure, axes = plt.subplots(figsize=(9, 5))
    for (n, k), family in sorted(families.items()):
        m = [row.first["m"] for row in family]
        line, = axes.plot(m, [row.packed["real_time"] / 1e3 for row in family], marker="o", label=f"tern, {n} x {k}")
        with_peer = [row for row in family if row.peer]
        axes.plot([row.first["m"] for row in with_peer], [row.peer["real_time"] / 1e3 for row in with_peer],
                  marker="x", ls=":", color=line.get_color())
    axes.set(xscale="log", yscale="log", xlabel="rows (dotted: best peer)", ylabel="µs")
    ticks = sorted({row.first["m"] for family in families.values() for row in family})
    axes.set_xticks(ticks, [str(m) for m in ticks])
    axes.minorticks_off()
    axes.legend(frameon=False)
    return "<h3>Latency against rows</h3>" + svg(plt, figure)


def strips(plt, cuts):
    """Every way of a row as a mark; the choice is the line at 1."""
    figure, axes = plt.subplots(figsize=(9, 0.8 + 0.22 * len(cuts)))
    for color, layout in enumerate(LAYOUTS):
        for n, size in zip(CALLS, (6, 12, 20, 30, 42)):
            shown = [(c.times[layout, n], i) for i, c in enumerate(cuts) if (layout, n) in c.times]
            axes.scatter([x for x, _ in shown], [y for _, y in shown], s=size, color=f"C{color}", alpha=0.7, lw=0,
                         label=layout if n == 0 else None)
    axes.axvline(1, color="0.3", lw=1)
    axes.axvline(1 / 1.05, color="0.6", lw=1, ls=":")
    axes.set_yticks(range(len(cuts)), [c.name for c in cuts])
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="time over that of what is chosen (small marks: few images to a call; dotted: 5 % less)")
    ticks = [t for t in (0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3, 5, 10) if axes.get_xlim()[0] <= t <= axes.get_xlim()[1]]
    axes.set_xticks(ticks, [str(t) for t in ticks])
    axes.minorticks_off()
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(LAYOUTS))
    return svg(plt, figure)


def modelled_plot(plt, document):
    """A panel per device: the mean over layers against images at a time, a line per layout."""
    times, chosen = modelled_of(document)
    columns = 3
    figure, panels = plt.subplots((len(times) + columns - 1) // columns, columns, figsize=(9, 2.4 * len(times) / columns),
                                  sharey=True, squeeze=False)
    for axes in panels.flat[len(times):]:
        axes.set_visible(False)
    for axes, (device, rows) in zip(panels.flat, times.items()):
        for color, layout in enumerate(LAYOUTS):
            samples = sorted({n for cells in rows.values() for name, n in cells if name == layout})
            common = [n for n in samples if n in (1, 4, 16, 64, 256)]
            means = [geometric_mean([cells[layout, n] / cells[chosen[device][row]] for row, cells in rows.items()
                                     if (layout, n) in cells]) for n in common]
            axes.plot(common, means, marker="o", ms=3, lw=1, color=f"C{color}", label=layout)
        axes.axhline(1, color="0.3", lw=1)
        axes.set(title=device, xscale="log", yscale="log")
        axes.set_xticks([1, 4, 16, 64, 256], ["1", "4", "16", "64", "256"])
        axes.minorticks_off()
    for axes in panels[-1]:
        axes.set_xlabel("images at a time")
    for axes in panels[:, 0]:
        axes.set_ylabel("time over the choice's")
    panels.flat[0].legend(frameon=False, fontsize=7)
    figure.tight_layout()
    return svg(plt, figure)


def html_table(headings, lines):
    def cells(tag, line):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in line) + "</tr>"
    return "<table>" + cells("th", headings) + "".join(cells("td", line) for line in lines) + "</table>"


STYLE = """body{font:15px/1.45 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;font-size:13px;margin:1rem 0}th,td{padding:.15rem .6rem;text-align:right;
border-bottom:1px solid #ddd}th:first-child,td:first-child{text-align:left}svg{max-width:100%;height:auto}
.scroll{overflow-x:auto}.wrong{color:#a00}"""


def page(document):
    plt = plots()
    out = ["<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
           f"<title>tern: benchmarks</title><style>{STYLE}</style><h1>tern: benchmarks</h1>"]
    for case in document["wrong"]:
        out.append(f"<p class='wrong'>{html.escape(case['run_name'])}: {html.escape(case['error_message'])}</p>")
    for threads in sorted({case["threads"] for case in document["benchmarks"]}):
        rows = rows_of(document, threads)
        judged = [row for row in rows if row.judged and row.packed]
        out.append(f"<h2>{threads} thread{'s' if threads > 1 else ''}</h2>")
        if judged:
            sentences = [s for *_, of_table in tables(judged) for s in of_table]
            out.append("<ul>" + "".join(f"<li>{html.escape(s)}</li>" for s in sentences) + "</ul>")
            calls = [row for row in judged if row.first.get("op") != "construction"]
            out += ["<h3>Against the best peer of each row</h3>", bars(plt, calls)]
            multiplying = [row for row in judged if row.first["flop"] > 0]
            if multiplying:
                out += ["<h3>Roofline</h3>", roofline(plt, multiplying)]
        out.append(latency(plt, rows))
        if judged:
            for title, headings, _, lines, _ in tables(judged):
                out += [f"<h3>Rows{': ' if title else ''}{title}</h3><div class='scroll'>", html_table(headings, lines),
                        "</div>"]
        cuts = cuts_of(document, threads)
        if cuts:
            out += [f"<h3>Layout, and images to a call</h3><p>{html.escape(measured_sentence(cuts))}.</p>", strips(plt, cuts),
                    "<div class='scroll'>", html_table(CUT_HEADINGS, [c.line(layout) for c in cuts for layout in LAYOUTS]),
                    "</div>"]
        cases = [[c["run_name"], microseconds(c), f"{100 * (c['time_p90'] - c['time_p10']) / c['real_time']:.1f}",
                  f"{c['flops_per_second'] / 1e9:.2f}", f"{c['bytes_per_second'] / 1e9:.2f}",
                  f"{100 * c['bound'] / c['real_time']:.0f}", times(c["against_best_peer"]), c["workspace_bytes"],
                  f"{c['error']:.1e}", c["checksum"]]
                 for row in rows for c in sorted(row.cases, key=lambda c: c["real_time"])]
        out += ["<details><summary>Every case</summary><div class='scroll'>",
                html_table(["case", "µs", "spread %", "GFLOP/s", "GB/s", "% of bound", "against peers", "workspace",
                            "error", "checksum"], cases), "</div></details>"]
    if "modelled" in document:
        out += ["<h2>Layout and batching, as modelled for all passes</h2><ul>"]
        out += [f"<li>{html.escape(sentence)}</li>" for sentence in modelled_sentences(document)]
        out += ["</ul>", modelled_plot(plt, document)]
    out += ["<h2>Where this was measured</h2>", html_table(["", ""], about(document)), "</html>"]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Turns what tern_bench --json=FILE wrote into a page.")
    parser.add_argument("file", help="what tern_bench --json wrote")
    parser.add_argument("-o", "--output", help="file to write; standard output without it")
    parser.add_argument("--markdown", action="store_true", help="only the tables, as markdown")
    arguments = parser.parse_args()
    try:
        document = load(arguments.file)
        text = markdown(document) if arguments.markdown else page(document)
        if arguments.output:
            with open(arguments.output, "w", encoding="utf-8") as file:
                file.write(text)
        else:
            sys.stdout.write(text)
    except (Failure, OSError) as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
