// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/simt/ptx/program.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "tests/simt/ptx/allocate.hpp"
#include "tests/simt/ptx/operations.hpp"

namespace ptx {
namespace {

/// An error about a line that the executor does not know.
struct unknown : std::runtime_error {
  explicit unknown(const std::string& what, int of_line = 0) : std::runtime_error(what), line(of_line) {}
  int line;  ///< 0: the one that is read
};

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
  return s;
}
/// The first word, which is taken off.
std::string_view take_word(std::string_view& s) {
  s = trimmed(s);
  std::size_t n = 0;
  while (n < s.size() && !std::isspace(static_cast<unsigned char>(s[n]))) ++n;
  const std::string_view word = s.substr(0, n);
  s = trimmed(s.substr(n));
  return word;
}
std::vector<std::string_view> parts(std::string_view s, char separator) {
  std::vector<std::string_view> found;
  int depth = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '{' || s[i] == '[') ++depth;
    if (s[i] == '}' || s[i] == ']') --depth;
    if (s[i] == separator && depth == 0) found.push_back(trimmed(s.substr(first, i - first))), first = i + 1;
  }
  if (first < s.size()) found.push_back(trimmed(s.substr(first)));
  return found;
}
template <class T>
std::optional<T> integer(std::string_view s, int base = 10) {
  T value{};
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, base);
  if (error != std::errc() || end != s.data() + s.size()) return {};
  return value;
}
/// A number as PTX writes it, as bits: 12, -1, 0x1fU, 0f3F800000, 0d3FF0000000000000.
std::optional<std::uint64_t> literal(std::string_view s) {
  if (s.size() > 2 && s[0] == '0' && std::tolower(s[1]) == 'f') return integer<std::uint32_t>(s.substr(2), 16);
  if (s.size() > 2 && s[0] == '0' && std::tolower(s[1]) == 'd') return integer<std::uint64_t>(s.substr(2), 16);
  if (!s.empty() && s.back() == 'U') s.remove_suffix(1);
  if (s.size() > 2 && s[0] == '0' && std::tolower(s[1]) == 'x') return integer<std::uint64_t>(s.substr(2), 16);
  if (!s.empty() && s[0] == '-') {
    const auto value = integer<std::int64_t>(s);
    return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
  }
  return integer<std::uint64_t>(s);
}
/// The bits of a type such as "f32".
int bits_of(std::string_view type) {
  if (type == "pred") return 1;
  const auto bits = type.size() >= 2 ? integer<int>(type.substr(1)) : std::nullopt;
  if (!bits || (*bits != 8 && *bits != 16 && *bits != 32 && *bits != 64)) throw unknown("type ." + std::string(type));
  return *bits;
}
bank bank_of(int bits) { return bits == 1 ? bank::predicate : bits == 64 ? bank::wide : bank::word; }

std::uint32_t rounded_up(std::uint32_t n, std::uint32_t to) { return (n + to - 1) / to * to; }

/// ".shared .align 4 .b8 name[512]" after the space: alignment, bytes, name.
struct variable {
  std::uint32_t align = 1, bytes = 0;
  std::string_view name;
  bool open = false;  ///< without a size: the caller's part
};
variable parse_variable(std::string_view s) {
  variable v;
  for (;;) {
    const std::string_view word = take_word(s);
    if (word == ".align") {
      v.align = integer<std::uint32_t>(take_word(s)).value_or(1);
    } else if (word.starts_with('.')) {
      const auto bytes = static_cast<std::uint32_t>(bits_of(word.substr(1)) / 8);
      v.align = std::max(v.align, bytes);
      const std::size_t bracket = s.find('[');
      v.name = trimmed(s.substr(0, bracket));
      std::uint32_t count = 1;
      if (bracket != std::string_view::npos) {
        const std::string_view size = s.substr(bracket + 1, s.find(']', bracket) - bracket - 1);
        v.open = size.empty();
        count = v.open ? 0 : integer<std::uint32_t>(size).value_or(0);
      }
      v.bytes = bytes * count;
      return v;
    } else {
      throw unknown("variable '" + std::string(word) + " " + std::string(s) + "'");
    }
  }
}

