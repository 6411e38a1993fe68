// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files built byte by byte from their formats' specifications, not by the library's code, and a folder for them.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace tern::test {

/// A number in `count` bytes, the lowest first.
inline std::string little(std::uint64_t value, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += static_cast<char>(value >> 8 * i & 0xff);
  return result;
}

/// The bytes of a text of hexadecimal digits; spaces are skipped.
inline std::string from_hex(std::string_view digits) {
  std::string result, pair;
  for (const char c : digits) {
    if (c == ' ') continue;
    pair += c;
    if (pair.size() == 2) result += static_cast<char>(std::stoi(pair, nullptr, 16)), pair.clear();
  }
  return result;
}

inline std::string safetensors_file(std::string_view header, std::string_view data) {
  return little(header.size(), 8).append(header).append(data);
}

/// An npy file in version 1.0; the header is not padded, which the format does not ask for.
inline std::string npy_file(std::string_view header, std::string_view elements) {
  return std::string("\x93NUMPY\1\0", 8).append(little(header.size(), 2)).append(header).append(elements);
}

inline std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

struct zip_entry {
  std::string name, content;
  unsigned flags = 0;  // bit 0: encrypted, bit 11: the name is UTF-8
  std::uint32_t wrong_crc = 0;
};

/// A zip archive whose entries are stored without compression.
inline std::string zip_bytes(const std::vector<zip_entry>& entries) {
  std::string files, directory;
  for (const zip_entry& entry : entries) {
    const std::string size = little(entry.content.size(), 4);
    const std::string common = little(20, 2) + little(entry.flags, 2) + little(0, 2) + little(0, 2) + little(33, 2) +
                               little(crc32(entry.content) ^ entry.wrong_crc, 4) + size + size +
                               little(entry.name.size(), 2) + little(0, 2);
    directory += "PK\1\2" + little(20, 2) + common + std::string(10, '\0') + little(files.size(), 4) + entry.name;
    files += "PK\3\4" + common + entry.name + entry.content;
  }
  return files + directory + "PK\5\6" + little(0, 4) + little(entries.size(), 2) + little(entries.size(), 2) +
         little(directory.size(), 4) + little(files.size(), 4) + little(0, 2);
}

inline void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// An empty folder, which is removed with its contents.
class folder {
 public:
  folder() {
    std::string name = std::filesystem::temp_directory_path() / "tern-files-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  /// The number of files.
  auto count() const { return std::distance(std::filesystem::directory_iterator(path_), {}); }

 private:
  std::filesystem::path path_;
};

/// A file without a place on a disk, for tests that write a great many.
class memory_file {
 public:
  memory_file() : descriptor_(memfd_create("tern", MFD_CLOEXEC)) {
    if (descriptor_ < 0) std::abort();
  }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() { close(descriptor_); }
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  void write(std::string_view bytes) const {
    const auto size = static_cast<ssize_t>(bytes.size());
    if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, bytes.data(), bytes.size(), 0) != size) std::abort();
  }

 private:
  int descriptor_;
};

}  // namespace tern::test
