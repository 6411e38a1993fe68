// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safetensors files that others wrote, and each kind of damage with its sentence.
#include "tern/files/safetensors.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

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
  const std::string result = complaint("load_safetensors", place / "x", [&] {
    tern::load_safetensors(place / "x",
                           std::vector{tern::named("a", tern::view(tern::unchecked, a, tern::extents(2)))});
  });
  CHECK((result == "no error" || (a[0] == 8 && a[1] == 9)));
  return result;
}

/// The same of a file with this header and `count` bytes of data.
std::string load(std::string_view header, std::size_t count) {
  return load(safetensors_file(header, std::string(count, '\1')));
}

std::string tensor(const std::string& fields) { return R"({"a":{)" + fields + "}}"; }
std::string two(const std::string& a, const std::string& b) {
  return R"({"a":{"dtype":"F32","shape":[2],"data_offsets":)" + a +
         R"(},"b":{"dtype":"F32","shape":[2],"data_offsets":)" + b + "}}";
}

}  // namespace

TEST_CASE("safetensors: a file put together by hand") {
  const folder place;
  write_bytes(place / "x", small_safetensors());
  small_model model = small_model::other();
  CHECK(tern::load_safetensors(place / "x", model.tensors()).metadata == tern::file_metadata{{"step", "12"}});
  CHECK(model == small_model());
}

TEST_CASE("safetensors: a file of the format's own library, and ours of the same tensors") {
  // safetensors 0.8.0: save_file({"w": arange(6), 2 x 3, float32; "Größe": [0.5, -1]; "m": [1, 0, 1], bool},
  //                              metadata={"by": "x"})
  const std::string bytes = from_hex(
      "c8000000000000007b225f5f6d657461646174615f5f223a7b226279223a2278227d2c224772c3b6c39f65223a7b226474797065223a22"
      "463634222c227368617065223a5b325d2c22646174615f6f666673657473223a5b302c31365d7d2c2277223a7b226474797065223a2246"
      "3332222c227368617065223a5b322c335d2c22646174615f6f666673657473223a5b31362c34305d7d2c226d223a7b226474797065223a"
      "22424f4f4c222c227368617065223a5b335d2c22646174615f6f666673657473223a5b34302c34335d7d7d000000000000e03f00000000"
      "0000f0bf000000000000803f0000004000004040000080400000a040010001");
  const folder place;
  write_bytes(place / "x", bytes);
  small_model model = small_model::other();
  const std::vector<tern::named_tensor> all = model.tensors();
  std::vector<tern::named_tensor> tensors{all[0], all[1], all[3]};
  tensors[1].name = "Größe";
  const tern::file_metadata metadata = tern::load_safetensors(place / "x", tensors).metadata;
  CHECK(metadata == tern::file_metadata{{"by", "x"}});
  small_model expected;
  expected.s[0] = 9;
  CHECK(model == expected);

  tern::save_safetensors(place / "x", tensors, metadata);
  CHECK(read_bytes(place / "x") == bytes);
}

TEST_CASE("safetensors: headers may be spaced, ordered and escaped as JSON allows") {
  CHECK(load("{ \"\\u0061\" : {\"data_offsets\":[0, 8],\n\"shape\":[2],\"dtype\":\"F32\"} }\t\r\n  ", 8) == "no error");
}

