"""Writes an executed notebook as a page, with its pictures in a directory beside it: lesson.py NOTEBOOK.ipynb PAGE.md"""

import re
import sys
from pathlib import Path

import nbformat
from nbconvert import MarkdownExporter
from nbconvert.writers import FilesWriter

NOTE = "This lesson was run on the simulator, with its exercises solved. `make lab` opens it as a notebook; times are those of the machine that built this page, and say nothing about a GPU.\n"
COLOUR = re.compile(r"\x1b\[[\d;]*m")
HTML = re.compile(r"^<(table|div|pre|style|svg)\b.*?^</\1>", re.MULTILINE | re.DOTALL)


def main(notebook: Path, page: Path) -> None:
    lesson = nbformat.read(notebook, as_version=4)
    for cell in lesson.cells:
        if cell.cell_type == "code" and (magic := re.match(r"%%(cuda|bash)\b", cell.source)):
            cell.metadata["magics_language"] = magic[1]
    heading, _, rest = lesson.cells[0].source.partition("\n")
    if not heading.startswith("# "):
        sys.exit(f"convert {notebook}: its first cell has no title")
    lesson.cells[0].source = f"{heading}\n\n!!! note\n    {NOTE}\n{rest}"
    resources = {"unique_key": page.stem, "output_files_dir": f"{page.stem}_files"}
    text, resources = MarkdownExporter().from_notebook_node(lesson, resources)
    text = COLOUR.sub("", text).replace("<details>", '<details markdown="1">')
    # Empty lines would end a block of HTML.
    text = HTML.sub(lambda block: re.sub(r"\n\s*\n", "\n", block[0]), text)
    FilesWriter(build_directory=str(page.parent)).write(text, resources, notebook_name=page.stem)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
