#!/usr/bin/env bash
# Unpacks the offline bundle without network and without another Go, and runs cells from it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

echo "==> Offline bundle: first cells without network"
archive=$PWD/dist/gopherwarp-offline-linux-amd64.tar.xz
[[ -e $archive ]] || { echo "$archive is missing; run make bundle" >&2; exit 1; }

work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
tar -C "$work" -xf "$archive"
mkdir "$work/home"
cp test/bundle/{inside.sh,exchange.ipynb} test/notebooks/first-cell.ipynb "$work/"

clean=(env -i HOME="$work/home" LANG=C.UTF-8 TMPDIR="$work" PATH=/usr/bin:/bin:/usr/sbin:/sbin)
# In a new network namespace even localhost is down, which Jupyter's protocol needs.
if unshare --net --map-root-user ip link set lo up 2>/dev/null; then
	"${clean[@]}" unshare --net --map-root-user bash "$work/inside.sh" "$work"
else
	echo "    this machine allows no network namespaces (or lacks ip): the network is only forbidden by settings"
	"${clean[@]}" bash "$work/inside.sh" "$work"
fi
echo "    bundle passed in $SECONDS s"
