#!/usr/bin/env bash
# Starts JupyterLab on the course.
#
#   PORT=8888     the port; the next free one is taken if it is in use
#   BROWSER=no    opens no browser, prints the address only
#   ADDRESS=...   the address to listen on; default: this machine only
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv=${VENV:-.venv}
arguments=(
	--port="${PORT:-8888}"
	--ServerApp.ip="${ADDRESS:-localhost}"
	--ServerApp.root_dir="$PWD/notebooks"
)
if [[ ${BROWSER:-} == no ]]; then
	arguments+=(--no-browser)
	# Jupyter interprets BROWSER as the name of a browser.
	unset BROWSER
fi
if ((EUID == 0)); then
	arguments+=(--allow-root)
fi
# Unix sockets in Jupyter's own directory are not accessible to other users of the machine, ports are. Linux limits their
# paths to 108 bytes, of which the kernel's id takes about 50.
runtime=$("$venv/bin/jupyter" --runtime-dir 2>/dev/null || true)
if [[ -n $runtime ]] && ((${#runtime} < 55)); then
	arguments+=(--KernelManager.transport=ipc)
fi
echo "==> Starting JupyterLab; Ctrl-C twice ends it"
exec "$venv/bin/jupyter" lab "${arguments[@]}" "$@"
