#!/usr/bin/env bash
# Runs the session's and the simulator's tests, programs of Go's own tests and the first lesson on arm64: in a Debian for
# arm64 that debootstrap makes and qemu runs.
#
#   test/arm64/run.sh          compilers and Go's tools are this machine's, which make programs for arm64
#   test/arm64/run.sh own      they are arm64's own, and emulated as well: 10 to 20 times as slow
#
# GOPHERWARP_CORPUS and GOPHERWARP_CORPUS_DIR are as for go test; TESTS are patterns of go test's -run. The system is kept in
# ~/.cache/gopherwarp-test. It is entered by chroot in a mount and process namespace of its own, so that nothing stays
# mounted or running. The steps in there are in inside.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. test/arm64/emulation.sh

echo "==> arm64 in a system of its own"
need
((EUID == 0)) || skip "debootstrap and chroot need root"
for tool in debootstrap unshare; do
	command -v "$tool" >/dev/null || skip "$tool is not on this machine"
done
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Identifier: Packages' | # apt fills these in
	awk -v suite="$suite" '$1 == suite && !found { print $2; found = 1 }')
[[ -n $mirror ]] || skip "apt knows no source of $suite"

cache=${XDG_CACHE_HOME:-$HOME/.cache}/gopherwarp-test
root=$cache/arm64-$suite
if [[ ! -e $root/etc/made ]]; then
	rm -rf --one-file-system "$root"
	mkdir -p "$cache"
	if ! debootstrap --arch=arm64 --variant=minbase --include=ca-certificates,g++,libc6-dev,git,make "$suite" "$root" "$mirror" >"$cache/log" 2>&1; then
		tail -n 5 "$cache/log"
		exit 1
	fi
	touch "$root/etc/made"
	echo "    $suite for arm64 made in $SECONDS s"
fi

# Copy the files that git tracks or does not ignore.
repository=$root/root/gopherwarp
rm -rf "$repository"
mkdir -p "$repository" "$root/usr/local/go" "$root/root/go/pkg/mod"
git ls-files -z --cached --others --exclude-standard --deduplicate |
	tar --null --files-from=- --ignore-failed-read -cf - 2>/dev/null |
	tar -C "$repository" -xf -
cp -L /etc/resolv.conf "$root/etc/"
# Copy this machine's trusted certificates, including its proxy's.
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"

modules=$(go env GOMODCACHE)
go mod download
settings=(GOFLAGS=-buildvcs=false GOSUMDB="$(go env GOSUMDB)" GOPROXY="$(go env GOPROXY)" GOTOOLCHAIN=local)
folders=()
if [[ ${1:-} == own ]]; then
	toolchain=golang.org/toolchain@v0.0.1-$(go env GOVERSION).linux-arm64
	go mod download "$toolchain"
	goroot=$modules/$toolchain
else
	goroot=$(go env GOROOT)
	# These directories do not exist in the system for arm64.
	folders=(/usr/lib/x86_64-linux-gnu /usr/lib/gcc-cross /usr/aarch64-linux-gnu "$(readlink -f /lib64)")
	cp -a /usr/bin/aarch64-linux-gnu-* "$root/usr/bin/"
	ln -sfn "$(readlink -f /lib64)" "$root/lib64"
	settings+=(GOARCH=arm64 CGO_ENABLED=1 CC=aarch64-linux-gnu-gcc CXX=/root/gopherwarp/test/arm64/g++)
fi

if [[ -n ${GOPHERWARP_CORPUS_DIR:-} ]]; then
	folders+=("$GOPHERWARP_CORPUS_DIR")
	settings+=(GOPHERWARP_CORPUS_DIR="$GOPHERWARP_CORPUS_DIR")
fi

enter() { # enter ROOT GOROOT MODULES FOLDER...
	mount -t proc proc "$1/proc"
	mount --rbind /dev "$1/dev"
	mount --bind "$2" "$1/usr/local/go"
	mount --bind "$3" "$1/root/go/pkg/mod"
	for folder in "${@:4}"; do
		mkdir -p "$1$folder"
		mount --bind "$folder" "$1$folder"
	done
	exec chroot "$1" /bin/bash /root/gopherwarp/test/arm64/inside.sh
}
env -i HOME=/root TMPDIR=/tmp LANG=C.UTF-8 PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin \
	TESTS="${TESTS:-}" GOPHERWARP_CORPUS="${GOPHERWARP_CORPUS:-}" "${settings[@]}" \
	unshare --mount --pid --fork --kill-child /bin/bash -euc "$(declare -f enter); enter \"\$@\"" enter "$root" "$goroot" "$modules" "${folders[@]}"
echo "    arm64 passed in $SECONDS s"
