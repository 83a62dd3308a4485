#!/usr/bin/env bash
# Installs the hub, or a newer one over it: JupyterHub, its proxy, nbgrader, Go and gopherwarp's newest wheel of dist/, with all
# caches built.
#
#   install/hub/install.sh DIR [WHEEL]
#
# All users must be able to read DIR and PYTHON (/usr/bin/python3). DIR/hub.toml holds the settings, and is kept.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
fail() {
	echo "install/hub/install.sh: $*" >&2
	exit 1
}
(($# >= 1)) || fail "which directory is the hub to be in? For example: install/hub/install.sh /opt/gopherwarp"
mkdir -p "$1"
hub=$(cd "$1" && pwd)
case $(uname -m) in
x86_64) machine=x86_64 ;;
*) machine=aarch64 ;;
esac
wheel=${2:-$(ls -t "$here"/dist/gopherwarp-*_"$machine".whl 2>/dev/null | head -n 1)}
[[ -f $wheel ]] || fail "there is no wheel of gopherwarp in dist/: run make wheel, or name one"
command -v npm >/dev/null || fail "npm is missing, which installs the hub's proxy: install Node.js 20 or newer"
major=$(node -p 'process.versions.node.split(".")[0]')
((major >= 20)) || fail "the hub's proxy needs Node.js 20 or newer; this is $(node --version)"
command -v g++ >/dev/null || fail "cells and the simulator need a compiler: install g++ (Debian: apt install g++)"
export PYTHON=${PYTHON:-/usr/bin/python3}

"$here/install/venv.sh" "$hub/venv" "$here/install/requirements-hub.txt"
"$hub/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall "$wheel"

echo "==> Installing the proxy"
mkdir -p "$hub/proxy"
cp "$here/install/hub/package.json" "$here/install/hub/package-lock.json" "$hub/proxy/"
(cd "$hub/proxy" && npm ci --silent --no-audit --no-fund)

rm -rf "$hub/etc"
cp -r "$here/install/hub/etc" "$hub/etc"
cp "$here/notebooks/nbgrader/nbgrader_config.py" "$hub/etc/all/course_config.py"
[[ -e $hub/hub.toml ]] || cp "$here/install/hub/hub.toml" "$hub/hub.toml"

# Without them each user's first cell would take a minute or more.
echo "==> Building the caches that all users share"
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT # Go makes directories of modules read-only
mkdir -p "$hub/cache"
build=(env -u GOPHERWARP_GO -u GOFLAGS -u GOEXPERIMENT -u GOROOT -u CC -u CXX HOME="$work" GOCACHE="$hub/cache/go-build" GOMODCACHE="$work/mod"
	XDG_CACHE_HOME="$hub/cache" GOTOOLCHAIN=local PATH="$hub/venv/bin:/usr/local/bin:/usr/bin:/bin" GOPHERWARP_DEVICE=sim GOPHERWARP_HISTORY=off)
"${build[@]}" gopherwarp install --prefix "$work/spec" >"$work/log" 2>&1 && "${build[@]}" gopherwarp run --device sim "$here/notebooks/solutions/1-basics/first-kernel.ipynb" -o "$work/lesson.ipynb" >>"$work/log" 2>&1 || {
	cat "$work/log" >&2
	exit 1
}
# A user who held one of the locks would keep others waiting. In a directory that they can't write to users need none.
find "$hub/cache" \( -name lock -o -name used \) -type f -delete
rm -rf "$hub/cache/gopherwarp/sim-kernels"
"$here/install/prune-cache.py" "$hub/cache/gopherwarp" "$hub/cache/go-build"
chmod -R u=rwX,go=rX "$hub/cache" "$hub/etc"
echo "==> The hub is in $hub. Its settings are in $hub/hub.toml; then, as root:"
echo "    $hub/venv/bin/jupyterhub -f $hub/etc/jupyterhub_config.py"
