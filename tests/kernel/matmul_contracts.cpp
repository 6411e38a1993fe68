// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrong calls of matmuls: their messages at run time; they write nothing. (tests/compile_fail pins messages of the
// compiler.)
#include <string>
#include <vector>

#include "tern/simd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

namespace tern {
namespace {

using test::message;

using multiply = kernel<matmul<matmul_config{.k = 3}>, reference>;
using biased = kernel<matmul<matmul_config{.bias = true, .residual = true}>, simd<>>;
using batched = kernel<matmul<matmul_config{.batch = dynamic}>, simd<>>;

TEST_CASE("shapes that disagree are named, and nothing is written", "[matmul][contract]") {
  std::vector<float> a(6, 1), b(12, 1), c(8, 7), bias(4, 1);
  const view va{a, extents{2, 3}};
  const view vb{b, extents{3, 4}};
  const view vc{c, extents{2, 4}};
  CHECK(message([&] { multiply{}(va, view{b, extents{4, 3}}, vc); }) == "matmul: b is 4x3: k must be 3, as .k says");
  CHECK(message([&] { multiply{}(view{a, extents{3, 2}}, vb, vc); }) == "matmul: a is 3x2: k must be 3, as .k says");
  CHECK(message([&] { multiply{}(va, vb, view{c, extents{4, 2}}); }) ==
        "matmul: c is 4x2 and a is 2x3: they must agree on m");
  CHECK(message([&] { multiply{}.backward_data(vc, vb, view{a, extents{3, 2}}); }) ==
        "matmul: dx is 3x2: k must be 3, as .k says");
  CHECK(message([&] { multiply{}.backward_weights(va, vc, view{b, extents{4, 3}}); }) ==
        "matmul: db is 4x3: k must be 3, as .k says");
  CHECK(message([&] { multiply{}.backward_weights(va, vc, vb, std::vector<float>(3)); }) ==
        "matmul: dbias is 3 and dy is 2x4: they must agree on n");
  CHECK(message([&] { biased{}(va, vb, std::vector<float>(5), vc, vc); }) ==
        "matmul: bias is 5 and b is 3x4: they must agree on n");
  CHECK(message([&] { biased{}(va, vb, bias, view{c, extents{4, 2}}, vc); }) ==
        "matmul: residual is 4x2 and a is 2x3: they must agree on m");
  CHECK(message([&] { batched{}(view{a, extents{2, 1, 3}}, view{b, extents{1, 3, 4}}, view{c, extents{2, 1, 4}}); }) ==
        "matmul: b is 1x3x4 and a is 2x1x3: they must agree on batch");
  CHECK(message([&] { multiply{}.pack(view{b, extents{4, 3}}); }) == "matmul: b is 4x3: k must be 3, as .k says");
  std::vector<float> memory(5);
  CHECK(message([&] { multiply{}.pack(vb, memory); }) ==
        "matmul: packed weights take 12 elements, the memory given has 5");
  CHECK(c == std::vector<float>(8, 7));
  CHECK(b == std::vector<float>(12, 1));
}

TEST_CASE("null views and outputs that share elements are refused", "[matmul][contract]") {
  std::vector<float> memory(64, 1), c(8, 7);
  float* const none = nullptr;
  const view va{unchecked, memory.data(), extents{2, 3}};
  const view vb{unchecked, memory.data() + 6, extents{3, 4}};
  const view vc{c, extents{2, 4}};
  CHECK(message([&] { multiply{}(view{unchecked, none, extents{2, 3}}, vb, vc); }) ==
        "matmul: a is a null view of 2x3 elements");
  CHECK(message([&] { multiply{}(va, view{unchecked, none, extents{3, 4}}, vc); }) ==
        "matmul: b is a null view of 3x4 elements");
  CHECK(message([&] { multiply{}(va, vb, view{unchecked, none, extents{2, 4}}); }) ==
        "matmul: c is a null view of 2x4 elements");
  CHECK(message([&] { multiply{}.pack(view{unchecked, none, extents{3, 4}}); }) ==
        "matmul: b is a null view of 3x4 elements");
  constexpr index_t vast = index_t(1) << 50;
  const view wide(unchecked, memory.data(), dims<2>(3, vast)), result(unchecked, c.data(), dims<2>(2, vast));
  CHECK(message([&] { multiply{}(va, wide, result); }) ==
        "matmul: b is 3x1125899906842624: no machine can address so many elements");
  CHECK(message([&] { multiply{}.pack(wide); }) ==
        "matmul: b is 3x1125899906842624: no machine can address so many elements");
  CHECK(message([&] { multiply{}(va, vb, view{unchecked, memory.data() + 5, extents{2, 4}}); }) ==
        "matmul: c shares elements with a");
  CHECK(message([&] { multiply{}(va, vb, view{unchecked, memory.data() + 17, extents{2, 4}}); }) ==
        "matmul: c shares elements with b");
  CHECK(message([&] { multiply{}(va, vb, view{c, layout_strided::mapping{extents{2, 4}, 0, 1}}); }) ==
        "matmul: the strides of c give two results one element");
  CHECK(c == std::vector<float>(8, 7));
  // An empty problem may have null views.
  CHECK(message([&] { multiply{}(view{unchecked, none, extents{0, 3}}, vb, view{unchecked, none, extents{0, 4}}); }) ==
        "no error");
}

TEST_CASE("disjoint columns of one matrix may be input and output", "[matmul][contract]") {
  // Columns 0 to 2 of an 8-column matrix are a, columns 4 to 7 are c: interleaved in memory, no element shared.
  std::vector<float> memory(16, 1), b(12, 1);
  const view a{memory, layout_strided::mapping{extents{2, 3}, 8, 1}};
  const view c{unchecked, memory.data() + 4, layout_strided::mapping{extents{2, 4}, 8, 1}};
  CHECK(message([&] { multiply{}(a, view{b, extents{3, 4}}, c); }) == "no error");
  CHECK(c(1, 3) == 3);
  CHECK(memory[3] == 1);
  const view overlapping{unchecked, memory.data() + 2, layout_strided::mapping{extents{2, 4}, 8, 1}};
  CHECK(message([&] { multiply{}(a, view{b, extents{3, 4}}, overlapping); }) == "matmul: c shares elements with a");
  const view wraps{unchecked, memory.data() + 6, layout_strided::mapping{extents{1, 4}, 8, 1}};
  CHECK(message([&] { multiply{}(rows(a, 0, 1), view{b, extents{3, 4}}, wraps); }) == "no error");
}

TEST_CASE("items of a batch and columns may take turns with those of the output", "[matmul][contract]") {
  std::vector<float> memory(1000, 1), weights(1000, 1);
  float* p = memory.data();
  const auto items = layout_strided::mapping(dims<3>(4, 8, 8), 128, 8, 1);  // 8 x 8, followed by a gap of the same size
  const view b3(unchecked, weights.data(), dims<3>(4, 8, 8));
  CHECK(message([&] { batched{}(view(unchecked, p, items), b3, view(unchecked, p + 64, items)); }) == "no error");
  CHECK(message([&] { batched{}(view(unchecked, p, items), b3, view(unchecked, p + 63, items)); }) != "no error");
  const kernel<matmul<>, simd<>> k;
  const auto every_second = layout_strided::mapping(dims<2>(8, 8), 16, 2);
  const view b2(unchecked, weights.data(), dims<2>(8, 8));
  CHECK(message([&] { k(view(unchecked, p, every_second), b2, view(unchecked, p + 1, every_second)); }) == "no error");
  CHECK(message([&] { k(view(unchecked, p, every_second), b2, view(unchecked, p + 2, every_second)); }) != "no error");
}

TEST_CASE("the bias gradient shares elements with no other tensor, of any item", "[matmul][contract]") {
  std::vector<float> a(128, 1), dy(128, 1), db(128, 7);
  const auto gradients = [&](float* dbias) {
    return message([&] {
      batched{}.backward_weights(view(unchecked, a.data(), dims<3>(2, 8, 8)),
                                 view(unchecked, dy.data(), dims<3>(2, 8, 8)),
                                 view(unchecked, db.data(), dims<3>(2, 8, 8)), view(unchecked, dbias, dims<1>(8)));
    });
  };
  CHECK(gradients(dy.data() + 64) == "matmul: dbias shares elements with dy");
  CHECK(gradients(a.data() + 64) == "matmul: dbias shares elements with a");
  CHECK(gradients(db.data() + 120) == "matmul: db shares elements with dbias");
  CHECK(db == std::vector<float>(128, 7));
  std::vector<float> dbias(8);
  CHECK(gradients(dbias.data()) == "no error");
}

TEST_CASE("every result has an element of its own", "[matmul][contract]") {
  // Against counting how often each element of the output is named, over all small strides.
  std::vector<float> a(64, 1), b(64, 1), c(256, 7);
  for (const index_t batch : {1, 2, 3})
    for (index_t item = 0; item < 13; ++item)
      for (index_t row = 0; row < 8; ++row)
        for (index_t column = 0; column < 8; ++column) {
          const auto strides = layout_strided::mapping(dims<3>(batch, 3, 4), item, row, column);
          std::vector<int> named(256);
          bool twice = false;
          for (index_t t = 0; t < batch; ++t)
            for (index_t i = 0; i < 3; ++i)
              for (index_t j = 0; j < 4; ++j) twice = named[static_cast<std::size_t>(strides(t, i, j))]++ > 0 || twice;
          INFO(batch << " items, strides " << item << ' ' << row << ' ' << column);
          const std::string said = message([&] {
            batched{}(view(unchecked, a.data(), dims<3>(batch, 3, 1)), view(unchecked, b.data(), dims<3>(batch, 1, 4)),
                      view(unchecked, c.data(), strides));
          });
          CHECK((said != "no error") == twice);
        }
}

TEST_CASE("packed weights and workspace lie apart from the matrices", "[matmul][contract]") {
  std::vector<float> memory(40000, 1);
  float* p = memory.data();
  const kernel<matmul<>, simd<>> k;
  const index_t packed_size = k.packed_size(64, 64);
  const view weights(unchecked, p, dims<2>(64, 64)), a(unchecked, p + 4096, dims<2>(8, 64));
  const auto w = k.pack(weights, view(unchecked, p + 5000, dims<1>(packed_size)));
  const auto multiply_into = [&](index_t at) {
    return message([&] { k(a, w, view(unchecked, p + at, dims<2>(8, 64))); });
  };
  CHECK(multiply_into(5000 + packed_size) == "no error");
  CHECK(multiply_into(4999 + packed_size) == "matmul: c shares elements with b");
  CHECK(multiply_into(4600) == "matmul: c shares elements with a");
  CHECK(message([&] { k.backward_data(a, w, view(unchecked, p + 5000, dims<2>(8, 64))); }) ==
        "matmul: dx shares elements with b");
  CHECK(message([&] { static_cast<void>(k.pack(weights, view(unchecked, p + 4095, dims<1>(packed_size)))); }) ==
        "matmul: the memory to pack into shares elements with b (64x64)");

  const auto lent = [&](index_t at, index_t bytes) {
    return message([&] { k(a, weights, view(unchecked, p + 4608, dims<2>(8, 64)), workspace{p + at, bytes}); });
  };
  const std::string sentence = "matmul: the workspace shares memory with ";
  CHECK(lent(5120, 131072) == "no error");
  CHECK(lent(5119, 131072) == sentence + "c");  // the last element of c
  CHECK(lent(0, 4) == sentence + "b");
  CHECK(lent(4096, 131072) == sentence + "a");
}

TEST_CASE("memory at null pointers is refused", "[matmul][contract]") {
  std::vector<float> a(64 * 600, 1), c(64 * 64);
  const kernel<matmul<>, simd<>> k;
  const auto by_columns = layout_strided::mapping(dims<2>(600, 64), 1, 600);
  CHECK(message([&] {
          k(view(unchecked, a.data(), dims<2>(64, 600)), view(unchecked, a.data(), by_columns),
            view(unchecked, c.data(), dims<2>(64, 64)), workspace{nullptr, 1 << 20});
        }) == "simd: the workspace of 1048576 bytes is at a null pointer");
  CHECK(message([&] {
          static_cast<void>(k.pack(view(unchecked, a.data(), dims<2>(8, 8)),
                                   view(unchecked, static_cast<float*>(nullptr), dims<1>(9999))));
        }).find("matmul: the memory to pack into is at a null pointer") == 0);
}

TEST_CASE("a plan of a dynamic op asks for the sizes it lacks", "[matmul][plan]") {
  CHECK(message([] { multiply::plan({.m = 2}); }) == "matmul: .n is dynamic: give it, as in plan({.n = 64})");
  CHECK(message([] { multiply::plan({.m = -2, .n = 2}); }) == "matmul: .m is -2: it must be at least 0");
  CHECK(message([] { multiply::plan({.m = 2, .n = 2, .k = 4}); }) ==
        "matmul: .k is given as 4 where the config says 3");
  const index_t large = index_t{1} << 31;
  CHECK(message([&] { kernel<matmul<>, simd<>>::plan({.m = large, .n = large, .k = large}); }) ==
        "matmul: .m=2147483648 .n=2147483648 .k=2147483648 .batch=1: no memory holds such matrices");
  static_assert(multiply::plan({.m = 2, .n = 4}).flops == 48);
  static_assert(kernel<matmul<matmul_config{.m = 64, .n = 64, .k = 64}>, simd<>>::plan().tile_n > 0);
}

}  // namespace
}  // namespace tern
