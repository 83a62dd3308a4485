#!/usr/bin/env python3
"""Deletes what cells don't need of a Go build cache: all but the compiled packages that the manifests of sessions name.

    prune-cache.py ~/.cache/gopherwarp "$(go env GOCACHE)"

For images and installations that many users share, where caches are built once. What is deleted is compiled again when it is needed, as
for packages that are not Go's.
"""

import json
import pathlib
import sys


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sessions, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    manifests = list(sessions.glob("session/*/exports.json"))
    if not manifests:
        sys.exit(f"prune-cache.py: {sessions} holds no session: run a notebook first")
    kept = {pathlib.Path(file) for m in manifests for file in json.loads(m.read_text())["Exports"].values()}
    for file in build.glob("**/*"):
        if file.is_file() and file not in kept:
            file.unlink()


if __name__ == "__main__":
    main()
