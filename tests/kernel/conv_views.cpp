// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of views that the random cases do not have: inputs that overlap, tensors that end with the memory there
// is, and tensors without elements.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <vector>

#include "tern/simd.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

/// Frames of a signal; each begins `hop` elements after the one before.
template <conv1d_config C>
void check_frames(index_t hop) {
  constexpr index_t frames = 150, results = C.axis(0, frames).out;
  auto signal = random_vector(hop * (frames - 1) + C.in, 1),
       w = random_vector(C.kernel[0] * C.in / C.groups * C.out, 2);
  std::vector<float> y(static_cast<std::size_t>(results * C.out)), wanted(y.size());
  const view x(unchecked, static_cast<const float*>(signal.data()),
               layout_strided::mapping(dims<3>(1, C.in, frames), hop * frames, 1, hop));
  const view weights(w, dims<3>(C.kernel[0], C.in / C.groups, C.out));
  kernel<conv1d<C>, reference>{}(x, weights, last(wanted, 1, C.out, results));
  kernel<conv1d<C>, simd<>>{}(x, weights, last(y, 1, C.out, results));
  CHECK(same_bits(y, wanted));
}

TEST_CASE("frames may overlap", "[conv][simd]") {
  check_frames<conv1d_config{.in = 8, .out = 8, .groups = 2, .kernel = {2}}>(4);
  check_frames<conv1d_config{.in = 16, .out = 16, .groups = 8, .kernel = {3}, .pad = {1}}>(2);
  check_frames<conv1d_config{.in = 8, .out = 8, .kernel = {3}, .pad = {1}}>(4);
  check_frames<conv1d_config{.in = 40, .out = 35, .kernel = {3}, .pad = {1}}>(20);
  check_frames<conv1d_config{.in = 33, .out = 33, .groups = 33, .kernel = {3}, .pad = {1}}>(11);
}

/// Elements that end where memory ends: an access past them is a fault.
class last_elements {
 public:
  explicit last_elements(index_t size) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(float);
    bytes_ = (bytes + page_ - 1) / page_ * page_ + page_;
    memory_ = static_cast<char*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    REQUIRE(mprotect(memory_ + bytes_ - page_, page_, PROT_NONE) == 0);
    first_ = new (memory_ + bytes_ - page_ - bytes) float[static_cast<std::size_t>(size)]();
  }
  last_elements(const std::vector<float>& v) : last_elements(std::ssize(v)) {
    std::memcpy(first_, v.data(), v.size() * sizeof(float));
  }
  last_elements(const last_elements&) = delete;
  last_elements& operator=(const last_elements&) = delete;
  ~last_elements() { munmap(memory_, bytes_); }
  float* data() const { return first_; }

 private:
  std::size_t page_, bytes_;
  char* memory_;
  float* first_;
};

/// \param row  elements from one row of weights to the next
template <conv2d_config C>
void check_ends(index_t height, index_t width, index_t row = C.out) {
  const index_t y_height = C.axis(0, height).out, y_width = C.axis(1, width).out;
  const dims<4> ix(2, C.in, height, width), iy(2, C.out, y_height, y_width);
  const dims<4> iw(C.kernel[0], C.kernel[1], C.in / C.groups, C.out);
  const index_t rows = C.kernel[0] * C.kernel[1] * C.in / C.groups;
  const last_elements x(random_vector(ix.size(), 3)), dy(random_vector(iy.size(), 4)),
      w(random_vector((rows - 1) * row + C.out, 5)), y(iy.size()), wanted(iy.size()), dx(ix.size()),
      wanted_dx(ix.size()), dw((rows - 1) * row + C.out), wanted_dw((rows - 1) * row + C.out);
  const auto image = [](const last_elements& v, dims<4> e) {
    return view<float, dims<4>, layout_channels_last>(unchecked, v.data(), e);
  };
  const auto filters = [&](const last_elements& v) {
    return view(unchecked, v.data(),
                layout_strided::mapping(iw, C.kernel[1] * iw.extent(2) * row, iw.extent(2) * row, row, 1));
  };
  const auto run = [&](auto k, const last_elements& to, const last_elements& to_x, const last_elements& to_w) {
    k(image(x, ix), filters(w), image(to, iy));
    k.backward_data(image(dy, iy), filters(w), image(to_x, ix));
    k.backward_weights(image(x, ix), image(dy, iy), filters(to_w));
  };
  run(kernel<conv2d<C>, reference>{}, wanted, wanted_dx, wanted_dw);
  run(kernel<conv2d<C>, simd<>>{}, y, dx, dw);
  const auto equal = [](const last_elements& a, const last_elements& b, index_t size) {
    return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(size) * sizeof(float)) == 0;
  };
  CHECK(equal(y, wanted, iy.size()));
  CHECK(equal(dx, wanted_dx, ix.size()));
  CHECK(equal(dw, wanted_dw, (rows - 1) * row + C.out));
}

TEST_CASE("nothing is read or written past the end of a tensor", "[conv][simd]") {
  check_ends<conv2d_config{.in = 12, .out = 8, .groups = 4}>(5, 7);
  check_ends<conv2d_config{.in = 5, .out = 6}>(6, 9, 8);
  check_ends<conv2d_config{.in = 5, .out = 30, .kernel = {3, 2}}>(6, 9, 32);
  check_ends<conv2d_config{.in = 3, .out = 33, .kernel = {3, 3}, .pad = {1, 1}}>(6, 9);
  check_ends<conv2d_config{.in = 8, .out = 7, .kernel = {3, 3}, .pad = {1, 1}}>(9, 21);
  check_ends<conv2d_config{.in = 12, .out = 12, .groups = 3, .kernel = {3, 3}, .pad = {1, 1}}>(9, 21);
  check_ends<conv2d_config{.in = 19, .out = 19, .groups = 19, .kernel = {3, 5}, .pad = {1, 2}}>(9, 21);
}

TEST_CASE("results without inputs are empty sums", "[conv][simd]") {
  constexpr conv2d_config cfg{.in = 4, .out = 4, .groups = 2, .kernel = {3, 3}, .pad = {2, 2}};
  auto w = random_vector(3 * 3 * 2 * 4, 6);
  float* const none = nullptr;
  const view<float, dims<4>, layout_channels_last> x(unchecked, none, dims<4>(1, 4, 3, 0));
  const auto check = [&](auto k) {
    std::vector<float> y(4 * 5 * 2, -1), dw(w.size(), -1);
    const view<float, dims<4>, layout_channels_last> vy(y, dims<4>(1, 4, 5, 2));
    k(x, view(w, extents<3, 3, 2, 4>{}), vy);
    CHECK(same_bits(y, std::vector<float>(y.size())));
    k.backward_data(vy, view(w, extents<3, 3, 2, 4>{}), x);
    k.backward_weights(x, vy, view(dw, extents<3, 3, 2, 4>{}));
    CHECK(same_bits(dw, std::vector<float>(dw.size())));
  };
  check(kernel<conv2d<cfg>, reference>{});
  check(kernel<conv2d<cfg>, simd<>>{});
}

}  // namespace
}  // namespace tern::test
