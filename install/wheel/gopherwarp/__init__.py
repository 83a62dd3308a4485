"""A Jupyter kernel for Go with GPU programming. This package only finds its program, which is not in Python."""

from importlib.metadata import files
from pathlib import Path


def program() -> Path:
    """Return the path of the program gopherwarp that was installed with this package.

    Raises FileNotFoundError if it is missing, as after a copy of the package's directory alone.
    """
    for file in files("gopherwarp") or []:
        if file.name == "gopherwarp" and file.parent.name == "bin":
            path = Path(file.locate()).resolve()
            if path.is_file():
                return path
    raise FileNotFoundError("find the program gopherwarp: the package is installed without it; run: pip install --force-reinstall gopherwarp")
