// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors that a caller asks a file for, and memory for all of them: nothing reaches the caller before everything
// is there and right.
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
#include <unordered_map>
#include <vector>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/files/failure.hpp"
#include "tern/files/named_tensor.hpp"

namespace tern::inline TERN_ISA::impl {

static_assert(std::endian::native == std::endian::little, "tern: files are little-endian, and are not converted");

inline constexpr std::uint64_t no_size = std::numeric_limits<std::uint64_t>::max();

/// The bytes of a tensor; no_size where that is more than an index_t can count.
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

/// Refuses lists that no file can hold, or that are not in memory. Returns the place of each name.
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
    if (bytes > 0 && tensor.data == nullptr) wrong("has no data");
  }
  return places;
}

/// What a caller asks for, and what came of it.
class request {
 public:
  request(const char* call, std::span<const named_tensor> tensors)
      : tensors_(tensors), places_(places_of(call, tensors)), found_(tensors.size(), false) {
    std::uint64_t total = 0;
    for (const named_tensor& tensor : tensors) {
      begins_.push_back(static_cast<std::size_t>(total));
      total += stored_bytes(tensor.type, tensor.shape);  // each is at most 2^63 - 1
      if (total > static_cast<std::uint64_t>(std::numeric_limits<index_t>::max()))
        violation("%s: the tensors are larger than memory", call);
    }
    begins_.push_back(static_cast<std::size_t>(total));
  }

  /// Notes that the file has a tensor, and returns its place in the list, if it is there. Fails where type or shape are
  /// not those asked for.
  std::optional<std::size_t> take(const file_call& call, const std::string& name, stored_type type,
                                  const std::vector<index_t>& shape) {
    const auto at = places_.find(name);
    if (at == places_.end()) {
      others_.add(name);
      return std::nullopt;
    }
    const named_tensor& wanted = tensors_[at->second];
    if (found_[at->second]) call.fail("two tensors have the name " + in_quotes(name));
    if (wanted.type != type || wanted.shape != shape)
      call.fail("tensor " + in_quotes(name) + " is " + what(type, shape) + ", asked for is " +
                what(wanted.type, wanted.shape));
    found_[at->second] = true;
    return at->second;
  }

  /// Fails where a tensor was not in the file, or the file had others; lists both.
  void complete(const file_call& call) const {
    some_names missing;
    for (std::size_t i = 0; i < tensors_.size(); ++i)
      if (!found_[i]) missing.add(tensors_[i].name);
    std::string wrong;
    if (missing.count > 0) wrong = "there is no tensor " + missing.written();
    if (missing.count > 0 && others_.count > 0) wrong += "; ";
    if (others_.count > 0)
      wrong += (others_.count == 1 ? "tensor " : "tensors ") + others_.written() +
               (others_.count == 1 ? " is" : " are") + " not among those asked for";
    if (!wrong.empty()) call.fail(wrong);
  }

  /// Where the bytes of tensor i are gathered, and how many they are.
  std::span<std::byte> bytes(std::size_t i) {
    if (!gathered_) gathered_ = std::make_unique_for_overwrite<std::byte[]>(begins_.back());
    return {gathered_.get() + begins_[i], begins_[i + 1] - begins_[i]};
  }

  /// Hands the gathered bytes to the caller's tensors.
  void deliver(const file_call& call) {
    for (std::size_t i = 0; i < tensors_.size(); ++i)  // another byte in a bool is undefined behaviour
      if (tensors_[i].type == stored_type::boolean)
        for (const std::byte b : bytes(i))
          if (b > std::byte{1})
            call.fail("tensor " + in_quotes(tensors_[i].name) + " is bool and has a byte other than 0 and 1");
    for (std::size_t i = 0; i < tensors_.size(); ++i)
      if (const auto from = bytes(i); !from.empty()) std::memcpy(tensors_[i].data, from.data(), from.size());
  }

 private:
  static std::string what(stored_type type, const std::vector<index_t>& shape) {
    return std::string(detail::facts(type).name) + " " + written_shape(shape);
  }

  /// The first names of a list.
  struct some_names {
    static constexpr std::size_t most = 6;
    std::string text;
    std::size_t count = 0;

    void add(const std::string& name) {
      if (count++ < most) text += (text.empty() ? "" : ", ") + in_quotes(name);
    }
    std::string written() const { return count > most ? text + ", ... (" + std::to_string(count) + " in all)" : text; }
  };

  std::span<const named_tensor> tensors_;
  some_names others_;  // that the file has besides
  std::unordered_map<std::string_view, std::size_t> places_;
  std::vector<bool> found_;
  std::vector<std::size_t> begins_;  // of each tensor's bytes, and the end of the last one
  std::unique_ptr<std::byte[]> gathered_;
};

/// The same tensors, to be read only.
inline std::vector<named_const_tensor> as_const_tensors(std::span<const named_tensor> tensors) {
  std::vector<named_const_tensor> result;
  for (const named_tensor& t : tensors) result.push_back({t.name, t.type, t.shape, t.data});
  return result;
}

}  // namespace tern::inline TERN_ISA::impl
