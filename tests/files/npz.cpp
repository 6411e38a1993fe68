// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Npz files that others wrote, and each kind of damage with its sentence.
#include "tern/files/npz.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/files/complaint.hpp"
#include "tests/files/samples.hpp"
#include "tests/support/catch.hpp"

using namespace tern::test;

namespace {

/// The error of loading a float32 tensor 'a' of two elements from a file; it must leave the tensor unchanged.
std::string load(const std::string& bytes) {
  const folder place;
  write_bytes(place / "x", bytes);
  float a[2] = {8, 9};
  const std::string result = complaint("load_npz", place / "x", [&] {
    tern::load_npz(place / "x", std::vector{tern::named("a", tern::view(tern::unchecked, a, tern::extents(2)))});
  });
  CHECK((result == "no error" || (a[0] == 8 && a[1] == 9)));
  return result;
}

const std::string two_floats(8, '\1');

// libzip's words follow.
const std::string damaged = "it is not an npz file, or it is damaged: ";

/// The same of an archive with one array 'a' of these bytes.
std::string load_array(const std::string& bytes) { return load(zip_bytes({{"a.npy", bytes}})); }
std::string load_header(const std::string& header) { return load_array(npy_file(header, two_floats)); }

}  // namespace

TEST_CASE("npz: a file put together by hand") {
  const folder place;
  write_bytes(place / "x", small_npz());
  small_model model = small_model::other();
  tern::load_npz(place / "x", model.tensors());
  CHECK(model == small_model());
}

TEST_CASE("npz: a file of numpy.savez_compressed") {
  // numpy 2.4.6: savez_compressed("x.npz", **{"w": arange(6), 2 x 3, float32; "Größe": [0.5, -1]})
  const std::string bytes = from_hex(
      "504b03042d0000000800000021004fe9002affffffffffffffff05001400772e6e70790100100098000000000000005500000000000000"
      "9bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402"
      "f91a463a0ac69a3a0ab50a64032e063068b007120e4004c40d40bcc00100504b03042d000008080000002100bcd4baa1ffffffffffffff"
      "ff0b0014004772c3b6c39f652e6e70790100100090000000000000004d000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46e"
      "a5a06e9366a1aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a463a9a3a0ab50a14002e063078600fa13f"
      "ec0700504b01022d032d0000000800000021004fe9002a5500000098000000050000000000000000000000800100000000772e6e707950"
      "4b01022d032d000008080000002100bcd4baa14d000000900000000b000000000000000000000080018c0000004772c3b6c39f652e6e70"
      "79504b050600000000020002006c000000160100000000");
  const folder place;
  write_bytes(place / "x", bytes);
  small_model model = small_model::other();
  const std::vector<tern::named_tensor> all = model.tensors();
  std::vector<tern::named_tensor> tensors{all[0], all[1]};
  tensors[1].name = "Größe";
  tern::load_npz(place / "x", tensors);
  const small_model expected;
  CHECK(std::equal(model.w, model.w + 6, expected.w));
  CHECK(std::equal(model.b, model.b + 2, expected.b));
}

TEST_CASE("npz: our own bytes are those of the format") {
  const folder place;
  small_model model;
  tern::save_npz(place / "x", std::vector{model.tensors()[0]});
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  const std::string array = npy_file(header + std::string(117 - header.size(), ' ') + "\n", small_bytes().w);
  CHECK(array.size() == 128 + 24);
  CHECK(read_bytes(place / "x").find(array) != std::string::npos);
}

TEST_CASE("npz: headers may be spaced and ordered as Python allows, in versions 1.0 to 3.0") {
  const std::string header = "{\"shape\":( 2 ,) , 'descr' :'<f4','fortran_order':False}   \n";
  CHECK(load_header(header) == "no error");
  for (const char version : {'\2', '\3'})
    CHECK(load_array(std::string("\x93NUMPY") + version + '\0' + little(header.size(), 4) + header + two_floats) ==
          "no error");
}

TEST_CASE("npz: names are UTF-8 if the archive says so, else code page 437") {
  const folder place;
  float a[2];
  const std::string array = npy_file(npy_header("<f4", "(2,)"), two_floats);
  const auto loads = [&](const char* stored, unsigned flags, const char* name) {
    write_bytes(place / "x", zip_bytes({{stored, array, flags}}));
    return complaint("load_npz", place / "x", [&] {
      tern::load_npz(place / "x", std::vector{tern::named(name, tern::view(tern::unchecked, a, tern::extents(2)))});
    });
  };
  CHECK(loads("\x81.npy", 0, "ü") == "no error");
  CHECK(loads("ü.npy", 1 << 11, "ü") == "no error");
  CHECK(loads("\x81.npy", 1 << 11, "ü").starts_with(damaged));
}

TEST_CASE("npz: other tensors than those asked for") {
  CHECK(load_header(npy_header("<f4", "(1, 2)")) == "tensor 'a' is float32 [1, 2], asked for is float32 [2]");
  CHECK(load_header(npy_header("<i4", "(2,)")) == "tensor 'a' is int32 [2], asked for is float32 [2]");
  CHECK(load_header(npy_header("<f8", "()")) == "tensor 'a' is float64 [], asked for is float32 [2]");
  CHECK(load(zip_bytes({})) == "there is no tensor 'a' (float32 [2])");
  const std::string array = npy_file(npy_header("<f4", "(2,)"), two_floats);
  CHECK(load(zip_bytes({{"a.npy", array}, {"b.npy", array}})) ==
        "tensor 'b' (float32 [2]) is not among those asked for");
  CHECK(load(zip_bytes({{"a.npy", array}, {"a.npy", array}})) == "two of its arrays have the same name");
  CHECK(load(zip_bytes({{"a.txt", array}})) == "it has a file 'a.txt', which is not a numpy array");
  CHECK(load(zip_bytes({{"a/", ""}})) == "it has a file 'a/', which is not a numpy array");
}

