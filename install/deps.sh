#!/usr/bin/env bash
# Installs the missing system packages that gopherwarp needs.
#
#   install/deps.sh          what a lab needs: gcc, g++, Python's venv module, mold where it exists
#   install/deps.sh --test   also what `make test` needs: Chromium with fonts, clang, and for root debootstrap and buildah
#   install/deps.sh --long   also what the long tests need: debootstrap, buildah, npm, and what emulates arm64
#
# Packages come from apt; sudo is used if the user is not root. If nothing is missing, nothing is run.
set -euo pipefail

PYTHON=${PYTHON:-python3}
needed=()   # required
optional=() # for faster linking, or for more tests

have() { command -v "$1" >/dev/null 2>&1; }

want() { # want LIST COMMAND PACKAGE...
	local -n list=$1
	have "$2" || list+=("${@:3}")
}

for tool in git make "$PYTHON"; do
	if ! have "$tool"; then
		echo "gopherwarp needs $tool: install it and try again." >&2
		exit 1
	fi
done
if ! "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
	echo "JupyterLab needs Python 3.10 or newer; $PYTHON is $("$PYTHON" --version 2>&1)." >&2
	echo "Name another one: make lab PYTHON=/path/to/python3" >&2
	exit 1
fi

want needed gcc gcc libc6-dev
want needed g++ g++
# Debian packages the venv module without the part that sets up new environments.
"$PYTHON" -c 'import ensurepip, venv' 2>/dev/null || needed+=(python3-venv)
want optional mold mold
if [[ ${1:-} == --test || ${1:-} == --long ]]; then
	want needed xz xz-utils
	if [[ -z ${CHROMIUM:-} ]] && ! have chromium && ! have google-chrome; then
		optional+=(chromium fonts-dejavu-core)
	fi
	have clang++-16 || have clang++-19 || optional+=(clang-16)
fi
if [[ ${1:-} == --long || (${1:-} == --test && $EUID == 0) ]]; then
	want optional debootstrap debootstrap
	want optional buildah buildah
fi
if [[ ${1:-} == --long ]]; then
	want optional npm npm # of Node.js 20 or newer
	if [[ $(uname -m) == x86_64 ]]; then
		want optional qemu-aarch64-static qemu-user-static binfmt-support
		want optional aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
	fi
fi

if ((${#needed[@]} + ${#optional[@]} == 0)); then
	exit 0
fi

as_root=()
if ((EUID != 0)); then
	as_root=(sudo env DEBIAN_FRONTEND=noninteractive) # sudo clears the environment
fi
reason=
if ! have apt-get; then
	reason="apt-get is not on this machine"
elif ((EUID != 0)) && ! have sudo; then
	reason="this is not root and there is no sudo"
fi
if [[ -n $reason ]]; then
	if ((${#needed[@]} == 0)); then
		echo "    left out, as $reason: ${optional[*]}" >&2
		exit 0
	fi
	echo "These packages (Debian's names) are missing: ${needed[*]}" >&2
	echo "They can't be installed here because $reason. Install them and try again." >&2
	exit 1
fi

export DEBIAN_FRONTEND=noninteractive
apt() {
	local log
	log=$(mktemp)
	if ! "${as_root[@]}" apt-get "$@" >"$log" 2>&1; then
		tail -n 20 "$log" >&2
		rm -f "$log"
		return 1
	fi
	rm -f "$log"
}

echo "==> Installing system packages: ${needed[*]} ${optional[*]}"
# A new machine has no package lists; old lists may contain files that were removed.
if ! apt update; then
	echo "    apt-get update failed; going on with the lists that are there" >&2
fi
if ((${#needed[@]})); then
	if ! apt install -y --no-install-recommends "${needed[@]}"; then
		echo "apt-get could not install: ${needed[*]}" >&2
		exit 1
	fi
fi
for package in "${optional[@]}"; do
	apt install -y --no-install-recommends "$package" 2>/dev/null ||
		echo "    $package can't be had from apt here; going on without it" >&2
done
