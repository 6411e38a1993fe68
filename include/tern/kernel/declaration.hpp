// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The declaration of a call as a value: its tensors in order, each with name, shape, role, element type and aliases.
// The checks of a call and their sentences derive from it (checked_call.hpp), and so do planned calls.
#pragma once

#include <cstddef>

#include "tern/core/config.hpp"
#include "tern/core/sentence.hpp"

namespace tern::inline TERN_ISA::declare {

inline constexpr int most_tensors = 12;  ///< tensors of a call
inline constexpr int most_rank = 6;

enum class role : unsigned char { input, output, changed };  ///< changed: read and written
/// Element types: the op's, or another one.
enum class element : unsigned char { op, uint8, int32, other };

/// A tensor of a call. Its shape names every axis, "n channels spatial...", where dots repeat a name for several axes.
/// The extent of "name|1" may be 1 instead; that of "1" is.
struct tensor {
  const char* name = "";
  const char* shape = "";
  role is = role::input;
  element of = element::op;
  const char* alias = "";     ///< of an output: the inputs that it may alias, element by element
  const char* field = "";     ///< the config field that decides if the tensor is given
  const char* value = "set";  ///< the value of that field that asks for the tensor
  bool given = true;
  bool on_demand = false;   ///< the call may omit it
  const char* other = "";   ///< the name of an alternative tensor
  bool adjacent = false;    ///< channels, axis 1, must be contiguous
  const char* source = "";  ///< the tensor from whose shape the pass derives this one's
  const char* vector = "";  ///< the axis for which a vector may stand in: one number per element
  bool strides = false;     ///< its layout must have strides
  bool packable = false;    ///< packed weights are accepted
  bool number = false;      ///< one number may stand in for a vector

  /// The call takes the tensor only if `so`: if the config's field is set, or has this value.
  constexpr tensor when(bool so, const char* config_field, const char* field_value = "set") const {
    tensor t = *this;
    t.given = so, t.field = config_field, t.value = field_value;
    return t;
  }
  /// The call may omit the tensor; `by_the_call` is true if this call gives it.
  constexpr tensor if_given(bool by_the_call) const {
    tensor t = *this;
    t.given = by_the_call, t.on_demand = true;
    return t;
  }
  constexpr tensor or_else(const char* instead) const {
    tensor t = *this;
    t.other = instead;
    return t;
  }
  /// The pass derives the shape from another tensor's.
  constexpr tensor made_of(const char* tensor_name) const {
    tensor t = *this;
    t.source = tensor_name;
    return t;
  }
  /// Accepts a vector: one number per element of an axis.
  constexpr tensor or_vector(const char* axis) const {
    tensor t = *this;
    t.vector = axis;
    return t;
  }
  /// Accepts one number in place of a vector.
  constexpr tensor or_number() const {
    tensor t = *this;
    t.number = true;
    return t;
  }
  constexpr bool may_be_vector() const { return *vector != '\0'; }
  /// The shape for a view of this rank.
  constexpr const char* shape_of(int rank) const { return rank == 1 && may_be_vector() ? vector : shape; }
  constexpr tensor with_strides() const {
    tensor t = *this;
    t.strides = true;
    return t;
  }
  /// Accepts weights packed by the op.
  constexpr tensor or_packed() const {
    tensor t = *this;
    t.packable = true;
    return t;
  }
  constexpr tensor with_adjacent_channels() const {
    tensor t = *this;
    t.adjacent = true;
    return t;
  }
  constexpr tensor may_be(const char* inputs) const {
    tensor t = *this;
    t.alias = inputs;
    return t;
  }
  constexpr tensor elements_are(element type) const {
    tensor t = *this;
    t.of = type;
    return t;
  }
};
constexpr tensor in(const char* name, const char* shape) { return {name, shape}; }
constexpr tensor out(const char* name, const char* shape) { return {name, shape, role::output}; }
constexpr tensor changed(const char* name, const char* shape) { return {name, shape, role::changed}; }

/// The next word of a text, without a trailing "|1".
struct word {
  const char* text = "";
  int length = 0;
  const char* rest = "";  ///< the text after the word
  bool or_one = false;    ///< true if "|1" follows

