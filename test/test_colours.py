"""The lexer of the wheel: cells in the colours of their languages, in nbconvert's documents."""

import json
import pathlib
import re
import sys

import pytest
from conftest import ROOT
from pygments.lexers.go import GoLexer
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String

sys.path.insert(0, str(ROOT / "install" / "wheel"))
sys.dont_write_bytecode, written = True, sys.dont_write_bytecode  # what is there becomes the wheel
from gopherwarp import colours  # noqa: E402

sys.dont_write_bytecode = written

NOTEBOOKS = sorted((ROOT / "notebooks").rglob("*.ipynb")) + sorted((ROOT / "test" / "notebooks").glob("*.ipynb"))
CUDA = """%%cuda --info
#include <cuda_fp16.h>
// scale is for T.
template <typename T> __global__ void scale(T *x, float by)
{
	x[threadIdx.x] *= static_cast<T>(by * 2.0f); __syncthreads();
}"""
GO = "%gpu sim\n!echo a \\\n  func b\nfunc f() string { return `\n%no magic\n` }\nx := 7 %\n%y\ni++\n%time f()\n!ok"


def tokens(text):
    return list(colours.CellLexer().get_tokens_unprocessed(text))


@pytest.mark.parametrize(
    ("text", "want"),
    [
        (
            CUDA,
            [
                ("%%cuda", Operator),
                ("--info", String),
                ("<cuda_fp16.h>", Comment),
                ("template", Keyword),
                ("typename", Keyword),
                ("__global__", Keyword),
                ("threadIdx", Name.Builtin),
                ("static_cast", Keyword),
                ("2.0f", Number),
            ],
        ),
        (GO, [("%gpu", Operator), ("sim", String), ("  func b\n", String), ("`\n%no magic\n`", String), ("%time", Operator), ("f", Name), ("ok", String)]),
        ("%%bash\nfor i in 1 2; do echo $i; done", [("for", Keyword), ("do", Keyword), ("$i", Name.Variable)]),
        ("%%writefile a.cuh\n__device__ int n;", [("a.cuh", String), ("__device__", Keyword)]),
        ("%%writefile a.py\ndef f(): pass", [("def", Keyword), ("f", Name.Function)]),
        ("%%time\nfunc f() {}", [("%%time", Operator), ("func", Keyword)]),
        ("%%html\n<b>x</b>", [("b", Name.Tag)]),
        ("\n\n%%markdown\n# Title", [("%%markdown", Operator)]),
    ],
)
def test_tokens(text, want):
    found = tokens(text)
    for value, kind in want:
        assert any(v == value and k in kind for _, k, v in found), f"{value!r} is no {kind}: {found}"


def test_lines_of_expressions_are_no_magics():
    assert [v for _, k, v in tokens(GO) if k is Operator and v.startswith(("%", "!")) and len(v) > 1] == ["%gpu", "%time"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_nothing_is_lost(path):
    """The tokens of all cells of the course are their texts, and none is an error."""
    for cell in json.loads(pathlib.Path(path).read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        text = "".join(cell["source"])
        at = 0
        for index, kind, value in tokens(text):
            assert index == at, text
            assert kind not in Error, f"{value!r} in {text}"
            at += len(value)
        assert at == len(text)


def test_go_is_that_of_pygments():
    text = 'package p\n\nfunc f(n int) string { return fmt.Sprint(n, "x") // done\n}\n'
    assert tokens(text) == list(GoLexer().get_tokens_unprocessed(text))


def test_languages_are_those_of_jupyterlab():
    source = (ROOT / "install" / "labextension" / "src" / "cells.ts").read_text()
    table = re.search(r"const bodies[^{]*\{(.*?)\};", source, re.S)[1]
    assert set(re.findall(r"(\w+):", table)) == set(colours.BODIES)
    statements = re.search(r"const statements = new Set\(\[(.*?)\]\)", source)[1]
    assert set(re.findall(r"'(\w+)'", statements)) == colours.STATEMENTS
