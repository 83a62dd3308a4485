"""nbconvert makes documents of a Go notebook in the colours of its cells: documents.py DIRECTORY, where it may write."""

import os
import re
import shutil
import subprocess
import sys

import nbformat

os.chdir(sys.argv[1])
jupyter = os.path.join(os.path.dirname(sys.executable), "jupyter")
cells = ["%%cuda\ntemplate <typename T> __global__ void f(T *x) { x[0] = 1.0f; }", "func g() {}", "%%bash\nfor i in 1; do echo $i; done"]
info = {"name": "go", "pygments_lexer": "go"}
nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells], metadata={"language_info": info}), "colours.ipynb")


def convert(form):
    done = subprocess.run([jupyter, "nbconvert", "--to", form, "colours.ipynb"], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert "No lexer found" not in done.stderr, done.stderr


convert("go-html")
page = open("colours.html", encoding="utf-8").read()
for kind, word in (("o", "%%cuda"), ("k", "template"), ("kr", "__global__"), ("kd", "func"), ("k", "do")):
    assert f'<span class="{kind}">{word}</span>' in page, f"{word} is not of kind {kind}"
# The check can fail: the lexer that notebooks name does not know CUDA.
convert("html")
assert '<span class="kr">__global__</span>' not in open("colours.html", encoding="utf-8").read()

convert("go-latex")
text = open("colours.tex", encoding="utf-8").read()
assert re.search(r"\\PY\{k\+kr\}\{.{0,60}global", text), "__global__ has no colour in LaTeX"
if shutil.which("xelatex"):
    convert("go-pdf")
    assert open("colours.pdf", "rb").read(4) == b"%PDF"
else:
    print("SKIPPED: a PDF by LaTeX, since xelatex is not installed: apt-get install texlive-xetex pandoc")
