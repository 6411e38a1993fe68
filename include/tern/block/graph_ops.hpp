// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops that a graph takes by their configs: the op of a config, and the shape of its result.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "tern/block/graph_parts.hpp"
#include "tern/block/shapes.hpp"
#include "tern/core/config.hpp"
#include "tern/core/list.hpp"
#include "tern/kernel/l2_normalize.hpp"
#include "tern/op/binary.hpp"
#include "tern/op/block.hpp"
#include "tern/op/channel_shuffle.hpp"
#include "tern/op/config_rules.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/op/dropout.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/matmul.hpp"
#include "tern/op/norm.hpp"
#include "tern/op/pad.hpp"
#include "tern/op/pool.hpp"
#include "tern/op/sample_shape.hpp"
#include "tern/op/softmax.hpp"
#include "tern/op/space_to_depth.hpp"
#include "tern/op/upsample.hpp"

namespace tern::detail {

/// The rate of a dropout as a config.
struct drop_config {
  int percent = 50;
  dropout_config how = {};
  friend constexpr bool operator==(const drop_config&, const drop_config&) = default;
};

/// Channels [first, first + count).
struct slice_config {
  index_t first = 0, count = 0;
  friend constexpr bool operator==(const slice_config&, const slice_config&) = default;
};

struct attention_config {
  index_t heads = 1;
  friend constexpr bool operator==(const attention_config&, const attention_config&) = default;
};

// Every op has its config, its broken rule, make<C, T>::type, and the result shape for samples of a shape.

template <class Config>
struct graph_op {
  using config = Config;
  static constexpr bool is_function = true;  ///< tern::graph has a function of the op's name
  static constexpr const char* broken(const Config& c) { return broken_config(c); }
  static constexpr sample_shape out(const Config&, const sample_shape& s) { return s; }
};

template <int Rank>
struct graph_conv : graph_op<conv_config<Rank>> {
  static constexpr const char* name = Rank == 1 ? "conv1d" : Rank == 2 ? "conv2d" : "conv3d";
  static constexpr int rank = Rank;
  template <conv_config<Rank> C, class T>
  struct make {
    using type = convolution<Rank, C, T>;
  };
  static constexpr sample_shape out(const conv_config<Rank>& c, const sample_shape& s) { return result_shape(c, s); }
};
template <int Rank>
struct graph_conv_transpose : graph_op<conv_transpose_config<Rank>> {
  static constexpr const char* name = Rank == 1   ? "conv_transpose1d"
                                      : Rank == 2 ? "conv_transpose2d"
                                                  : "conv_transpose3d";
  static constexpr int rank = Rank;
  template <conv_transpose_config<Rank> C, class T>
  struct make {
    using type = transposed_convolution<Rank, C, T>;
  };
  static constexpr sample_shape out(const conv_transpose_config<Rank>& c, const sample_shape& s) {
    return result_shape(c, s);
  }
};
struct graph_matmul : graph_op<matmul_config> {
  static constexpr const char* name = "matmul";
  static constexpr int rank = 0;
  static constexpr const char* broken(const matmul_config& c) {
    if (c.n < 1) return ".n must be given and at least 1: it is the number of results of a sample";
    return broken_config(c);
  }
  template <matmul_config C, class T>
  struct make {
    using type = matmul<C, T>;
  };
  static constexpr sample_shape out(const matmul_config& c, const sample_shape&) { return sample_shape::features(c.n); }
};
template <norm_kind K>
struct graph_norm : graph_op<norm_config> {
  static constexpr const char* name = normalization<K>::name;
  static constexpr const char* broken(const norm_config& c) { return normalization<K>::broken_rule(c); }
  template <norm_config C, class T>
  struct make {
    using type = normalization<K, C, T>;
  };
};
template <norm_kind K>
struct graph_position_norm : graph_norm<K> {
  template <norm_config C, class T>
  struct make {
    using type = each_position<normalization<K, C, T>>;
  };
};
struct graph_elementwise : graph_op<elementwise_config> {
  static constexpr const char* name = "elementwise";
  template <elementwise_config C, class T>
  struct make {
    using type = elementwise<C, T>;
  };
};
template <int Rank, pool_kind K>
struct graph_pool : graph_op<pool_config<Rank>> {
  static constexpr const char* name = K == pool_kind::max ? (Rank == 1   ? "max_pool1d"
                                                             : Rank == 2 ? "max_pool2d"
                                                                         : "max_pool3d")
                                                          : (Rank == 1   ? "avg_pool1d"
                                                             : Rank == 2 ? "avg_pool2d"
                                                                         : "avg_pool3d");
  static constexpr int rank = Rank;
  static constexpr const char* broken(const pool_config<Rank>& c) {
    return pooling<Rank, K, pool_config<Rank>{}>::broken_rule(c);
  }
  template <pool_config<Rank> C, class T>
  struct make {
    using type = pooling<Rank, K, C, T>;
  };
  static constexpr sample_shape out(const pool_config<Rank>& c, const sample_shape& s) { return result_shape(c, s); }
};
struct graph_softmax : graph_op<softmax_config> {
  static constexpr const char* name = "softmax";
  static constexpr const char* broken(const softmax_config&) { return nullptr; }  // the layer knows the axes
  template <softmax_config C, class T>
  struct make {
    using type = softmax<C, T>;
  };
};
struct graph_l2_normalize : graph_op<l2_config> {
  static constexpr const char* name = "l2_normalize";
  static constexpr const char* broken(const l2_config&) { return nullptr; }  // the layer knows the axes
  template <l2_config C, class T>
  struct make {
    using type = l2_normalize<C, T>;
  };
};
template <int Rank>
struct graph_upsample : graph_op<upsample_config<Rank>> {
  static constexpr const char* name = Rank == 1 ? "upsample1d" : Rank == 2 ? "upsample2d" : "upsample3d";
  static constexpr int rank = Rank;
  template <upsample_config<Rank> C, class T>
  struct make {
    using type = upsample<Rank, C, T>;
  };
  static constexpr sample_shape out(const upsample_config<Rank>& c, const sample_shape& s) {
    return result_shape(c, s);
  }
};
template <int Rank>
struct graph_pad : graph_op<pad_config<Rank>> {
  static constexpr const char* name = Rank == 1 ? "pad1d" : Rank == 2 ? "pad2d" : "pad3d";
  static constexpr int rank = Rank;
  template <pad_config<Rank> C, class T>
  struct make {
    using type = pad<Rank, C, T>;
  };
  static constexpr sample_shape out(const pad_config<Rank>& c, const sample_shape& s) { return result_shape(c, s); }
};
template <int Rank>
struct graph_space_to_depth : graph_op<space_to_depth_config<Rank>> {
  static constexpr const char* name = Rank == 1   ? "space_to_depth1d"
                                      : Rank == 2 ? "space_to_depth2d"
                                                  : "space_to_depth3d";
  static constexpr bool is_function = Rank == 2;
  static constexpr int rank = Rank;
  template <space_to_depth_config<Rank> C, class T>
  struct make {
    using type = space_to_depth<Rank, C, T>;
  };
  static constexpr sample_shape out(const space_to_depth_config<Rank>& c, const sample_shape& s) {
    return deep_shape(c, s);
  }
};
template <int Rank>
struct graph_depth_to_space : graph_op<space_to_depth_config<Rank>> {
  static constexpr const char* name = Rank == 1   ? "depth_to_space1d"
                                      : Rank == 2 ? "depth_to_space2d"
                                                  : "depth_to_space3d";
  static constexpr bool is_function = Rank == 2;
  static constexpr int rank = Rank;
  template <space_to_depth_config<Rank> C, class T>
  struct make {
    using type = depth_to_space<Rank, C, T>;
  };
  static constexpr sample_shape out(const space_to_depth_config<Rank>& c, const sample_shape& s) {
    return wide_shape(c, s);
  }
};
struct graph_channel_shuffle : graph_op<channel_shuffle_config> {
  static constexpr const char* name = "channel_shuffle";
  template <channel_shuffle_config C, class T>
  struct make {
    using type = channel_shuffle<C, T>;
  };
};
struct graph_drop : graph_op<drop_config> {
  static constexpr const char* name = "dropout";
  template <drop_config C, class T>
  struct make {
    using type = drop<C.percent, dropout<C.how, T>>;
  };
};

struct graph_slice : graph_op<slice_config> {
  static constexpr const char* name = "channel_slice";
  template <slice_config C, class T>
  struct make {
    using type = channel_slice<C.first, C.count>;
  };
  static constexpr sample_shape out(const slice_config& c, const sample_shape& s) {
    return s.with_channels(c.first >= 0 && c.first + c.count <= s.channels ? c.count : 0);
  }
};
template <int Rank>
struct graph_crop : graph_op<crop_config<Rank>> {
  static constexpr const char* name = "crop";
  static constexpr int rank = Rank;
  template <crop_config<Rank> C, class T>
  struct make {
    using type = cropped<Rank, C, T>;
  };
  static constexpr sample_shape out(const crop_config<Rank>& c, const sample_shape& s) { return cropped_shape(c, s); }
};

/// Takes two inputs.
struct graph_binary : graph_op<binary_config> {
  static constexpr const char* name = "binary";
  template <binary_config C, class T>
  struct make {
    using type = binary_of_two<C>;
  };
};
/// Takes three inputs.
struct graph_attention : graph_op<attention_config> {
  static constexpr const char* name = "attention";
  template <attention_config C, class T>
  struct make {
    using type = attend<C.heads>;
  };
};

template <class... Ops>
struct graph_op_list {};
using graph_ops =
    graph_op_list<graph_conv<1>, graph_conv<2>, graph_conv<3>, graph_conv_transpose<1>, graph_conv_transpose<2>,
                  graph_conv_transpose<3>, graph_matmul, graph_norm<norm_kind::batch>, graph_norm<norm_kind::layer>,
                  graph_norm<norm_kind::group>, graph_norm<norm_kind::instance>, graph_norm<norm_kind::rms>,
                  graph_position_norm<norm_kind::layer>, graph_position_norm<norm_kind::rms>, graph_elementwise,
                  graph_pool<1, pool_kind::max>, graph_pool<2, pool_kind::max>, graph_pool<3, pool_kind::max>,
                  graph_pool<1, pool_kind::average>, graph_pool<2, pool_kind::average>,
                  graph_pool<3, pool_kind::average>, graph_softmax, graph_l2_normalize, graph_upsample<1>,
                  graph_upsample<2>, graph_upsample<3>, graph_pad<1>, graph_pad<2>, graph_pad<3>,
                  graph_space_to_depth<1>, graph_space_to_depth<2>, graph_space_to_depth<3>, graph_depth_to_space<1>,
                  graph_depth_to_space<2>, graph_depth_to_space<3>, graph_channel_shuffle, graph_drop, graph_slice,
                  graph_crop<1>, graph_crop<2>, graph_crop<3>, graph_binary, graph_attention>;

/// The distinct configs of one type.
template <class Config>
struct config_list {
  list<Config> configs;

