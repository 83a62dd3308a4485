#!/usr/bin/env bash
# Makes dist/gopherwarp-VERSION-…whl for GOARCH, amd64 or arm64, or else for this machine: the program, the kernelspec
# and JupyterLab's extension.
# VERSION is what install/version.sh prints. The program is built without cgo, so it works with all releases of glibc since 2.17, and
# can be built on another machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PYTHON=${PYTHON:-python3}
GO=${GO:-go}
arch=${GOARCH:-$("$GO" env GOHOSTARCH)}
case $arch in
amd64) platform=manylinux_2_17_x86_64 ;;
arm64) platform=manylinux_2_17_aarch64 ;;
*)
	echo "A wheel is for amd64 or arm64; this is $arch." >&2
	exit 1
	;;
esac
limit=$((25 * 1000 * 1000))
version=$(install/version.sh)

echo "==> Wheel: gopherwarp $version for $platform"
mkdir -p dist
stage=$(mktemp -d dist/.wheel.XXXXXX)
trap 'rm -rf "$stage"' EXIT
cp -r install/wheel/. "$stage"
cp LICENSE THIRD_PARTY_NOTICES "$stage"
release=$(cut -d ' ' -f 1 internal/gorelease/toolchains.txt | sort -V | tail -n 1)
sed -i "s/@GO@/${release#go}/" "$stage/pyproject.toml"
mkdir -p "$stage/bin"
CGO_ENABLED=0 GOARCH=$arch "$GO" build -trimpath -ldflags "-s -w -X main.version=$version" -o "$stage/bin/gopherwarp" ./cmd/gopherwarp

# The kernelspec is that of `gopherwarp install`, except for the program, which Python finds.
GOARCH='' "$GO" run -ldflags "-X main.version=$version" ./cmd/gopherwarp install --prefix "$stage/spec" --no-caches >/dev/null
mkdir "$stage/kernels"
mv "$stage/spec/share/jupyter/kernels/gopherwarp" "$stage/kernels/"
mv "$stage/spec/share/jupyter/labextensions" "$stage/"
"$PYTHON" - "$stage/kernels/gopherwarp/kernel.json" <<'PYTHON'
import json, sys

with open(sys.argv[1]) as f:
    spec = json.load(f)
spec["argv"][:1] = ["python", "-m", "gopherwarp"]
with open(sys.argv[1], "w") as f:
    json.dump(spec, f, indent=2)
    f.write("\n")
PYTHON

install/venv.sh dist/wheel-venv install/requirements-wheel.txt >/dev/null
GOPHERWARP_VERSION=$version GOPHERWARP_PLATFORM=$platform SOURCE_DATE_EPOCH=1577836800 \
	dist/wheel-venv/bin/python -m build --wheel --no-isolation --outdir dist "$stage" >"$stage/log" 2>&1 || {
	cat "$stage/log" >&2
	exit 1
}
wheel=dist/gopherwarp-$version-py3-none-$platform.whl
size=$(stat -c %s "$wheel")
echo "    $wheel: $((size / 100000 / 10)).$((size / 100000 % 10)) MB"
if ((size > limit)); then
	echo "That is more than $((limit / 1000000)) MB." >&2
	exit 1
fi
