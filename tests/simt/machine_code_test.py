# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests check_device_code.py, machine_code.py and executed.py on texts with known contents. Needs no nvcc."""
import contextlib
import io
import os
import pathlib
import tempfile
import unittest

import check_device_code
import executed
import machine_code

KERNEL = "_ZN4tern4impl10simt_entryINS0_17contraction_blockIfLNS0_11simt_tuningE0EEEJiEEEvDpT0_"


def sass(*lines):
    """A function as nvdisasm -c prints it; labels end with a colon."""
    text, address = f".text.{KERNEL}:\n", 0
    for line in lines:
        if line.endswith(":"):
            text += line + "\n"
        else:
            text += f"        /*{address:04x}*/                   {line} ;\n"
            address += 16
    return text + ".L_x_9:\n        /*ff00*/                   BRA `(.L_x_9);\n        /*ff10*/                   NOP;\n"


class Paths(unittest.TestCase):
    def ways(self, fmas, *lines):
        return machine_code.slab_paths(*machine_code.functions(sass(*lines))[KERNEL], fmas)

    def test_a_loop_without_branches(self):
        self.assertEqual(self.ways(2, "MOV R1, R2", ".L_x_0:", "BAR.SYNC 0x0", "FFMA R1", "FFMA R2", "@P0 BRA `(.L_x_0)"),
                         (4, 4))

    def test_branches_make_a_range(self):
        lines = [".L_x_0:", "BAR.SYNC 0x0", "@P1 BRA `(.L_x_1)", "MOV R1, R2", "MOV R1, R2", ".L_x_1:", "FFMA R1",
                 "@P0 BRA `(.L_x_0)", "EXIT"]
        self.assertEqual(self.ways(1, *lines), (4, 6))
        self.assertIsNone(self.ways(2, *lines))

    def test_only_ways_with_all_fmas_count(self):
        lines = [".L_x_0:", "BAR.SYNC 0x0", "@P1 BRA `(.L_x_1)", "DFMA R1", "DFMA R1", "BRA `(.L_x_2)", ".L_x_1:", "DFMA R1",
                 ".L_x_2:", "@P0 BRA `(.L_x_0)", "EXIT"]
        self.assertEqual(self.ways(2, *lines), (6, 6))
        self.assertEqual(self.ways(1, *lines), (4, 4))

    def test_an_inner_loop_that_ends_at_its_top_is_gone_through_once(self):
        lines = [".L_x_0:", "BAR.SYNC 0x0", ".L_x_1:", "@P1 BRA `(.L_x_2)", "FFMA R1", "BRA `(.L_x_1)", ".L_x_2:", "MOV R1",
                 "@P0 BRA `(.L_x_0)", "EXIT"]
        self.assertEqual(self.ways(1, *lines), (7, 7))
        self.assertEqual(self.ways(0, *lines), (4, 4))

    def test_a_call_of_a_label_is_a_jump(self):
        lines = [".L_x_0:", "BAR.SYNC 0x0", "FFMA R1", "@P0 CALL.REL.NOINC `(.L_x_1)", "BRA `(.L_x_0)", ".L_x_1:", "EXIT"]
        self.assertEqual(self.ways(1, *lines), (4, 4))

    def test_without_a_barrier_it_is_no_loop_over_slabs(self):
        self.assertIsNone(self.ways(1, ".L_x_0:", "FFMA R1", "@P0 BRA `(.L_x_0)"))


