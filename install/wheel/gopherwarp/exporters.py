"""Exporters of nbconvert whose documents have the colours of each cell's language: nbconvert imports this module through its entry points."""

from copy import deepcopy

from nbconvert import HTMLExporter, LatexExporter, PDFExporter, WebPDFExporter

from gopherwarp.colours import CellLexer


class Coloured:
    """Chooses the lexer of cells. That of the notebook, go, is for environments that do not have this package."""

    def from_notebook_node(self, nb, resources=None, **kw):
        nb = deepcopy(nb)
        info = nb.metadata.setdefault("language_info", {"name": nb.metadata.get("kernelspec", {}).get("language", "go")})
        if info.get("name") == "go":
            info["pygments_lexer"] = CellLexer.aliases[0]
        return super().from_notebook_node(nb, resources, **kw)


class GoHTMLExporter(Coloured, HTMLExporter):
    export_from_notebook = "HTML (Go and CUDA coloured)"


class GoLatexExporter(Coloured, LatexExporter):
    export_from_notebook = "LaTeX (Go and CUDA coloured)"


class GoPDFExporter(Coloured, PDFExporter):
    export_from_notebook = "PDF by LaTeX (Go and CUDA coloured)"


class GoWebPDFExporter(Coloured, WebPDFExporter):
    export_from_notebook = "PDF by a browser (Go and CUDA coloured)"
