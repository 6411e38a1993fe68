# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds parts of a network by the names of its blocks, such as layer1.0 and layer1.1. Each part becomes a call of a
function. Equal parts share a function, and consecutive equal parts are a loop."""

import dataclasses
import re

from . import cpp

JOINS = ('add', 'multiply', 'activate', 'concat')


@dataclasses.dataclass
class Part:
    """Statements [first, last] of a network, with one input and one result."""

    outer: str  # "layer1"
    number: int  # 0; -1 where the name has none
    first: int
    last: int
    x: str = ''  # the variable that they read
    result: str = ''
    function: 'Function' = None


@dataclasses.dataclass
class Function:
    name: str
    statements: list
    result: str
    numbered: bool
    uses: int = 0


def key_of(statement):
    """The part that a block is in by its name: (outer, number), or None."""
    path = statement.name.split('.')[:-1]
    for i, p in enumerate(path):
        if p.isdigit() and i > 0:
            return '.'.join(path[:i]), int(p)
    if path and re.search(r'\d$', path[-1]) and not path[-1].isdigit():
        return '.'.join(path), -1
    return None


def variables(texts):
    """The words of C++ outside of strings."""
    return set(re.findall(r'[A-Za-z_]\w*', re.sub(r'"[^"]*"', '', ' '.join(texts))))


def renamed(text, names):
    return re.sub(r'[A-Za-z_]\w*', lambda m: names.get(m[0], m[0]), text)


def find_parts(net):
    """Parts that follow each other, and nothing else between their statements but what has no name of its own."""
    statements = net.statements
    keys = [key_of(s) for s in statements]
    made = {s.variable for s in statements} | {t.variable for t in net.inputs}
    reads = [variables(s.values) & made for s in statements]
    results = {t.variable for t in net.results}
    parts, seen, at = [], set(), 0
    while at < len(statements):
        key = keys[at]
        if key is None or key in seen:
            at += 1
            continue
        seen.add(key)
        last = max(i for i, k in enumerate(keys) if k == key)
        if any(
            k not in (None, key) or '.' in s.name and k is None
            for k, s in zip(keys[at : last + 1], statements[at : last + 1])
        ):
            at += 1
            continue
        part = Part(*key, at, last)

        def outside():
            inside = {s.variable for s in statements[part.first : part.last + 1]}
            inputs = set().union(*reads[part.first : part.last + 1]) - inside
            behind = (set().union(*reads[part.last + 1 :]) if part.last + 1 < len(statements) else set()) | results
            return inputs, inside & behind

        inputs, outputs = outside()
        while part.last + 1 < len(statements):  # a sum and an activation at its end
            s = statements[part.last + 1]
            if '.' in s.name or s.call not in JOINS or net.has_parameters(s):
                break
            inside = {s.variable for s in statements[part.first : part.last + 1]}
            if not reads[part.last + 1] <= inside | inputs or not reads[part.last + 1] & inside:
                break
            part.last += 1
        inputs, outputs = outside()
        if len(inputs) == 1 and len(outputs) == 1 and part.last > part.first:
            part.x, part.result = inputs.pop(), outputs.pop()
            parts.append(part)
            at = part.last + 1
        else:
            at += 1
    return parts


def make_functions(net, parts):
    """Gives every part a function; equal parts have the same one. Blocks without a name of their own get one inside."""
    functions, taken = {}, cpp.Names([*cpp.KEYWORDS, 'define', 'blocks', net.name + '_layers'])
    for part in parts:
        prefix = part.outer + (f'.{part.number}.' if part.number >= 0 else '.')
        names, words, local = (
            cpp.Names(),
            {part.x: 'x'},
            cpp.Names(['g', 'x', 'name', 'number', 'names', *cpp.KEYWORDS]),
        )
        inner = []
        for s in net.statements[part.first : part.last + 1]:
            if s.name.startswith(prefix):
                name = s.name[len(prefix) :]
                names.taken.add(name)
            else:
                name = names.fresh(re.sub(r'_\d+$', '', s.name))
                net.rename_parameters(s.name, prefix + name)
            words[s.variable] = local.fresh(cpp.identifier(name))
            inner.append(
                dataclasses.replace(
                    s, name=name, variable=words[s.variable], values=[renamed(v, words) for v in s.values]
                )
            )
        signature = repr([(s.variable, s.call, s.name, s.arguments, s.values) for s in inner]) + words[part.result]
        signature += str(part.number >= 0)
        if signature not in functions:
            functions[signature] = Function('', inner, words[part.result], part.number >= 0)
        part.function = functions[signature]
        part.function.uses += 1
    for f in functions.values():
        users = [p for p in parts if p.function is f]
        name = users[0].outer if len(users) > 1 or users[0].number < 0 else f'{users[0].outer}_{users[0].number}'
        f.name = taken.fresh(cpp.identifier(name) + '_part')
    return list(functions.values())


def chains_of(net, parts):
    """Consecutive parts that one loop generates."""
    chains = []
    for part in parts:
        before = chains[-1][-1] if chains else None
        behind = [v for s in net.statements[part.last + 1 :] for v in s.values] + [t.variable for t in net.results]
        if (
            before is not None
            and before.last + 1 == part.first
            and before.function is part.function
            and before.outer == part.outer
            and part.number >= 0
            and part.number == before.number + 1
            and part.x == before.result
            and before.result not in variables(behind)
        ):
            chains[-1].append(part)
        else:
            chains.append([part])
    return chains


def lines_of(net):
    """The statements of `define`, and the functions that they call with their lines."""
    parts = find_parts(net)
    functions = make_functions(net, parts)
    chains = {chain[0].first: chain for chain in chains_of(net, parts)}
    words = {}
    for chain in chains.values():
        name = chain[0].outer if len(chain) > 1 or chain[0].number < 0 else f'{chain[0].outer}_{chain[0].number}'
        words[chain[-1].result] = net.variables.fresh(cpp.identifier(name))
    body, at = [], 0
    while at < len(net.statements):
        if at not in chains:
            s = net.statements[at]
            body.append(net.text_of(dataclasses.replace(s, values=[renamed(v, words) for v in s.values])))
            at += 1
            continue
        first, last = chains[at][0], chains[at][-1]
        f, x, y = first.function, words.get(first.x, first.x), words[last.result]
        if first is not last:
            body += [
                f'tern::value {y} = {x};',
                f'for (tern::index_t i = {first.number}; i < {last.number + 1}; ++i) '
                f'{y} = {f.name}(g, {cpp.string(first.outer)}, i, {y});',
            ]
        else:
            number = f', {first.number}' if f.numbered else ''
            body.append(f'const auto {y} = {f.name}(g, {cpp.string(first.outer)}{number}, {x});')
        at = last.last + 1
    net.results = [dataclasses.replace(t, variable=words.get(t.variable, t.variable)) for t in net.results]
    texts = []
    for f in functions:
        number, names = (', tern::index_t number', 'name, number') if f.numbered else ('', 'name')
        texts.append(
            (
                f'static constexpr tern::value {f.name}(tern::graph& g, const char* name{number}, const tern::value& x) {{',
                [
                    f'const auto names = g.inside({names});',
                    *[net.text_of(s) for s in f.statements],
                    f'return {f.result};',
                ],
            )
        )
    return body, texts