TEST_CASE("safetensors: other tensors than those asked for") {
  CHECK(load(R"({"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})", 8) ==
        "tensor 'a' is float32 [1, 2], asked for is float32 [2]");
  CHECK(load(R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}})", 8) ==
        "tensor 'a' is int32 [2], asked for is float32 [2]");
  CHECK(load(R"({"a":{"dtype":"BF16","shape":[4],"data_offsets":[0,8]}})", 8) ==
        "tensor 'a' is bfloat16 [4], asked for is float32 [2]");
  CHECK(load(R"({"b\n":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8) ==
        "there is no tensor 'a' (float32 [2]); tensor 'b\\x0a' (float32 [2]) is not among those asked for");
  CHECK(load("{}", 0) == "there is no tensor 'a' (float32 [2])");
  CHECK(load(two("[0,8]", "[8,16]"), 16) == "tensor 'b' (float32 [2]) is not among those asked for");
  std::string long_text = "{";
  for (const char* name : {"z", "y", "x", "w", "v", "u", "t"})
    long_text += (long_text.size() > 1 ? ",\"" : "\"") + std::string(name) +
                 R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  CHECK(load(long_text + "}", 0) ==
        "there is no tensor 'a' (float32 [2]); tensors 't' (float32 [0]), 'u' (float32 [0]), 'v' (float32 [0]), 'w' "
        "(float32 [0]), "
        "'x' (float32 [0]), 'y' (float32 [0]), ... (7 in all) are not among those asked for");
}

TEST_CASE("safetensors: lengths that are wrong") {
  CHECK(load("") == "it has 0 bytes, too few for a safetensors file");
  CHECK(load("1234567") == "it has 7 bytes, too few for a safetensors file");
  CHECK(load(little(0, 8)) == "it is not a safetensors file: its header does not begin with {");
  CHECK(load(little(3, 8) + "{}") == "its header has 3 bytes, and the file 10");
  CHECK(load(little(100'000'001, 8) + "{}") ==
        "it is not a safetensors file: its header would have 100000001 bytes, and the format allows 100000000");
  CHECK(load(little(~0ull, 8) + "{}") ==
        "it is not a safetensors file: its header would have 18446744073709551615 bytes, and the format allows "
        "100000000");
  CHECK(load(small_npz()).starts_with("it is not a safetensors file: its header would have "));
}

