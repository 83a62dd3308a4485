#!/usr/bin/env bash
# Makes gopherwarp_VERSION_ARCH.deb in a directory: the program, and the kernel for all users' Jupyters.
#
#   install/release/deb.sh PROGRAM amd64|arm64 VERSION DIRECTORY
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

GO=${GO:-go}
program=$1 arch=$2 version=$3 out=$4
root=$(mktemp -d dist/.deb.XXXXXX)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
doc=$root/usr/share/doc/gopherwarp
install -D -m 755 "$program" "$root/usr/bin/gopherwarp"
install -D -m 644 LICENSE "$doc/copyright"
gzip -n9 <THIRD_PARTY_NOTICES >"$doc/THIRD_PARTY_NOTICES.gz"
gzip -n9 <docs/CHANGELOG.md >"$doc/changelog.gz"

GOARCH='' "$GO" run -ldflags "-X main.version=$version" ./cmd/gopherwarp install --prefix "$root/usr" --no-caches >/dev/null
"${PYTHON:-python3}" - "$root/usr/share/jupyter/kernels/gopherwarp/kernel.json" <<'PYTHON'
import json, sys

with open(sys.argv[1]) as f:
    spec = json.load(f)
spec["argv"][0] = "/usr/bin/gopherwarp"
with open(sys.argv[1], "w") as f:
    json.dump(spec, f, indent=2)
    f.write("\n")
PYTHON

mkdir "$root/DEBIAN"
# A development version is older than its release.
cat >"$root/DEBIAN/control" <<EOF
Package: gopherwarp
Version: ${version/.dev/~dev}
Architecture: $arch
Maintainer: The gopherwarp authors <gopherwarp@users.noreply.github.com>
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
Depends: g++, libc6-dev
Recommends: ca-certificates, mold
Suggests: python3-venv
Section: devel
Priority: optional
Homepage: https://github.com/gopherwarp/gopherwarp
Description: Jupyter kernel for Go with GPU programming
 Go cells are compiled and keep their state. Cells of CUDA C++ declare kernels,
 which later Go cells launch with arguments that the Go compiler checks. On a
 machine without a GPU the same notebook runs on a simulator.
 .
 Go itself is taken from the PATH, or downloaded by the first cell. JupyterLab
 can be any, such as one that pip has installed.
EOF
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +
find "$root" -type f ! -path '*/bin/*' -exec chmod 644 {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/gopherwarp_${version/.dev/~dev}_$arch.deb" >/dev/null
