// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of the safetensors format (https://huggingface.co/docs/safetensors): named tensors and string metadata. Needs
// nlohmann-json. The files are, byte for byte, those of the format's own library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/files/elements.hpp"
#include "tern/files/failure.hpp"
#include "tern/files/named_tensor.hpp"
#include "tern/files/request.hpp"
#include "tern/files/safetensors_header.hpp"
#include "tern/files/storage.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// The header for these tensors, in the order of their data.
inline std::string write_safetensors_header(const std::vector<const named_const_tensor*>& tensors,
                                            const file_metadata& metadata) {
  std::string text = "{";
  const auto add = [&](const std::string& name, const nlohmann::ordered_json& value) {
    if (text.size() > 1) text += ',';
    text += nlohmann::json(name).dump() + ':' + value.dump();
  };
  if (!metadata.empty()) add("__metadata__", metadata);
  std::uint64_t end = 0;
  for (const named_const_tensor* tensor : tensors) {
    const std::uint64_t begin = end;
    end += stored_bytes(tensor->type, tensor->shape);
    nlohmann::ordered_json entry;
    entry["dtype"] = detail::facts(tensor->type).safetensors;
    entry["shape"] = tensor->shape;
    entry["data_offsets"] = {begin, end};
    add(tensor->name, entry);
  }
  text += '}';
  text.append((8 - text.size() % 8) % 8, ' ');  // aligns the data
  return text;
}

}  // namespace impl

/// Writes the tensors to a file, which is complete or, after any error, unchanged (see replaced_file). Throws
/// std::invalid_argument for tensors that cannot be written, std::runtime_error if the file cannot.
inline void save_safetensors(const std::filesystem::path& path, std::span<const named_const_tensor> tensors,
                             const file_metadata& metadata = {}) {
  constexpr const char* call = "save_safetensors";
  if (impl::places_of(call, tensors).contains("__metadata__"))
    violation("%s: no tensor can have the name '__metadata__'", call);
  for (const auto& [key, value] : metadata)
    if (!impl::is_utf8(key) || !impl::is_utf8(value))
      violation("%s: metadata %s are not UTF-8", call, impl::in_quotes(key).c_str());

  std::vector<const named_const_tensor*> order;
  for (const named_const_tensor& tensor : tensors)
    if (!tensor.passed_over) order.push_back(&tensor);
  std::sort(order.begin(), order.end(),
            [](const auto* a, const auto* b) { return a->type != b->type ? a->type > b->type : a->name < b->name; });
  const std::string header = impl::write_safetensors_header(order, metadata);
  if (header.size() > impl::most_header_bytes)
    violation("%s: the header has %zu bytes; the format allows 100000000", call, header.size());

  impl::replaced_file file(call, path);
  const std::uint64_t length = header.size();
  file.write(&length, sizeof length);
  file.write(header.data(), header.size());
  std::vector<std::byte> room;
  for (const named_const_tensor* tensor : order)
    file.write(impl::in_file_order(*tensor, room),
               static_cast<std::size_t>(impl::stored_bytes(tensor->type, tensor->shape)));
  file.commit();
}
inline void save_safetensors(const std::filesystem::path& path, std::span<const named_tensor> tensors,
                             const file_metadata& metadata = {}) {
  save_safetensors(path, impl::as_const_tensors(tensors), metadata);
}

/// Fills the tensors from a file. It must hold exactly these names, types and shapes, unless the options allow more.
/// Throws std::runtime_error with one sentence if it does not, or is damaged; the tensors are then untouched. Allocates
/// memory for all tensors while it runs.
inline loaded load_safetensors(const std::filesystem::path& path, std::span<const named_tensor> tensors,
                               const load_options& options = {}) {
  impl::request request("load_safetensors", tensors, options);
  impl::input_file file("load_safetensors", path);
  const impl::file_call& call = file.call();
  const std::uint64_t size = file.size();
  std::uint64_t length = 0;
  if (size < sizeof length) call.fail("it has " + std::to_string(size) + " bytes, too few for a safetensors file");
  file.read(&length, 0, sizeof length);
  if (length > impl::most_header_bytes)
    call.fail("it is not a safetensors file: its header would have " + std::to_string(length) +
              " bytes, and the format allows 100000000");
  if (length > size - sizeof length)
    call.fail("its header has " + std::to_string(length) + " bytes, and the file " + std::to_string(size));

  std::string header(static_cast<std::size_t>(length), '\0');
  file.read(header.data(), sizeof length, header.size());
  const std::uint64_t data = sizeof length + length;
  loaded result;
  const auto entries = impl::parse_safetensors_header(call, header, size - data, result.metadata);
  std::vector<std::optional<std::size_t>> places;
  for (const auto& entry : entries) places.push_back(request.take(call, entry.name, entry.type, entry.shape));
  request.complete(call, result);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!places[i]) continue;
    const std::span<std::byte> to = request.bytes(*places[i]);
    file.read(to.data(), data + entries[i].begin, to.size());
  }
  request.deliver(call);
  return result;
}

}  // namespace tern::inline TERN_ISA