/// Addresses of shared variables: with gaps, so that what runs over the end of one hits nothing.
class shared_layout {
 public:
  std::uint32_t place(const variable& v, kernel& k) {
    if (end_ > 0xffffffffu - 2 * gap) throw unknown("the number of variables of shared memory");
    const std::uint32_t at = rounded_up(end_, std::max(v.align, 1024u));
    k.variables.emplace_back(at, v.bytes);
    k.static_shared = rounded_up(k.static_shared, v.align) + v.bytes;
    end_ = at + v.bytes + gap;
    return at;
  }
  std::uint32_t end() const { return rounded_up(end_, 1024); }

 private:
  static constexpr std::uint32_t gap = 1u << 22;  // more than there is shared memory
  std::uint32_t end_ = 1024;                      // below, no address is valid
};

class kernel_parser {
 public:
  kernel_parser(kernel& k, const std::vector<variable>& shared) : k_(k) {
    for (const variable& v : shared) declare(v);
  }

  void param(std::string_view s) {
    take_word(s);  // .param
    const variable v = parse_variable(s);
    k_.param_bytes = rounded_up(k_.param_bytes, v.align);
    params_[v.name] = k_.param_bytes;
    k_.params.push_back({k_.param_bytes, v.bytes});
    k_.param_bytes += v.bytes;
  }
  void label(std::string_view name) {
    if (!labels_.emplace(name, static_cast<std::uint32_t>(k_.code.size())).second)
      throw unknown("a second label " + std::string(name));
  }
  /// Names declared between braces are unknown after them.
  void open_scope() { scopes_.emplace_back(registers_, symbols_); }
  void close_scope() {
    std::tie(registers_, symbols_) = std::move(scopes_.back());
    scopes_.pop_back();
  }

  void statement(std::string_view s, int line) {
    if (s.starts_with(".pragma")) return;
    if (s.starts_with(".reg")) return registers(s.substr(4));
    if (s.starts_with(".shared")) return declare(parse_variable(s.substr(7)));
    if (s.starts_with('.')) throw unknown("'" + std::string(s.substr(0, 40)) + "'");
    instruction i;
    i.line = line, i.text = s;
    if (s[0] == '@') {
      std::string_view guard = take_word(s).substr(1);
      i.guard_negated = guard.starts_with('!');
      if (i.guard_negated) guard.remove_prefix(1);
      i.guard = operand(guard, 1);
    }
    const std::string_view name = take_word(s);
    decode(i, name, parts(name, '.'), parts(s, ','));
    k_.code.push_back(i);
  }

  /// After the last statement.
  void finish() {
    for (const auto& [index, name] : branches_) {
      const auto to = labels_.find(name);
      if (to == labels_.end()) throw unknown("label " + std::string(name), k_.code[index].line);
      k_.code[index].target = to->second;
    }
    bool open = k_.code.empty() || (k_.code.back().what != kind::exit && k_.code.back().what != kind::branch);
    for (const auto& [index, name] : branches_) open |= k_.code[index].target == k_.code.size();
    if (open) {
      instruction end;
      end.what = kind::exit, end.text = "}";
      k_.code.push_back(end);
    }
    for (const auto& [index, name] : branches_) k_.code[k_.code[index].target].is_target = true;
    k_.dynamic_at = layout_.end();
    for (const slot s : dynamic_) k_.constants.emplace_back(s, k_.dynamic_at);
    for (const std::size_t i : dynamic_bases_) k_.code[i].offset += k_.dynamic_at;
    k_.predicates = count_[0], k_.words = count_[1], k_.wides = count_[2];
    allocate_registers(k_);
  }

 private:
  using words = std::vector<std::string_view>;

  // .pred %p<387> or .b32 %r1, %r2
  void registers(std::string_view s) {
    const bank in = bank_of(bits_of(take_word(s).substr(1)));
    for (const std::string_view r : parts(s, ',')) {
      const std::size_t angle = r.find('<');
      const std::uint32_t count = angle == std::string_view::npos
                                      ? 1
                                      : integer<std::uint32_t>(r.substr(angle + 1, r.size() - angle - 2)).value_or(0);
      std::uint16_t& used = count_[static_cast<int>(in) - 1];
      if (used + count > 0xffff) throw unknown(std::to_string(used + count) + " registers of one kind");
      registers_[r.substr(0, angle)] = {in, used};
      used = static_cast<std::uint16_t>(used + count);
    }
  }
  bool is_dynamic(std::string_view name) const {
    return std::find(dynamic_names_.begin(), dynamic_names_.end(), name) != dynamic_names_.end();
  }
  void declare(const variable& v) {
    if (v.open)
      dynamic_names_.push_back(v.name);
    else
      symbols_[v.name] = layout_.place(v, k_);
  }

