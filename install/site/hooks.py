"""Hooks of MkDocs: pages that are not under docs/, links that leave docs/, and the lessons.

dist/lessons has the lessons' executed notebooks as Markdown, and dist/npm the scripts that draw diagrams and formulas; build.sh makes both.
"""

import os
import posixpath
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, InclusionLevel

ROOT = Path(__file__).resolve().parent.parent.parent
LESSONS = ROOT / "dist" / "lessons"
REPOSITORY = "https://github.com/gopherwarp/gopherwarp/blob/main/"
# Pages at the root of the repository.
ROOT_PAGES = ["SECURITY.md", "CONTRIBUTING.md"]
ADDED = {
    "site.css": ROOT / "install" / "site" / "site.css",
    "formulas.js": ROOT / "install" / "site" / "formulas.js",
    "katex.min.js": ROOT / "dist" / "npm" / "node_modules" / "katex" / "dist" / "katex.min.js",
    "mermaid.tiny.js": ROOT / "dist" / "npm" / "node_modules" / "@mermaid-js" / "tiny" / "dist" / "mermaid.tiny.js",
}

FENCE = re.compile(r"^(```\w+) (?:norun|program|fails)$", re.MULTILINE)
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()([^)\s:#]+)(#[^)\s]*)?(\))")


def lessons() -> list[Path]:
    """Return the lessons' pages, in the order of the course."""
    order = re.findall(r"\((\d[\w-]*)/([\w-]+)\.ipynb\) \(", (ROOT / "notebooks" / "README.md").read_text())
    pages = [LESSONS / f"{name}.md" for _, name in order]
    for page in pages:
        if not page.is_file():
            raise PluginError(f"find {page}: run make docs, which makes the lessons' pages")
    return pages


def title(page: Path) -> str:
    """Return the first heading of the page."""
    return re.search(r"^# (.+)$", page.read_text(), re.MULTILINE)[1]


def on_config(config):
    for entry in config.nav:
        if "Lessons" in entry:
            entry["Lessons"] = [{title(page): f"lessons/{page.name}"} for page in lessons()]
    return config


def on_files(files, config):
    def add(uri: str, path: Path) -> None:
        files.append(File.generated(config, uri, abs_src_path=str(path), inclusion=InclusionLevel.INCLUDED))

    for name in ROOT_PAGES:
        add(name, ROOT / name)
    for uri, path in ADDED.items():
        add(uri, path)
    for path in sorted(LESSONS.rglob("*")):
        if path.is_file() and (path.suffix == ".md" or path.parent != LESSONS):
            add(f"lessons/{path.relative_to(LESSONS).as_posix()}", path)
    return files


def on_page_markdown(markdown, page, config, files):
    """Remove what tells tests how to run a block, and mend links that hold in the repository only."""
    uri = page.file.src_uri
    place = uri if uri in ROOT_PAGES else "docs/" + uri
    parts, end = [], 0
    for code in CODE.finditer(markdown):
        parts += [mend(markdown[end : code.start()], uri, place, files), code[0]]
        end = code.end()
    parts.append(mend(markdown[end:], uri, place, files))
    return FENCE.sub(r"\1", "".join(parts))


def mend(text: str, uri: str, place: str, files) -> str:
    if uri.startswith("lessons/"):

        def beside(path: str) -> str:
            """Lessons lie in one directory here, beside that of the reference pages."""
            path = re.sub(r"^(?:\.\./)*(?:[\w.-]+/)*([\w-]+)\.ipynb$", r"\1.md", path)
            return re.sub(r"^(?:\.\./)+reference/", "../reference/", path)

        return LINK.sub(lambda m: m[1] + beside(m[2]) + (m[3] or "") + m[4], text)

    def target(link: re.Match) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(place), link[2]))
        if path.startswith("notebooks/") and path.endswith(".ipynb"):
            there = "lessons/" + posixpath.basename(path).removesuffix(".ipynb") + ".md"
        else:
            there = path.removeprefix("docs/")
        if files.get_file_from_path(there):
            result = os.path.relpath(there, posixpath.dirname(uri) or ".")
        elif (ROOT / path).exists() and not path.startswith(".."):
            result = REPOSITORY + path
        else:
            return link[0]  # MkDocs reports it
        return link[1] + result + (link[3] or "") + link[4]

    return LINK.sub(target, text)
