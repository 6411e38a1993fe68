// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/driver/drawn_call.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tern::test::inline TERN_ISA {

bool draw_shapes(const declare::declaration& d, int rank, bool vectors, bool (*made)(index_t*, int),
                 std::mt19937& engine, tensor_shape* shape, axis_extents& extents,
                 const std::function<index_t(const std::string&, int)>& draw) {
  for (int i = 0; i < d.given(); ++i) {
    tensor_shape& s = shape[i];
    s.rank = vectors && d[i].may_be_vector() ? 1 : declare::declaration::rank_beside(d[i].shape, d[0].shape, rank);
    for (int r = 0; r < s.rank; ++r) {
      const declare::axis_name name = declare::declaration::name_of(d[i].shape_of(s.rank), s.rank, r);
      const std::string text(name.name.text, static_cast<std::size_t>(name.name.length));
      const index_t known = d.extent_of(name).value;
      if (!extents.contains({text, name.number}))
        extents[{text, name.number}] = known != dynamic ? known : draw(text, name.number);
      const bool one = name.name.is_one() || (name.name.or_one && engine() % 2 == 0);
      s.extent[r] = one ? 1 : extents[{text, name.number}];
    }
  }
  for (int i = 0; i < d.given(); ++i)
    if (const int from = d.source_of(i); from >= 0) {
      shape[i] = shape[from];
      if (!made(shape[i].extent, shape[i].rank)) return false;
    }
  return true;
}

some_numbers::some_numbers(std::mt19937& engine, double size)
    : engine_(static_cast<unsigned>(engine())),
      next_(static_cast<unsigned>(engine()), static_cast<numbers::kind>(engine() % 3)),
      ties_(engine() % 4 == 0),
      size_(size) {}
double some_numbers::operator()() {
  if (!ties_) return size_ * next_();
  const auto pick = static_cast<int>(engine_() % 32u);
  if (pick == 0) return NAN;
  if (pick < 4) return pick == 1 ? INFINITY : -INFINITY;
  return pick % 2 ? -0.0 : pick % 5 - 3;
}

void drawn_tensor::fill(const std::function<double()>& next) {
  const auto bytes = static_cast<std::size_t>(bytes_of(of));
  values.resize(static_cast<std::size_t>(shape.size()) * bytes);
  for (std::size_t i = 0; i < values.size(); i += bytes) store(&values[i], of, next());
}

index_t call_rules::draw(const std::string& axis, int axis_number, std::mt19937& engine) const {
  for (const auto& [name, of] : sizes)
    if (name == axis || name == axis + std::to_string(axis_number))
      return of[static_cast<std::size_t>(below(engine, static_cast<index_t>(of.size())))];
  return one_of(engine, {1, 2, 3, 5, 7, 8, 16, 17});
}

drawn_tensor& drawn_call::operator[](const std::string& name) {
  std::size_t i = 0;
  while (name != tensors.at(i).is.name) ++i;
  return tensors[i];
}
bool drawn_call::draw(const declare::declaration& d, int rank, bool vectors, bool (*made)(index_t*, int), number of,
                      const call_rules& rules, std::mt19937& engine, bool (*wrong)(const declare::fact*)) {
  const int count = d.given();
  tensor_shape shape[declare::most_tensors];
  for (int attempt = 0; attempt < 200; ++attempt) {
    axis_extents extents;
    if (!draw_shapes(d, rank, vectors, made, engine, shape, extents,
                     [&](const std::string& axis, int n) { return rules.draw(axis, n, engine); }) ||
        !rules.fits(shape))
      continue;
    declare::fact facts[declare::most_tensors];
    for (int i = 0; i < count; ++i) {
      facts[i] = {.rank = shape[i].rank, .of = d[i].of, .writable = true};
      for (int r = 0; r < shape[i].rank; ++r) facts[i].extent[r] = shape[i].extent[r];
    }
    if (wrong(facts)) continue;
    for (int i = 0; i < count; ++i) {
      const number kind = d[i].of == declare::element::uint8   ? number::uint8
                          : d[i].of == declare::element::int32 ? number::int32
                                                               : of;
      tensors.push_back({d[i], kind, shape[i], {}});
    }
    return true;
  }
  return false;
}
void drawn_call::fill(const call_rules& rules, std::mt19937& engine) {
  for (drawn_tensor& t : tensors) switch (t.of) {
      case number::uint8: {
        const unsigned density = 1 + engine() % 8;
        t.fill([&] { return engine() % 8 < density ? 1 : 0; });
        break;
      }
      case number::int8: t.fill([&] { return static_cast<double>(below(engine, 251) - 125); }); break;
      case number::int32: t.fill([&] { return static_cast<std::int32_t>(engine()); }); break;
      default: t.fill(some_numbers(engine));
    }
  if (rules.fill) rules.fill(*this, engine);
}

}  // namespace tern::test::inline TERN_ISA
