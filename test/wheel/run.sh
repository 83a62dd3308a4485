#!/usr/bin/env bash
# Installs the newest wheel of dist/ by pip into an empty environment, runs a notebook there through Jupyter's own client,
# without activating the environment, and checks for files that uninstalling leaves. The caches are this user's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

case $(uname -m) in
x86_64) machine=x86_64 ;;
*) machine=aarch64 ;;
esac
wheel=$(ls -t dist/gopherwarp-*_"$machine".whl | head -n 1)
echo "==> Wheel: $wheel in an environment of its own"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { echo "    [$SECONDS s] $*"; }

"${PYTHON:-python3}" -m venv "$work/venv"
# The client is installed first, so that the files of the wheel can be determined.
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r test/wheel/requirements.txt
(cd "$work/venv" && find . -path '*/__pycache__*' -prune -o -type f -print | sort) >"$work/before"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$wheel"
say "installed: $("$work/venv/bin/python" -m gopherwarp version)"

# Variables of this shell must not show the environment.
inside() { (cd "$work" && env -u VIRTUAL_ENV -u JUPYTER_PATH -u PYTHONPATH JUPYTER_PREFER_ENV_PATH=1 "$@"); }
inside venv/bin/jupyter kernelspec list
inside timeout 600 venv/bin/python - "$PWD/test/wheel/first.ipynb" <<'PYTHON'
import sys
import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, kernel_name="gopherwarp", timeout=500).execute()
text = "".join(o.get("text", "") for o in notebook.cells[-1].outputs)
assert text == "[11 22 33]\n", notebook.cells[-1].outputs
PYTHON
say "a notebook ran"
inside timeout 300 venv/bin/python "$PWD/test/wheel/parameters.py" "$work" 2>"$work/papermill.log" || { cat "$work/papermill.log" >&2; exit 1; }
say "papermill passed parameters"
inside venv/bin/python "$PWD/test/wheel/documents.py" "$work"
say "nbconvert made documents"
inside timeout 500 venv/bin/python "$PWD/test/wheel/gallery.py" "$PWD/test/notebooks/gallery.ipynb" 2>"$work/papermill.log" || { cat "$work/papermill.log" >&2; exit 1; }
say "papermill ran the gallery, and nbconvert made a page of it"
[[ -e $work/venv/share/jupyter/labextensions/gopherwarp/package.json ]] || { echo "The wheel has no extension of JupyterLab." >&2; exit 1; }

"$work/venv/bin/pip" uninstall --quiet --yes gopherwarp
(cd "$work/venv" && find . -path '*/__pycache__*' -prune -o -type f -print | sort) >"$work/after"
if ! diff "$work/before" "$work/after"; then
	echo "pip uninstall leaves these files." >&2
	exit 1
fi
echo "    wheel passed in $SECONDS s"
