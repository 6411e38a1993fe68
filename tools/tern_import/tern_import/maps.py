# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maps that tern has no op for, as functions of the generated program: docs/own-ops.md. A header brings those that it
needs."""

# name: (inputs, operations, expression of a, b, c; parameters)
MAPS = {
    'negative': (1, 1, 'product(V(-1.0f), a)'),
    'absolute': (1, 1, 'abs(a)'),
    'reciprocal': (1, 1, 'V(1.0f) / a'),
    'square': (1, 1, 'product(a, a)'),
    'square_root': (1, 1, 'sqrt(a)'),
    'exponential': (1, 20, 'exp(a)'),
    'logarithm': (1, 20, 'log(a)'),
    'error_function': (1, 20, 'erf(a)'),
    'softsign': (1, 3, 'a / (V(1.0f) + abs(a))'),
    'sign_of': (1, 2, 'select(a > V(0.0f), V(1.0f), select(a < V(0.0f), V(-1.0f), a))'),
    'opposite': (1, 1, 'V(1.0f) - a'),
    'is_nan': (1, 1, 'select(a == a, V(0.0f), V(1.0f))'),
    'is_less': (2, 1, 'select(a < b, V(1.0f), V(0.0f))'),
    'is_at_most': (2, 1, 'select(a <= b, V(1.0f), V(0.0f))'),
    'is_equal': (2, 1, 'select(a == b, V(1.0f), V(0.0f))'),
    'chosen': (3, 1, 'select(a == V(0.0f), c, b)'),
    # |a|^b = exp(b log |a|); of a negative a, the sign goes by the parity of b.
    'power': (2, 45, 'power_of(a, b)'),
    'clipped': (
        1,
        2,
        'select(a < V(float(Low)), V(float(Low)), select(a > V(float(High)), V(float(High)), a))',
        'Low High',
    ),
    'hard_sigmoid_of': (
        1,
        3,
        'select(t < V(0.0f), V(0.0f), select(t > V(1.0f), V(1.0f), t))',
        'Alpha Beta',
        'const V t = fma(a, V(float(Alpha)), V(float(Beta)));',
    ),
    'shrunk': (
        1,
        2,
        'select(a < V(float(-double(Limit))), a + V(float(Bias)), select(a > V(float(Limit)), a - V(float(Bias)), V(0.0f)))',
        'Limit Bias',
    ),
    'above': (1, 1, 'select(a > V(float(Limit)), a, V(0.0f))', 'Limit'),
    'integer_power': (
        1,
        4,
        'p',
        'Exponent',
        'V p = V(1.0f);\n    for (int i = 0; i < int(Exponent); ++i) p = product(p, a);',
    ),
    'power_of_size': (1, 45, 'exp(product(V(float(Exponent)), log(a)))', 'Exponent'),
    'clipped_between': (3, 2, 'select(t > c, c, t)', '', 'const V t = select(a < b, b, a);'),
    'rounded': (
        1,
        4,
        'select(abs(a) < V(8388608.0f), select(a < V(0.0f), (a - V(8388608.0f)) + V(8388608.0f), '
        '(a + V(8388608.0f)) - V(8388608.0f)), a)',
    ),
}
MAPS['floor_of'] = (1, 6, 'select(a < t, t - V(1.0f), t)', '', f'const V t = {MAPS["rounded"][2]};')
MAPS['ceiling_of'] = (1, 6, 'select(a > t, t + V(1.0f), t)', '', f'const V t = {MAPS["rounded"][2]};')
POWER = '''const auto whole = [](V x) {
      return select(x < V(0.0f), (x - V(8388608.0f)) + V(8388608.0f), (x + V(8388608.0f)) - V(8388608.0f));
    };
    const V size = exp(product(b, log(abs(a)))), half = product(b, V(0.5f));
    const V sign = select(whole(b) == b, select(whole(half) == half, V(1.0f), V(-1.0f)), V(__builtin_nanf("")));
    const V power = select(a < V(0.0f), product(size, sign), size);'''
MAPS['power'] = (2, 45, 'select(b == V(0.0f), V(1.0f), power)', '', POWER)

def definition(name):
    inputs, operations, expression, *more = MAPS[name]
    parameters = more[0].split() if more else []
    before = f'    {more[1]}\n' if len(more) > 1 else ''
    head = f'template <{", ".join("tern::real_constant " + p for p in parameters)}>\n' if parameters else ''
    used = [
        f for f in ('abs', 'erf', 'exp', 'fma', 'log', 'product', 'select', 'sqrt') if f + '(' in expression + before
    ]
    using = ''.join(f'    using tern::math::{f};\n' for f in used)
    work = f'  static constexpr tern::index_t operations = {operations};\n' if operations > 1 else ''
    return f'''{head}struct {name} {{
  static constexpr const char* name = "{name}";
{work}  template <class V>
  TERN_FN V operator()({", ".join("V " + v for v in "abc"[:inputs])}) const {{
{using}{before}    return {expression};
  }}
}};
'''


class Maps:
    """Those that a header needs, in a namespace of its own."""

    def __init__(self, header):
        self.used, self.namespace = [], f'{header}_functions'

    def use(self, name, *parameters):
        if name not in self.used:
            self.used.append(name)
        values = ', '.join(f'tern::real_constant({p})' for p in parameters)  # clang 16 converts no numbers there
        return f'tern::map_of<{self.namespace}::{name}{f"<{values}>" if parameters else ""}>'

    def lines(self):
        if not self.used:
            return []
        text = '\n'.join(map(definition, self.used))
        return [f'namespace {self.namespace} {{', '', *text.splitlines(), '', f'}}  // namespace {self.namespace}', '']
