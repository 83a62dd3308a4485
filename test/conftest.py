"""Fixtures of the notebook tests: the notebooks, running them, a Jupyter without the user's settings."""

import os
import pathlib

import nbclient
import nbformat
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def jupyter_environment(tmp_path_factory):
    """Separates the tests' Jupyter settings and kernels from the user's."""
    home = tmp_path_factory.mktemp("jupyter")
    for name in ("CONFIG", "DATA", "RUNTIME"):
        os.environ[f"JUPYTER_{name}_DIR"] = str(home / name.lower())
    os.environ["JUPYTERLAB_SETTINGS_DIR"] = str(home / "settings")
    os.environ["JUPYTERLAB_WORKSPACES_DIR"] = str(home / "workspaces")
    os.environ["IPYTHONDIR"] = str(home / "ipython")
    os.environ["GOPHERWARP_HISTORY"] = str(home / "history.sqlite")
    os.environ["GOPHERWARP_PROGRESS"] = str(home / "progress.jsonl")
    os.environ["GOPHERWARP_TUTOR"] = str(home / "tutor.json")


@pytest.fixture(scope="session")
def gopherwarp() -> pathlib.Path:
    binary = ROOT / "bin" / "gopherwarp"
    assert binary.exists(), f"{binary} is missing; run make build"
    return binary


@pytest.fixture(scope="session")
def lesson() -> pathlib.Path:
    """The first lesson, with its exercises solved."""
    return ROOT / "notebooks" / "solutions" / "1-basics" / "first-kernel.ipynb"


@pytest.fixture(scope="session")
def failing() -> pathlib.Path:
    """A notebook whose second cell's check fails with FAILING_TEXT."""
    return ROOT / "test" / "notebooks" / "failing-check.ipynb"


@pytest.fixture(scope="session")
def variables() -> pathlib.Path:
    """A notebook that declares variables."""
    return ROOT / "test" / "notebooks" / "variables.ipynb"


FAILING_TEXT = "the sum is 10, want 11"


@pytest.fixture(scope="session")
def artifacts() -> pathlib.Path:
    """The directory for files that a developer may want to see."""
    folder = ROOT / "artifacts"
    folder.mkdir(exist_ok=True)
    return folder


def execute(path: pathlib.Path) -> nbformat.NotebookNode:
    """Runs a notebook as Jupyter's own tools do, with the kernel in its metadata."""
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
    return notebook


@pytest.fixture(scope="session")
def executed_lesson(lesson) -> nbformat.NotebookNode:
    return execute(lesson)
