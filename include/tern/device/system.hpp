// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machines of several chips: a device and the links between its copies. Source tags as in catalog.hpp, and
//
// [DGX]    Wikipedia, Nvidia DGX: launch price of the A100 model with 320 GB
// [LINK]   graphcore/poplibs @ 7eac0f26: lib/poplibs_test/Util.cpp (links and sync between IPUs)
// [MINSKY] IBM Redpaper REDP-5405 on the S822LC for HPC (sockets, GPUs); IBM's Minsky slides (NVLink)
// [NVLINK] nvidia.com/data-center/nvlink: 6 links on V100, 12 on A100
// [POD]    data sheets of IPU-POD16, IPU-POD64, Bow Pod64 and Bow Pod256, docs.graphcore.ai/projects
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/catalog.hpp"
#include "tern/device/device.hpp"

namespace tern {

/// Chips of one kind and their links. 0 means unknown or not applicable, as in device.
struct system {
  const char* name = "";
  device chip = {};
  int chips = 1;
  int links_per_chip = 0;                ///< to other chips of the system
  double bytes_per_second_per_link = 0;  ///< nominal, in one direction
  double link_efficiency = 1;            ///< share of the nominal rate that is achieved
  double host_bytes_per_second = 0;      ///< host to one chip, in one direction
  double hop_seconds = 0;                ///< time of a synchronisation signal from chip to chip
  double watts = 0;                      ///< power of the whole system
  double price_usd = 0;                  ///< list price, if published
  const char* source = "";

  /// Float32 operations per second of all chips.
  TERN_FN constexpr double peak_flops() const { return chips * chip.peak_flops(); }

  /// The rate at which one chip sends to the others, and receives, over all its links.
  TERN_FN constexpr double link_bytes_per_second() const {
    return links_per_chip * bytes_per_second_per_link * link_efficiency;
  }

  /// Cycles of a barrier over all chips: there and back over 1 + chips / 4 hops of a ladder, ceil(2 * hop * hops *
  /// clock), the model of [LINK] for small systems; a single chip uses its own barrier. 0 if unknown.
  TERN_FN constexpr int sync_cycles() const {
    if (chips <= 1) return chip.sync_cycles;
    const double cycles = 2 * hop_seconds * chip.clock_hz * (1 + chips / 2 / 2);
    const int whole = static_cast<int>(cycles);
    return whole < cycles ? whole + 1 : whole;
  }
};

namespace systems {

// 10 links of 32 GB/s, half of it in each direction [ALCF], as the 128 Gbit/s of [LINK], which assumes 85 % of it and 4
// links between the two chips of a card. Host: PCIe 4 x16 per card [LM]. Power: two chips.
inline constexpr system c2{.name = "c2",
                           .chip = devices::gc2,
                           .chips = 2,
                           .links_per_chip = 4,
                           .bytes_per_second_per_link = 16e9,
                           .link_efficiency = 0.85,
                           .host_bytes_per_second = 16e9,
                           .hop_seconds = 15e-9,
                           .watts = 300,
                           .source = "[LINK][ALCF][LM]"};
// All 10 links of a chip lead to other chips; 6 kW without the host [PEARC].
inline constexpr system ipu_pod16{.name = "ipu_pod16",
                                  .chip = devices::gc200,
                                  .chips = 16,
                                  .links_per_chip = 10,
                                  .bytes_per_second_per_link = 16e9,
                                  .link_efficiency = 0.85,
                                  .hop_seconds = 15e-9,
                                  .watts = 6000,
                                  .source = "[POD][LINK][ALCF][PEARC]"};
inline constexpr system ipu_pod64{.name = "ipu_pod64",
                                  .chip = devices::gc200,
                                  .chips = 64,
                                  .links_per_chip = 10,
                                  .bytes_per_second_per_link = 16e9,
                                  .link_efficiency = 0.85,
                                  .hop_seconds = 15e-9,
                                  .source = "[POD][LINK][ALCF]"};
// Price [ALCF].
inline constexpr system bow_pod16{.name = "bow_pod16",
                                  .chip = devices::bow,
                                  .chips = 16,
                                  .links_per_chip = 10,
                                  .bytes_per_second_per_link = 16e9,
                                  .link_efficiency = 0.85,
                                  .hop_seconds = 15e-9,
                                  .price_usd = 149995,
                                  .source = "[POD][LINK][ALCF]"};
inline constexpr system bow_pod64{.name = "bow_pod64",
                                  .chip = devices::bow,
                                  .chips = 64,
                                  .links_per_chip = 10,
                                  .bytes_per_second_per_link = 16e9,
                                  .link_efficiency = 0.85,
                                  .hop_seconds = 15e-9,
                                  .source = "[POD][LINK][ALCF]"};
inline constexpr system bow_pod256{.name = "bow_pod256",
                                   .chip = devices::bow,
                                   .chips = 256,
                                   .links_per_chip = 10,
                                   .bytes_per_second_per_link = 16e9,
                                   .link_efficiency = 0.85,
                                   .hop_seconds = 15e-9,
                                   .source = "[POD][LINK][ALCF]"};
// 300 GB/s per chip, both directions [V100]; efficiency and PCIe rate as measured in [JIA]: 47.99 of 50 GB/s.
inline constexpr system dgx1{.name = "dgx1",
                             .chip = devices::v100,
                             .chips = 8,
                             .links_per_chip = 6,
                             .bytes_per_second_per_link = 25e9,
                             .link_efficiency = 0.96,
                             .host_bytes_per_second = 12.15e9,
                             .source = "[V100][NVLINK][JIA]"};
// 300 GB/s in each direction, PCIe 4 [GKL]; power [PEARC]; price [DGX].
inline constexpr system dgx_a100{.name = "dgx_a100",
                                 .chip = devices::a100,
                                 .chips = 8,
                                 .links_per_chip = 12,
                                 .bytes_per_second_per_link = 25e9,
                                 .host_bytes_per_second = 32e9,
                                 .watts = 6500,
                                 .price_usd = 199000,
                                 .source = "[GKL][NVLINK][PEARC][DGX]"};
// Two POWER8 sockets and four P100; 40 GB/s in each direction between chip and socket, and between two chips [MINSKY];
// 36.72 GB/s measured [JIA].
inline constexpr system minsky{.name = "minsky",
                               .chip = devices::p100,
                               .chips = 4,
                               .links_per_chip = 2,
                               .bytes_per_second_per_link = 20e9,
                               .link_efficiency = 0.92,
                               .host_bytes_per_second = 40e9,
                               .source = "[MINSKY][JIA]"};

}  // namespace systems

}  // namespace tern