  friend constexpr bool operator==(const word& a, const word& b) {
    if (a.length != b.length) return false;
    for (int i = 0; i < a.length; ++i)
      if (a.text[i] != b.text[i]) return false;
    return true;
  }
  constexpr bool is_one() const { return length == 1 && *text == '1'; }
  constexpr bool ends_in_dots() const { return length > 3 && text[length - 1] == '.' && text[length - 3] == '.'; }
};
TERN_COLD constexpr word next_word(const char* text) {
  while (*text == ' ') ++text;
  word w{text};
  while (text[w.length] != '\0' && text[w.length] != ' ') ++w.length;
  w.rest = text + w.length;
  if (w.length > 2 && text[w.length - 2] == '|' && text[w.length - 1] == '1') w.length -= 2, w.or_one = true;
  return w;
}
constexpr bool same_text(const char* a, const char* b) {
  for (; *a != '\0' && *a == *b; ++a) ++b;
  return *a == *b;
}

/// The name of an axis, and its index among the axes of that name.
struct axis_name {
  word name;
  int number = 0;
  friend constexpr bool operator==(const axis_name&, const axis_name&) = default;
  /// True if these extents may belong to axes of one name.
  constexpr bool agree(index_t extent, const axis_name& other, index_t other_extent) const {
    return extent == other_extent || extent == dynamic || other_extent == dynamic || (name.or_one && extent == 1) ||
           (other.name.or_one && other_extent == 1);
  }
};

/// An extent fixed by the config, or `dynamic`, set by the call.
struct known_extent {
  const char* axis = "";
  index_t value = dynamic;
  const char* field = "";
  int number = 0;  ///< index of the axis among those of its name
};

/// The tensors and rules of a call.
struct declaration {
  const char* pass = "";    ///< the name of the member function; empty: operator()
  int least = 0, most = 0;  ///< bounds on the axes that a name with "..." stands for
  int tensors = 0;
  tensor of[most_tensors] = {};
  int extents = 0;
  known_extent known[10] = {};

  template <class... Tensor>
  constexpr declaration(const char* pass_name, int least_axes, int most_axes, const Tensor&... all)
      : pass(pass_name), least(least_axes), most(most_axes) {
    ((*all.name != '\0' ? void(of[tensors++] = all) : void()), ...);  // a tensor without a name is absent
  }

  /// A copy in which the config fixes an extent.
  constexpr declaration where(const char* axis, index_t value, const char* field, int number = 0) const {
    declaration d = *this;
    if (value != dynamic) d.known[d.extents++] = {axis, value, field, number};
    return d;
  }
  /// The extent that the config fixes for an axis, if any.
  constexpr known_extent extent_of(const axis_name& axis) const {
    for (int i = 0; i < extents; ++i)
      if (next_word(known[i].axis) == axis.name && known[i].number == axis.number) return known[i];
    return {};
  }

  /// True if the config or the call chooses which tensors are given.
  constexpr bool has_choices() const {
    for (int i = 0; i < tensors; ++i)
      if (*of[i].field != '\0' || of[i].on_demand) return true;
    return false;
  }
  /// The number of tensors given to a call.
  constexpr int given() const {
    int n = 0;
    for (int i = 0; i < tensors; ++i) n += of[i].given;
    return n;
  }
  /// The i-th tensor given to a call.
  constexpr const tensor& operator[](int i) const {
    int at = 0;
    while (!of[at].given || i-- > 0) ++at;
    return of[at];
  }
  /// The index of a given tensor; -1 if the call gives none of that name.
  constexpr int number_of(const char* name) const {
    for (int i = 0; i < given(); ++i)
      if (same_text((*this)[i].name, name)) return i;
    return -1;
  }
  /// The tensor from whose shape that of tensor i derives; -1 if it is independent.
  constexpr int source_of(int i) const { return number_of((*this)[i].source); }
  /// The first tensor with an independent shape.
  constexpr const tensor& first_of_own_shape() const {
    int i = 0;
    while (source_of(i) >= 0) ++i;
    return (*this)[i];
  }
  /// True if output i may alias tensor j.
  constexpr bool may_be(int i, int j) const {
    const word name = next_word((*this)[j].name);
    for (word w = next_word((*this)[i].alias); w.length > 0; w = next_word(w.rest))
      if (w == name && (*this)[j].is == role::input) return true;
    return false;
  }

