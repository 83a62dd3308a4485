"""Becomes the program: python -m gopherwarp kernel -f FILE. The kernelspec says this, since Jupyter puts in its own Python."""

import os
import sys
import sysconfig

from gopherwarp import program


def main() -> None:
    try:
        path = program()
    except FileNotFoundError as err:
        sys.exit(f"gopherwarp: {err}")
    # In an environment that is used without being activated, go and gopls are beside the program.
    directories = [str(path.parent), sysconfig.get_path("scripts")]
    os.environ["PATH"] = os.pathsep.join([*dict.fromkeys(directories), os.environ.get("PATH", os.defpath)])
    os.execv(path, [str(path), *sys.argv[1:]])


if __name__ == "__main__":
    main()
