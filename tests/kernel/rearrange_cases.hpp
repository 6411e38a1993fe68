// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random rearrangements and resamplings, and what they should give: gone through from the inputs, with tables.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tern/family/index/rearrangement.hpp"
#include "tern/family/index/resampling.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/pictures.hpp"

namespace tern::test {

/// Channels and positions of one sample.
struct cube {
  index_t channels = 0;
  extents3 extent{};

  index_t size() const { return channels * extent[0] * extent[1] * extent[2]; }
  std::size_t at(index_t c, index_t z, index_t y, index_t x) const {
    return static_cast<std::size_t>(((c * extent[0] + z) * extent[1] + y) * extent[2] + x);
  }
  /// f(c, z, y, x) for every element.
  template <class F>
  void each(F f) const {
    for (index_t c = 0; c < channels; ++c)
      for (index_t z = 0; z < extent[0]; ++z)
        for (index_t y = 0; y < extent[1]; ++y)
          for (index_t x = 0; x < extent[2]; ++x) f(c, z, y, x);
  }
};

/// The sources of the elements of `out`: their index in `in`, or -1.
struct move_table {
  cube in, out;
  std::vector<index_t> source;
  std::string name;

  move_table(const cube& i, const cube& o, std::string n)
      : in(i), out(o), source(static_cast<std::size_t>(o.size()), -1), name(std::move(n)) {}
  void set(std::size_t to, std::size_t from) { source[to] = static_cast<index_t>(from); }
};

inline cube random_cube(std::mt19937& engine) {
  cube c{one_of(engine, {1, 1, 2, 3, 4, 5, 8, 16, 17, 24, 33, 64})};
  const index_t rank = 1 + below(engine, 3);
  for (index_t r = 0; r < 3; ++r)
    c.extent[static_cast<std::size_t>(r)] = r < 3 - rank ? 1 : one_of(engine, {1, 2, 3, 5, 7, 8, 13, 16, 17, 19, 33});
  while (c.size() > 30000) c.extent[0] = 1, c.channels = 1 + c.channels / 2;
  return c;
}

/// An axis with what is put around it, by its indices: as one walks off its ends.
inline std::vector<index_t> extended(const pad_axis& a) {
  std::vector<index_t> v;
  const auto walk_off = [&](index_t first, index_t step, index_t count) {  // from an end, outwards
    std::vector<index_t> border;
    index_t i = first;
    for (; count > 0; --count) {
      if (a.mode == border::circular) i = i + step < 0 ? a.in - 1 : i + step >= a.in ? 0 : i + step;
      if (a.mode == border::reflect) {
        if (i - step < 0 || i - step >= a.in) step = -step;  // inwards, until the other end is reached
        i -= step;
      }
      border.push_back(a.mode == border::constant ? -1 : i);
    }
    return border;
  };
  const auto before = walk_off(0, -1, a.before), after = walk_off(a.in - 1, 1, a.after);
  v.assign(before.rbegin(), before.rend());
  for (index_t i = 0; i < a.in; ++i) v.push_back(i);
  v.insert(v.end(), after.begin(), after.end());
  return v;
}

inline pad_axis random_pad(std::mt19937& engine, border mode, index_t in) {
  pad_axis a{in, 0, 0, mode};
  const bool possible = mode != border::reflect || in > 1;
  if (possible) a.before = one_of(engine, {0, 0, 1, 2, 3, 9}), a.after = one_of(engine, {0, 0, 1, 2, 5, 8});
  return a;
}

/// f(map, table) for a random map of one kind after the other.
template <class F>
void random_maps(std::mt19937& engine, F f) {
  const auto axes = [](const auto& a) { return extents3{a[0].out(), a[1].out(), a[2].out()}; };
  {
    const cube in = random_cube(engine);
    move_table t(in, in, "identity");
    for (std::size_t i = 0; i < t.source.size(); ++i) t.set(i, i);
    f(identity_map{in.extent[2], in.channels}, t);
  }
  {
    const cube in = random_cube(engine);
    upsample_axis a[3];
    for (std::size_t r = 0; r < 3; ++r) a[r] = {in.extent[r], in.extent[r] == 1 ? 1 : one_of(engine, {1, 2, 3, 4})};
    const cube out{in.channels, axes(a)};
    move_table t(in, out, "repeat");
    in.each([&](index_t c, index_t z, index_t y, index_t x) {
      for (index_t i = 0; i < a[0].factor; ++i)
        for (index_t j = 0; j < a[1].factor; ++j)
          for (index_t k = 0; k < a[2].factor; ++k)
            t.set(out.at(c, z * a[0].factor + i, y * a[1].factor + j, x * a[2].factor + k), in.at(c, z, y, x));
    });
    f(repeat_map{{a[0], a[1], a[2]}, in.channels}, t);
  }
  for (const border mode : {border::constant, border::reflect, border::replicate, border::circular}) {
    const cube in = random_cube(engine);
    pad_axis a[3];
    std::vector<index_t> v[3];
    for (std::size_t r = 0; r < 3; ++r) a[r] = random_pad(engine, mode, in.extent[r]), v[r] = extended(a[r]);
    const cube out{in.channels, axes(a)};
    move_table t(in, out, name(mode));
    out.each([&](index_t c, index_t z, index_t y, index_t x) {
      const index_t sz = v[0][static_cast<std::size_t>(z)], sy = v[1][static_cast<std::size_t>(y)],
                    sx = v[2][static_cast<std::size_t>(x)];
      if (sz >= 0 && sy >= 0 && sx >= 0) t.set(out.at(c, z, y, x), in.at(c, sz, sy, sx));
    });
    f(pad_map{{a[0], a[1], a[2]}, in.channels}, t);
  }
  for (const depth_order order : {depth_order::dcr, depth_order::crd}) {
    cube wide = random_cube(engine), deep = wide;
    index_t block[3];
    for (std::size_t r = 0; r < 3; ++r) {
      block[r] = deep.extent[r] == 1 ? 1 : one_of(engine, {1, 2, 2, 3});
      wide.extent[r] = deep.extent[r] * block[r];
    }
    const index_t elements = block[0] * block[1] * block[2];
    wide.channels = 1 + wide.channels / elements, deep.channels = wide.channels * elements;
    move_table there(wide, deep, std::string("space to depth ") + name(order)),
        back(deep, wide, std::string("depth to space ") + name(order));
    deep.each([&](index_t d, index_t z, index_t y, index_t x) {
      const bool dcr = order == depth_order::dcr;
      const index_t c = dcr ? d % wide.channels : d / elements, o = dcr ? d / wide.channels : d % elements;
      const std::size_t w = wide.at(c, z * block[0] + o / (block[1] * block[2]), y * block[1] + o / block[2] % block[1],
                                    x * block[2] + o % block[2]);
      there.set(deep.at(d, z, y, x), w), back.set(w, deep.at(d, z, y, x));
    });
    f(depth_map<false>{{block[0], block[1], block[2]}, order, deep.extent[2], wide.channels}, there);
    f(depth_map<true>{{block[0], block[1], block[2]}, order, deep.extent[2], wide.channels}, back);
  }
  {
    cube in = random_cube(engine);
    const index_t groups = one_of(engine, {1, 2, 3, 4, 8});
    in.channels = groups * (1 + in.channels / groups);
    move_table t(in, in, "shuffle");
    in.each([&](index_t c, index_t z, index_t y, index_t x) {
      const index_t of_group = in.channels / groups;
      t.set(in.at(c % of_group * groups + c / of_group, z, y, x), in.at(c, z, y, x));
    });
    f(shuffle_map{in.extent[2], in.channels, groups}, t);
  }
}

/// A picture as a rearrangement sees it.
template <class T, class U>
scattered_image<T> scattered(const picture<U>& p) {
  const image<U> i = p.get();
  scattered_image<T> s{.p = i.p, .sample = i.sample, .block = i.block, .block_stride = i.block_stride};
  if (i.block == 1) s.channel = i.block_stride, s.block = p.channels();
  for (int r = 0; r < 3; ++r) s.axis[r] = i.axis[r];
  return s;
}

/// The weights of the inputs (columns) in the outputs (rows) of an axis, from the textbook.
inline std::vector<std::vector<long double>> weights_of(const upsample_axis& a) {
  std::vector<std::vector<long double>> m(static_cast<std::size_t>(a.out()),
                                          std::vector<long double>(static_cast<std::size_t>(a.in)));
  for (index_t o = 0; o < a.out(); ++o) {
    const auto n = static_cast<long double>(a.in), p = static_cast<long double>(o);
    long double s = std::floor(p / static_cast<long double>(a.factor) + 1e-12L);
    if (a.mode == interpolation::linear) s = (p + 0.5L) / static_cast<long double>(a.factor) - 0.5L;
    if (a.mode == interpolation::linear_align_corners)
      s = a.out() > 1 ? p * (n - 1) / static_cast<long double>(a.out() - 1) : 0;
    s = std::fmin(std::fmax(s, 0), n - 1);
    const long double t = s - std::floor(s);
    auto& row = m[static_cast<std::size_t>(o)];
    row[static_cast<std::size_t>(s)] += 1 - t;
    if (t > 0) row[static_cast<std::size_t>(s) + 1] += t;
  }
  return m;
}
inline std::vector<std::vector<long double>> weights_of(const pad_axis& a) {
  std::vector<std::vector<long double>> m;
  for (const index_t i : extended(a)) {
    m.emplace_back(static_cast<std::size_t>(a.in));
    if (i >= 0) m.back()[static_cast<std::size_t>(i)] = 1;
  }
  return m;
}

}  // namespace tern::test
