"""A client of a Jupyter server: REST requests, and cells that a kernel runs, through its websocket. Needs websocket-client alone."""

import json
import time
import urllib.request
import uuid

import websocket


class Server:
    """A Jupyter server at a URL that http:// begins and no / ends."""

    def __init__(self, url: str, token: str):
        self.url = url
        self.headers = {"Authorization": f"token {token}"}

    def request(self, method: str, path: str, body=None, timeout: float = 60, headers=None) -> str:
        """Returns the text of the answer of a request. An urllib.error.HTTPError is an answer that refuses it."""
        data = None if body is None else json.dumps(body).encode()
        headers = dict(self.headers if headers is None else headers, **{"Content-Type": "application/json"})
        request = urllib.request.Request(f"{self.url}/{path}", data=data, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.read().decode()

    def rest(self, method: str, path: str, body=None, timeout: float = 60):
        """Returns the answer of a request, which is JSON, or None if it is empty."""
        return json.loads(self.request(method, path, body, timeout) or "null")


class Cell:
    """What a cell has shown: its texts, in their order, and its error or None."""

    def __init__(self):
        self.text = ""
        self.error = None
        self.seconds = 0.0


class Kernel:
    """A kernel of a server, which begins in a directory below the server's."""

    def __init__(self, server: Server, directory: str = "", timeout: float = 600):
        self.server = server
        self.id = server.rest("POST", "api/kernels", {"name": "gopherwarp", "path": directory}, timeout)["id"]
        url = "ws" + server.url.removeprefix("http")
        self.socket = websocket.create_connection(f"{url}/api/kernels/{self.id}/channels", header=server.headers, timeout=timeout)

    def execute(self, code: str) -> Cell:
        """Runs a cell."""
        header = {"msg_id": uuid.uuid4().hex, "username": "test", "session": "test", "msg_type": "execute_request", "version": "5.3"}
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}
        start = time.monotonic()
        self.socket.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content, "buffers": [], "channel": "shell"}))
        cell = Cell()
        waits = {"reply", "idle"}
        while waits:
            message = json.loads(self.socket.recv())
            if message["parent_header"].get("msg_id") != header["msg_id"]:
                continue
            kind, content = message["header"]["msg_type"], message["content"]
            if kind == "execute_reply":
                waits.discard("reply")
                if content["status"] != "ok":
                    cell.error = "\n".join(content.get("traceback", [])) or content["status"]
            elif kind == "status" and content["execution_state"] == "idle":
                waits.discard("idle")
            elif kind == "stream":
                cell.text += content["text"]
            elif kind in ("execute_result", "display_data"):
                cell.text += content["data"].get("text/plain", "")
        cell.seconds = time.monotonic() - start
        return cell

    def close(self) -> None:
        """Ends the kernel."""
        self.socket.close()
        self.server.rest("DELETE", f"api/kernels/{self.id}")


def sources(notebook: str) -> list[str]:
    """Returns the text of each code cell of a notebook's file."""
    with open(notebook, encoding="utf-8") as file:
        return ["".join(c["source"]) for c in json.load(file)["cells"] if c["cell_type"] == "code"]
