# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs for a test, and the results that the model's own reference gives for them."""

import warnings

import numpy as np
import onnx
import onnx.inliner
from onnx import TensorProto, numpy_helper

from .errors import ImportFailed
from .read import first_line


def data_beside(path, names):
    """Inputs and results that lie beside a model as in onnx's own test data, or None."""
    folder = path.parent / 'test_data_set_0'
    if path.name != 'model.onnx' or not folder.is_dir():
        return None

    def arrays(kind, limit):
        result = []
        for i in range(limit):
            file = folder / f'{kind}_{i}.pb'
            if not file.is_file():
                break
            tensor = TensorProto()
            try:
                tensor.ParseFromString(file.read_bytes())
                result.append(numpy_helper.to_array(tensor))
            except Exception:
                return None  # a sequence, for example
        return result

    inputs, results = arrays('input', 256), arrays('output', 256)
    if inputs is None or results is None or len(inputs) > len(names):
        return None
    return dict(zip(names, inputs)), results


def random_inputs(model):
    random = np.random.default_rng(1)
    result = {}
    for i in model.inputs:
        element, shape = model.types[i]
        values = random.uniform(-1, 1, shape)
        result[i] = values > 0 if element == TensorProto.BOOL else values.astype(np.float32)
    return result


def run(path, feeds, outputs):
    """The results of the model: by onnxruntime if it is installed and takes the model, else by onnx."""
    why = ''
    try:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        session = onnxruntime.InferenceSession(str(path), options, providers=['CPUExecutionProvider'])
        return session.run(outputs, feeds), f'onnxruntime {onnxruntime.__version__}'
    except ImportError:
        pass
    except Exception as error:
        why = first_line(error)
    try:
        from onnx.reference import ReferenceEvaluator

        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            proto = onnx.load(str(path))
            proto = onnx.inliner.inline_local_functions(proto) if proto.functions else proto
            return ReferenceEvaluator(proto).run(outputs, feeds), f'onnx {onnx.__version__}'
    except Exception as error:
        raise ImportFailed(
            'no reference runs the model, so that there would be no test (--no-test goes without): '
            + first_line(error)
            + (f'; onnxruntime: {why}' if why else '')
        ) from None


def results_of(path, feeds, model, stored):
    """The reference results of the model. Stored results may have few digits: they are used only if there is no other
    reference, or if it is far from them."""
    if stored is None or len(stored) != len(model.outputs):
        return run(path, feeds, model.outputs)
    try:
        results, by = run(path, feeds, model.outputs)
        if all(np.allclose(a, b, rtol=1e-3, atol=1e-5, equal_nan=True) for a, b in zip(results, stored)):
            return results, by
    except (ImportFailed, TypeError, ValueError):
        pass
    return stored, 'the data beside the model'
