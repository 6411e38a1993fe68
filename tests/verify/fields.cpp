// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of pools, maps, norms, softmax, losses and moves under simd and on tile machines. Compiled for each element
// type and group of ops.
#include "tests/verify/fields.hpp"

#include "tern/mimd.hpp"
#include "tern/simd.hpp"

namespace tern::test {
namespace {

using T = TERN_VERIFY_ELEMENT;
constexpr field_ops ops = field_ops::TERN_VERIFY_OPS;

/// Bytes per tile that a call needs on some tiles of an IPU.
template <class Call>
index_t bytes_for(const Call& q, index_t tiles) {
  using policy = mimd<devices::gc200>;
  const tile_resources have{tiles, devices::gc200.local_bytes};
  if constexpr (requires { q.key; })
    return drawing_kernel<policy>::partition_for(q, have).bytes_per_tile;
  else if constexpr (requires { loss_kernel<policy>::rows_of(q); } && !requires { q.out; })
    return loss_kernel<policy>::partition_for(q, have).bytes_per_tile;
  else if constexpr (requires { q.shape.groups; })
    return normalization_kernel<policy>::partition_for(q, have).bytes_per_tile;
  else if constexpr (requires { q.shape.features; })
    return row_kernel<policy>::partition_for(q, have).bytes_per_tile;
  else if constexpr (requires { q.shape; })
    return pooling_kernel<policy>::partition_for(q, have).bytes_per_tile;
  else if constexpr (requires { q.f; })
    return mapping_kernel<policy>::partition_for(q, have).bytes_per_tile;
  else
    return rearrangement_kernel<policy>::partition_for(q, have).bytes_per_tile;
}

void run(recorder& to, executor_list executors) {
  serial caller;
  const on_executor on_caller{any_executor::of("serial", caller)};
  const struct {
    field_form f;
    const char* way;
  } forms[] = {{field_form::last, "fields, serial, channels last"},
               {field_form::gaps, "fields, serial, strided"},
               {field_form::blocks, "fields, serial, channels in blocks"},
               {field_form::planes, "fields, serial, channel by channel"},
               {field_form::cut, "fields, serial, batch cut"}};
  for (const auto& [f, way] : forms) all_fields<simd<>, T, ops>(to, "simd", way, f, on_caller);
  for (int e = 0; e < executors.count; ++e)
    all_fields<simd<>, T, ops>(to, "simd", (std::string("fields, ") + executors.first[e].name).c_str(),
                               static_cast<field_form>(e % 5), on_executor{executors.first[e]});

  const any_executor* threads = &executors.first[2];
  const auto cores = [&](const auto&) { return tile_machine(threads->tasks, 0, *threads); };
  all_fields<mimd<>, T, ops>(to, "mimd", "fields, native_tiles, on threads", field_form::last, cores);
  int turn = 0;
  for (const index_t tiles : {1, 2, 3, 7, 16, 1472}) {
    const auto machine = [tiles](const auto& q) { return tile_machine(tiles, bytes_for(q, tiles)); };
    const std::string way = "fields, " + std::to_string(tiles) + (tiles == 1 ? " tile" : " tiles");
    all_fields<mimd<devices::gc200>, T, ops>(to, "mimd", way.c_str(), static_cast<field_form>(turn++ % 5), machine);
  }
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) { return run; }

}  // namespace tern::test
