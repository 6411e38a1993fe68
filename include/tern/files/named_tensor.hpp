// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named tensors of files: a name, an element type, a shape, and the caller's memory for the elements.
#pragma once

#include <concepts>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tern/core/as_view.hpp"
#include "tern/core/bfloat16.hpp"
#include "tern/core/config.hpp"
#include "tern/core/half.hpp"
#include "tern/core/layout.hpp"

namespace tern {

/// Element types in files, in the order of the safetensors library. It stores the last of them first, so that every
/// tensor is aligned to its elements.
enum class stored_type {
  boolean,
  uint8,
  int8,
  int16,
  uint16,
  float16,
  bfloat16,
  int32,
  uint32,
  float32,
  float64,
  int64,
  uint64
};

/// The string metadata of a safetensors file.
using file_metadata = std::map<std::string, std::string>;

/// The differences from the request that a load accepts.
struct load_options {
  bool strict = true;    ///< the file must hold all tensors, and no others; false: at least one of them
  bool convert = false;  ///< half, bfloat16, float and double convert to float or double; doubles round to nearest
};

/// The result of a load, besides the tensors.
struct loaded {
  file_metadata metadata;               ///< of a safetensors file
  std::vector<std::string> missing;     ///< requested, and not in the file; empty for a strict call
  std::vector<std::string> unexpected;  ///< in the file, and not requested; empty for a strict call
};

/// An axis in memory: `extent` elements, `stride` elements apart.
struct stored_axis {
  index_t extent = 1, stride = 1;
};

/// A tensor of the caller and its name in a file.
template <class Data>
struct basic_named_tensor {
  std::string name;
  stored_type type = stored_type::float32;
  std::vector<index_t> shape;  ///< in the file, which stores elements row by row
  Data* data = nullptr;
  /// The elements' axes in memory, from the outermost to the innermost. They may split axes of the shape. Empty: row by
  /// row, without gaps.
  std::vector<stored_axis> axes = {};
  bool passed_over = false;  ///< a file may have it; it is neither read nor written
};

/// For loading, and for saving.
using named_tensor = basic_named_tensor<void>;
/// For saving only.
using named_const_tensor = basic_named_tensor<const void>;

namespace detail {

struct stored_type_facts {
  const char* name;
  int bytes;
  const char* safetensors;
  const char* npy;  // little-endian; nullptr for types that numpy lacks
};

/// In the order of stored_type.
inline constexpr stored_type_facts stored_types[] = {
    {"bool", 1, "BOOL", "|b1"},       {"uint8", 1, "U8", "|u1"},    {"int8", 1, "I8", "|i1"},
    {"int16", 2, "I16", "<i2"},       {"uint16", 2, "U16", "<u2"},  {"float16", 2, "F16", "<f2"},
    {"bfloat16", 2, "BF16", nullptr}, {"int32", 4, "I32", "<i4"},   {"uint32", 4, "U32", "<u4"},
    {"float32", 4, "F32", "<f4"},     {"float64", 8, "F64", "<f8"}, {"int64", 8, "I64", "<i8"},
    {"uint64", 8, "U64", "<u8"},
};

TERN_FN constexpr const stored_type_facts& facts(stored_type type) { return stored_types[static_cast<int>(type)]; }

template <class T>
concept storable = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, half> ||
                   std::same_as<T, bfloat16> || std::integral<T>;

template <storable T>
TERN_FN constexpr stored_type stored_type_of() {
  using enum stored_type;
  if constexpr (std::same_as<T, bool>)
    return boolean;
  else if constexpr (std::same_as<T, float>)
    return float32;
  else if constexpr (std::same_as<T, double>)
    return float64;
  else if constexpr (std::same_as<T, half>)
    return float16;
  else if constexpr (std::same_as<T, tern::bfloat16>)
    return bfloat16;
  else if constexpr (sizeof(T) == 1)
    return std::is_signed_v<T> ? int8 : uint8;
  else if constexpr (sizeof(T) == 2)
    return std::is_signed_v<T> ? int16 : uint16;
  else if constexpr (sizeof(T) == 4)
    return std::is_signed_v<T> ? int32 : uint32;
  else
    return std::is_signed_v<T> ? int64 : uint64;
}

}  // namespace detail
}  // namespace tern

namespace tern::inline TERN_ISA {

/// A view, or anything contiguous such as a vector, with a name: a named_tensor, or a named_const_tensor of const
/// elements. Views may have any strides: a file with a transposed matrix fills `tern::transposed` of a view.
///
///     std::vector model{tern::named("dense.weight", weights), tern::named("dense.bias", bias)};
template <tensor V>
auto named(std::string name, V&& v) {
  const auto elements = as_view(v);
  using view_type = std::remove_const_t<decltype(elements)>;
  using element = typename view_type::element_type;
  static_assert(detail::storable<typename view_type::value_type>,
                "named: files hold float, double, half, bfloat16, bool and integers");
  static_assert(strided_mapping<typename view_type::mapping_type>,
                "named: the layout of the view has no strides: reorder the elements into a tensor that has strides");
  using data = std::conditional_t<std::is_const_v<element>, const void, void>;
  basic_named_tensor<data> result{
      std::move(name), detail::stored_type_of<typename view_type::value_type>(), {}, elements.data()};
  for (int r = 0; r < view_type::rank; ++r) result.shape.push_back(elements.extent(r));
  if constexpr (!std::is_same_v<typename view_type::layout_type, layout_row>)
    for (int r = 0; r < view_type::rank; ++r) result.axes.push_back({elements.extent(r), elements.mapping().stride(r)});
  return result;
}

}  // namespace tern::inline TERN_ISA
