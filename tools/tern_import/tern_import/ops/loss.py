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
    'labels of std::int32_t that are an input; class weights; a '
    'negative `ignore_index`, by which all negative labels are left out',
)


@calls
def _(w, node):
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
    weights = [w.get(node, 2)] if node.input(2) else []
    if kind == 'mean' and (weights or ignored is not None):
        kind = 'mean_of_kept'
    config = {'reduce': f'tern::reduction::{kind}', **({'class_weights': 'true'} if weights else {})}
    loss = f'tern::cross_entropy<tern::loss_config{{{", ".join(f".{k} = {v}" for k, v in config.items())}}}>'
    if kind == 'none':
        w.call(loss, x, labels, *weights, w.result(node))
        return
    total = w.result(node)
    total = type(x)(total.buffer, (1,), (1,), total.offset)
    w.call(loss, x, labels, *weights, rows, total)
