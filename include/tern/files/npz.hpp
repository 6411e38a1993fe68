// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of numpy's npz format: a zip archive with an npy file for each array, as numpy.savez and numpy.savez_compressed
// write it and numpy.load reads it. Needs libzip.
#pragma once

#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/files/elements.hpp"
#include "tern/files/failure.hpp"
#include "tern/files/named_tensor.hpp"
#include "tern/files/npy.hpp"
#include "tern/files/request.hpp"
#include "tern/files/storage.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

struct zip_closer {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using zip_archive = std::unique_ptr<zip_t, zip_closer>;

/// Returns the text of a libzip error, and frees the error.
inline std::string zip_text(zip_error_t& error) {
  const std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

inline zip_archive open_npz(input_file& file) {
  const file_call& call = file.call();
  // libzip takes an empty file for an empty archive.
  if (file.size() == 0) call.fail("it is not an npz file: it is empty");
  zip_error_t error;
  zip_error_init(&error);
  std::FILE* stream = file.release();
  zip_source_t* source = zip_source_filep_create(stream, 0, -1, &error);
  if (source == nullptr) {
    std::fclose(stream);
    call.fail("it cannot be read: " + zip_text(error));
  }
  zip_archive archive(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error));
  if (!archive) {
    zip_source_free(source);
    if (zip_error_code_zip(&error) == ZIP_ER_EXISTS) call.fail("two of its arrays have the same name");
    call.fail("it is not an npz file, or it is damaged: " + zip_text(error));
  }
  zip_error_fini(&error);
  return archive;
}

/// An array of an archive, read from its beginning to its end.
class npz_array {
 public:
  npz_array(const file_call& call, zip_t* archive, zip_uint64_t index) : call_(call) {
    // Names without the UTF-8 flag are code page 437, as for Python.
    const char* name = zip_get_name(archive, index, ZIP_FL_ENC_STRICT);
    if (name == nullptr) call.fail("one of its names cannot be read");
    name_ = name;
    if (!std::string_view(name_).ends_with(".npy"))
      call.fail("it has a file " + in_quotes(name_) + ", which is not a numpy array");
    name_.resize(name_.size() - 4);
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_stat_index(archive, index, 0, &status) != 0) fail("cannot be read");
    if (status.valid & ZIP_STAT_ENCRYPTION_METHOD && status.encryption_method != ZIP_EM_NONE) fail("is encrypted");
    size_ = status.size;
    file_.reset(zip_fopen_index(archive, index, 0));
    if (!file_) fail(std::string("cannot be read: ") + zip_strerror(archive));
  }

  const std::string& name() const { return name_; }
  [[noreturn]] void fail(const std::string& what) const { call_.fail(array() + " " + what); }

  npy_array header() {
    std::string head = text(10);
    if (!head.starts_with(npy_magic)) fail("does not begin as a numpy array does");
    const auto at = [&](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(head[i])); };
    if (at(6) < 1 || at(6) > 3 || at(7) != 0)
      fail("has version " + std::to_string(at(6)) + "." + std::to_string(at(7)) +
           " of numpy's format; 1.0 to 3.0 are read");
    std::uint64_t length = at(8) + 256 * at(9);
    if (at(6) > 1) {
      head += text(2);
      length += 65536 * at(10) + 16777216 * at(11);
    }
    if (length > most_npy_header_bytes) fail("has a header of " + std::to_string(length) + " bytes; tern reads 65536");
    const std::string dictionary = text(length);
    const npy_array result = npy_header(call_, array(), dictionary).parse();
    const std::uint64_t bytes = stored_bytes(result.type, result.shape), left = size_ - read_;
    if (bytes != left)
      fail("has " + std::to_string(left) + " bytes of elements, and its shape " + written_shape(result.shape) +
           " needs " + (bytes == no_size ? "more than memory has" : std::to_string(bytes)));
    return result;
  }

  /// The next bytes.
  void read(void* to, std::uint64_t count) {
    if (count > size_ - read_) fail("ends after " + std::to_string(size_) + " bytes");
    read_ += count;
    for (auto* at = static_cast<std::byte*>(to); count > 0;) {
      const zip_int64_t got = zip_fread(file_.get(), at, count < most_at_once ? count : most_at_once);
      if (got < 0) damaged();
      if (got == 0) fail("is damaged: it ends early");
      at += got, count -= static_cast<std::uint64_t>(got);
    }
  }

  /// Reads to the end: only there does libzip compare the checksum.
  void finish() {
    char more;
    const zip_int64_t got = zip_fread(file_.get(), &more, 1);
    if (got < 0) damaged();
    if (got > 0) fail("is damaged: it does not end where it should");
  }

 private:
  std::string array() const { return "array " + in_quotes(name_); }
  [[noreturn]] void damaged() const { fail(std::string("is damaged: ") + zip_file_strerror(file_.get())); }
  std::string text(std::uint64_t count) {
    std::string result(static_cast<std::size_t>(count), '\0');
    read(result.data(), count);
    return result;
  }

  const file_call& call_;
  std::string name_;
  std::unique_ptr<zip_file_t, zip_closer> file_;
  std::uint64_t size_ = 0, read_ = 0;
};

