# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pieces of C++."""

import re

KEYWORDS = set(
    '''alignas and asm auto bool break case catch char class const constexpr continue default delete do double
else enum explicit export extern false float for friend goto if inline int long namespace new not operator or private
protected public register return short signed sizeof static struct switch template this throw true try typedef typeid
typename union unsigned using virtual void volatile while xor main tern g std'''.split()
)


def identifier(text, otherwise='x'):
    """A C++ name like the text."""
    name = re.sub(r'_+', '_', re.sub(r'\W', '_', text, flags=re.ASCII)).strip('_').lower()
    if not name:
        return otherwise
    return name + '_' if name in KEYWORDS else (otherwise + '_' + name if name[0].isdigit() else name)


class Names:
    """Names that are used once."""

    def __init__(self, taken=()):
        self.taken = set(taken)

    def fresh(self, name):
        result, number = name, 1
        while result in self.taken:
            number += 1
            result = f'{name}_{number}'
        self.taken.add(result)
        return result


def plain(text):
    """Without what would end a string or a comment."""
    return re.sub(r'["\\\x00-\x1f\x7f\u0080-\u009f\u2028\u2029]', '_', text)


def string(text):
    return f'"{plain(text)}"'


def number(x):
    """A double that reads back as it is."""
    x = float(x)
    if x != x:
        return '__builtin_nan("")'
    if x in (float('inf'), float('-inf')):
        return '-__builtin_inf()' if x < 0 else '__builtin_inf()'
    return repr(int(x)) if x == int(x) and abs(x) < 1e9 else repr(x)


def per_axis(values):
    values = list(values)
    return str(values[0]) if all(v == values[0] for v in values) else '{' + ', '.join(map(str, values)) + '}'


# The order of fields, which is that of tern's configs.
FIELDS = """in out m n k groups kernel stride dilation rule pad pad_end crop crop_end output_padding batch ceil_mode
count_padding divisor factor block order mode axis log scale shift bias residual act epsilon""".split()


def fields(config):
    """Designated initialisers: those that are not None."""

    def text(v):
        return ('true' if v else 'false') if isinstance(v, bool) else str(v)

    return ', '.join(
        f'.{k} = {text(v)}'
        for k, v in sorted(config.items(), key=lambda f: FIELDS.index(f[0]))
        if v is not None and v is not False
    )


def configured(op, config):
    """tern::op<tern::op_config{...}>; nothing where all fields have their defaults."""
    kind = {
        'max_pool': 'pool',
        'avg_pool': 'pool',
        'batch_norm': 'norm',
        'layer_norm': 'norm',
        'group_norm': 'norm',
        'instance_norm': 'norm',
        'rms_norm': 'norm',
        'depth_to_space': 'space_to_depth',
        'l2_normalize': 'l2',
    }
    base = re.sub(r'\dd$', '', op)
    rank = op[len(base) :]
    return f'tern::{op}<tern::{kind.get(base, base)}{rank}_config{{{fields(config)}}}>'


def arguments_of(text, at):
    """The places where the arguments of a bracket begin, and where it closes; None if it does not close."""
    depth, quoted, begins = 0, False, [at + 1]
    for i in range(at, len(text)):
        c = text[i]
        if c == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif c in '({<':
            depth += 1
        elif c in ')}>':
            depth -= 1
            if depth == 0:
                return begins, i
        elif c == ',' and depth == 1:
            begins.append(i + 2)
    return None


def wrap(text, indent, width=120):
    """Breaks a line that is too long between the arguments of its last call, or of what is inside."""
    line = ' ' * indent + text
    if len(line) <= width:
        return [line]
    best = None
    for at, c in enumerate(text):
        if c not in '({<' or text[:at].count('"') % 2:
            continue
        found = arguments_of(text, at)
        if found is not None and (len(found[0]) > 1) and (best is None or found[1] - at > best[1] - best[2]):
            best = found[0], found[1], at
    if best is None:
        return [line]
    begins, end, at = best
    pieces = [text[a:b].rstrip() for a, b in zip(begins, [*begins[1:], end])]
    column = indent + at + 1
    if column > 64 or column + max(map(len, pieces)) > width:
        lines, column = [' ' * indent + text[: at + 1]], indent + 4
        line = ''
    else:
        lines, line = [], ' ' * indent + text[: at + 1]
    for i, piece in enumerate(pieces):
        piece += text[end:] if i == len(pieces) - 1 else ''
        if line.strip() and len(line) + len(piece) + 1 <= width:
            line += ('' if line.endswith(text[at]) else ' ') + piece
            continue
        if line.strip():
            lines.append(line)
        broken = wrap(piece, column, width)
        lines += broken[:-1]
        line = broken[-1]
    return lines + [line]
