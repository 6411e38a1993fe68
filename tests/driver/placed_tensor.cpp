// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/driver/placed_tensor.hpp"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

namespace tern::test::inline TERN_ISA {

namespace {

/// True if an element is a NaN, by its bits.
bool is_nan(const unsigned char* p, number t) {
  const auto above = [p](auto bits, auto infinity) {
    std::memcpy(&bits, p, sizeof(bits));
    constexpr auto magnitude = static_cast<decltype(bits)>(static_cast<decltype(bits)>(~decltype(bits){}) >> 1);
    return static_cast<decltype(bits)>(bits & magnitude) > infinity;
  };
  switch (t) {
    case number::float32: return above(std::uint32_t{}, std::uint32_t{0x7f800000});
    case number::float64: return above(std::uint64_t{}, std::uint64_t{0x7ff0000000000000});
    case number::bfloat16: return above(std::uint16_t{}, std::uint16_t{0x7f80});
    case number::half: return above(std::uint16_t{}, std::uint16_t{0x7c00});
    default: return false;
  }
}
/// The contents of memory before a call: a number that no test computes, or NaN; for integers, one of two numbers.
double poison(number t, bool nan) {
  if (t == number::int8 || t == number::uint8 || t == number::int32) return nan ? 77776 : -77777;
  return nan ? NAN : t == number::half ? -6.5e4 : -7.7e33;
}
/// The axes from the fastest one to the slowest one: row-major, or channels last.
void usual_order(const tensor_shape& s, bool channels_last, int* axis) {
  int n = 0;
  if (channels_last && s.rank > 1) axis[n++] = 1;
  for (int r = s.rank - 1; r >= 0; --r)
    if (r != 1 || !channels_last) axis[n++] = r;
}
/// \param gap  what strides are longer than needed, for every axis from the fastest one to the slowest one
placement strided(const tensor_shape& s, const int* axis, const index_t* gap) {
  placement p;
  index_t stride = 1, last = 0;
  for (int i = 0; i < s.rank; ++i) {
    stride += gap[i];
    p.stride[axis[i]] = stride;
    const index_t n = s.extent[axis[i]];
    last += (n - 1) * stride, stride *= n > 0 ? n : 1;
  }
  p.elements = s.size() > 0 ? last + 1 : 0;
  return p;
}

}  // namespace

index_t bytes_of(number t) {
  constexpr index_t bytes[] = {4, 8, 2, 2, 1, 1, 4};
  return bytes[static_cast<int>(t)];
}
void store(unsigned char* p, number t, double x) {
  const auto write = [p](auto v) { std::memcpy(p, &v, sizeof(v)); };
  switch (t) {
    case number::float32: return write(static_cast<float>(x));
    case number::float64: return write(x);
    case number::bfloat16: return write(static_cast<bfloat16>(static_cast<float>(x)));
    case number::half: return write(static_cast<half>(static_cast<float>(x)));
    case number::int8: return write(static_cast<std::int8_t>(static_cast<std::int64_t>(x)));
    case number::uint8: return write(static_cast<std::uint8_t>(static_cast<std::int64_t>(x)));
    case number::int32: return write(static_cast<std::int32_t>(x));
  }
}
bool same_element(const unsigned char* a, const unsigned char* b, number t, bool payloads) {
  return std::memcmp(a, b, static_cast<std::size_t>(bytes_of(t))) == 0 || (!payloads && is_nan(a, t) && is_nan(b, t));
}

index_t tensor_shape::size() const {
  index_t n = 1;
  for (int r = 0; r < rank; ++r) n *= extent[r];
  return n;
}
std::string tensor_shape::text() const {
  std::string t;
  for (int r = 0; r < rank; ++r) t += (r > 0 ? "x" : "") + std::to_string(extent[r]);
  return t;
}

placement placement::blocked(const tensor_shape& s, index_t block) {
  placement p{.block = block};
  index_t stride = block;
  for (int r = s.rank - 1; r >= 2; --r) p.stride[r] = stride, stride *= s.extent[r];
  p.stride[1] = stride, stride *= (s.extent[1] + block - 1) / block;
  p.stride[0] = stride, p.elements = stride * s.extent[0];
  return p;
}
placement placement::dense(const tensor_shape& s, bool channels_last) {
  int axis[tensor_shape::most];
  usual_order(s, channels_last, axis);
  const index_t none[tensor_shape::most] = {};
  return strided(s, axis, none);
}
placement placement::random(const tensor_shape& s, bool adjacent, std::mt19937& engine) {
  int axis[tensor_shape::most];
  usual_order(s, adjacent || engine() % 2 != 0, axis);
  const int first = adjacent ? 1 : 0;
  if (engine() % 3 == 0)
    for (int i = s.rank - 1; i > first; --i)
      std::swap(axis[i], axis[first + static_cast<int>(engine() % static_cast<unsigned>(i - first + 1))]);
  index_t gap[tensor_shape::most] = {};
  if (engine() % 3 == 0)
    for (int i = first; i < s.rank; ++i)
      if (engine() % 2 != 0) gap[i] = static_cast<index_t>(engine() % 6);
  return strided(s, axis, gap);
}
std::vector<index_t> placement::offsets(const tensor_shape& s) const {
  std::vector<index_t> all;
  if (s.size() == 0) return all;
  all.reserve(static_cast<std::size_t>(s.size()));
  index_t at[tensor_shape::most] = {};
  for (;;) {
    index_t o = 0;
    for (int r = 0; r < s.rank; ++r)
      o += block > 0 && r == 1 ? at[1] / block * stride[1] + at[1] % block : at[r] * stride[r];
    all.push_back(o);
    int r = s.rank - 1;
    while (r >= 0 && ++at[r] == s.extent[r]) at[r--] = 0;
    if (r < 0) return all;
  }
}

placed_tensor::placed_tensor(number of, const tensor_shape& shape, const placement& at, index_t before, index_t behind,
                             bool nan)
    : of_(of), shape_(shape), at_(at), before_(before), size_(before + at.elements + behind) {
  memory_.reset(
      static_cast<unsigned char*>(::operator new(static_cast<std::size_t>(size_ > 0 ? bytes(size_) : bytes(1)), line)));
  data_ = memory_.get() + bytes(before);
  for (index_t i = 0; i < size_; ++i) store(memory_.get() + bytes(i), of, poison(of, nan));
}
void placed_tensor::put(const std::vector<unsigned char>& values) const {
  const auto step = static_cast<std::size_t>(bytes(1));
  const unsigned char* from = values.data();
  for (const index_t o : at_.offsets(shape_)) std::memcpy(data() + bytes(o), from, step), from += step;
}
std::vector<unsigned char> placed_tensor::values() const {
  const auto step = static_cast<std::size_t>(bytes(1));
  std::vector<unsigned char> v(static_cast<std::size_t>(bytes(shape_.size())));
  unsigned char* to = v.data();
  for (const index_t o : at_.offsets(shape_)) std::memcpy(to, data() + bytes(o), step), to += step;
  return v;
}
bool placed_tensor::surroundings_are(const std::vector<unsigned char>& was) const {
  auto now = memory();
  for (const index_t o : at_.offsets(shape_)) {
    const auto at = static_cast<std::size_t>(bytes(before_ + o));
    std::memcpy(&now[at], &was[at], static_cast<std::size_t>(bytes(1)));
  }
  return now == was;
}

}  // namespace tern::test::inline TERN_ISA