/// Refuses tensors that numpy could not load.
inline void check_for_npz(const named_const_tensor& tensor) {
  const char* wrong = nullptr;
  if (detail::facts(tensor.type).npy == nullptr) wrong = "is bfloat16, which numpy does not have";
  if (tensor.shape.size() > 64) wrong = "has more than numpy's 64 dimensions";
  if (tensor.name.find('\0') != tensor.name.npos) wrong = "has a 0 in its name, where the zip format ends names";
  if (tensor.name.size() > 65'000) wrong = "has a longer name than the zip format allows";
  if (wrong) violation("save_npz: tensor %s %s", in_quotes(tensor.name).c_str(), wrong);
}

/// Adds the array of a tensor to an archive, which reads header and elements when closed. Returns false on an error.
inline bool add_array(zip_t* archive, const named_const_tensor& tensor, const void* elements, std::string& header) {
  zip_buffer_fragment_t parts[2];
  parts[0] = {reinterpret_cast<zip_uint8_t*>(header.data()), header.size()};
  // Without its last argument libzip only reads.
  parts[1] = {static_cast<zip_uint8_t*>(const_cast<void*>(elements)), stored_bytes(tensor.type, tensor.shape)};
  zip_source_t* source = zip_source_buffer_fragment(archive, parts, parts[1].length > 0 ? 2 : 1, 0);
  if (source == nullptr) return false;
  const zip_int64_t index = zip_file_add(archive, (tensor.name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return false;
  }
  const auto at = static_cast<zip_uint64_t>(index);
  // The earliest date of the format, as in numpy: equal tensors give equal files.
  return zip_set_file_compression(archive, at, ZIP_CM_STORE, 0) == 0 &&
         zip_file_set_dostime(archive, at, 0, 1 << 5 | 1, 0) == 0;
}

}  // namespace impl

/// Writes the tensors to a file for numpy.load, without compression. The file is complete or, after any error,
/// unchanged (see replaced_file). Throws std::invalid_argument for tensors that cannot be written, std::runtime_error
/// if the file cannot.
inline void save_npz(const std::filesystem::path& path, std::span<const named_const_tensor> tensors) {
  impl::places_of("save_npz", tensors);
  for (const named_const_tensor& tensor : tensors) impl::check_for_npz(tensor);
  impl::replaced_file file("save_npz", path);
  if (std::ranges::all_of(tensors, &named_const_tensor::passed_over)) {  // libzip writes no empty archives
    constexpr char end[22] = {'P', 'K', 5, 6};
    file.write(end, sizeof end);
    return file.commit();
  }
  int code = 0;
  impl::zip_archive archive(zip_open(file.temporary().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    file.fail("it cannot be written: " + impl::zip_text(error));
  }
  std::vector<std::string> headers;
  std::vector<std::vector<std::byte>> rooms(tensors.size());
  for (const named_const_tensor& tensor : tensors) headers.push_back(impl::write_npy_header(tensor));
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (!tensors[i].passed_over &&
        !impl::add_array(archive.get(), tensors[i], impl::in_file_order(tensors[i], rooms[i]), headers[i]))
      file.fail(std::string("it cannot be written: ") + zip_strerror(archive.get()));
  if (zip_close(archive.get()) != 0) {
    const std::string what = std::string("it cannot be written: ") + zip_strerror(archive.get());
    archive.reset();
    file.fail(what);
  }
  static_cast<void>(archive.release());
  file.reopen();  // libzip, too, writes a temporary file and renames it
  file.commit();
}
inline void save_npz(const std::filesystem::path& path, std::span<const named_tensor> tensors) {
  save_npz(path, impl::as_const_tensors(tensors));
}

/// Fills the tensors from a file. It must hold exactly these names, types and shapes, unless the options allow more; in
/// little endian and C order. Throws std::runtime_error with one sentence if it does not, or is damaged; the tensors
/// are then untouched. Allocates memory for all tensors while it runs.
inline loaded load_npz(const std::filesystem::path& path, std::span<const named_tensor> tensors,
                       const load_options& options = {}) {
  impl::request request("load_npz", tensors, options);
  impl::input_file file("load_npz", path);
  const impl::zip_archive archive = impl::open_npz(file);
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    impl::npz_array array(file.call(), archive.get(), static_cast<zip_uint64_t>(i));
    const impl::npy_array found = array.header();
    const std::optional<std::size_t> place = request.take(file.call(), array.name(), found.type, found.shape);
    if (!place) continue;
    const std::span<std::byte> to = request.bytes(*place);
    array.read(to.data(), to.size());
    array.finish();
  }
  loaded result;
  request.complete(file.call(), result);
  request.deliver(file.call());
  return result;
}

}  // namespace tern::inline TERN_ISA
