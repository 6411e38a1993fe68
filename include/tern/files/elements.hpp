// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion between elements of a file, row by row, and memory of the caller, with any strides and floating-point
// types.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "tern/core/bfloat16.hpp"
#include "tern/core/config.hpp"
#include "tern/core/half.hpp"
#include "tern/files/named_tensor.hpp"

namespace tern::inline TERN_ISA::impl {

inline constexpr std::uint64_t no_size = std::numeric_limits<std::uint64_t>::max();

/// The bytes of a tensor; no_size if they exceed index_t.
inline std::uint64_t stored_bytes(stored_type type, const std::vector<index_t>& shape) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<index_t>::max());
  auto bytes = static_cast<std::uint64_t>(detail::facts(type).bytes);
  for (const index_t extent : shape)
    if (extent == 0) return 0;
  for (const index_t extent : shape) {
    if (bytes > most / static_cast<std::uint64_t>(extent)) return no_size;
    bytes *= static_cast<std::uint64_t>(extent);
  }
  return bytes;
}

/// Calls f with the offset of every element in memory, in the order of the file.
template <class F>
void each_offset(std::span<const stored_axis> axes, F f) {
  for (const stored_axis& axis : axes)
    if (axis.extent == 0) return;
  std::vector<index_t> at(axes.size(), 0);
  const stored_axis last = axes.back();
  for (index_t begin = 0;;) {
    for (index_t i = 0; i < last.extent; ++i) f(begin + i * last.stride);
    std::size_t axis = axes.size() - 1;
    for (;;) {  // the next run
      if (axis-- == 0) return;
      begin += axes[axis].stride;
      if (++at[axis] < axes[axis].extent) break;
      begin -= at[axis] * axes[axis].stride;
      at[axis] = 0;
    }
  }
}

/// Calls f with an unsigned integer of `bytes` bytes.
template <class F>
void with_bytes(int bytes, F f) {
  if (bytes == 1) return f(std::uint8_t());
  if (bytes == 2) return f(std::uint16_t());
  if (bytes == 4) return f(std::uint32_t());
  f(std::uint64_t());
}

constexpr bool is_floating(stored_type t) {
  return t == stored_type::float16 || t == stored_type::bfloat16 || t == stored_type::float32 ||
         t == stored_type::float64;
}
/// Calls f with an element of a floating-point type.
template <class F>
void with_floating(stored_type type, F f) {
  if (type == stored_type::float16) return f(half());
  if (type == stored_type::bfloat16) return f(bfloat16());
  if (type == stored_type::float32) return f(float());
  f(double());
}

/// True if elements of a file convert to a tensor of floats or doubles. Doubles round to nearest floats; all else is
/// exact.
constexpr bool converts(stored_type from, stored_type to) {
  return is_floating(from) && (to == stored_type::float32 || to == stored_type::float64);
}

/// Converts elements of a file to floats or doubles. Returns false if a finite double is no finite float.
template <class To>
bool convert_to(stored_type from, std::span<const std::byte> bytes, std::span<std::byte> result) {
  bool in_range = true;
  with_floating(from, [&]<class From>(From x) {
    for (std::size_t i = 0; i < bytes.size() / sizeof(From); ++i) {
      std::memcpy(&x, bytes.data() + i * sizeof(From), sizeof x);
      const To y = static_cast<To>(x);
      if constexpr (sizeof(From) > sizeof(To)) in_range = in_range && std::isfinite(x) == std::isfinite(y);
      std::memcpy(result.data() + i * sizeof(To), &y, sizeof y);
    }
  });
  return in_range;
}
inline bool convert(stored_type from, std::span<const std::byte> bytes, stored_type to, std::span<std::byte> result) {
  return to == stored_type::float32 ? convert_to<float>(from, bytes, result) : convert_to<double>(from, bytes, result);
}

/// Copies elements in file order to the caller's tensor.
inline void scatter(std::span<const std::byte> bytes, const named_tensor& to) {
  if (bytes.empty()) return;
  if (to.axes.empty()) {
    std::memcpy(to.data, bytes.data(), bytes.size());
    return;
  }
  with_bytes(detail::facts(to.type).bytes, [&]<class Word>(Word) {
    const std::byte* from = bytes.data();
    each_offset(to.axes, [&](index_t offset) {
      std::memcpy(static_cast<std::byte*>(to.data) + offset * index_t(sizeof(Word)), from, sizeof(Word));
      from += sizeof(Word);
    });
  });
}

/// The caller's elements in file order: in place, or copied to `room`.
inline const void* in_file_order(const named_const_tensor& tensor, std::vector<std::byte>& room) {
  if (tensor.axes.empty()) return tensor.data;
  room.resize(static_cast<std::size_t>(stored_bytes(tensor.type, tensor.shape)));
  if (room.empty()) return tensor.data;
  with_bytes(detail::facts(tensor.type).bytes, [&]<class Word>(Word) {
    std::byte* to = room.data();
    each_offset(tensor.axes, [&](index_t offset) {
      std::memcpy(to, static_cast<const std::byte*>(tensor.data) + offset * index_t(sizeof(Word)), sizeof(Word));
      to += sizeof(Word);
    });
  });
  return room.data();
}

}  // namespace tern::inline TERN_ISA::impl