  constexpr int index_of(const Config& c) {
    for (int i = 0; i < configs.size(); ++i)
      if (configs[i] == c) return i;
    return configs.add(c);
  }
};
template <class... Configs>
struct config_lists_of : config_list<Configs>... {
  static constexpr int types = sizeof...(Configs);
  template <class Config>
  constexpr const list<Config>& of() const {
    return static_cast<const config_list<Config>&>(*this).configs;
  }
  constexpr std::array<std::size_t, types> sizes() const { return {static_cast<std::size_t>(of<Configs>().size())...}; }
};
/// The lists of all types of configs.
using config_lists =
    config_lists_of<conv_config<1>, conv_config<2>, conv_config<3>, conv_transpose_config<1>, conv_transpose_config<2>,
                    conv_transpose_config<3>, matmul_config, norm_config, elementwise_config, pool_config<1>,
                    pool_config<2>, pool_config<3>, softmax_config, l2_config, upsample_config<1>, upsample_config<2>,
                    upsample_config<3>, pad_config<1>, pad_config<2>, pad_config<3>, crop_config<1>, crop_config<2>,
                    crop_config<3>, space_to_depth_config<1>, space_to_depth_config<2>, space_to_depth_config<3>,
                    channel_shuffle_config, drop_config, slice_config, binary_config, attention_config>;

/// A config_list as an array.
template <class Config, std::size_t N>
struct config_array {
  std::array<Config, N> configs;
};
template <class T, std::size_t N>
constexpr std::array<T, N> to_array(const list<T>& from) {
  std::array<T, N> r{};
  for (int i = 0; i < from.size(); ++i) r[static_cast<std::size_t>(i)] = from[i];
  return r;
}
template <class Lists, auto Sizes, class Indices>
struct config_arrays_by;
template <class... Configs, auto Sizes, std::size_t... I>
struct config_arrays_by<config_lists_of<Configs...>, Sizes, std::index_sequence<I...>>
    : config_array<Configs, Sizes[I]>... {
  constexpr explicit config_arrays_by(const config_lists& from)
      : config_array<Configs, Sizes[I]>{to_array<Configs, Sizes[I]>(from.of<Configs>())}... {}
};
/// Config number i of a type.
template <class Config, std::size_t N>
constexpr Config config_in(const config_array<Config, N>& from, int i) {
  return from.configs[static_cast<std::size_t>(i)];
}

}  // namespace tern::detail