class Counts(unittest.TestCase):
    ROWS = machine_code.analyse(sass("LDG.E.128 R1", "LDG.E R2", "@!PT LDS RZ, [RZ]", "LDS.64 R1", "@P0 STS.U8 [R1]",
                                     "LDGSTS.E.BYPASS.128 [R1]", "FFMA R1", "MUFU.RCP R1", "IMAD R1", "EXIT"), {KERNEL: 40})

    def test_kinds_and_bytes(self):
        (row,) = self.ROWS.values()
        wanted = {"registers": 40, "instructions": 10, "fma": 1, "float": 1, "global": 2, "shared": 3, "copy": 1, "integer": 1,
                  "control": 1, "bytes_read": 10, "bytes_shared_read": 8, "bytes_shared_written": 1, "bytes_copied": 16}
        self.assertEqual({name: row[name] for name in wanted}, wanted)

    def test_a_damaged_file_is_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pins.tsv")
            machine_code.write(path, "nvcc 1.2", {"80": self.ROWS})
            self.assertEqual(os.listdir(folder), ["pins.tsv"])
            text = pathlib.Path(path).read_text()
            for damaged in (text.replace("\t40\t", "\tforty\t"), text.replace("sm\t", "sn\t"), text[:text.rfind("\t")]):
                pathlib.Path(path).write_text(damaged)
                with self.assertRaisesRegex(SystemExit, "is damaged: check_device_code.py --pin writes it"):
                    machine_code.read(path)
            with self.assertRaisesRegex(SystemExit, "cannot be read: No such file"):
                machine_code.read(path + "x")
            with self.assertRaisesRegex(SystemExit, "cannot be written: No such file"):
                machine_code.write(os.path.join(folder, "none", "pins.tsv"), "nvcc 1.2", {"80": self.ROWS})

    def test_pins_come_back_and_changes_show(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pins.tsv")
            machine_code.write(path, "nvcc 1.2", {"80": self.ROWS})
            compiler, pins = machine_code.read(path)
        self.assertEqual(compiler, "nvcc 1.2")
        self.assertEqual(machine_code.differences(pins["80"], self.ROWS), [])
        (name,) = self.ROWS
        for column, _, _ in machine_code.COLUMNS:
            changed = {name: {**self.ROWS[name], column: 3 * self.ROWS[name][column] + 50}}
            self.assertEqual(len(machine_code.differences(pins["80"], changed)), 1, column)
        self.assertEqual(machine_code.differences(pins["80"], {}), [f"{name}: is pinned and was not compiled"])
        self.assertEqual(machine_code.differences({}, self.ROWS), [f"{name}: is not pinned"])


    def test_one_access_that_is_lost_or_narrower_shows(self):
        (name,) = self.ROWS
        loads, copies = ["LDS.128 R1"] * 38, ["LDGSTS.E.BYPASS.128 [R1]"] * 32
        def row(lines):
            return machine_code.analyse(sass(*lines, *["IMAD R1"] * 200), {KERNEL: 40})
        pinned = row(loads + copies)
        self.assertEqual(machine_code.differences(pinned, row(copies + loads)), [])
        for changed in (loads[1:] + copies, loads + copies[1:], ["LDS.64 R1"] + loads[1:] + copies,
                        loads + ["LDGSTS.E.64 [R1]"] + copies[1:], loads + copies + ["IMAD R1"] * 20):
            self.assertNotEqual(machine_code.differences(pinned, row(changed)), [])


class Products(unittest.TestCase):
    def test_a_sum_of_a_product_is_found_where_both_may_be_fused(self):
        fusible = check_device_code.fusible
        self.assertEqual(fusible("mul.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f1;"), ["%f3"])
        self.assertEqual(fusible("mul.f64 %fd3, %fd1, %fd2;\nneg.f64 %fd5, %fd3;\nsub.f64 %fd4, %fd1, %fd5;"), ["%fd5"])
        self.assertEqual(fusible("mul.rn.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f1;"), [])
        self.assertEqual(fusible("mul.f32 %f3, %f1, %f2;\nadd.rn.f32 %f4, %f3, %f1;\nadd.f32 %f5, %f1, %f2;"), [])


class Executed(unittest.TestCase):
    def test_families(self):
        self.assertEqual(executed.family("row_block<rows_of_places<mapping<double, stream_map<(stream_kind)0, 32, true> > >, 256>"),
                         ("row_block stream_map", "f64"))
        self.assertEqual(executed.family("conv_sums_block<float, (conv_pass)0, epilogue{true, activation{(function)1, 1}}, 256>"),
                         ("conv_sums_block", "f32"))
        self.assertEqual(executed.family("row_block<rows_of_copy<signed char, pad_map, false>, 256>"),
                         ("row_block rows_of_copy pad_map", "i8"))

    def check(self, page, pinned, launches, write=False, on_gpu=None):
        """Of a page, a pinned kernel, and launches of the one above; the exit status, the output and the page then."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder, n) for n in ("page.md", "pins.tsv", "ptx_some_reverse_early_sm_80.tsv")]
            paths[0].write_text(page)
            row = {column: 1 for column, _, _ in machine_code.COLUMNS}
            machine_code.write(paths[1], "nvcc 1.2", {"80": {pinned: row}})
            paths[2].write_text(f"launches\tkernel\n{launches}\t{KERNEL}\n")
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                status = executed.check_table(*paths[:2], paths[2:], write, on_gpu)
            return status, out.getvalue(), paths[0].read_text()

    def test_the_page_must_have_the_table(self):
        empty = "a\n" + executed.BEGIN + executed.END + "b\n"
        status, _, page = self.check(empty, "contraction_block<float>", 3, write=True)
        self.assertEqual(status, 0)
        self.assertIn("| `contraction_block` | f32 | some | not yet |\n" + executed.END + "b\n", page)
        self.assertEqual(self.check(page, "contraction_block<float>", 3)[0], 0)
        self.assertEqual(self.check(empty, "contraction_block<float>", 3)[0], 1)
        ran = self.check(page, "contraction_block<float>", 3, write=True, on_gpu="a card, today")[2]
        self.assertIn("| some | a card, today |\n", ran)
        self.assertEqual(self.check(ran, "contraction_block<float>", 3, write=True)[2], ran)
        self.assertEqual(self.check("a\n", "contraction_block<float>", 3)[0], 1)

    def test_a_kernel_that_was_not_executed_is_named(self):
        page = self.check(executed.BEGIN + executed.END, "contraction_block<float>", 1, write=True)[2]
        status, out, _ = self.check(page, "contraction_block<double>", 1)
        self.assertEqual(status, 1)
        self.assertIn("was compiled and not executed: contraction_block f64", out)
        self.assertEqual(self.check(page, "contraction_block<float>", 0)[0], 1)


if __name__ == "__main__":
    unittest.main()