TEST_CASE("safetensors: headers that are not the format's JSON") {
  CHECK(load("[]", 0) == "it is not a safetensors file: its header does not begin with {");
  CHECK(load(" {}", 0) == "it is not a safetensors file: its header does not begin with {");
  CHECK(load("{\"a\":", 0) == "its header is not JSON at byte 6");
  CHECK(load("{}x", 0) == "its header is not JSON at byte 3");
  CHECK(load(std::string("{}\0\0", 4), 0) == "its header is not JSON at byte 3");
  CHECK(load("{} // a comment", 0) == "its header is not JSON at byte 4");
  CHECK(load("{\"\xff\":0}", 0) == "its header is not UTF-8");
  CHECK(load(R"({"\ud800":0})", 0) == "its header is not JSON at byte 9");
  CHECK(load(R"({"a":1})", 0) == "its header has a number for 'a'");
  CHECK(load(R"({"a":[]})", 0) == "its header has an array for 'a'");
  CHECK(load("{\"a\":" + std::string(100'000, '['), 0) == "its header has an array for 'a'");
  CHECK(load("{" + std::string(100'000, '{'), 0) == "its header is not JSON at byte 2");
  CHECK(load(R"({"__metadata__":{"k":1}})", 0) == "its metadata 'k' are not a string");
  CHECK(load(R"({"__metadata__":{"k":"1","k":"2"}})", 0) == "its metadata have the name 'k' twice");
  CHECK(load(R"({"__metadata__":{},"__metadata__":{}})", 0) == "two tensors have the name '__metadata__'");
}

TEST_CASE("safetensors: fields that are wrong") {
  CHECK(load(tensor(R"("shape":[2],"data_offsets":[0,8])"), 8) == "tensor 'a' lacks its dtype, shape or data_offsets");
  CHECK(load(tensor(R"("dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8])"), 8) ==
        "tensor 'a' has the element type 'F8_E4M3', which tern does not read");
  CHECK(load(tensor(R"("dtype":7)"), 8) == "tensor 'a' has a number in its dtype");
  CHECK(load(tensor(R"("dtype":["F32"])"), 8) == "tensor 'a' has an array in its dtype");
  CHECK(load(tensor(R"("strides":[1])"), 8) == "tensor 'a' has the field 'strides', which the format does not have");
  CHECK(load(tensor(R"("shape":[2],"shape":[2])"), 8) == "tensor 'a' has two fields 'shape'");
  CHECK(load(tensor(R"("shape":[-2])"), 8) == "tensor 'a' has a negative number in its shape");
  CHECK(load(tensor(R"("shape":[2.0])"), 8) == "tensor 'a' has a number that is not whole in its shape");
  CHECK(load(tensor(R"("shape":[99999999999999999999])"), 8) ==
        "tensor 'a' has a number that is not whole in its shape");
  CHECK(load(tensor(R"("shape":[9223372036854775808])"), 8) == "tensor 'a' has an extent that is larger than memory");
  CHECK(load(tensor(R"("shape":[[2]])"), 8) == "tensor 'a' has an array in its shape");
  CHECK(load(tensor(R"("shape":2)"), 8) == "tensor 'a' has a number in its shape");
  CHECK(load(tensor(R"("shape":null)"), 8) == "tensor 'a' has null in its shape");
  CHECK(load(tensor(R"("shape":{})"), 8) == "tensor 'a' has an object in its shape");
  CHECK(load(tensor(R"("data_offsets":[0])"), 8) == "tensor 'a' has fewer than two data_offsets");
  CHECK(load(tensor(R"("data_offsets":[0,8,9])"), 8) == "tensor 'a' has more than two data_offsets");
  CHECK(load(tensor(R"("data_offsets":[0,true])"), 8) == "tensor 'a' has a bool in its data_offsets");
}

TEST_CASE("safetensors: data that are wrong") {
  const std::string f32 = R"("dtype":"F32","shape":[2],"data_offsets":)";
  CHECK(load(tensor(f32 + "[0,9]"), 9) == "tensor 'a' has 9 bytes, and its shape [2] needs 8");
  CHECK(load(tensor(f32 + "[8,0]"), 8) == "tensor 'a' has the data_offsets 8 and 0");
  CHECK(load(tensor(f32 + "[0,8]"), 7) == "tensor 'a' ends at byte 8 of the data, of which there are 7");
  CHECK(load(tensor(f32 + "[18446744073709551608,18446744073709551615]"), 8) ==
        "tensor 'a' ends at byte 18446744073709551615 of the data, of which there are 8");
  CHECK(load(tensor(f32 + "[0,8]"), 11) == "bytes 8 to 11 of its data belong to no tensor");
  CHECK(load(tensor(f32 + "[4,12]"), 12) == "bytes 0 to 4 of its data belong to no tensor");
  CHECK(load(two("[0,8]", "[4,12]"), 12) == "tensor 'b' shares bytes with another one");
  CHECK(load(two("[0,8]", "[0,8]"), 8) == "tensor 'b' shares bytes with another one");
  CHECK(load(two("[0,8]", "[9,17]"), 17) == "bytes 8 to 9 of its data belong to no tensor");
  CHECK(load(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],)"
             R"("data_offsets":[8,16]}})",
             16) == "two tensors have the name 'a'");
  CHECK(load(tensor(R"("dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0])"), 0) ==
        "tensor 'a' has the shape [4611686018427387904, 4], larger than memory");
}

TEST_CASE("safetensors: a bool is 0 or 1") {
  const folder place;
  write_bytes(place / "x", safetensors_file(R"({"m":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})", "\1\2\1"));
  bool m[3] = {};
  CHECK(complaint("load_safetensors", place / "x", [&] {
          tern::load_safetensors(place / "x",
                                 std::vector{tern::named("m", tern::view(tern::unchecked, m, tern::extents(3)))});
        }) == "tensor 'm' is bool and has a byte other than 0 and 1");
  CHECK_FALSE(m[0]);
}

TEST_CASE("safetensors: paths without a regular file") {
  const folder place;
  const std::vector<tern::named_tensor> none;
  const auto says = [&](const std::filesystem::path& path) {
    return complaint("load_safetensors", path, [&] { tern::load_safetensors(path, none); });
  };
  CHECK(says(place / "absent") == "it cannot be opened: No such file or directory");
  CHECK(says(place.path()) == "it is not a regular file");
  CHECK(says("/dev/zero") == "it is not a regular file");
}
