# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses."""

import math

from .. import cpp
from ..errors import Refused
from .table import op

_, calls = op(
    'SoftmaxCrossEntropyLoss',
    '`cross_entropy`',
    'labels of std::int32_t that are an input; no class weights; a '
    'negative `ignore_index`, by which all negative labels are left out',
)


@calls
def _(w, node):
    if node.input(2):
        raise Refused('it has class weights: the nearest is cross_entropy, which has none')
    ignored = node.get('ignore_index')
    if ignored is not None and ignored >= 0:
        raise Refused('its ignore_index must be negative')
    x = w.get(node)
    labels = w.labels(node, 1)
    if not 2 <= len(x.shape) <= 5:
        raise Refused('it takes one to three spatial axes')
    if w.has_result(node, 1):
        w.call(cpp.configured('softmax', {'axis': 1, 'log': True}), x, w.result(node, 1))
    kind = node.get('reduction', 'mean')
    rows = type(x).rows(w.scratch(math.prod(labels.shape)), labels.shape)
    w.rounding += 8 + math.sqrt(math.prod(labels.shape))
    if kind == 'none':
        w.call('tern::cross_entropy<tern::loss_config{.reduce = tern::reduction::none}>', x, labels, w.result(node))
        return
    if kind == 'mean' and ignored is not None:
        kind = 'mean_of_kept'
    total = w.result(node)
    total = type(x)(total.buffer, (1,), (1,), total.offset)
    w.call(f'tern::cross_entropy<tern::loss_config{{.reduce = tern::reduction::{kind}}}>', x, labels, rows, total)
