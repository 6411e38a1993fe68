// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace tern::detail {

/// A growable array for constexpr planning: std::vector costs compilers several times as many steps. Elements are
/// default-constructible and copied.
template <class T>
class list {
 public:
  constexpr list() {}
  constexpr list(int n, const T& value) {
    grow(n);
    for (int i = 0; i < n; ++i) of_[i] = value;
    size_ = n;
  }
  constexpr list(const list& other) { *this = other; }
  constexpr list(list&& other) noexcept : of_(other.of_), size_(other.size_), room_(other.room_) {
    other.of_ = nullptr, other.size_ = other.room_ = 0;
  }
  constexpr list& operator=(const list& other) {
    if (this == &other) return *this;
    size_ = 0;
    grow(other.size_);
    for (int i = 0; i < other.size_; ++i) of_[i] = other.of_[i];
    size_ = other.size_;
    return *this;
  }
  constexpr list& operator=(list&& other) noexcept {
    T* const of = of_;
    const int size = size_, room = room_;
    of_ = other.of_, size_ = other.size_, room_ = other.room_;
    other.of_ = of, other.size_ = size, other.room_ = room;
    return *this;
  }
  constexpr ~list() { delete[] of_; }

  constexpr int size() const { return size_; }
  constexpr T& operator[](int i) { return of_[i]; }
  constexpr const T& operator[](int i) const { return of_[i]; }
  constexpr T* begin() { return of_; }
  constexpr T* end() { return of_ + size_; }
  constexpr const T* begin() const { return of_; }
  constexpr const T* end() const { return of_ + size_; }
  /// Appends x and returns its index.
  constexpr int add(const T& x) {
    if (size_ == room_) grow(size_ < 8 ? 16 : 2 * size_);
    of_[size_] = x;
    return size_++;
  }
  constexpr void insert(int at, const T& x) {
    add(x);
    for (int i = size_ - 1; i > at; --i) of_[i] = of_[i - 1];
    of_[at] = x;
  }
  constexpr void remove(int at) {
    for (int i = at; i + 1 < size_; ++i) of_[i] = of_[i + 1];
    --size_;
  }

 private:
  T* of_ = nullptr;
  int size_ = 0, room_ = 0;

  constexpr void grow(int room) {
    if (room <= room_) return;
    T* const larger = new T[static_cast<unsigned>(room)]{};
    for (int i = 0; i < size_; ++i) larger[i] = of_[i];
    delete[] of_;
    of_ = larger, room_ = room;
  }
};

}  // namespace tern::detail