  /// The least and the largest rank of a shape.
  constexpr int least_rank(const char* shape) const { return axes(shape, least); }
  constexpr int most_rank(const char* shape) const { return axes(shape, most); }
  /// The rank of a shape next to a tensor of rank `rank`, as the dots of both stand for equally many axes.
  static constexpr int rank_beside(const char* shape, const char* other, int rank) {
    return axes(shape, 0) + (axes(shape, 1) - axes(shape, 0)) * (rank - axes(other, 0));
  }
  /// True if the dots of both shapes stand for the same axes.
  static constexpr bool repeats_the_same(const char* a, const char* b) {
    for (word v = next_word(a); v.length > 0; v = next_word(v.rest))
      for (word w = next_word(b); w.length > 0; w = next_word(w.rest))
        if (v.ends_in_dots() && v == w) return true;
    return false;
  }
  /// The name of axis `axis` in a shape of this rank.
  TERN_COLD static constexpr axis_name name_of(const char* shape, int rank, int axis) {
    const int repeated = rank - axes(shape, 0);
    word w = next_word(shape);
    for (int at = 0;; w = next_word(w.rest)) {
      const int count = w.ends_in_dots() ? repeated : 1;
      if (axis < at + count || w.length == 0) return {w, axis - at};
      at += count;
    }
  }

