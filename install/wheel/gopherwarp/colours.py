"""Colours of cells in documents: Pygments imports this module through its entry point for lexers."""

import re

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.lexers.c_cpp import CppLexer
from pygments.lexers.c_like import CudaLexer
from pygments.lexers.go import GoLexer
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Error, Name, Operator, Punctuation, String, Text, Whitespace
from pygments.util import ClassNotFound

# The languages of the bodies of cell magics; those of others are Go. JupyterLab's extension has the same in install/labextension/src/cells.ts.
BODIES = {
    "bash": "bash",
    "sh": "bash",
    "html": "html",
    "javascript": "javascript",
    "js": "javascript",
    "latex": "latex",
    "markdown": "markdown",
    "svg": "xml",
}
# Line magics whose arguments are Go.
STATEMENTS = {"exec", "lens", "prof", "time", "timeit", "timeit_gpu"}
CUDA_FILE = re.compile(r"\.(cu|cuh|h|hh|hpp|hxx|c|cc|cpp|cxx|inl)$", re.I)
MAGIC = re.compile(r"([ \t]*(?://gonb:)?)(%%?\w*|!)([ \t]*)(.*)")
# What of Go's operators and punctuation may be the end of a statement.
CLOSED = {")", "]", "}", ";", ":", "{", "++", "--"}


class CellLexer(Lexer):
    """Cells of Go notebooks, each in its language, with their magics."""

    name = "Cells of gopherwarp"
    aliases = ["gopherwarp"]
    url = "https://github.com/gopherwarp/gopherwarp"

    def get_tokens_unprocessed(self, text):
        start = len(text) - len(text.lstrip())
        line, newline, body = text[start:].partition("\n")
        magic = MAGIC.match(line)
        if not magic or not magic[2].startswith("%%"):
            yield from go_cell(0, text)
            return
        yield 0, Whitespace, text[:start]
        yield from magic_line(start, magic)
        yield start + len(line), Whitespace, newline
        at = start + len(line) + len(newline)
        lexer = body_lexer(magic[2][2:], magic[4])
        if lexer is None:
            yield from go_cell(at, body)
        else:
            yield from shifted(at, lexer, body)


def body_lexer(name, args):
    """Return the lexer of the body of a cell magic, or None for Go with magics."""
    if name == "cuda":
        return CUDA
    if name == "script":
        return get_lexer_by_name("python" if "python" in args else "bash")
    if name in ("writefile", "file"):
        file = args.split()[-1] if args.split() else ""
        if CUDA_FILE.search(file):
            return CUDA
        try:
            return get_lexer_for_filename(file)
        except ClassNotFound:
            return TextLexer()
    return get_lexer_by_name(BODIES[name]) if name in BODIES else None


class CellCudaLexer(CudaLexer):
    """CUDA C++: Pygments' lexer of that name knows CUDA and C, this one the words of C++, too."""

    name = "CUDA C++ of gopherwarp"
    aliases = []
    filenames = []
    mimetypes = []

    def get_tokens_unprocessed(self, text, stack=("root",)):
        cpp = {at: kind for at, kind, _ in CppLexer().get_tokens_unprocessed(text)}
        for at, kind, value in super().get_tokens_unprocessed(text, stack):
            plain = kind in Name and kind is not Name.Function and kind not in Name.Builtin
            yield at, cpp[at] if plain and cpp.get(at, Name) not in Name else kind, value


GO, CUDA = GoLexer(), CellCudaLexer()


def shifted(at, lexer, text):
    for index, kind, value in lexer.get_tokens_unprocessed(text):
        yield at + index, kind, value


def magic_line(at, magic):
    """Yield the tokens of a line that is a magic."""
    before, name, blank, args = magic.groups()
    for kind, value in ((Comment if "gonb" in before else Whitespace, before), (Operator, name), (Whitespace, blank)):
        if value:
            yield at, kind, value
        at += len(value)
    if name.lstrip("%") in STATEMENTS:
        yield from shifted(at, GO, args)
    elif args:
        yield at, String, args


def go_cell(at, text):
    """Yield the tokens of Go with lines of magics."""
    code = ""  # the Go of the cell so far, without magics
    start = at
    pending = ""  # the Go that is not in a token yet
    command = False  # whether a shell command continues
    for line in text.splitlines(keepends=True):
        content = line.rstrip("\n")
        magic = MAGIC.match(content)
        if command:
            command = content.endswith("\\")
            yield at, String, line
            start = at + len(line)
        elif magic and may_begin(code):
            command = magic[2] == "!" and content.endswith("\\")
            yield from shifted(start, GO, pending)
            yield from magic_line(at, magic)
            if line != content:
                yield at + len(content), Whitespace, "\n"
            pending, start = "", at + len(line)
        else:
            pending += line
            code += line
        at += len(line)
    yield from shifted(start, GO, pending)


def may_begin(code):
    """Whether a statement may begin after this Go: outside of brackets, strings and comments."""
    if code.rfind("/*") > code.rfind("*/"):
        return False
    depth, open_end = 0, False
    for _, kind, value in GO.get_tokens_unprocessed(code):
        if kind in Error and value == "`":
            return False
        if kind in Punctuation:
            depth += sum(c in "([{" for c in value) - sum(c in ")]}" for c in value)
        if kind not in Comment and kind not in Text and value.strip():
            open_end = (kind in Operator or kind in Punctuation) and value not in CLOSED
    return depth <= 0 and not open_end
