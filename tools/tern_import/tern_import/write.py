# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files of a model: header, weights and test."""

import re


import numpy as np

from . import cpp
from .stages import lines_of

LICENSE = '// SPDX-License-Identifier: 0BSD\n'


def text_of_shape(typed):
    extents, channels = typed
    kind = ('features', 'signal', 'image', 'volume')[len(extents)]
    return f'tern::sample_shape::{kind}({", ".join(map(str, [channels, *extents]))})'


def described(name, variable, typed):
    extents, channels = typed
    axes = [[], ['length'], ['height', 'width'], ['depth', 'height', 'width']][len(extents)]
    inner = ', '.join(
        [f'{a} {e}' for a, e in zip(axes, extents)] + [f'{channels} {"channels" if axes else "features"}']
    )
    return f'///   {variable}{"" if name == variable else f" ({cpp.plain(name)})"}: samples, {inner}'


def name_blocks(net):
    """Short names for blocks that are long types."""
    names, aliases = cpp.Names(['blocks', 'define']), {}
    for i, block in enumerate(net.blocks):
        inner = re.match(r'tern::map_of<\w+::(\w+)', block)
        if not inner and '<' not in block:
            continue
        alias = names.fresh(f'{inner[1]}_block' if inner else 'numbers_of_positions')
        aliases[alias] = block
        net.blocks[i] = alias
        for s in net.statements:
            s.call = s.call.replace(f'block<{block}>', f'block<{alias}>')
    return aliases


def network_header(net, source):
    model, name = net.model, net.name
    aliases = name_blocks(net)
    body, functions = lines_of(net)
    several_in, several_out = len(net.inputs) > 1, len(net.results) > 1
    results = ', '.join(t.variable for t in net.results)
    kind = f'std::array<tern::value, {len(net.results)}>' if several_out else 'tern::value'
    out = [
        f'// Written by tern-import from {source}.',
        '#pragma once',
        '',
        '#include <tern/blocks.hpp>',
        '#include <tern/simd.hpp>',
        '',
    ]
    if several_in or several_out:
        out += ['#include <array>', '']
    out += net.maps.lines()
    out += [f'/// The layers of {name}. Tensors lie in memory in this order, the last axis next to each other:']
    out += [described(n, t.variable, t.typed) for n, t in zip(model.inputs, net.inputs)]
    out += [described(n, t.variable, t.typed) + ', a result' for n, t in zip(model.outputs, net.results)]
    out += [f'struct {name}_layers {{']
    if net.blocks:
        for alias, block in aliases.items():
            out += cpp.wrap(f'using {alias} = {block};', 2)
        out += cpp.wrap(f'using blocks = tern::block_list<{", ".join(net.blocks)}>;', 2) + ['']
    for head, lines in functions:
        out += cpp.wrap(head, 2) + [x for text in lines for x in cpp.wrap(text, 4)] + ['  }']
    arguments = ', '.join(f'tern::value {t.variable}' for t in net.inputs)
    out += cpp.wrap(f'static constexpr {kind} define(tern::graph& g, {arguments}) {{', 2)
    for text in body:
        out += cpp.wrap(text, 4)
    out += [f'    return {"{" + results + "}" if several_out else results};', '  }', '};', '']
    shapes = ', '.join(text_of_shape(t.typed) for t in net.inputs)
    if several_in:
        shapes = f'std::array{{{shapes}}}'
    out += [
        f'/// tern::load_safetensors("{name}.safetensors", tern::tensors_of<{name}<>>(parameters, statistics)) has its weights.',
        'template <class Policy = tern::simd<>>',
    ]
    out += cpp.wrap(f'using {name} = tern::network<{name}_layers, {shapes}, Policy>;', 0)
    return '\n'.join(out) + '\n'


MAIN = '''int main(int argc, char** argv) {
  try {
    return test(argc > 1 ? argv[1] : ".");
  } catch (const std::exception& e) {
    std::cout << "%(name)s: " << e.what() << '\\n';
    return 1;
  }
}
'''
COMPARE = '''/// The largest error, relative to the largest expected number; 1e30 where one is NaN or infinite and the other is not.
template <class T>
double error_of(const std::vector<T>& result, const std::vector<T>& expected) {
  double largest = 0, error = 0;
  for (const T e : expected)
    if (std::isfinite(double(e))) largest = std::max(largest, std::abs(double(e)));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double y = double(result[i]), e = double(expected[i]);
    if (y == e || (std::isnan(y) && std::isnan(e))) continue;
    const double off = std::abs(y - e) / (largest > 0 ? largest : 1);
    error = std::max(error, std::isfinite(off) ? off : 1e30);
  }
  return error;
}
'''


