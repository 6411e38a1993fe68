// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors whose element type, shape and layout are known at run time only: what drivers of calls fill, place in memory
// and compare. Values of a tensor are its elements in row-major order, as bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "tern/core/bfloat16.hpp"
#include "tern/core/config.hpp"
#include "tern/core/half.hpp"

namespace tern::test::inline TERN_ISA {

enum class number : unsigned char { float32, float64, bfloat16, half, int8, uint8, int32 };

template <class T>
inline constexpr number number_of = std::is_same_v<T, float>          ? number::float32
                                    : std::is_same_v<T, double>       ? number::float64
                                    : std::is_same_v<T, bfloat16>     ? number::bfloat16
                                    : std::is_same_v<T, half>         ? number::half
                                    : std::is_same_v<T, std::int8_t>  ? number::int8
                                    : std::is_same_v<T, std::uint8_t> ? number::uint8
                                                                      : number::int32;
index_t bytes_of(number t);
/// Writes x as an element.
void store(unsigned char* p, number t, double x);
/// True if elements have the same bits. \param payloads  true if payloads of NaN count, too
bool same_element(const unsigned char* a, const unsigned char* b, number t, bool payloads);

struct tensor_shape {
  static constexpr int most = 6;
  int rank = 0;
  index_t extent[most] = {};

  index_t size() const;
  std::string text() const;
  friend bool operator==(const tensor_shape& a, const tensor_shape& b) {
    bool same = a.rank == b.rank;
    for (int r = 0; same && r < a.rank; ++r) same = a.extent[r] == b.extent[r];
    return same;
  }
};

/// The layout of a tensor: strides, or blocks of channels.
struct placement {
  index_t stride[tensor_shape::most] = {};  ///< of channels, axis 1, from block to block
  index_t block = 0;                        ///< channels of a block; 0: they have a stride
  index_t elements = 0;                     ///< from the first to the end of the last one

  static placement blocked(const tensor_shape& s, index_t block);
  /// Row-major, or channels last.
  static placement dense(const tensor_shape& s, bool channels_last);
  /// Any order of the axes, often a usual one, with gaps now and then.
  /// \param adjacent  true if channels are adjacent
  static placement random(const tensor_shape& s, bool adjacent, std::mt19937& engine);

  /// The offsets of the elements of a tensor, in row-major order.
  std::vector<index_t> offsets(const tensor_shape& s) const;
};

/// A tensor in memory of its own, which is poison outside its elements.
class placed_tensor {
 public:
  /// \param before, behind  elements around it. Without any behind, sanitizers see reads past the end.
  /// \param nan             true if poison is NaN
  placed_tensor(number of, const tensor_shape& shape, const placement& at, index_t before = 0, index_t behind = 0,
                bool nan = false);
  /// A tensor with the layout of t, in memory that it does not own.
  placed_tensor(const placed_tensor& t, unsigned char* data) : of_(t.of_), shape_(t.shape_), at_(t.at_), data_(data) {}

  unsigned char* data() const { return data_; }
  number element() const { return of_; }
  /// Bytes from the first element to the end of the last one.
  index_t span_bytes() const { return bytes(at_.elements); }
  const tensor_shape& shape() const { return shape_; }
  const placement& at() const { return at_; }

  void put(const std::vector<unsigned char>& values) const;
  std::vector<unsigned char> values() const;
  /// All memory, including that around the elements.
  std::vector<unsigned char> memory() const { return {memory_.get(), memory_.get() + bytes(size_)}; }
  /// True if the memory around the elements is unchanged.
  bool surroundings_are(const std::vector<unsigned char>& was) const;

 private:
  index_t bytes(index_t elements) const { return elements * bytes_of(of_); }

  static constexpr std::align_val_t line{64};
  struct release {
    void operator()(unsigned char* p) const { ::operator delete(p, line); }
  };
  number of_ = number::float32;
  tensor_shape shape_;
  placement at_;
  index_t before_ = 0, size_ = 0;
  std::unique_ptr<unsigned char, release> memory_;
  unsigned char* data_ = nullptr;
};

}  // namespace tern::test::inline TERN_ISA
