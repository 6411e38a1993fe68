// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors that a caller requests from a file, buffered: the caller's memory changes only after everything is read
// and valid.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/files/elements.hpp"
#include "tern/files/failure.hpp"
#include "tern/files/named_tensor.hpp"

namespace tern::inline TERN_ISA::impl {

static_assert(std::endian::native == std::endian::little, "tern: files are little-endian, and are not converted");

/// Refuses lists that no file can hold, or that have null tensors. Returns the position of each name.
template <class Data>
std::unordered_map<std::string_view, std::size_t> places_of(const char* call,
                                                            std::span<const basic_named_tensor<Data>> tensors) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto& tensor = tensors[i];
    const std::string name = in_quotes(tensor.name);
    const auto wrong = [&](const char* what) {
      violation("%s: tensor %s, %s, %s", call, name.c_str(), written_shape(tensor.shape).c_str(), what);
    };
    if (!is_utf8(tensor.name)) wrong("has a name that is not UTF-8");
    if (!places.emplace(tensor.name, i).second) wrong("has the name of another one");
    if (static_cast<unsigned>(tensor.type) >= std::size(detail::stored_types)) wrong("has no element type");
    for (const index_t extent : tensor.shape)
      if (extent < 0) wrong("has a negative extent");
    const std::uint64_t bytes = stored_bytes(tensor.type, tensor.shape);
    if (bytes == no_size) wrong("is larger than memory");
    if (bytes > 0 && tensor.data == nullptr && !tensor.passed_over) wrong("has no data");
    if (tensor.axes.empty()) continue;
    std::vector<index_t> extents;
    for (const stored_axis& axis : tensor.axes) {
      extents.push_back(axis.extent);
      if (axis.extent < 0) wrong("has an axis in memory with a negative extent");
      if (axis.extent > 1 && axis.stride == 0 && !std::is_const_v<Data>) wrong("has elements in one place in memory");
    }
    if (stored_bytes(tensor.type, extents) != bytes) wrong("has another number of elements in memory");
  }
  return places;
}

/// A caller's request, and the tensors found for it.
class request {
 public:
  request(const char* call, std::span<const named_tensor> tensors, const load_options& options)
      : tensors_(tensors), options_(options), places_(places_of(call, tensors)), found_(tensors.size()) {
    std::uint64_t total = 0;
    for (const named_tensor& tensor : tensors) {
      total += stored_bytes(tensor.type, tensor.shape);  // each is at most 2^63 - 1
      if (total > static_cast<std::uint64_t>(std::numeric_limits<index_t>::max()))
        violation("%s: the tensors are larger than memory", call);
    }
  }

  /// Records a tensor of the file, and returns its position in the list, if requested. Fails if type or shape differ
  /// from the request.
  std::optional<std::size_t> take(const file_call& call, const std::string& name, stored_type type,
                                  const std::vector<index_t>& shape) {
    const auto at = places_.find(name);
    if (at == places_.end()) {
      others_.add(name, what(type, shape));
      return std::nullopt;
    }
    const named_tensor& wanted = tensors_[at->second];
    found_tensor& found = found_[at->second];
    if (found.there) call.fail("two tensors have the name " + in_quotes(name));
    found.there = true;
    if (wanted.passed_over) return std::nullopt;
    if (wanted.shape != shape || (wanted.type != type && !(options_.convert && converts(type, wanted.type))))
      call.fail("tensor " + in_quotes(name) + " is " + what(type, shape) + ", asked for is " +
                what(wanted.type, wanted.shape) +
                (wanted.shape == shape && converts(type, wanted.type) ? ": .convert would convert it" : ""));
    found.type = type;
    return at->second;
  }

