"""Papermill passes parameters to a Go notebook: parameters.py DIRECTORY, where it may write."""

import os
import sys

import nbformat
import papermill
from papermill.exceptions import PapermillException

os.chdir(sys.argv[1])
cells = [
    nbformat.v4.new_code_cell('n, name, scale := 1, "a", 0.5\nflags, sizes := []bool{}, map[string]float64{}', metadata={"tags": ["parameters"]}),
    nbformat.v4.new_code_cell('fmt.Println(n+1, name, scale*2, flags, sizes["x"]+sizes["y"], limit)'),
]
kernel = {"name": "gopherwarp", "display_name": "Go (gopherwarp)", "language": "go"}
nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), "in.ipynb")


def run(**parameters):
    return papermill.execute_notebook("in.ipynb", "out.ipynb", parameters=parameters, progress_bar=False)


done = run(n=41, name='ä\n"\\', scale=1.0, flags=[True, False], sizes={"x": 1, "y": 2.5}, limit=float("inf"))
text = done.cells[-1].outputs[0].text
assert text == '42 ä\n"\\ 2 [true false] 3.5 +Inf\n', text
for bad, want in (({"n": None}, "which has no type"), ({"a-b": 1}, "is not a name in Go")):
    try:
        run(**bad)
    except PapermillException as error:
        assert want in str(error), error
    else:
        raise AssertionError(f"papermill takes {bad}")
