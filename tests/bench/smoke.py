# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs tern_bench on the smallest row, reads its JSON, has report.py read it, and tries wrong arguments. The same of
tern_batching, with one workload. tern_bench_index must say of the same variants which parts a program needs.

usage: smoke.py <tern_bench> <tern_bench_index> <program with the parts of the smallest row> <tern_batching> <report.py>
"""
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unittest

BENCH, INDEX, PARTS, BATCHING, REPORT = sys.argv[1:6]
ROW = "--filter=^gemm_8 "


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=300, check=False)


class Measuring(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.json = str(pathlib.Path(cls.folder.name) / "results.json")
        cls.result = run(BENCH, ROW, "--rounds=2", f"--json={cls.json}")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def cases(self):
        return json.loads(pathlib.Path(self.json).read_text())["benchmarks"]

    def test_succeeds_and_prints_the_row_and_the_summary(self):
        self.assertEqual(self.result.returncode, 0, self.result.stdout + self.result.stderr)
        self.assertNotIn("WRONG", self.result.stdout)
        self.assertIn("gemm_8  matmul:m8n8k8:f32, 1 thread: 0.00102 MFLOP", self.result.stdout)
        self.assertIn("Geometric means", self.result.stdout)

    def test_names_the_machine(self):
        context = json.loads(pathlib.Path(self.json).read_text())["context"]
        for key in ("date", "processor", "caches", "compiler", "flags", "instruction set", "peers", "revision"):
            self.assertIn(key, context)

    def test_entries_have_the_fields_of_google_benchmark(self):
        for case in self.cases():
            for key in ("name", "run_name", "run_type", "iterations", "real_time", "cpu_time", "time_unit", "threads"):
                self.assertIn(key, case)
            self.assertGreater(case["real_time"], 0)
            self.assertEqual(case["flop"], 1024)
            self.assertEqual(case["bytes"], 768)
            self.assertAlmostEqual(case["flops_per_second"] * case["real_time"] / 1e9 / 1024, 1, places=6)

    def test_every_policy_takes_part_and_exact_bits_are_equal(self):
        ours = [case for case in self.cases() if not case["peer"]]
        policies = {case["policy"] for case in ours}
        self.assertLessEqual({"reference", "simd<native,exact>", "simd<native,relaxed>"}, policies)
        self.assertEqual({case["weights"] for case in ours}, {"plain", "packed", "plain-static", "packed-static",
                                                              "plain-prepared", "packed-prepared"})
        self.assertEqual(len({case["checksum"] for case in ours if case["exact"]}), 1)
        for case in ours:
            self.assertLessEqual(case["allocations"], 0)

    def test_report_reads_it(self):
        markdown = run(sys.executable, REPORT, "--markdown", self.json)
        self.assertEqual(markdown.returncode, 0, markdown.stderr)
        self.assertIn("| gemm_8 |", markdown.stdout)
        page = run(sys.executable, REPORT, self.json)
        if "need matplotlib" in page.stderr:
            self.skipTest("no matplotlib")
        self.assertEqual(page.returncode, 0, page.stderr)
        self.assertIn("<svg", page.stdout)
        self.assertIn("matmul:m8n8k8:f32:packed:simd&lt;native,exact&gt;:t1", page.stdout)

    def test_report_refuses_other_files(self):
        other = pathlib.Path(self.folder.name) / "other.json"
        for text in ("", "[]", '{"context": {}, "benchmarks": []}', '{"context": {}, "benchmarks": [{"name": "x"}]}'):
            other.write_text(text)
            result = run(sys.executable, REPORT, "--markdown", str(other))
            self.assertEqual(result.returncode, 1, text)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertEqual(run(sys.executable, REPORT, "--markdown", str(other) + ".missing").returncode, 1)


class Pools(unittest.TestCase):
    def test_both_passes_are_right(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "pools.json"
            result = run(BENCH, "--filter=^(max|avg)pool3x3.*_n1(/data)? ", "--rounds=1", f"--json={path}")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            ours = [case for case in json.loads(path.read_text())["benchmarks"] if not case["peer"]]
            markdown = run(sys.executable, REPORT, "--markdown", str(path))
        self.assertEqual({(case["row"], case["bytes"]) for case in ours},
                         {("maxpool3x3s2_64_112_n1", 4014080), ("maxpool3x3s2_64_112_n1/data", 4816896),
                          ("avgpool3x3s1_192_35_n1", 1881600), ("avgpool3x3s1_192_35_n1/data", 1881600)})
        for case in ours:
            self.assertLessEqual(case["allocations"], 0)
        self.assertIn("### pools, 1 thread", markdown.stdout)
        self.assertEqual(markdown.returncode, 0, markdown.stderr)


class ReductionsAndMaps(unittest.TestCase):
    def test_all_passes_are_right_beside_plain_loops(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "moving.json"
            result = run(BENCH, "--filter=^(bnorm|gnorm|lnorm|softmax|xent|relu|gelu|add|dropout|adam)_.*_n1(/.*)? ",
                         "--rounds=1", f"--json={path}")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            cases = json.loads(path.read_text())["benchmarks"]
            markdown = run(sys.executable, REPORT, "--markdown", str(path))
        ours = {case["row"]: case for case in cases if case["policy"] == "simd<native,exact>"}
        loops = {case["row"] for case in cases if case["loop"]}
        self.assertEqual(len(ours), 34)
        self.assertEqual(loops, set(ours))
        self.assertIn("plain_loop_planes", {case["policy"] for case in cases})
        for row, count in {"bnorm_fwd_64_56_n1": 1606144, "bnorm_bwd_64_56_n1": 2408704, "gnorm_256_28_n1": 1607680,
                           "lnorm_768_n1": 792576, "softmax_128_n1": 1572864, "relu_64_56_n1": 1605632,
                           "lnorm_relu_add_768_n1": 1185792, "adam_18432_n1": 7 * 4 * 18432}.items():
            self.assertEqual(ours[row]["bytes"], count)
        for case in ours.values():
            self.assertTrue(case["exact"])
            self.assertLessEqual(case["allocations"], 0)
        self.assertEqual(markdown.returncode, 0, markdown.stderr)
        self.assertIn("### reductions, 1 thread", markdown.stdout)
        self.assertIn("### maps, 1 thread", markdown.stdout)
        self.assertIn("| best plain loop |", markdown.stdout)


class Construction(unittest.TestCase):
    def test_what_was_constructed_computes_the_same_as_a_call(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "construction.json"
            result = run(BENCH, "--filter=^rn50_1x1_256_64_56_n1(/construct)? .*:packed:simd", "--rounds=1",
                         f"--json={path}")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            cases = {case["row"]: case for case in json.loads(path.read_text())["benchmarks"]}
            markdown = run(sys.executable, REPORT, "--markdown", str(path)).stdout
        call, construction = cases["rn50_1x1_256_64_56_n1"], cases["rn50_1x1_256_64_56_n1/construct"]
        self.assertEqual(call["checksum"], construction["checksum"])
        self.assertEqual((construction["op"], construction["bytes"]), ("construction", 2 * 4 * 256 * 64))
        self.assertIn("### 1 thread", markdown)
        self.assertIn("### constructing kernels and packing, 1 thread", markdown)


class Batching(unittest.TestCase):
    def test_every_layout_and_cut_has_the_same_bits_and_is_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "batching.json"
            result = run(BATCHING, "--filter=^bragg_3x3_64_32_9_n512", "--rounds=1", f"--json={path}")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            document = json.loads(path.read_text())
            markdown = run(sys.executable, REPORT, "--markdown", str(path))
        for row in ("", "/data", "/weights"):
            cases = [c for c in document["benchmarks"] if c["row"] == "bragg_3x3_64_32_9_n512" + row]
            self.assertEqual({(c["layout"], c["samples"]) for c in cases},
                             {(layout, samples) for layout in ("last", "blocks of 8", "blocks of 16", "planes")
                              for samples in (0, 1, 4, 16, 64)})
            self.assertEqual(len({c["checksum"] for c in cases}), 1)
            self.assertEqual([(c["layout"], c["samples"]) for c in cases if c["chosen"]], [("last", 0)])
        self.assertIn("What is chosen, measured:", result.stdout)
        chosen = set()
        for case in document["modelled"]:
            self.assertGreater(case["seconds"], 0)
            if case["chosen"]:
                self.assertNotIn((case["device"], case["row"]), chosen)
                chosen.add((case["device"], case["row"]))
        self.assertLessEqual({"gc2", "gc200", "bow", "v100", "h200"}, {device for device, _ in chosen})
        self.assertEqual(markdown.returncode, 0, markdown.stderr)
        self.assertIn("### Layout, and images to a call, 1 thread", markdown.stdout)
        self.assertIn("- modelled, gc200: the choice of layout_for and training_batch_for is the best or", markdown.stdout)


class Arguments(unittest.TestCase):
    def test_wrong_ones_give_one_line(self):
        for arguments in (["--rows"], ["gemm_8"], ["--rounds"], ["--rounds="], ["--rounds=0"], ["--rounds=3x"],
                          ["--threads=0"], ["--threads=1,"], ["--threads=99999"], ["--filter=("], ["--vary=layout"],
                          ["--repro=gemm_7"], ["--repro=matmul:m1n1k0:f32"], ["--repro=::"], ["--list=yes"],
                          ["--filter=no such row"], [ROW, "--json=/no/such/folder/file"]):
            for program in (BENCH, INDEX):
                result = run(program, *arguments)
                self.assertEqual(result.returncode, 2, arguments)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertTrue(result.stderr.startswith("tern_bench: "), result.stderr)

    def test_what_matches_nothing_is_named(self):
        sentence = "tern_bench: nothing to measure: no case matches 'no such'; --list --all shows what there is\n"
        for arguments in (["--filter=no such"], ["--filter=no such", "--list"]):
            for program in (BENCH, INDEX):
                self.assertEqual(run(program, *arguments).stderr, sentence)

    def test_help_and_list(self):
        self.assertIn("--repro=NAME", run(BENCH, "--help").stdout)
        self.assertEqual(run(INDEX, "--help").stdout, run(BENCH, "--help").stdout)
        lines = [line.split() for line in run(BENCH, "--list").stdout.splitlines()]
        rows = {row for row, _ in lines}
        self.assertEqual(len({row for row, case in lines if case.startswith("matmul")}), 34)
        self.assertEqual(len({row for row, case in lines if case.startswith("conv") and "construct" not in case}), 77)
        self.assertEqual(len({row for row, case in lines if ".construct_and_pack:" in case}), 3)
        self.assertEqual(len({row for row, case in lines if "_pool2d" in case}), 20)
        moving = re.compile("(batch_norm|group_norm|layer_norm|softmax|cross_entropy|elementwise|dropout|adam)[.+:]")
        self.assertEqual(len({row for row, case in lines if moving.match(case)}), 68)
        self.assertEqual(len(rows), 34 + 77 + 3 + 20 + 68)
        self.assertLess(rows, {line.split()[0] for line in run(BENCH, "--list", "--all").stdout.splitlines()})

    def test_every_case_can_be_asked_for_by_its_descriptor(self):
        rows = "--filter=^(gemm_64|c3d_3x3x3|maxpool3x3|lnorm|adam)"
        for line in run(BENCH, "--list", rows, "--no-peers").stdout.splitlines():
            descriptor = line.split()[1]
            again = run(BENCH, "--list", "--repro=" + descriptor).stdout.splitlines()
            self.assertEqual([row.split()[1] for row in again], [descriptor])

    def test_repro_explains_and_measures_one_case(self):
        result = run(BENCH, "--repro=matmul:m5n7k3:f32:plain:simd<native,exact>:t1", "--rounds=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(".m = 5, .n = 7, .k = 3", result.stdout)
        self.assertIn("tern_bench --repro='matmul:m5n7k3:f32:plain:simd<native,exact>:t1'", result.stdout)

    def test_tunings_take_part_when_asked(self):
        arguments = (BENCH, "--list", ROW)
        self.assertNotIn("half_blocks", run(*arguments).stdout)
        self.assertIn("half_blocks", run(*arguments, "--vary=tuning").stdout)

    def test_tunings_of_convolutions_are_right(self):
        result = run(BENCH, "--filter=^cifar_3x3_32_64_15_n(1|32/.*) .*tile_8x3", "--vary=tuning", "--rounds=1")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for case in ("conv2d:", "conv2d.backward_data:", "conv2d.backward_weights:"):
            self.assertRegex(result.stdout, rf"\b{re.escape(case)}\S*:simd<native,exact,tile_8x3>:t1\n")


class Index(unittest.TestCase):
    @staticmethod
    def cases(program, *arguments):
        return sorted(run(program, "--list", *arguments).stdout.splitlines())

    @staticmethod
    def parts(*arguments):
        answer = run(INDEX, *arguments)
        return set(answer.stdout.strip().removeprefix("parts: ").split(";"))

    def test_knows_every_case(self):
        for arguments in ([], ["--all"], ["--vary=tuning", "--filter= matmul"], ["--vary=tuning", "--filter=^cifar_3x3_32_64_15_n"],
                          ["--repro=gemm_8"], ["--all", "--no-peers"]):
            cases = self.cases(BENCH, *arguments)
            self.assertTrue(cases)
            self.assertEqual(self.cases(INDEX, *arguments), cases)

    def test_parts_are_those_that_a_filter_needs(self):
        for arguments, parts in (([ROW], {"reference_forward", "simd_forward", "mimd_forward", "static_0"}),
                                 (["--filter=^gemm_64 .*:simd"], {"simd_forward", "static_0"}),
                                 (["--filter=^dw3x3_96_112_n1 "], {"conv_3"}),
                                 (["--filter=^dw3x3_96_112_n1|^softmax_81_n1"], {"conv_3", "loops", "maps"}),
                                 (["--repro=matmul:m5n7k3:f32:plain:simd<native,exact>:t1"], {"simd_forward"}),
                                 (["--filter=^gemm_64 .*,tile_8x3", "--vary=tuning"], {"tunings"})):
            self.assertEqual(self.parts(*arguments, "--no-peers"), parts)

    def test_a_program_of_the_parts_has_every_case_of_the_row(self):
        arguments = [ROW, "--no-peers"]
        self.assertEqual(self.cases(PARTS, *arguments), self.cases(BENCH, *arguments))
        result = run(PARTS, *arguments, "--rounds=1")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertNotIn("WRONG", result.stdout)


class Progress(unittest.TestCase):
    def test_a_terminal_has_one_line_which_is_erased(self):
        ours, theirs = pty.openpty()
        arguments = [PARTS, ROW, "--no-peers", "--rounds=1"]
        result = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=theirs, text=True, timeout=300, check=False)
        said = os.read(ours, 1 << 16).decode()
        os.close(theirs), os.close(ours)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(said, r"^\r\x1b\[Ktern_bench: gemm_8, checking matmul:")
        self.assertTrue(said.endswith("\r\x1b[K"), said)
        self.assertNotIn("\n", said)
        self.assertNotIn("\x1b", result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