  slot fresh(bank in) {
    std::uint16_t& used = count_[static_cast<int>(in) - 1];
    if (used == 0xffff) throw unknown("65536 registers of one kind");
    return {in, used++};
  }
  slot constant(bank in, std::uint64_t value) {
    if (in == bank::word) value = static_cast<std::uint32_t>(value);
    slot& s = constants_[{in, value}];
    if (!s) s = fresh(in), k_.constants.emplace_back(s, value);
    return s;
  }

  std::optional<slot> register_of(std::string_view name) const {
    const auto whole = registers_.find(name);
    if (whole != registers_.end()) return whole->second;
    std::size_t digits = name.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1]))) --digits;
    const auto range = registers_.find(name.substr(0, digits));
    const auto index = integer<std::uint16_t>(name.substr(digits));
    if (range == registers_.end() || !index) return {};
    return slot{range->second.in, static_cast<std::uint16_t>(range->second.index + *index)};
  }
  /// A register, a number, a symbol's address or a special register, as an operand of so many bits.
  slot operand(std::string_view o, int bits) {
    const bank in = bank_of(bits);
    if (const auto r = register_of(o)) {
      if (r->in != in) throw unknown("operand " + std::string(o));
      return *r;
    }
    if (const auto value = literal(o)) return constant(in, *value);
    if (const auto s = symbols_.find(o); s != symbols_.end()) return constant(in, s->second);
    if (const auto p = params_.find(o); p != params_.end()) return constant(in, p->second);
    if (is_dynamic(o)) {
      const slot s = fresh(in);
      dynamic_.push_back(s);
      return s;
    }
    static const std::map<std::string_view, special> specials = {
        {"%tid.x", special::tid_x},       {"%tid.y", special::tid_y},       {"%tid.z", special::tid_z},
        {"%ntid.x", special::ntid_x},     {"%ntid.y", special::ntid_y},     {"%ntid.z", special::ntid_z},
        {"%ctaid.x", special::ctaid_x},   {"%ctaid.y", special::ctaid_y},   {"%ctaid.z", special::ctaid_z},
        {"%nctaid.x", special::nctaid_x}, {"%nctaid.y", special::nctaid_y}, {"%nctaid.z", special::nctaid_z},
        {"%laneid", special::laneid},     {"%warpid", special::warpid}};
    if (const auto s = specials.find(o); s != specials.end() && in == bank::word) {
      for (const auto& [known, what] : k_.specials)
        if (what == s->second) return known;
      k_.specials.emplace_back(fresh(bank::word), s->second);
      return k_.specials.back().first;
    }
    throw unknown("operand " + std::string(o));
  }

  /// An operand of a conversion, which may be narrower than its register: its low word, which an instruction before
  /// takes out.
  slot narrowed(const instruction& conversion, std::string_view o, int bits) {
    const auto r = register_of(o);
    if (!r || r->in != bank::wide || bits == 64) return operand(o, bits);
    instruction low;
    low.line = conversion.line, low.text = conversion.text, low.guard = conversion.guard;
    low.guard_negated = conversion.guard_negated;
    low.run = find_operation("unpack")->run, low.counts_as = group::none;
    low.from[0] = *r, low.to = fresh(bank::word);
    k_.code.push_back(low);
    return low.to;
  }
  /// The register that a load or a store names: any at least as wide as the element.
  slot element(std::string_view o, int bits) {
    const auto r = register_of(o);
    if (!r) return operand(o, bits);
    if (r->in == bank::predicate || (bits == 64 && r->in == bank::word)) throw unknown("operand " + std::string(o));
    return *r;
  }

  /// [register + offset], [symbol + offset] or [number]: a base, which may be none, and an offset.
  void address(std::string_view o, slot& base, std::int64_t& offset) {
    if (o.size() < 2 || o.front() != '[' || o.back() != ']') throw unknown("address " + std::string(o));
    o = o.substr(1, o.size() - 2);
    const std::size_t plus = o.find('+');
    if (plus != std::string_view::npos) {
      const auto value = integer<std::int64_t>(trimmed(o.substr(plus + 1)));
      if (!value) throw unknown("address [" + std::string(o) + "]");
      offset = *value;
    }
    const std::string_view name = trimmed(o.substr(0, plus));
    if (const auto r = register_of(name)) {
      base = *r;
    } else if (const auto s = symbols_.find(name); s != symbols_.end()) {
      offset += s->second;
    } else if (const auto p = params_.find(name); p != params_.end()) {
      offset += p->second;
    } else if (is_dynamic(name)) {
      dynamic_bases_.push_back(k_.code.size());
    } else {
      throw unknown("address [" + std::string(o) + "]");
    }
  }

  void decode(instruction& i, std::string_view name, const words& p, const words& a) {
    const auto need = [&](std::size_t count) {
      if (a.size() != count) throw unknown("'" + std::string(i.text) + "'");
    };
    if (name == "mov.b64" && a.size() == 2 && (a[0].front() == '{' || a[1].front() == '{')) {
      take_apart(i, a);
    } else if (const operation* o = find_operation(name)) {
      need(o->operands + std::size_t{1});
      i.run = o->run, i.counts_as = o->counts_as;
      i.to = operand(a[0], o->bits[0]);
      for (std::size_t k = 0; k < o->operands; ++k)
        i.from[k] = p[0] == "cvt" ? narrowed(i, a[k + 1], o->bits[k + 1]) : operand(a[k + 1], o->bits[k + 1]);
    } else if (p[0] == "ld" || p[0] == "st") {
      memory(i, p, a);
    } else if (p[0] == "cvta") {
      address_conversion(i, name, a);
    } else if (name == "bra" || name == "bra.uni") {
      need(1);
      i.what = kind::branch;
      branches_.emplace_back(k_.code.size(), a[0]);
    } else if (name == "ret" || name == "exit") {
      i.what = kind::exit;
    } else if (name == "bar.sync" && a.size() == 1 && a[0] == "0") {
      i.what = kind::barrier;
    } else if (p[0] == "shfl" && p.size() == 4 && p[1] == "sync" && p[3] == "b32") {
      need(5);
      shuffle(i, p[2], a);
    } else if (name == "cp.async.ca.shared.global" || name == "cp.async.cg.shared.global") {
      if (a.size() != 3) need(4);
      copy(i, p[2] == "cg", a);
    } else if (name == "cp.async.commit_group") {
      i.what = kind::commit;
    } else if (name == "cp.async.wait_group" || name == "cp.async.wait_all") {
      i.what = kind::wait;
      i.waits_for_all = name == "cp.async.wait_all";
      if (!i.waits_for_all) need(1), i.offset = integer<std::int64_t>(a[0]).value_or(-1);
      if (i.offset < 0) throw unknown("'" + std::string(i.text) + "'");
    } else {
      throw unknown("instruction '" + std::string(i.text) + "'");
    }
  }

  // mov.b64 wide, {low, high} or the other way round
  void take_apart(instruction& i, const words& a) {
    const bool packs = a[1].front() == '{';
    const words two = parts(a[packs ? 1 : 0].substr(1, a[packs ? 1 : 0].size() - 2), ',');
    if (two.size() != 2) throw unknown("instruction '" + std::string(i.text) + "'");
    i.run = find_operation(packs ? "pack" : "unpack")->run, i.counts_as = group::move;
    if (packs) {
      i.to = operand(a[0], 64), i.from[0] = operand(two[0], 32), i.from[1] = operand(two[1], 32);
    } else {
      i.from[0] = operand(a[1], 64);
      if (two[0] != "_") i.to = operand(two[0], 32);
      if (two[1] != "_") i.second = operand(two[1], 32);
    }
  }

  // ld{.space}{.nc}{.v4}.type value, [address], and st the other way round
  void memory(instruction& i, const words& p, const words& a) {
    if (a.size() != 2) throw unknown("'" + std::string(i.text) + "'");
    const bool load = p[0] == "ld";
    i.what = load ? kind::load : kind::store;
    i.counts_as = group::memory;
    for (std::size_t w = 1; w + 1 < p.size(); ++w) {
      if (p[w] == "global")
        i.where = space::global;
      else if (p[w] == "shared")
        i.where = space::shared;
      else if (p[w] == "param" && load)
        i.where = space::param;
      else if (p[w] == "v2")
        i.vector = 2;
      else if (p[w] == "v4")
        i.vector = 4;
      else if (p[w] == "nc" && load && i.where == space::global)
        i.constant = true;
      else if (p[w] != "volatile")
        throw unknown("'" + std::string(i.text) + "'");
    }
    const std::string_view type = p.back();
    const int bits = bits_of(type);
    if (bits == 1) throw unknown("'" + std::string(i.text) + "'");
    i.bytes = static_cast<std::uint8_t>(bits / 8), i.extends_sign = type[0] == 's';
    std::string_view value = a[load ? 0 : 1];
    const std::string_view at = a[load ? 1 : 0];
    if (value.front() == '{') value = value.substr(1, value.size() - 2);
    const words elements = parts(value, ',');
    if (elements.size() != i.vector) throw unknown("'" + std::string(i.text) + "'");
    for (std::size_t e = 0; e < elements.size(); ++e) {
      if (load && !register_of(elements[e])) throw unknown("'" + std::string(i.text) + "'");
      i.from[e] = element(elements[e], bits);
    }
    address(at, i.base, i.offset);
  }

  // Generic addresses of shared memory lie in a window of their own; those of global memory are its addresses.
  void address_conversion(instruction& i, std::string_view name, const words& a) {
    const bool to = name == "cvta.to.shared.u64" || name == "cvta.shared.u64";
    if (a.size() != 2 || (!to && name != "cvta.to.global.u64" && name != "cvta.global.u64"))
      throw unknown("instruction '" + std::string(i.text) + "'");
    const operation* o = find_operation(!to ? "mov.u64" : name == "cvta.shared.u64" ? "add.u64" : "sub.u64");
    i.run = o->run, i.counts_as = group::move;
    i.to = operand(a[0], 64), i.from[0] = operand(a[1], 64);
    if (to) i.from[1] = constant(bank::wide, shared_window);
  }

  // shfl.sync.mode to{|had_source}, value, lanes, clamp, members
  void shuffle(instruction& i, std::string_view mode, const words& a) {
    i.what = kind::shuffle;
    if (mode == "up")
      i.mode = shuffle_mode::up;
    else if (mode == "down")
      i.mode = shuffle_mode::down;
    else if (mode == "bfly")
      i.mode = shuffle_mode::bfly;
    else if (mode == "idx")
      i.mode = shuffle_mode::idx;
    else
      throw unknown("instruction '" + std::string(i.text) + "'");
    const words to = parts(a[0], '|');
    i.to = operand(to[0], 32);
    if (to.size() == 2 && to[1] != "_") i.second = operand(to[1], 1);
    for (std::size_t k = 0; k < 4; ++k) i.from[k] = operand(a[k + 1], 32);
  }

  // cp.async [shared], [global], bytes{, bytes to read}
  void copy(instruction& i, bool past_l1, const words& a) {
    i.what = kind::copy, i.counts_as = group::memory, i.where = space::shared;
    address(a[0], i.base, i.offset);
    address(a[1], i.source, i.source_offset);
    const auto bytes = integer<int>(a[2]);
    if (!bytes || (*bytes != 16 && (past_l1 || (*bytes != 4 && *bytes != 8))))
      throw unknown("'" + std::string(i.text) + "'");
    i.bytes = static_cast<std::uint8_t>(*bytes);
    i.from[0] = operand(a.size() == 4 ? a[3] : a[2], 32);
  }

  kernel& k_;
  shared_layout layout_;
  std::vector<std::string_view> dynamic_names_;  // of the caller's part of shared memory: all are its beginning
  std::map<std::string_view, std::uint32_t> params_, symbols_, labels_;
  std::map<std::string_view, slot> registers_;
  std::vector<std::pair<std::map<std::string_view, slot>, std::map<std::string_view, std::uint32_t>>> scopes_;
  std::map<std::pair<bank, std::uint64_t>, slot> constants_;
  std::vector<slot> dynamic_;               // registers with the address of the caller's part
  std::vector<std::size_t> dynamic_bases_;  // instructions whose address starts there
  std::vector<std::pair<std::size_t, std::string_view>> branches_;
  std::uint16_t count_[3] = {};
};

