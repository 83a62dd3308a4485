# shellcheck shell=bash
# Sourced by the scripts in this directory. With these settings go, gcc and g++ of this machine make programs for arm64,
# which Linux runs by qemu.

# need reports missing requirements, and ends the script.
need() {
	skip() {
		echo "    SKIPPED: $*"
		exit 0
	}
	[[ $(go env GOHOSTOS)/$(go env GOHOSTARCH) == linux/amd64 ]] || skip "arm64 is emulated on linux/amd64, and this is $(go env GOHOSTOS)/$(go env GOHOSTARCH)"
	for tool in qemu-aarch64-static aarch64-linux-gnu-gcc aarch64-linux-gnu-g++; do
		command -v "$tool" >/dev/null || skip "$tool is not on this machine (Debian: apt install qemu-user-static g++-aarch64-linux-gnu)"
	done
	local formats=/proc/sys/fs/binfmt_misc
	[[ -e $formats/register ]] || mount -t binfmt_misc none $formats 2>/dev/null || skip "the system runs no programs for other processors: binfmt_misc is missing, or this is not root"
	[[ -e $formats/qemu-aarch64 ]] || update-binfmts --enable qemu-aarch64 2>/dev/null || true
	grep -qs enabled $formats/qemu-aarch64 || skip "qemu-aarch64 is not registered in $formats (Debian: apt install binfmt-support)"
}

cross() {
	export GOARCH=arm64 CGO_ENABLED=1 CC=aarch64-linux-gnu-gcc CXX=$1/test/arm64/g++
}
