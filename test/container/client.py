"""Runs a notebook in a JupyterLab that listens on localhost, through its REST and websocket API.

    client.py PORT NOTEBOOK.ipynb

The token is in JUPYTER_TOKEN, the path of the server in BASE_URL. Prints how long the first cell and all cells took.
"""

import os
import pathlib
import sys
import time
import urllib.error

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import serverclient  # noqa: E402

PORT, NOTEBOOK = sys.argv[1:]
URL = f"http://localhost:{PORT}/{os.environ.get('BASE_URL', '').strip('/')}".rstrip("/")


def main():
    """Runs the cells one after the other."""
    server = serverclient.Server(URL, os.environ["JUPYTER_TOKEN"])
    try:
        server.request("GET", "api/kernels", headers={})
        sys.exit("The server answers without a token.")
    except urllib.error.HTTPError as err:
        assert err.code == 403, err
    start = time.monotonic()
    kernel = serverclient.Kernel(server)
    first = None
    cells = serverclient.sources(NOTEBOOK)
    for code in cells:
        cell = kernel.execute(code)
        if cell.error:
            sys.exit(f"This cell failed:\n{code}\n{cell.error}")
        if "Building the Go session" in cell.text:
            sys.exit(f"The caches in the image are not used:\n{cell.text}")
        first = first or time.monotonic() - start
    kernel.close()
    print(f"{len(cells)} cells; the first took {first:.1f} s with the start of the kernel, all {time.monotonic() - start:.1f} s")


main()
