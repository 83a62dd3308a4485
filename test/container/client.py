"""Runs a notebook in a JupyterLab that listens on localhost, through its REST and websocket API.

    client.py PORT NOTEBOOK.ipynb

The token is in JUPYTER_TOKEN, the path of the server in BASE_URL. Prints how long the first cell and all cells took.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

import websocket

PORT, NOTEBOOK = sys.argv[1:]
BASE = f"localhost:{PORT}/{os.environ.get('BASE_URL', '').strip('/')}".rstrip("/")
TOKEN = {"Authorization": "token " + os.environ["JUPYTER_TOKEN"]}


def rest(method, path, body=None, headers=TOKEN):
    """Returns the answer of a request to the server."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://{BASE}/api/{path}", data=data, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or "null")


def execute(socket, code):
    """Executes a cell, and returns its error or None."""
    header = {"msg_id": uuid.uuid4().hex, "username": "test", "session": "test", "msg_type": "execute_request", "version": "5.3"}
    content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}
    socket.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content, "buffers": [], "channel": "shell"}))
    error = None
    waits = {"reply", "idle"}
    while waits:
        message = json.loads(socket.recv())
        if message["parent_header"].get("msg_id") != header["msg_id"]:
            continue
        kind = message["header"]["msg_type"]
        if kind == "execute_reply":
            waits.discard("reply")
            if message["content"]["status"] != "ok":
                error = "\n".join(message["content"].get("traceback", [])) or message["content"]["status"]
        elif kind == "status" and message["content"]["execution_state"] == "idle":
            waits.discard("idle")
    return error


def main():
    """Runs the cells one after the other."""
    try:
        rest("GET", "kernels", headers={})
        sys.exit("The server answers without a token.")
    except urllib.error.HTTPError as err:
        assert err.code == 403, err
    with open(NOTEBOOK, encoding="utf-8") as file:
        cells = ["".join(c["source"]) for c in json.load(file)["cells"] if c["cell_type"] == "code"]
    start = time.monotonic()
    kernel = rest("POST", "kernels", {"name": "gopherwarp"})["id"]
    socket = websocket.create_connection(f"ws://{BASE}/api/kernels/{kernel}/channels", header=TOKEN, timeout=600)
    first = None
    for code in cells:
        error = execute(socket, code)
        if error:
            sys.exit(f"This cell failed:\n{code}\n{error}")
        first = first or time.monotonic() - start
    rest("DELETE", f"kernels/{kernel}")
    print(f"{len(cells)} cells; the first took {first:.1f} s with the start of the kernel, all {time.monotonic() - start:.1f} s")


main()
