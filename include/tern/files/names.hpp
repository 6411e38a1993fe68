// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renaming and filtering of named tensors. Patterns instead of regular expressions, as names are full of dots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/files/failure.hpp"
#include "tern/files/named_tensor.hpp"

namespace tern {

/// A pattern of names, and the new names. A * matches any characters, or none; the stars of `to` stand for the matches
/// of `from`, in order.
struct name_rule {
  std::string from, to;
};

}  // namespace tern

namespace tern::inline TERN_ISA {

namespace impl {

/// The matches of a pattern's stars in a name, each as short as possible; nothing if the name does not match.
inline std::optional<std::vector<std::string_view>> stars_of(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos) {
    if (pattern != name) return std::nullopt;
    return std::vector<std::string_view>();
  }
  if (!name.starts_with(pattern.substr(0, star))) return std::nullopt;
  name.remove_prefix(star), pattern.remove_prefix(star + 1);
  for (std::size_t taken = 0; taken <= name.size(); ++taken)
    if (auto rest = stars_of(pattern, name.substr(taken))) {
      rest->insert(rest->begin(), name.substr(0, taken));
      return rest;
    }
  return std::nullopt;
}

inline std::string with_stars(std::string_view pattern, std::span<const std::string_view> stars) {
  std::string result;
  for (const char c : pattern) {
    if (c != '*') {
      result += c;
      continue;
    }
    result += stars.front();
    stars = stars.subspan(1);
  }
  return result;
}

}  // namespace impl

/// Renames tensors by the first rule whose pattern matches; others keep their names. Throws std::invalid_argument if a
/// rule matches no tensor, or its sides have different numbers of stars.
///
///     tern::load_safetensors("model.safetensors", tern::renamed(tensors, {{"stage.*.conv.*", "layers.*.0.*"}}));
template <class Data>
std::vector<basic_named_tensor<Data>> renamed(std::vector<basic_named_tensor<Data>> tensors,
                                              const std::vector<name_rule>& rules) {
  std::vector<bool> fits(rules.size(), false);
  for (const name_rule& rule : rules)
    if (std::ranges::count(rule.from, '*') != std::ranges::count(rule.to, '*'))
      violation("renamed: %s and %s have different numbers of stars", impl::in_quotes(rule.from).c_str(),
                impl::in_quotes(rule.to).c_str());
  for (auto& tensor : tensors)
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (const auto stars = impl::stars_of(rules[i].from, tensor.name)) {
        tensor.name = impl::with_stars(rules[i].to, *stars);
        fits[i] = true;
        break;
      }
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (!fits[i])
      violation("renamed: no tensor's name fits %s, or an earlier rule took it",
                impl::in_quotes(rules[i].from).c_str());
  return tensors;
}

/// The tensors whose names match a pattern, in which a * stands for any characters. Throws std::invalid_argument if
/// none does.
///
///     tern::load_safetensors("model.safetensors", tern::matching(tensors, "encoder.*"));
template <class Data>
std::vector<basic_named_tensor<Data>> matching(std::vector<basic_named_tensor<Data>> tensors,
                                               std::string_view pattern) {
  std::erase_if(tensors, [&](const auto& tensor) { return !impl::stars_of(pattern, tensor.name); });
  if (tensors.empty()) violation("matching: no tensor's name fits %s", impl::in_quotes(pattern).c_str());
  return tensors;
}

}  // namespace tern::inline TERN_ISA