/// Walks over the text, statement by statement.
class cursor {
 public:
  explicit cursor(std::string_view text) : text_(text) {}

  int line() const { return line_; }
  bool done() {
    skip();
    return at_ >= text_.size();
  }
  char next() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void expect(char c) {
    if (next() != c)
      throw std::runtime_error("PTX line " + std::to_string(line_) + ": '" + c + "' was expected, not '" + next() +
                               "'");
    ++at_;
  }
  /// Everything up to one of the characters, which stays.
  std::string_view until(std::string_view ends) {
    skip();
    const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    const std::string_view found = text_.substr(at_, end - at_);
    line_ += static_cast<int>(std::count(found.begin(), found.end(), '\n'));
    at_ = end;
    return trimmed(found);
  }
  /// A name that a colon follows; empty, and nothing is taken, where there is none.
  std::string_view label() {
    skip();
    std::size_t end = at_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    if (end == at_ || end >= text_.size() || text_[end] != ':') return {};
    const std::string_view name = text_.substr(at_, end - at_);
    at_ = end + 1;
    return name;
  }

 private:
  void skip() {
    for (; at_ < text_.size(); ++at_) {
      if (text_.substr(at_, 2) == "//") at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      if (text_[at_] == '\n') ++line_;
      if (!std::isspace(static_cast<unsigned char>(text_[at_]))) return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

kernel parse_kernel(cursor& at, std::string_view name, const std::vector<variable>& shared) {
  kernel k;
  k.name = name;
  int line = at.line();
  const auto guarded = [&](const auto& f) {
    if (!k.error.empty()) return;
    try {
      f();
    } catch (const unknown& e) {
      k.error = "PTX line " + std::to_string(e.line ? e.line : line) + ": " + e.what() + " is not supported";
    }
  };
  kernel_parser parser(k, shared);
  at.expect('(');
  for (const std::string_view p : parts(at.until(")"), ',')) guarded([&] { parser.param(p); });
  at.expect(')');
  std::string_view directives = at.until("{");
  const std::size_t most = directives.find(".maxntid ");
  if (most != std::string_view::npos) {
    k.most_threads = 1;
    for (const std::string_view n : parts(directives.substr(most + 9, directives.find('\n', most) - most - 9), ','))
      k.most_threads *= integer<std::uint32_t>(n).value_or(1);
  }
  at.expect('{');
  for (int depth = 1; depth > 0;) {
    const char c = at.next();
    line = at.line();
    if (c == '\0') throw std::runtime_error("PTX line " + std::to_string(line) + ": a kernel without an end");
    if (c == '{' || c == '}') {
      at.expect(c);
      depth += c == '{' ? 1 : -1;
      if (c == '{') parser.open_scope();
      if (c == '}' && depth > 0) parser.close_scope();
    } else if (const std::string_view l = at.label(); !l.empty()) {
      guarded([&] { parser.label(l); });
    } else {
      const std::string_view s = at.until(";");
      at.expect(';');
      guarded([&] { parser.statement(s, line); });
    }
  }
  guarded([&] { parser.finish(); });
  return k;
}

}  // namespace

const kernel* program::find(std::string_view name) const {
  for (const kernel& k : kernels)
    if (k.name == name) return &k;
  return nullptr;
}

program parse(std::string_view text) {
  program p;
  cursor at(text);
  std::vector<variable> shared;
  while (!at.done()) {
    const int line = at.line();
    const auto fail = [&](const std::string& what) {
      throw std::runtime_error("PTX line " + std::to_string(line) + ": " + what + " is not supported");
    };
    std::string_view s = at.until(";({\n");
    if (s.starts_with(".version") || s.starts_with(".target")) {
      // The caller chooses the text by its target.
    } else if (s.starts_with(".address_size")) {
      if (trimmed(s.substr(13)) != "64") fail("'" + std::string(s) + "'");
    } else {
      std::string_view rest = s, word = take_word(rest);
      while (word == ".visible" || word == ".extern" || word == ".weak") word = take_word(rest);
      if (word == ".entry") {
        p.kernels.push_back(parse_kernel(at, rest, shared));
      } else if (word == ".shared") {
        try {
          shared.push_back(parse_variable(rest));
        } catch (const unknown& e) {
          fail(e.what());
        }
        at.expect(';');
      } else {
        fail("'" + std::string(s.substr(0, 60)) + "'");
      }
    }
  }
  return p;
}

}  // namespace ptx
