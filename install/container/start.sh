#!/usr/bin/env bash
# Starts JupyterLab in a container, or with --check reports by its exit status whether it answers.
#
#   JUPYTER_TOKEN  the token; by default JupyterLab chooses one and prints it
#   PORT           the port: 8888
#   BASE_URL       the path below which a proxy serves it: /
#   WORK           the directory that it shows; by default the course
set -euo pipefail

if [[ ${1:-} == --check ]]; then
	exec python -c '
import os, urllib.request
base = os.environ.get("BASE_URL", "/").strip("/")
urllib.request.urlopen("http://localhost:{}/{}api".format(os.environ.get("PORT", "8888"), base + "/" if base else ""), timeout=4)'
fi
if ! [[ -w $HOME ]]; then
	# A user whom the image does not know, outside the group 0, has a home of its own. What was built is taken from the image's.
	cache=$HOME/.cache
	HOME=$(mktemp -d)
	export HOME
	cp -r "$cache" "$HOME/.cache" 2>/dev/null || echo "$cache can't be copied: the first cell builds its caches, which takes a minute." >&2
fi
arguments=(
	--ServerApp.ip=0.0.0.0
	--port="${PORT:-8888}"
	--ServerApp.base_url="${BASE_URL:-/}"
	--ServerApp.root_dir="${WORK:-/home/learner/notebooks}"
	--no-browser
	--KernelManager.transport=ipc
)
if ((EUID == 0)); then
	arguments+=(--allow-root)
fi
exec jupyter lab "${arguments[@]}" "$@"
