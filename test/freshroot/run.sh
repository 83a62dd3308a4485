#!/usr/bin/env bash
# Follows the documentation on a fresh Debian (or Ubuntu):
#
#	run.sh clone      the README's `make lab`, with git, Python 3 and make (clone.sh)
#	run.sh wheel      docs/start.md's commands for pip, with Python 3 and the wheel of dist/ (wheel.sh, browser.py)
#
# The system has no Go, unless a second argument is the version of one: run.sh clone go1.27.3
#
# debootstrap makes the system in a temporary directory from the packages of this machine's mirror. It is entered by chroot
# in a mount and process namespace of its own, so that nothing stays mounted or running. It is skipped with a reason if that
# is impossible.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

by=${1:?want clone or wheel}
echo "==> Fresh root: by $by, on a new system with ${2:-no Go}"
skip() {
	echo "    SKIPPED: $*"
	exit 0
}
((EUID == 0)) || skip "debootstrap and chroot need root"
for tool in debootstrap unshare apt-get; do
	command -v "$tool" >/dev/null || skip "$tool is not on this machine"
done
unshare --mount --pid --fork true 2>/dev/null || skip "this machine allows no new namespaces"

suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[[ -n $suite ]] || skip "/etc/os-release names no release"
apt-get update >/dev/null 2>&1 || echo "    apt-get update failed; going on with the lists that are there"
# shellcheck disable=SC2016 # apt fills these in
mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Identifier: Packages' |
	awk -v suite="$suite" '$1 == suite && !found { print $2; found = 1 }')
[[ -n $mirror ]] || skip "apt knows no source of $suite"

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root

if ! debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/log" 2>&1; then
	tail -n 5 "$work/log"
	# Containers often forbid device nodes.
	skip "debootstrap failed"
fi
echo "    $suite made in $SECONDS s"

# Packages, certificates and host names are configured as on this machine.
for path in /etc/apt /etc/hosts /etc/pip.conf /etc/resolv.conf /etc/ssl/certs \
	/usr/local/share/ca-certificates /usr/share/ca-certificates /usr/share/keyrings; do
	if [[ -e $path ]]; then
		rm -rf "${root:?}$path"
		mkdir -p "$root${path%/*}"
		cp -aL "$path" "$root$path"
	fi
done

# Copy the files that git tracks or does not ignore, without anything that was built here.
repository=$root/home/learner/gopherwarp
mkdir -p "$repository"
goroot=
if [[ -n ${2:-} ]]; then
	mkdir -p "$root/usr/local/go"
	goroot=$(install/go.sh "$2")
	goroot=${goroot%/bin/go}
fi
git ls-files -z --cached --others --exclude-standard --deduplicate |
	tar --null --files-from=- --ignore-failed-read -cf - 2>/dev/null |
	tar -C "$repository" -xf -

enter() { # enter ROOT GOROOT
	mount -t proc proc "$1/proc"
	mount --rbind /dev "$1/dev"
	if [[ -n $2 ]]; then
		mount --bind "$2" "$1/usr/local/go"
		mount -o remount,bind,ro "$1/usr/local/go"
	fi
	exec chroot "$1" /bin/bash "/home/learner/gopherwarp/test/freshroot/$3.sh"
}
export -f enter
GOPROXY=$(go env GOPROXY) GOSUMDB=$(go env GOSUMDB) GOPRIVATE=$(go env GOPRIVATE)
JUPYTER_TOKEN=$(python3 -c 'import secrets; print(secrets.token_hex())')
PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("localhost", 0)); print(s.getsockname()[1])')
export GOPROXY GOSUMDB GOPRIVATE JUPYTER_TOKEN PORT
if [[ $by == wheel ]]; then
	cp "$(ls -t dist/gopherwarp-*_"$(uname -m)".whl | head -n 1)" "$root/home/learner/"
	.venv/bin/python test/freshroot/browser.py "$root" &
	browser=$!
fi
env -u PIP_FIND_LINKS -u GOTOOLCHAIN -u GOROOT -u GOPATH -u GOCACHE -u GOMODCACHE -u GO -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES -u MAKELEVEL -u PYTHON -u VIRTUAL_ENV \
	HOME=/root TMPDIR=/tmp LANG=C.UTF-8 \
	PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
	unshare --mount --pid --fork --kill-child /bin/bash -euc 'enter "$@"' enter "$root" "$goroot" "$by" || {
	[[ -z ${browser:-} ]] || kill "$browser"
	exit 1
}
[[ -z ${browser:-} ]] || wait "$browser"
echo "    fresh root passed in $SECONDS s"
