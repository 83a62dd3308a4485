#!/usr/bin/env bash
# Checks the machine and installs the kernel for its Jupyter. Needs no network.
# Arguments go to `gopherwarp install`: --user (the default), --sys-prefix or --prefix FOLDER.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./env.sh

for tool in gcc g++; do
	if ! command -v "$tool" >/dev/null; then
		echo "$tool is missing: install it by the system's packages (Debian: apt-get install gcc g++)." >&2
		exit 1
	fi
done
gopherwarp install "$@"
cat <<EOF
Ready. In every shell that starts Jupyter or gopherwarp, first:
    . $PWD/env.sh
Then, with Jupyter:     jupyter lab $PWD/gopherwarp/notebooks
or without:             gopherwarp run NOTEBOOK.ipynb
and to test the GPU:    $PWD/test-gpu.sh
EOF
