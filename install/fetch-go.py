"""Fetches a Go toolchain from a module proxy, as the go command does, for machines without one.

    python3 install/fetch-go.py go1.27.3 FOLDER

The checksum is that of internal/gorelease/toolchains.txt. gopherwarp does the same for cells by
itself (internal/goroot); this is for building it.
"""

import base64
import hashlib
import os
import platform
import shutil
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import zipfile

MODULE = "golang.org/toolchain"
CHECKSUMS = os.path.join(os.path.dirname(__file__), "..", "internal", "gorelease", "toolchains.txt")
PROCESSORS = {"x86_64": "amd64", "aarch64": "arm64"}


def checksum(version, target):
    """Returns the checksum of a toolchain."""
    with open(CHECKSUMS, encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            if fields[:2] == [version, target]:
                return fields[2]
    sys.exit(f"fetch-go: {CHECKSUMS} has no {version} for {target}")


def proxies():
    """Yields the addresses of GOPROXY."""
    for entry in os.environ.get("GOPROXY", "https://proxy.golang.org,direct").replace("|", ",").split(","):
        if entry == "off":
            return
        if entry == "direct":
            yield "https://go.dev/dl/mod"
            return
        if entry:
            yield entry.rstrip("/")


def download(name, to):
    """Writes the zip file of a toolchain from the first proxy that has it."""
    problem = "GOPROXY=off forbids it"
    for proxy in proxies():
        address = f"{proxy}/{MODULE}/@v/{urllib.parse.quote(name)}.zip"
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                shutil.copyfileobj(answer, to)
                return
        except (urllib.error.URLError, OSError) as err:
            problem = f"{address}: {err}"
            to.seek(0)
            to.truncate()
    sys.exit(f"fetch-go: can't be downloaded: {problem}. Install Go from https://go.dev/dl and put its bin folder on the PATH.")


def digest(archive):
    """Returns the checksum of a zip file as go.sum has it: of the sorted list of its files' checksums."""
    total = hashlib.sha256()
    for name in sorted(archive.namelist(), key=str.encode):
        part = hashlib.sha256()
        with archive.open(name) as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                part.update(block)
        total.update(f"{part.hexdigest()}  {name}\n".encode())
    return "h1:" + base64.b64encode(total.digest()).decode()


def unpack(archive, prefix, folder):
    """Unpacks what lies below the prefix into a folder that it makes or replaces."""
    parent = os.path.dirname(folder)
    work = tempfile.mkdtemp(dir=parent)
    try:
        archive.extractall(work)
        root = os.path.join(work, *prefix.split("/"))
        for programs in (os.path.join(root, "bin"), os.path.join(root, "pkg", "tool")):
            for where, _, names in os.walk(programs):
                for name in names:
                    os.chmod(os.path.join(where, name), 0o755)
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(root, folder)
    finally:
        shutil.rmtree(work)


def main():
    """Fetches the toolchain that the arguments name."""
    version, folder = sys.argv[1:]
    target = "linux-" + PROCESSORS.get(platform.machine(), platform.machine())
    wanted = checksum(version, target)
    print(f"==> Fetching {version} (once, 70 MB)", flush=True)
    os.makedirs(os.path.dirname(os.path.abspath(folder)), exist_ok=True)
    with tempfile.TemporaryFile(dir=os.path.dirname(os.path.abspath(folder))) as file:
        name = f"v0.0.1-{version}.{target}"
        download(name, file)
        with zipfile.ZipFile(file) as archive:
            got = digest(archive)
            if got != wanted:
                sys.exit(f"fetch-go: what was downloaded has the checksum {got}, not {wanted}")
            unpack(archive, f"{MODULE}@{name}", os.path.abspath(folder))


if __name__ == "__main__":
    main()
