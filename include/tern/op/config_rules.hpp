// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of configs. Every op has a function broken_rule, which most take from here: a field name means the same in
// every config. A kernel or a network reports a broken rule, the network with the name of the block.
#pragma once

#include "tern/core/config.hpp"
#include "tern/op/window.hpp"

namespace tern::detail {

/// Windows: kernel, stride, dilation and padding.
template <class Config>
constexpr const char* broken_window(const Config& c) {
  constexpr bool pools =
      requires { Config::as_kernel; };  // of a pool, .kernel may be whole_axis and .stride unset: both are -1
  if (!c.kernel.all(1, pools ? -1 : 1))
    return pools ? "every .kernel must be at least 1 or tern::whole_axis" : "every .kernel must be at least 1";
  if (!c.stride.all(1, pools ? -1 : 1)) return "every .stride must be at least 1";
  if (!c.dilation.all_at_least(1)) return "every .dilation must be at least 1";
  if (!c.stride.all_at_most(largest_step)) return "every .stride must be at most 32768";
  const bool fits = c.kernel.all_at_most(largest_window) && c.dilation.all_at_most(largest_window);
  if constexpr (requires { c.pad; })
    if (!fits || !c.pad.all_at_most(largest_window) || !c.pad_end.all_at_most(largest_window))
      return "every .kernel, .dilation, .pad and .pad_end must be at most 2^30";
  if constexpr (requires { c.crop; })
    if (!fits || !c.crop.all_at_most(largest_window) || !c.crop_end.all_at_most(largest_window))
      return "every .kernel, .dilation, .crop and .crop_end must be at most 2^30";
  if constexpr (requires { c.moves_whole_axis(); })
    if (c.moves_whole_axis())
      return ".stride, .dilation, .pad and .pad_end do not go with a .kernel of tern::whole_axis";
  if constexpr (requires { c.rule; }) {
    if (c.rule != padding::given && !(c.pad == 0 && c.pad_end == c.as_pad))
      return ".pad and .pad_end go with padding::given only";
    if (c.rule == padding::same_torch && !(c.stride == 1)) return "padding::same_torch needs .stride = 1 on every axis";
  }
  if constexpr (requires { c.output_padding; })
    if (!c.output_padding.all_at_least(0) || !c.output_padding.all_less(c.stride))
      return "every .output_padding must be at least 0 and less than .stride";
  return nullptr;
}
/// Channels and groups.
template <class Config>
constexpr const char* broken_channels(const Config& c) {
  if constexpr (requires { c.in; })
    if (c.in < 0) return ".in must be at least 1, or 0 in a network, which infers it";
  if constexpr (requires { c.out; })
    if (c.out < 1) return ".out must be at least 1";
  if constexpr (requires { c.channels; })
    if (c.channels < 1 && c.channels != dynamic) return ".channels must be at least 1 or tern::dynamic";
  if constexpr (requires { c.groups; })
    if (c.groups < 1) return ".groups must be at least 1";
  if constexpr (requires {
                  c.in;
                  c.out;
                  c.groups;
                }) {
    if (c.in % c.groups != 0) return ".groups must divide .in";
    if (c.out % c.groups != 0) return ".groups must divide .out";
    if (c.kernel.product() * static_cast<double>(c.in) * static_cast<double>(c.out) / static_cast<double>(c.groups) >
        0x1p45)
      return "there must be at most 2^45 weights";
  }
  return nullptr;
}
/// Elements added or removed at the ends of axes: .pad and .crop.
template <class Config>
constexpr const char* broken_ends(const Config& c) {
  if constexpr (requires { c.pad; }) {
    if (!c.pad.all_at_least(0)) return "every .pad must be at least 0";
    if (!c.pad_end.all_at_least(c.as_pad)) return "every .pad_end must be at least 0";
    if (!c.pad.all_at_most(largest_window) || !c.pad_end.all_at_most(largest_window))
      return "every .pad and .pad_end must be at most 2^30";
  }
  if constexpr (requires { c.crop; }) {
    if (!c.crop.all_at_least(0)) return "every .crop must be at least 0";
    if (!c.crop_end.all_at_least(c.as_crop)) return "every .crop_end must be at least 0";
    if (!c.crop.all_at_most(largest_window) || !c.crop_end.all_at_most(largest_window))
      return "every .crop and .crop_end must be at most 2^30";
  }
  return nullptr;
}
/// The first rule that a config breaks; null if it keeps all. The layer of an op checks the rules on samples.
template <class Config>
constexpr const char* broken_config(const Config& c) {
  if (const char* const channels = broken_channels(c)) return channels;
  if constexpr (requires { c.kernel; })
    if (const char* const window = broken_window(c)) return window;
  if (const char* const ends = broken_ends(c)) return ends;
  if constexpr (requires { c.extent; })
    if (!c.extent.all(0, dynamic)) return "every .extent must be at least 0 or tern::dynamic";
  if constexpr (requires { c.batch; })
    if (c.batch < 0 && c.batch != dynamic) return ".batch must be at least 0 or tern::dynamic";
  if constexpr (requires { c.m; }) {
    if (c.m < 0 && c.m != dynamic) return ".m must be at least 0 or tern::dynamic";
    if (c.n < 0 && c.n != dynamic) return ".n must be at least 0 or tern::dynamic";
    if (c.k < 0 && c.k != dynamic) return ".k must be at least 0 or tern::dynamic";
  }
  if constexpr (requires { c.epsilon; })
    if (!(c.epsilon > 0 && c.epsilon < 1e30)) return ".epsilon must be positive and finite";
  if constexpr (requires { c.axis_of(0); }) {
    bool given = true;
    if constexpr (requires { c.last; }) given = c.axis != c.last;
    if (given && (c.axis < -5 || c.axis > 4)) return ".axis must be between -5 and 4";
  }
  if constexpr (requires { c.factor; }) {
    if (!c.factor.all_at_least(1)) return "every .factor must be at least 1";
    if (!c.factor.all_at_most(largest_step)) return "every .factor must be at most 32768";
  }
  if constexpr (requires { c.block; }) {
    if (!c.block.all_at_least(1)) return "every .block must be at least 1";
    if (!c.block.all_at_most(largest_step)) return "every .block must be at most 32768";
  }
  if constexpr (requires { c.divisor; }) {
    if (c.divisor < 0 || c.divisor > index_t(1) << 24) return ".divisor must be at least 0 and at most 2^24";
    if (c.divisor != 0 && c.count_padding) return ".divisor and .count_padding do not go together";
  }
  if constexpr (requires { c.act; })
    if (!c.act.slope_is_valid()) return "the slope of .act must be at least 0 and finite";
  return nullptr;
}

}  // namespace tern::detail