TEST_CASE("npz: arrays that tern does not read") {
  CHECK(load_header(npy_header(">f4", "(2,)")) == "array 'a' is big-endian ('>f4'), which tern does not read");
  CHECK(load_header("{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }\n") ==
        "array 'a' is in Fortran's order, which tern does not read: save numpy.ascontiguousarray of it");
  CHECK(load_header(npy_header("|O", "(2,)")) == "array 'a' has the element type '|O', which tern does not read");
  CHECK(load_header(npy_header("<c8", "(1,)")) == "array 'a' has the element type '<c8', which tern does not read");
  CHECK(load_header("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }\n") ==
        "array 'a' has elements of several fields, which tern does not read");
  CHECK(load_array(std::string("\x93NUMPY\4\1\0\0", 10)) ==
        "array 'a' has version 4.1 of numpy's format; 1.0 to 3.0 are read");
  CHECK(load_array(std::string("\x93NUMPY\2\0\1\0\1\0", 12)) ==
        "array 'a' has a header of 65537 bytes; tern reads 65536");
  CHECK(load(zip_bytes({{"a.npy", "secret", 1}})).starts_with("array 'a' is encrypted"));
}

TEST_CASE("npz: headers that numpy does not write") {
  const std::string malformed = "array 'a' has a header that numpy does not write";
  const std::string good = "'descr': '<f4', 'fortran_order': False, 'shape': ";
  for (const std::string& header : {std::string(),
                                    std::string("{"),
                                    std::string("}"),
                                    std::string("{}"),
                                    "{" + good + "(2,)",
                                    "{" + good + "(2)}",
                                    "{" + good + "[2]}",
                                    "{" + good + "(-2,)}",
                                    "{" + good + "(2 3)}",
                                    "{" + good + "(2,,)}",
                                    "{" + good + "(2,)},",
                                    "{" + good + "(2,)}x",
                                    "{" + good + "(2,), 'more': 1}",
                                    "{" + good + "(2,), 'descr': '<f4'}",
                                    "{" + good + "(2,) 'x'}",
                                    "{" + good + "(2.0,)}",
                                    "{" + good + "(0x2,)}",
                                    "{" + good + "(2,)}" + '\0',
                                    std::string("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}"),
                                    std::string("{'descr: '<f4'}"),
                                    std::string("{'descr': '<f4', 'shape': (2,)}"),
                                    std::string("{descr: '<f4'}")})
    CHECK(load_header(header) == malformed);
  CHECK(load_header("{" + good + "(99999999999999999999,)}") == "array 'a' has an extent that is larger than memory");
}

TEST_CASE("npz: lengths that are wrong") {
  const std::string header = npy_header("<f4", "(2,)");
  CHECK(load_array("") == "array 'a' ends after 0 bytes");
  CHECK(load_array("\x93NUMPY\1") == "array 'a' ends after 7 bytes");
  CHECK(load_array("PK, PK, PK, ") == "array 'a' does not begin as a numpy array does");
  CHECK(load_array(npy_file(header, "").substr(0, 30)) == "array 'a' ends after 30 bytes");
  CHECK(load_array(npy_file(header, "1234567")) == "array 'a' has 7 bytes of elements, and its shape [2] needs 8");
  CHECK(load_array(npy_file(header, "123456789")) == "array 'a' has 9 bytes of elements, and its shape [2] needs 8");
  CHECK(load_array(npy_file(npy_header("<f4", "(4611686018427387904, 4)"), "")) ==
        "array 'a' has 0 bytes of elements, and its shape [4611686018427387904, 4] needs more than memory has");
}

TEST_CASE("npz: archives that are damaged") {
  const std::string array = npy_file(npy_header("<f4", "(2,)"), two_floats);
  const std::string good = zip_bytes({{"a.npy", array}});
  CHECK(load(good) == "no error");
  CHECK(load("") == "it is not an npz file: it is empty");
  CHECK(load(array).starts_with(damaged));
  CHECK(load(good.substr(0, good.size() - 1)).starts_with(damaged));
  CHECK(load(good + "x").starts_with(damaged));
  CHECK(load(zip_bytes({{"a.npy", array, 0, 1}})) == "array 'a' is damaged: CRC error");
  CHECK(load("x" + good) != "no error");
}

TEST_CASE("npz: a bool is 0 or 1") {
  const folder place;
  write_bytes(place / "x", zip_bytes({{"m.npy", npy_file(npy_header("|b1", "(3,)"), "\1\2\1")}}));
  bool m[3] = {};
  CHECK(complaint("load_npz", place / "x", [&] {
          tern::load_npz(place / "x", std::vector{tern::named("m", tern::view(tern::unchecked, m, tern::extents(3)))});
        }) == "tensor 'm' is bool and has a byte other than 0 and 1");
  CHECK_FALSE(m[0]);
}

TEST_CASE("npz: paths without a regular file") {
  const folder place;
  const std::vector<tern::named_tensor> none;
  const auto says = [&](const std::filesystem::path& path) {
    return complaint("load_npz", path, [&] { tern::load_npz(path, none); });
  };
  CHECK(says(place / "absent") == "it cannot be opened: No such file or directory");
  CHECK(says(place.path()) == "it is not a regular file");
}