  /// Fails if the file lacks a tensor, or has others; lists both. If the options allow it, reports them in the result.
  void complete(const file_call& call, loaded& result) const {
    names missing;
    for (std::size_t i = 0; i < tensors_.size(); ++i)
      if (!found_[i].there && !tensors_[i].passed_over)
        missing.add(tensors_[i].name, what(tensors_[i].type, tensors_[i].shape));
    result.missing = missing.all, result.unexpected = others_.all;
    if (options_.strict ? missing.all.empty() && others_.all.empty() : missing.all.size() < tensors_.size()) return;
    std::string wrong;
    if (!missing.all.empty()) wrong = "there is no tensor " + missing.written();
    if (!missing.all.empty() && !others_.all.empty()) wrong += "; ";
    if (!others_.all.empty())
      wrong += (others_.all.size() == 1 ? "tensor " : "tensors ") + others_.written() +
               (others_.all.size() == 1 ? " is" : " are") + " not among those asked for";
    if (!wrong.empty()) call.fail(wrong);
  }

  /// The buffer for the bytes of tensor i.
  std::span<std::byte> bytes(std::size_t i) {
    found_tensor& found = found_[i];
    const std::uint64_t size = stored_bytes(found.type, tensors_[i].shape);
    if (!found.bytes) found.bytes = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(size));
    return {found.bytes.get(), static_cast<std::size_t>(size)};
  }

  /// Copies the buffers to the caller's tensors.
  void deliver(const file_call& call) {
    for (std::size_t i = 0; i < tensors_.size(); ++i)
      if (found_[i].bytes) examine(call, i);
    for (std::size_t i = 0; i < tensors_.size(); ++i)
      if (found_[i].bytes) scatter(bytes(i), tensors_[i]);
  }

 private:
  static std::string what(stored_type type, const std::vector<index_t>& shape) {
    return std::string(detail::facts(type).name) + " " + written_shape(shape);
  }

  /// Converts elements if requested. Fails if one is no valid number of the requested type.
  void examine(const file_call& call, std::size_t i) {
    const named_tensor& wanted = tensors_[i];
    const std::string tensor = "tensor " + in_quotes(wanted.name);
    if (wanted.type == stored_type::boolean)  // another byte in a bool is undefined behaviour
      for (const std::byte b : bytes(i))
        if (b > std::byte{1}) call.fail(tensor + " is bool and has a byte other than 0 and 1");
    if (found_[i].type == wanted.type) return;
    const found_tensor from = std::exchange(found_[i], {.there = true, .type = wanted.type});
    const std::uint64_t size = stored_bytes(from.type, wanted.shape);
    if (!convert(from.type, {from.bytes.get(), static_cast<std::size_t>(size)}, wanted.type, bytes(i)))
      call.fail(tensor + " has a number that is too large for " + detail::facts(wanted.type).name);
  }

  /// A list of names; the first ones as text with types and shapes.
  struct names {
    static constexpr std::size_t most = 6;
    std::vector<std::string> all;
    std::string text;

    void add(const std::string& name, const std::string& type_and_shape) {
      all.push_back(name);
      if (all.size() <= most) text += (text.empty() ? "" : ", ") + in_quotes(name) + " (" + type_and_shape + ")";
    }
    std::string written() const {
      return all.size() > most ? text + ", ... (" + std::to_string(all.size()) + " in all)" : text;
    }
  };
  struct found_tensor {
    bool there = false;
    stored_type type = stored_type::boolean;
    std::unique_ptr<std::byte[]> bytes = {};
  };

  std::span<const named_tensor> tensors_;
  load_options options_;
  names others_;  // other tensors of the file
  std::unordered_map<std::string_view, std::size_t> places_;
  std::vector<found_tensor> found_;
};

/// The same tensors, read-only.
inline std::vector<named_const_tensor> as_const_tensors(std::span<const named_tensor> tensors) {
  std::vector<named_const_tensor> result;
  for (const named_tensor& t : tensors) result.push_back({t.name, t.type, t.shape, t.data, t.axes, t.passed_over});
  return result;
}

}  // namespace tern::inline TERN_ISA::impl
