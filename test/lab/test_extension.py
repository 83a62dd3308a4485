"""The extension of JupyterLab: colours and indentation of cells, by what Chromium computes and by typing."""

import driver
import pytest

CUDA = """%%cuda --info
// scale multiplies by the value of __constant__ memory.
__constant__ float by = 2.0f;
__global__ void scale(float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] *= by;
	__syncthreads();
	float4 wide;
	printf("threadIdx %d", i);
}"""
GO = '''import "fmt"

%gpu sim
!echo hello
func twice(n int) string {
	return fmt.Sprint(2*n, "!") // a comment
}
text := `
%no magic
`
%timeit twice(3)'''
BASH = "%%bash\nfor i in 1 2; do\n\techo \"$i\"\ndone"
HEADER = "%%writefile x.cuh\n#pragma once\n__device__ inline int half_of(int n) { return n / 2; }"
PYTHON = "%%writefile x.py\ndef double(n):\n    return 2 * n"

# The computed colour of the first character of a text in a cell's editor.
STYLE_OF = """([cell, text, nth]) => {
  const editor = window.jupyterapp.shell.currentWidget.content.widgets[cell].editor.editor;
  let at = -1;
  for (let i = 0; i <= nth; i++) { at = editor.state.doc.toString().indexOf(text, at + 1); }
  const {node, offset} = editor.domAtPos(at, 1);
  const style = getComputedStyle(node.nodeType === Node.TEXT_NODE ? node.parentElement : node);
  return style.color;
}"""

# The colours of JupyterLab's theme, as Chromium computes them.
THEME = """() => {
  const probe = document.body.appendChild(document.createElement('span'));
  const colours = {};
  for (const name of ['keyword', 'number', 'variable-3', 'comment', 'string', 'operator', 'builtin', 'variable', 'def']) {
    probe.style.color = `var(--jp-mirror-editor-${name}-color)`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}"""

# Cell, text, which of its occurrences, and JupyterLab's colour for it.
COLOURS = [
    (0, "%%cuda", 0, "operator"),
    (0, "--info", 0, "string"),
    (0, "// scale", 0, "comment"),
    (0, "__constant__", 0, "comment"),
    (0, "__constant__", 1, "keyword"),
    (0, "__global__", 0, "keyword"),
    (0, "float *x", 0, "variable-3"),
    (0, "2.0f", 0, "number"),
    (0, "blockIdx", 0, "builtin"),
    (0, "threadIdx", 0, "builtin"),
    (0, "__syncthreads", 0, "builtin"),
    (0, "float4", 0, "variable-3"),
    (0, "threadIdx", 1, "string"),
    (0, "if (", 0, "keyword"),
    (1, "import", 0, "keyword"),
    (1, "%gpu", 0, "operator"),
    (1, "sim", 0, "string"),
    (1, "!echo", 0, "operator"),
    (1, "hello", 0, "string"),
    (1, "func", 0, "keyword"),
    (1, "string", 0, "variable-3"),
    (1, "// a comment", 0, "comment"),
    (1, "%no magic", 0, "string"),
    (1, "%timeit", 0, "operator"),
    (1, "3)", 0, "number"),
    (2, "%%bash", 0, "operator"),
    (2, "for", 0, "keyword"),
    (2, "echo", 0, "builtin"),
    (3, "%%writefile", 0, "operator"),
    (3, "#pragma", 0, "operator"),
    (3, "__device__", 0, "keyword"),
    (3, "return", 0, "keyword"),
    (4, "%%writefile", 0, "operator"),
    (4, "def", 0, "keyword"),
    (4, "return", 0, "keyword"),
]
PATIENCE = 30_000  # ms


@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts):
    folder = tmp_path_factory.mktemp("extension")
    with driver.notebook_page("extension", [CUDA, GO, BASH, HEADER, PYTHON, ""], folder, artifacts) as page:
        yield page


def wait_for_colour(page, cell, text, nth, name):
    """Waits until a text has a colour of the theme."""
    want = page.evaluate(THEME)[name]
    try:
        page.wait_for_function(f"(args) => ({STYLE_OF})(args) === '{want}'", arg=[cell, text, nth], timeout=5_000)
    except Exception as error:
        got = page.evaluate(STYLE_OF, [cell, text, nth])
        raise AssertionError(f"{text!r} in cell {cell} is {got}, want {name}, {want}") from error


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_colours(page, artifacts, theme):
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.wait_for_function(f"() => document.body.dataset.jpThemeName === '{theme}'", timeout=PATIENCE)
    colours = page.evaluate(THEME)
    assert len({colours[name] for name in ("keyword", "number", "comment", "string", "operator")}) == 5, colours
    for cell, text, nth, name in COLOURS:
        wait_for_colour(page, cell, text, nth, name)
    page.screenshot(path=artifacts / f"extension-{theme.split()[-1].lower()}.png")


def type_into(page, cell, text):
    """Replaces the text of a cell by typing."""
    page.evaluate(
        """cell => {
          const notebook = window.jupyterapp.shell.currentWidget.content;
          notebook.activeCellIndex = cell;
          notebook.mode = 'edit';
          notebook.activeCell.editor.focus();
        }""",
        cell,
    )
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    for i, line in enumerate(text.split("\n")):
        if i > 0:
            page.keyboard.press("Enter")
        page.keyboard.type(line)


def source(page, cell):
    return page.evaluate("cell => window.jupyterapp.shell.currentWidget.content.model.cells.get(cell).sharedModel.getSource()", cell)


def test_indentation(page):
    """Enter indents with a tab, and a closing brace goes back."""
    type_into(page, 5, "for i := range 3 {\nif i > 1 {\nswitch i {\ncase 2:\nprintln(i)\n}\n}\n}\nx := 1")
    want = "for i := range 3 {\n\tif i > 1 {\n\t\tswitch i {\n\t\tcase 2:\n\t\t\tprintln(i)\n\t\t}\n\t}\n}\nx := 1"
    assert source(page, 5) == want
    type_into(page, 5, "%%cuda\n__global__ void f(int *x)\n{\nif (*x) {\n*x = 1;\n}\n}")
    assert source(page, 5) == "%%cuda\n__global__ void f(int *x)\n{\n\tif (*x) {\n\t\t*x = 1;\n\t}\n}"


def test_first_line(page):
    """The colours change with the cell's first line."""
    type_into(page, 5, "template := 1")
    wait_for_colour(page, 5, "template", 0, "def")
    page.keyboard.press("Control+Home")
    page.keyboard.type("%%cuda\n")
    page.keyboard.press("Control+End")
    page.keyboard.type("; template <int n> void f()")
    wait_for_colour(page, 5, "template", 1, "keyword")
    page.keyboard.press("Control+Home")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.type("%%bash\n")
    page.keyboard.press("Control+End")
    page.keyboard.type("\necho done")
    wait_for_colour(page, 5, "echo", 0, "builtin")
