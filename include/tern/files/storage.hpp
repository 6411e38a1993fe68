// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of the operating system (POSIX): one for reading, and one that is replaced as a whole or not at all.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <system_error>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/files/failure.hpp"

namespace tern::inline TERN_ISA::impl {

/// The limit of one call to read or write, below Linux' 2 GiB.
inline constexpr std::size_t most_at_once = std::size_t{1} << 30;

/// An open file of the system.
class descriptor {
 public:
  explicit descriptor(int number = -1) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(other.release()) {}
  descriptor& operator=(descriptor&& other) noexcept {
    close();
    number_ = other.release();
    return *this;
  }
  ~descriptor() { close(); }

  explicit operator bool() const { return number_ >= 0; }
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  bool close() { return number_ < 0 || ::close(release()) == 0; }

 private:
  int number_;
};

/// A regular file, open for reading.
class input_file {
 public:
  input_file(const char* call, const std::filesystem::path& path) : call_{call, path.string()} {
    // A pipe without a writer would block.
    file_ = descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file_) call_.fail("it cannot be opened", errno);
    struct stat status{};
    if (::fstat(file_.get(), &status) != 0) call_.fail("it cannot be examined", errno);
    if (!S_ISREG(status.st_mode)) call_.fail("it is not a regular file");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }

  const file_call& call() const { return call_; }
  std::uint64_t size() const { return size_; }

  /// Bytes [from, from + count), which must lie within the size.
  void read(void* to, std::uint64_t from, std::size_t count) {
    auto* at = static_cast<std::byte*>(to);
    while (count > 0) {
      const ssize_t got = ::pread(file_.get(), at, std::min(count, most_at_once), static_cast<off_t>(from));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) call_.fail("it cannot be read", errno);
      if (got == 0) call_.fail("it became shorter while it was read");
      at += got, from += static_cast<std::uint64_t>(got), count -= static_cast<std::size_t>(got);
    }
  }

  /// Hands the open file over to the caller, as a stream.
  std::FILE* release() {
    std::FILE* stream = ::fdopen(file_.get(), "rb");
    if (stream == nullptr) call_.fail("it cannot be read", errno);
    file_.release();
    return stream;
  }

 private:
  file_call call_;
  descriptor file_;
  std::uint64_t size_ = 0;
};

/// A file that appears, or replaces another one, when it is complete and on disk. Until `commit` everything goes to a
/// temporary file beside it; rename is atomic. Errors remove the temporary file; only a killed process leaves one.
class replaced_file {
 public:
  replaced_file(const char* call, const std::filesystem::path& path) : call_{call, path.string()}, target_(path) {
    if (!path.has_filename()) call_.fail("it names no file");
    // Renaming would replace devices and the like by the file.
    struct stat status{};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) call_.fail("it is not a regular file");
    if (!exists && ::lstat(path.c_str(), &status) == 0) call_.fail("it is a link that leads to no file");
    if (exists) {
      std::error_code unresolved;  // links stay, and their target is replaced
      target_ = std::filesystem::canonical(path, unresolved);
      if (unresolved) call_.fail("it cannot be found", unresolved.value());
      mode_ = status.st_mode & 0777, keep_mode_ = true;
    }
    directory_ = target_.has_parent_path() ? target_.parent_path() : std::filesystem::path(".");
    int error = EEXIST;
    std::random_device random;
    for (int tries = 0; tries < 100 && error == EEXIST; ++tries) {
      char name[40];
      std::snprintf(name, sizeof name, "tern-%08x%08x.tmp", random(), random());
      std::filesystem::path candidate = directory_ / name;
      file_ = descriptor(::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      error = file_ ? 0 : errno;
      if (error == 0) temporary_ = std::move(candidate);
    }
    if (error != 0) call_.fail("no file can be created in its directory", error);
  }
  replaced_file(const replaced_file&) = delete;
  replaced_file& operator=(const replaced_file&) = delete;
  ~replaced_file() { remove(); }

  /// The path of the file before commit.
  const std::filesystem::path& temporary() const { return temporary_; }

  /// Appends bytes.
  void write(const void* from, std::size_t count) {
    const auto* at = static_cast<const std::byte*>(from);
    while (count > 0) {
      const ssize_t written = ::write(file_.get(), at, std::min(count, most_at_once));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("it cannot be written", errno);
      at += written, count -= static_cast<std::size_t>(written);
    }
  }

  /// Call after another library has put a new file at temporary().
  void reopen() {
    file_ = descriptor(::open(temporary_.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file_) fail("it cannot be opened after it was written", errno);
  }

  /// Moves the file to its place, with the permissions of the replaced one.
  void commit() {
    if (keep_mode_ && ::fchmod(file_.get(), mode_) != 0) fail("it cannot be given its permissions", errno);
    if (::fsync(file_.get()) != 0) fail("it cannot be written to the disk", errno);
    if (!file_.close()) fail("it cannot be closed", errno);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("it cannot be put in its place", errno);
    temporary_.clear();
    // The new name must reach the disk, too. File systems without support answer EINVAL; unreadable directories cannot
    // be opened.
    const descriptor directory(::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory && ::fsync(directory.get()) != 0 && errno != EINVAL)
      call_.fail("it was written, and its directory cannot be flushed", errno);
  }

  /// Removes the temporary file and fails. Not left to the destructor, which does not run without exceptions.
  template <class... Error>
  [[noreturn]] void fail(const std::string& what, Error... error) {
    remove();
    call_.fail(what, error...);
  }

 private:
  void remove() {
    file_.close();
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    temporary_.clear();
  }

  file_call call_;
  std::filesystem::path target_, directory_, temporary_;
  descriptor file_;
  mode_t mode_ = 0;
  bool keep_mode_ = false;
};

}  // namespace tern::inline TERN_ISA::impl