def test_of(net, source, reference, allowed, sizes, body):
    name = net.name
    out = [
        f'// Written by tern-import from {source}: compares {name}.hpp with what {reference} gives.',
        '// usage: %s_test [FOLDER]   where its .safetensors files are; the folder where it runs unless given' % name,
        f'#include "{name}.hpp"',
        '',
        '#include <algorithm>',
        '#include <cmath>',
        '#include <cstdint>',
        '#include <exception>',
        '#include <iostream>',
        '#include <string>',
        '#include <vector>',
        '',
        '#include <tern/files/safetensors.hpp>',
        '',
        'namespace {',
        '',
    ]
    out += COMPARE.strip('\n').splitlines()
    out += [
        '',
        'int test(const std::string& folder) {',
        *body,
        f'  const bool right = error <= {allowed:.3g};',
        f'  std::cout << "{name}: " << (right ? "agrees with" : "DISAGREES with") << " {reference}, error " << error',
        f'            << ", allowed {allowed:.3g}\\n";',
        '  return right ? 0 : 1;',
        '}',
        '',
        '}  // namespace',
        '',
    ]
    return '\n'.join(out) + '\n' + MAIN % {'name': name}


def network_test(net, source, reference, allowed):
    several = len(net.inputs) > 1 or len(net.results) > 1
    n, name = net.batch, net.name
    body = [
        f'  using net = {name}<>;',
        '  tern::aligned_vector<float> parameters(net::parameters), statistics(net::statistics);',
        f'  tern::load_safetensors(folder + "/{name}.safetensors", tern::tensors_of<net>(parameters, statistics));',
        f'  constexpr tern::index_t samples = {n};',
    ]
    names, files = [], []
    for prefix, tensors, labels in (
        ('input', net.inputs, net.model.inputs),
        ('expected', net.results, net.model.outputs),
    ):
        for i, (t, label) in enumerate(zip(tensors, labels)):
            v = f'{prefix}_{i}'
            size = int(np.prod(t.typed[0], dtype=int)) * t.typed[1]
            body += [
                f'  std::vector<float> {v}(samples * {size}){"" if prefix == "input" else f", result_{i}(samples * {size})"};'
            ]
            files += [f'tern::named({cpp.string(f"{prefix}.{i}")}, {v})']
            names.append((f'{prefix}.{i}', label))
    body += cpp.wrap(
        f'tern::load_safetensors(folder + "/{name}_test.safetensors", std::vector{{{", ".join(files)}}});', 2
    )
    xs = ', '.join(f'input_{i}' for i in range(len(net.inputs)))
    ys = ', '.join(f'result_{i}' for i in range(len(net.results)))
    if several:
        xs, ys = f'{{{xs}}}', f'{{{ys}}}'
    body += [
        '  auto state = net::make_state();',
        '  tern::aligned_vector<float> packed(net::packed);',
        '  const auto ready = net::pack(parameters, statistics, packed);',
        '  tern::aligned_vector<float> memory(net::packed_infer_elements(samples));',
        f'  net::infer(state, ready, {xs}, {ys}, memory);',
        '  double error = 0;',
    ]
    body += [f'  error = std::max(error, error_of(result_{i}, expected_{i}));' for i in range(len(net.results))]
    return test_of(net, source, reference, allowed, None, body)


def network_tensors(net, feeds, results):
    tensors = {}
    for prefix, ts, arrays in (
        ('input', net.inputs, [feeds[i] for i in net.model.inputs]),
        ('expected', net.results, results),
    ):
        for i, (t, array) in enumerate(zip(ts, arrays)):
            tensors[f'{prefix}.{i}'] = np.ascontiguousarray(
                t.in_memory(np.asarray(array, np.float32)), np.float32
            ).reshape(-1)
    return tensors


# ----------------------------------------------------------------------------------------------------------------------


VIEWS = '''
  template <class Op>
  using kernel = tern::kernel<Op, Policy>;
  static void check(const char* what, std::size_t has, std::size_t wants) {
    if (has != wants)
      tern::violation("%s has %zu elements: it must have %zu", what, has, wants);
  }
  /// Rows of a buffer; images whose channels lie next to each other; and elements any steps apart: 0 repeats one.
  template <class T, class... Extent>
  static auto rows(T* p, Extent... extent) {
    return tern::view(tern::unchecked, p, tern::extents(tern::index_t(extent)...));
  }
  template <class T, class... Extent>
  static auto images(T* p, Extent... extent) {
    using shape = tern::dims<sizeof...(Extent)>;
    return tern::view(tern::unchecked, p, tern::layout_channels_last::mapping(shape(extent...)));
  }
  template <class T, std::size_t Rank>
  static auto strided(T* p, const tern::index_t (&extent)[Rank], const tern::index_t (&step)[Rank]) {
    return [&]<std::size_t... R>(std::index_sequence<R...>) {
      return tern::view(tern::unchecked, p,
                        tern::layout_strided::mapping(tern::dims<int(Rank)>(extent[R]...), step[R]...));
    }(std::make_index_sequence<Rank>());
  }
'''


