"""Papermill runs the gallery with a parameter, and nbconvert makes a page of it: gallery.py GALLERY, in a directory where it may write."""

import sys

import nbformat
import papermill
from nbconvert import get_exporter

notebook = nbformat.read(sys.argv[1], as_version=4)
# Papermill reports a notebook with errors as failed, also where they are expected.
notebook.cells = [c for c in notebook.cells if "raises-exception" not in c.metadata.get("tags", [])]
nbformat.write(notebook, "gallery-in.ipynb")
done = papermill.execute_notebook("gallery-in.ipynb", "gallery.ipynb", parameters={"side": 32}, progress_bar=False)
empty = [c.source for c in done.cells if c.cell_type == "code" and c.execution_count is None]
assert not empty, empty
assert any("32×32" in str(o.get("data", {}).get("text/plain", "")) for c in done.cells for o in c.get("outputs", [])), "no picture has the size of the parameter"

page, _ = get_exporter("go-html")().from_filename("gallery.ipynb")
for part in ('<span class="kr">__global__</span>', 'class="gw-chart', "gopherwarp-lens", "<audio", "data:image/png;base64,"):
    assert part in page, f"the page has no {part}"
