"""Computes with NumPy what the tests of arrays expect.

Each line of standard input is a case: expressions in Python, and the arrays they are about. Each
line of standard output is its result: the type, shape and elements, or the error. A case may have an
expression for how far each element may be off, too.
"""

import base64
import json
import math
import sys
import warnings

import numpy as np

try:
    from scipy import sparse
except ImportError:
    sparse = None

warnings.simplefilter("ignore")


def each(function):
    """Makes a function of Python's floats one of arrays, with NaN where it is not defined."""

    def guarded(x):
        try:
            return function(x)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return lambda x: np.array([guarded(v) for v in x.astype(float).ravel()]).reshape(x.shape).astype(x.dtype)


def csr_product(start, column, value, x):
    """Multiplies a matrix in compressed sparse row format by a vector, in float64, by SciPy if it is there."""
    value, x = value.astype(np.float64), x.astype(np.float64)
    rows = len(start) - 1
    if sparse:
        return sparse.csr_array((value, column, start), shape=(rows, len(x))) @ x
    result = np.zeros(rows)
    np.add.at(result, np.repeat(np.arange(rows), np.diff(start)), value * x[column])
    return result


def arrays(case):
    for given in case["Inputs"] or []:
        x = np.frombuffer(base64.b64decode(given["Data"] or ""), given["DType"]).reshape(given["Shape"] or ()).copy()
        if given["Axes"]:
            x = x.transpose(given["Axes"])
        if given["Index"]:
            x = eval("x[" + given["Index"] + "]")
        yield x


names = {"np": np, "math": math, "each": each, "csr_product": csr_product}
for line in sys.stdin:
    case = json.loads(line)
    try:
        scope = {**names, **{f"x{i}": x for i, x in enumerate(arrays(case))}}
        # Before the result, whose expression may write to the arrays.
        slack = np.asarray(eval(case["Slack"], scope), np.float64) if case["Slack"] else None
        result = np.asarray(eval(case["Expr"], scope))
        answer = {"DType": result.dtype.name, "Shape": result.shape, "Data": base64.b64encode(result.tobytes()).decode()}
        if slack is not None:
            assert slack.shape == result.shape, (slack.shape, result.shape)
            answer["Slack"] = base64.b64encode(slack.tobytes()).decode()
    except Exception as error:
        answer = {"Error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer))
