#!/usr/bin/env bash
# The part of run.sh that runs without network. Its argument is the directory that contains the bundle.
set -euo pipefail
[[ $(id -u) != 0 ]] || ip link set lo up 2>/dev/null || true
cd "$1/gopherwarp-offline-linux-amd64"

say() { echo "    [$SECONDS s] $*"; }

./setup.sh --prefix "$1/jupyter" >"$1/setup.log" 2>&1 || { cat "$1/setup.log"; exit 1; }
[[ -e $1/jupyter/share/jupyter/kernels/gopherwarp/kernel.json ]] || { echo "setup.sh installed no kernel" >&2; exit 1; }
say "set up"
. ./env.sh
[[ $(command -v go) == "$PWD/go/bin/go" ]] || { echo "env.sh does not give the bundle's go" >&2; exit 1; }

gopherwarp run "$1/first-cell.ipynb" -o "$1/first-cell.out.ipynb"
grep -q 'squares: \[0 1 4 9\]' "$1/first-cell.out.ipynb" || { echo "the first cell's output is missing" >&2; exit 1; }
say "the first cells ran"
gopherwarp run gopherwarp/notebooks/solutions/1-basics/first-kernel.ipynb -o "$1/lesson.out.ipynb"
say "the first lesson ran"
# These packages need modules, which the bundle has.
(cd "$1" && gopherwarp run exchange.ipynb -o exchange.out.ipynb)
grep -q 'exchanged: true \[0 1 2 3 4 5\]' "$1/exchange.out.ipynb" || { echo "arrays were not exchanged" >&2; exit 1; }
say "arrays were exchanged with other libraries"
(cd gopherwarp && go build ./... && go test -vet=off -c -o /dev/null ./gpu)
say "the sources build"