 private:
  static constexpr int axes(const char* shape, int repeated) {
    int n = 0;
    for (word w = next_word(shape); w.length > 0; w = next_word(w.rest)) n += w.ends_in_dots() ? repeated : 1;
    return n;
  }
};

/// A bound on extents, above the memory of any machine.
inline constexpr index_t largest_extent = index_t{1} << 45;

/// The known properties of a tensor of a call; extents known only at run time are `dynamic`.
struct fact {
  int rank = 0;
  index_t extent[most_rank] = {};
  element of = element::op;
  int bytes = 1;  ///< size of an element
  bool writable = false, in_layout = true, null = false, strided = true, packed = false;
  bool by_rows = false;        ///< true if the layout puts other elements between channels
  index_t channel_stride = 1;  ///< distance between channels, as far as known
};

TERN_COLD constexpr sentence& operator<<(sentence& s, const word& w) {
  for (int i = 0; i < w.length; ++i) s.put(w.text[i]);
  return s;
}
/// Prints a shape: "3x4".
TERN_COLD constexpr sentence& operator<<(sentence& s, const fact& t) {
  for (int r = 0; r < t.rank; ++r) s << (r > 0 ? "x" : "") << t.extent[r];
  return s;
}

/// Prints the axis names of a shape: "(n, c, s...)".
TERN_COLD constexpr sentence& add_shape(sentence& s, const char* shape) {
  s << "(";
  const char* between = "";
  for (word w = next_word(shape); w.length > 0; w = next_word(w.rest)) s << between << w, between = ", ";
  return s << ")";
}
/// Prints the form of a call: "softmax: the call takes (x, mask, y); mask is taken if .mask is set".
TERN_COLD constexpr sentence& add_form(sentence& s, const char* op, const declaration& d) {
  s << op << ": ";
  if (*d.pass == '\0')
    s << "the call";
  else
    s << d.pass;
  s << " takes (";
  for (int i = 0; i < d.tensors; ++i)
    if (!d.of[i].on_demand) {
      s << (i > 0 ? ", " : "") << d.of[i].name;
      if (*d.of[i].other != '\0') s << " or " << d.of[i].other;
    }
  s << ")";
  bool first = true;
  for (int i = 0; i < d.tensors; ++i)
    if (d.of[i].on_demand) s << (first ? ", and on demand " : " and ") << d.of[i].name, first = false;
  bool listed = false;
  for (int i = 0; i < d.tensors; ++i)
    if (*d.of[i].field != '\0') {
      s << (listed ? ", " : "; ") << d.of[i].name << (listed ? " if " : " is taken if ") << d.of[i].field << " is "
        << d.of[i].value;
      listed = true;
    }
  return s;
}

/// Reports the first error among the tensors of a call, in order, as far as their properties are known; else nothing.
TERN_COLD constexpr void validate(sentence& s, const char* op, const declaration& d, const fact* t) {
  const int n = d.given();
  const auto shape = [&](int i) { return d[i].shape_of(t[i].rank); };
  const auto named = [&](int i) -> sentence& { return s << op << ": " << d[i].name; };
  for (int i = 0; i < n; ++i) {
    const tensor& x = d[i];
    if (t[i].of != x.of) {
      named(i) << " must have "
               << (x.of == element::op      ? "the element type of the op"
                   : x.of == element::uint8 ? "elements of type std::uint8_t"
                                            : "elements of type std::int32_t");
      return;
    }
    if (x.is != role::input && !t[i].writable) {
      named(i) << " is written: it must be a view of elements that are not const";
      return;
    }
    if (!t[i].in_layout || (x.strides && !t[i].strided && !t[i].packed)) {
      named(i) << " must be in a layout with strides" << (x.strides ? "" : ", or with blocks of channels");
      return;
    }
    if (x.adjacent && t[i].by_rows) {
      named(i) << " must have its channels next to each other: use tern::layout_channels_last or "
                  "tern::layout_channel_blocked, which tern::reorder brings tensors into";
      return;
    }
    if (t[i].rank < d.least_rank(shape(i)) || t[i].rank > d.most_rank(shape(i))) {
      named(i) << " has " << t[i].rank << (t[i].rank == 1 ? " axis" : " axes") << ": it must be ";
      add_shape(s, shape(i));
      if (d.least_rank(shape(i)) != d.most_rank(shape(i)))
        s << ", " << d.least_rank(shape(i)) << " to " << d.most_rank(shape(i)) << " axes";
      else if (declaration::repeats_the_same(shape(i), shape(i)))
        s << ", " << d.most_rank(shape(i)) << " axes";
      if (x.may_be_vector()) add_shape(s << ", or ", x.vector);
      return;
    }
  }
  for (int i = 0; i < n; ++i) {
    double elements = 1;
    for (int r = 0; r < t[i].rank; ++r) elements *= static_cast<double>(t[i].extent[r] > 0 ? t[i].extent[r] : 1);
    if (elements * t[i].bytes > 0x1p47) {
      named(i) << " is " << t[i] << ": no machine can address so many elements";
      return;
    }
  }
  for (int i = 0; i < n; ++i)
    for (int r = 0; r < t[i].rank; ++r)
      if (t[i].extent[r] != 1 && t[i].extent[r] != dynamic &&
          declaration::name_of(shape(i), t[i].rank, r).name.is_one()) {
        named(i) << " is " << t[i] << ": it must be ";
        add_shape(s, shape(i));
        return;
      }
  for (int i = 0; i < n; ++i)
    for (int r = 0; r < t[i].rank; ++r) {
      const axis_name name = declaration::name_of(shape(i), t[i].rank, r);
      const known_extent known = d.extent_of(name);
      if (known.value == dynamic || t[i].extent[r] == dynamic || known.value == t[i].extent[r]) continue;
      named(i) << " is " << t[i] << ": ";
      if (name.name.ends_in_dots())
        s << "extent " << r;
      else
        s << name.name;
      s << " must be " << known.value << ", as " << known.field << " says";
      return;
    }
  const auto differ = [&](int i, int j) -> sentence& {
    return named(i) << " is " << t[i] << " and " << d[j].name << " is " << t[j] << ": ";
  };
  for (int i = 1; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const bool alike = same_text(shape(i), shape(j));
      if ((declaration::repeats_the_same(shape(i), shape(j)) || d.source_of(i) == j || d.source_of(j) == i) &&
          t[i].rank - d.least_rank(shape(i)) != t[j].rank - d.least_rank(shape(j))) {
        const int wanted = t[j].rank - d.least_rank(shape(j)) + d.least_rank(shape(i));
        if (wanted == t[j].rank)
          differ(i, j) << "their ranks must be equal";
        else
          differ(i, j) << d[i].name << " must have " << wanted << (wanted == 1 ? " axis" : " axes");
        if (d[i].may_be_vector()) add_shape(s << ", or " << d[i].name << " be ", d[i].vector);
        return;
      }
      for (int r = 0; r < t[i].rank; ++r)
        for (int q = 0; q < t[j].rank; ++q) {
          const axis_name name = declaration::name_of(shape(i), t[i].rank, r),
                          other = declaration::name_of(shape(j), t[j].rank, q);
          if (name != other || name.agree(t[i].extent[r], other, t[j].extent[q])) continue;
          differ(i, j);
          if (alike)
            s << "their shapes must be equal";
          else if (name.name.or_one)
            s << "extents of " << d[i].name << " must be those of " << d[j].name << " or 1";
          else
            s << "they must agree on " << name.name;
          return;
        }
    }
  for (int i = 0; i < n; ++i)
    if (d[i].adjacent && t[i].channel_stride != 1 && t[i].extent[1] > 1) {
      named(i) << " has stride " << t[i].channel_stride << " between channels: they must be next to each other";
      return;
    }
  for (int i = 0; i < n; ++i)
    if (t[i].null) {
      if (t[i].packed)
        named(i) << " has no elements: the packed weights have been moved from";
      else
        named(i) << " is a null view of " << t[i] << " elements";
      return;
    }
}

}  // namespace tern::inline TERN_ISA::declare
