#!/usr/bin/env bash
# Makes dist/gopherwarp-offline-linux-ARCH.tar.xz: everything that gopherwarp needs on a Linux machine with gcc and g++ but
# without network. ARCH is that of GOARCH, amd64 or arm64, or else of this machine.
#
#   go/          the Go toolchain, less what building for other systems and testing Go itself needs
#   modules/     the Go modules that gopherwarp is built from
#   gopherwarp/  the sources, bin/gopherwarp and the notebooks
#   env.sh       sets the environment; setup.sh checks the machine and installs the kernel
#   test-gpu.sh  runs the tests of the GPU packages
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

arch=$(go env GOARCH)
name=gopherwarp-offline-linux-$arch
limit=$((45 * 1000 * 1000))
case $(go env GOOS)/$arch in
linux/amd64 | linux/arm64) ;;
*)
	echo "The bundle is for linux/amd64 or linux/arm64; this is $(go env GOOS)/$arch." >&2
	exit 1
	;;
esac
if ! command -v xz >/dev/null; then
	echo "The bundle is packed by xz, which is missing here (Debian: apt-get install xz-utils)." >&2
	exit 1
fi

mkdir -p dist
stage=$(mktemp -d dist/.bundle.XXXXXX)
trap 'chmod -R u+w "$stage" && rm -rf "$stage"' EXIT
top=$PWD/$stage/$name
mkdir -p "$top"

echo "==> Bundle: Go toolchain"
goroot=$(go env GOROOT)
if [[ $arch != $(go env GOHOSTARCH) ]]; then
	# This is the other processor's toolchain, as a module, of the same release.
	toolchain=golang.org/toolchain@v0.0.1-$(go env GOVERSION).linux-$arch
	go mod download "$toolchain"
	goroot=$(go env GOMODCACHE)/$toolchain
fi
unused=() elsewhere=()
# Files for other systems and processors are excluded by their names, as the go command does when it builds.
while read -r system; do
	unused+=("--exclude=*_$system.go" "--exclude=*_${system}_*.go" "--exclude=*_$system.s" "--exclude=*_${system}_*.s")
	elsewhere+=(-o -name "*_$system.go" -o -name "*_${system}_$arch.go")
done < <(go tool dist list | tr / '\n' | sort -u | grep -vx -e linux -e "$arch")
mkdir -p "$top/go/pkg/tool/linux_$arch"
tar -C "$goroot" -cf - bin/go pkg/include "pkg/tool/linux_$arch/"{asm,cgo,compile,link,vet} VERSION LICENSE |
	tar -C "$top/go" -xf -
tar -C "$goroot" --exclude=src/cmd --exclude=testdata --exclude='*_test.go' "${unused[@]}" -cf - src |
	tar -C "$top/go" -xf -
cat >"$top/go/go.env" <<'EOF'
# This toolchain works without network.
GOPROXY=off
GOSUMDB=off
GOTOOLCHAIN=local
EOF

echo "==> Bundle: sources and bin/gopherwarp"
mkdir -p "$top/gopherwarp"
# Only files that git tracks are included: others may be anything, and large.
git ls-files -z | tar --null --files-from=- --ignore-failed-read -cf - 2>/dev/null | tar -C "$top/gopherwarp" -xf -
while read -r path; do
	echo "    left out, since git doesn't track it (git add it first): $path"
done < <(git ls-files --others --exclude-standard --directory)
mkdir -p "$top/gopherwarp/bin"
# It is built without debugging information, which would be a sixth of the bundle, and without cgo, which would require this
# machine's glibc.
CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$(git describe --tags --always --dirty 2>/dev/null || echo unknown)" \
	-o "$top/gopherwarp/bin/gopherwarp" ./cmd/gopherwarp

echo "==> Bundle: modules"
# Include only modules that the build of this tree loads, from the module cache that contains them.
go mod download
go list -deps -test -f '{{if .Module}}{{.Dir}}{{end}}' ./... | sed "s|^$(go env GOMODCACHE)|$top/modules|" | sort -u >"$stage/used"
fetch=(env GOMODCACHE="$top/modules" GOFLAGS=-modcacherw GOPROXY="file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)")
"${fetch[@]}" go list -deps -test ./... >/dev/null
find "$top/modules" -name testdata -prune -exec rm -rf {} +
find "$top/modules" \( -name '*.zip' -o -name '*.lock' -o -name '*_test.go' "${elsewhere[@]}" \) -delete
# Of modules that are large and whose other packages cells seldom import, only the packages that are used here are included.
for module in github.com/apache/arrow-go github.com/goccy/go-json github.com/google/flatbuffers github.com/gomlx/go-xla \
	github.com/klauspost/compress github.com/pierrec/lz4 golang.org/x/exp golang.org/x/text golang.org/x/tools google.golang.org/protobuf; do
	find "$top/modules/$module"* -type d | sort | comm -23 - "$stage/used" | while read -r dir; do
		find "$dir" -maxdepth 1 -type f ! -name go.mod ! -name 'LICENSE*' ! -name 'NOTICE*' -delete
	done
done
find "$top/modules" -type d -empty -delete

cp install/bundle/{env.sh,setup.sh,test-gpu.sh,README.txt} "$top/"

echo "==> Bundle: packing"
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime='2020-01-01 00:00Z' -cf - "$name" |
	xz -9 -T1 >"dist/$name.tar.xz.new"
mv "dist/$name.tar.xz.new" "dist/$name.tar.xz"
size=$(stat -c %s "dist/$name.tar.xz")
echo "    dist/$name.tar.xz: $((size / 100000 / 10)).$((size / 100000 % 10)) MB"
if ((size > limit)); then
	echo "That is more than $((limit / 1000000)) MB:" >&2
	du -sh "$top"/* >&2
	du -ah "$top/gopherwarp" | sort -h | tail -n 20 >&2
	exit 1
fi
