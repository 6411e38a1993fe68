// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of a safetensors file: https://huggingface.co/docs/safetensors, with the checks of its library (0.8) and
// two more: names are unique, and no field is unknown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tern/core/config.hpp"
#include "tern/files/failure.hpp"
#include "tern/files/named_tensor.hpp"
#include "tern/files/request.hpp"

namespace tern::inline TERN_ISA::impl {

/// The format's limit on the bytes of a header.
inline constexpr std::uint64_t most_header_bytes = 100'000'000;

/// A tensor of the header.
struct safetensors_entry {
  std::string name;
  stored_type type = stored_type::boolean;
  std::vector<index_t> shape;
  std::uint64_t begin = 0, end = 0;
};

/// Handles the events of the JSON parser. A tree would lose duplicate names, and a file could nest it to any depth.
class safetensors_events : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::vector<safetensors_entry> entries;
  file_metadata metadata;
  std::string wrong;  // the first error; empty if there is none

  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a bool"); }
  bool number_integer(number_integer_t) override { return unexpected("a negative number"); }
  bool number_float(number_float_t, const string_t&) override { return unexpected("a number that is not whole"); }
  bool binary(binary_t&) override { return unexpected("binary data"); }

  bool number_unsigned(number_unsigned_t n) override {
    if (place_ == place::shape) {
      if (n > static_cast<std::uint64_t>(std::numeric_limits<index_t>::max()))
        return refuse(tensor() + " has an extent that is larger than memory");
      entries.back().shape.push_back(static_cast<index_t>(n));
      return true;
    }
    if (place_ != place::offsets) return unexpected("a number");
    if (offsets_ == 2) return refuse(tensor() + " has more than two data_offsets");
    (offsets_++ == 0 ? entries.back().begin : entries.back().end) = n;
    return true;
  }

  bool string(string_t& text) override {
    if (place_ == place::metadata) {
      if (!metadata.emplace(key_, text).second)
        return refuse("its metadata have the name " + in_quotes(key_) + " twice");
      return true;
    }
    if (place_ != place::tensor || key_ != "dtype") return unexpected("a string");
    for (std::size_t i = 0; i < std::size(detail::stored_types); ++i)
      if (text == detail::stored_types[i].safetensors) {
        entries.back().type = static_cast<stored_type>(i);
        return true;
      }
    return refuse(tensor() + " has the element type " + in_quotes(text) + ", which tern does not read");
  }

  bool key(string_t& text) override {
    key_ = text;
    if (place_ == place::top) {
      if (!names_.insert(text).second) return refuse("two tensors have the name " + in_quotes(text));
    } else if (place_ == place::tensor) {
      const int field = text == "dtype" ? 1 : text == "shape" ? 2 : text == "data_offsets" ? 4 : 0;
      if (field == 0)
        return refuse(tensor() + " has the field " + in_quotes(text) + ", which the format does not have");
      if (fields_ & field) return refuse(tensor() + " has two fields " + in_quotes(text));
      fields_ |= field;
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == place::outside) {
      place_ = place::top;
    } else if (place_ == place::top && key_ == "__metadata__") {
      place_ = place::metadata;
    } else if (place_ == place::top) {
      place_ = place::tensor;
      entries.emplace_back().name = key_;
      fields_ = 0;
    } else {
      return unexpected("an object");
    }
    return true;
  }

  bool end_object() override {
    if (place_ == place::tensor && fields_ != 7) return refuse(tensor() + " lacks its dtype, shape or data_offsets");
    place_ = place_ == place::top ? place::outside : place::top;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ != place::tensor || key_ == "dtype") return unexpected("an array");
    place_ = key_ == "shape" ? place::shape : place::offsets;
    offsets_ = 0;
    return true;
  }

  bool end_array() override {
    if (place_ == place::offsets && offsets_ != 2) return refuse(tensor() + " has fewer than two data_offsets");
    place_ = place::tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    return refuse("its header is not JSON at byte " + std::to_string(position));
  }

 private:
  enum class place { outside, top, metadata, tensor, shape, offsets };

  bool refuse(std::string what) {
    wrong = std::move(what);
    return false;
  }
  bool unexpected(const char* what) {
    if (place_ == place::outside) return refuse("its header is not an object");
    if (place_ == place::metadata) return refuse("its metadata " + in_quotes(key_) + " are not a string");
    if (place_ == place::top) return refuse("its header has " + std::string(what) + " for " + in_quotes(key_));
    return refuse(tensor() + " has " + what + " in its " + key_);
  }
  std::string tensor() const { return "tensor " + in_quotes(entries.back().name); }

  place place_ = place::outside;
  std::string key_;
  std::unordered_set<std::string> names_;
  int fields_ = 0, offsets_ = 0;
};

/// Fails if the tensors do not fill the data of the file, one after the other.
inline void check_offsets(const file_call& call, std::vector<safetensors_entry>& entries, std::uint64_t data_bytes) {
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  std::uint64_t end = 0;
  for (const safetensors_entry& entry : entries) {
    const std::string tensor = "tensor " + in_quotes(entry.name);
    const std::string from = std::to_string(entry.begin), to = std::to_string(entry.end);
    if (entry.begin > entry.end) call.fail(tensor + " has the data_offsets " + from + " and " + to);
    if (entry.end > data_bytes)
      call.fail(tensor + " ends at byte " + to + " of the data, of which there are " + std::to_string(data_bytes));
    const std::uint64_t bytes = stored_bytes(entry.type, entry.shape);
    if (bytes == no_size) call.fail(tensor + " has the shape " + written_shape(entry.shape) + ", larger than memory");
    if (bytes != entry.end - entry.begin)
      call.fail(tensor + " has " + std::to_string(entry.end - entry.begin) + " bytes, and its shape " +
                written_shape(entry.shape) + " needs " + std::to_string(bytes));
    if (entry.begin < end) call.fail(tensor + " shares bytes with another one");
    if (entry.begin > end)
      call.fail("bytes " + std::to_string(end) + " to " + from + " of its data belong to no tensor");
    end = entry.end;
  }
  if (end != data_bytes)
    call.fail("bytes " + std::to_string(end) + " to " + std::to_string(data_bytes) +
              " of its data belong to no tensor");
}

/// The tensors of a header, in the order of their data.
inline std::vector<safetensors_entry> parse_safetensors_header(const file_call& call, std::string_view header,
                                                               std::uint64_t data_bytes, file_metadata& metadata) {
  if (!header.starts_with('{')) call.fail("it is not a safetensors file: its header does not begin with {");
  if (!is_utf8(header)) call.fail("its header is not UTF-8");
  // The parser would take the first 0 for the end.
  if (const std::size_t zero = header.find('\0'); zero != header.npos)
    call.fail("its header is not JSON at byte " + std::to_string(zero + 1));
  safetensors_events events;
  if (!nlohmann::json::sax_parse(header.begin(), header.end(), &events)) call.fail(events.wrong);
  check_offsets(call, events.entries, data_bytes);
  metadata = std::move(events.metadata);
  return std::move(events.entries);
}

}  // namespace tern::inline TERN_ISA::impl