def calls_header(c, source):
    model, name = c.model, c.name
    out = [
        f'// Written by tern-import from {source}.',
        '#pragma once',
        '',
        '#include <cstdint>',
        '#include <span>',
        '#include <utility>',
        '#include <vector>',
        '',
        '#include <tern/blocks.hpp>',
        '#include <tern/simd.hpp>',
        '',
    ]
    if not c.parameters:
        out.remove('#include <vector>')
    out += c.maps.lines()
    shape = {b: model.shape(n) for b, n in zip([*c.inputs, *c.outputs], [*model.inputs, *model.outputs])}

    def extents(b):
        return 'x'.join(map(str, shape[b])) or 'a number'

    out += [
        f'/// The calls of {name}. Tensors have ONNX\'s shapes and lie row by row: '
        + ', '.join(f'{b.name} {extents(b)}' for b in c.inputs + c.outputs)
        + '.'
    ]
    out += ['template <class Policy = tern::simd<>>', f'struct {name} {{']
    total = sum(a.size for a, _ in c.parameters.values())
    out += [f'  static constexpr tern::index_t parameters_size = {total}, memory_size = {c.memory};']
    for b in c.inputs + c.outputs:
        out += [f'  static constexpr tern::index_t {b.name}_size = {b.size};']
    out += [
        '',
        '  /// Where the calls run: the calling thread; or give `run` an executor.',
        '  static auto make_state() {',
        '    return tern::network<tern::sequence<tern::skip>, tern::sample_shape::features(1), Policy>::make_state();',
        '  }',
    ]
    if c.parameters:
        out += [
            '',
            f'  /// For tern::load_safetensors("{name}.safetensors", tensors(parameters)).',
            '  static std::vector<tern::named_tensor> tensors(std::span<float> parameters) {',
            '    std::vector<tern::named_tensor> all;',
        ]
        for label, (array, offset) in c.parameters.items():
            out += [f'    all.push_back(tern::named({cpp.string(label)}, parameters.subspan({offset}, {array.size})));']
        out += ['    return all;', '  }']
    arguments = ['State& state'] + (['std::span<const float> parameters'] if c.parameters else [])
    arguments += [
        f'{"" if b.first is not None else "[[maybe_unused]] "}std::span<const {b.element}> {b.name}' for b in c.inputs
    ]
    arguments += [f'std::span<{b.element}> {b.name}' for b in c.outputs]
    arguments += [f'{"" if c.memory else "[[maybe_unused]] "}std::span<float> memory']
    out += ['', '  template <class State>'] + cpp.wrap(f'static void run({", ".join(arguments)}) {{', 2)
    checked = [(b.name, b.size) for b in c.inputs + c.outputs] + [('memory', c.memory)]
    checked += [('parameters', total)] if c.parameters else []
    out += [f'    check("{name}: {label}", {label}.size(), {size});' for label, size in checked if size]
    node = None
    for op, values, of in c.statements:
        if of is not node and of is not None:
            label = f'"{of.name}"' if of.name else f'of "{of.outputs[0]}"' if of.outputs[0] else ''
            out += ['    // ' + cpp.plain(f'{of.op} {label}'.replace('"', "'")).strip()[:110]]
        node = of
        member = ''
        if op.startswith('fold '):
            op, member = op[5:], '.fold'
        texts = [c.text(v) if not isinstance(v, str) else v for v in values]
        lead = [] if member else ['state']
        out += cpp.wrap(f'kernel<{op}>(){member}({", ".join(lead + texts)});', 4)
    out += ['  }', '', ' private:']
    out += VIEWS.strip('\n').splitlines()
    return '\n'.join(out + ['};']) + '\n'


def calls_test(c, source, reference, allowed):
    name = c.name
    body = [
        f'  using net = {name}<>;',
        '  std::vector<float> parameters(net::parameters_size), memory(net::memory_size);',
    ]
    if c.parameters:
        body += [f'  tern::load_safetensors(folder + "/{name}.safetensors", net::tensors(parameters));']
    files = []
    for prefix, buffers in (('input', c.inputs), ('expected', c.outputs)):
        for i, b in enumerate(buffers):
            body += [
                f'  std::vector<{b.element}> {prefix}_{i}({b.size}){"" if prefix == "input" else f", result_{i}({b.size})"};'
            ]
            files += [f'tern::named("{prefix}.{i}", {prefix}_{i})']
    body += cpp.wrap(
        f'tern::load_safetensors(folder + "/{name}_test.safetensors", std::vector{{{", ".join(files)}}});', 2
    )
    values = ['state'] + (['parameters'] if c.parameters else []) + [f'input_{i}' for i in range(len(c.inputs))]
    values += [f'result_{i}' for i in range(len(c.outputs))] + ['memory']
    body += (
        ['  auto state = net::make_state();'] + cpp.wrap(f'net::run({", ".join(values)});', 2) + ['  double error = 0;']
    )
    body += [f'  error = std::max(error, error_of(result_{i}, expected_{i}));' for i in range(len(c.outputs))]
    return test_of(c, source, reference, allowed, None, body)


def calls_tensors(c, feeds, results):
    tensors = {}
    for prefix, buffers, arrays in (
        ('input', c.inputs, [feeds[i] for i in c.model.inputs]),
        ('expected', c.outputs, results),
    ):
        for i, (b, array) in enumerate(zip(buffers, arrays)):
            kind = np.float32 if b.element == 'float' else np.int32
            tensors[f'{prefix}.{i}'] = np.ascontiguousarray(np.asarray(array).astype(kind)).reshape(-1)
    return tensors
