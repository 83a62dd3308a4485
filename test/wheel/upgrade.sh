#!/usr/bin/env bash
# Installs the wheel of an earlier version by pip, runs a notebook, upgrades to the newest wheel of dist/ while a kernel of the earlier one
# runs, runs the notebook again, and checks that uninstalling leaves no file. The earlier version is UPGRADE_FROM, a commit; by default the
# last tag before HEAD, or the tenth commit before it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

case $(uname -m) in
x86_64) machine=x86_64 ;;
*) machine=aarch64 ;;
esac
new=$(ls -t dist/gopherwarp-*_"$machine".whl | head -n 1)
from=${UPGRADE_FROM:-$(git describe --tags --abbrev=0 HEAD~1 2>/dev/null || git rev-parse HEAD~10)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { echo "    [$SECONDS s] $*"; }

echo "==> Upgrade: $(git log -1 --format='%h' "$from") to $new"
git clone --quiet . "$work/old"
git -C "$work/old" checkout --quiet "$from"
(cd "$work/old" && WHEEL_VERSION=0.0.1 GO=${GO:-go} install/wheel.sh) >"$work/log" 2>&1 || {
	cat "$work/log" >&2
	exit 1
}
old=$(ls "$work"/old/dist/gopherwarp-0.0.1-*.whl)
say "built $(basename "$old")"

"${PYTHON:-python3}" -m venv "$work/venv"
pip=("$work/venv/bin/pip" --disable-pip-version-check)
files() { (cd "$work/venv" && find . -path '*/__pycache__*' -prune -o -type f -print | sort); }
"${pip[@]}" install --quiet --require-hashes -r test/wheel/requirements.txt
files >"$work/before"
"${pip[@]}" install --quiet --no-index "$old"
version() { "$work/venv/bin/gopherwarp" version; }
[[ $(version) == "gopherwarp 0.0.1" ]]

(cd "$work" && env -u VIRTUAL_ENV -u JUPYTER_PATH -u PYTHONPATH JUPYTER_PREFER_ENV_PATH=1 timeout 900 venv/bin/python - "$OLDPWD/test/wheel/first.ipynb" "$OLDPWD/$new" <<'PYTHON'
import subprocess
import sys
import time

import nbformat
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

START = time.monotonic()


def say(text):
    print(f"        {time.monotonic() - START:.0f} s: {text}", flush=True)


def run(path):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, kernel_name="gopherwarp", timeout=500).execute()
    text = "".join(o.get("text", "") for o in notebook.cells[-1].outputs)
    assert text == "[11 22 33]\n", notebook.cells[-1].outputs


def cell(client, code):
    texts = []
    reply = client.execute_interactive(code, timeout=300, output_hook=lambda m: texts.append(m["content"].get("text", "")))
    assert reply["content"]["status"] == "ok", reply["content"]
    return "".join(texts)


path, wheel = sys.argv[1:]
run(path)
say("a notebook ran with the earlier version")
manager, client = start_new_kernel(kernel_name="gopherwarp", startup_timeout=300)
try:
    cell(client, "kept := 40")
    subprocess.run(["venv/bin/pip", "--disable-pip-version-check", "install", "--quiet", "--no-index", "--upgrade", wheel], check=True)
    assert cell(client, "fmt.Println(kept + 2)") == "42\n"
    cell(client, "%%cuda\n__global__ void add(int *x, int n) { *x += n; }")
    assert cell(client, "x := gpu.ToDevice([]int32{40})\nadd.Launch(gpu.For(1, 1), x, 2)\nfmt.Println(x.ToHost())") == "[42]\n"
    say("the kernel of the earlier version goes on, with its variables and a device that it first uses now")
    cell(client, "%reset")
    assert cell(client, "fmt.Println(1)") == "1\n"
    say("it starts a new session")
finally:
    client.stop_channels()
    manager.shutdown_kernel()
run(path)
say("a notebook ran with the new version")
PYTHON
)
expected=$(basename "$new")
expected=${expected#gopherwarp-}
[[ $(version) == "gopherwarp ${expected%%-*}" ]]
say "upgraded to $(version)"

"${pip[@]}" uninstall --quiet --yes gopherwarp
files >"$work/after"
if ! diff "$work/before" "$work/after"; then
	echo "pip uninstall leaves these files." >&2
	exit 1
fi
echo "    upgrade passed in $SECONDS s"
