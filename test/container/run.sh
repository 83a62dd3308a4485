#!/usr/bin/env bash
# Builds the container for the simulator, starts JupyterLab in it as its user, as another user of the group 0 and as one that it
# does not know, and runs the first lesson, or a first kernel, through the API. Prints the size of the image.
#
# buildah builds it as root without a daemon. The base image is not fetched: debootstrap makes one of Debian's SUITE (trixie).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

suite=${SUITE:-trixie}
limit_mb=1200
echo "==> Container on Debian $suite"
skip() {
	echo "    SKIPPED: $*"
	exit 0
}
say() { echo "    [$SECONDS s] $*"; }
((EUID == 0)) || skip "buildah and debootstrap need root here"
for tool in buildah debootstrap; do
	command -v "$tool" >/dev/null || skip "$tool is not on this machine (Debian: apt install $tool)"
done

work=$(mktemp -d)
export BUILDAH_ISOLATION=chroot
b=(buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs)
servers=()
finish() {
	for server in "${servers[@]}"; do
		kill "$server" 2>/dev/null || true
	done
	"${b[@]}" umount --all >/dev/null 2>&1 || true
	rm -rf --one-file-system "$work"
}
trap finish EXIT

# A base image like Debian's slim one, with the sources of packages and the certificates of this machine.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' | head -n 1)
script=/usr/share/debootstrap/scripts/$suite
[[ -e $script ]] || script=/usr/share/debootstrap/scripts/sid
debootstrap --variant=minbase "$suite" "$work/root" "${mirror:-http://deb.debian.org/debian}" "$script" >"$work/log" 2>&1 || {
	tail -n 5 "$work/log"
	skip "debootstrap failed"
}
rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/*
for path in /etc/apt/apt.conf.d /etc/pip.conf /etc/ssl/certs /usr/local/share/ca-certificates /usr/share/ca-certificates; do
	if [[ -e $path ]]; then
		mkdir -p "$work/root${path%/*}"
		cp -aL "$path" "$work/root${path%/*}/"
	fi
done
if ! { base=$("${b[@]}" from scratch) && "${b[@]}" add -q "$base" "$work/root" / && "${b[@]}" commit -q --rm "$base" base; } >"$work/log" 2>&1; then
	tail -n 2 "$work/log"
	skip "buildah can make no image here"
fi
size() { # size NAME: of an image, in MB
	"${b[@]}" images --json | python3 -c '
import json, re, sys
units = {"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9}
for image in json.load(sys.stdin):
    if f"localhost/{sys.argv[1]}:latest" in (image.get("names") or []):
        number, unit = re.match(r"([\d.]+) *(\w+)", str(image["size"])).groups()
        print(round(float(number) * units[unit.upper()] / 1e6))' "$1"
}
base_mb=$(size base)
probe=$("${b[@]}" from localhost/base)
"${b[@]}" run "$probe" true 2>"$work/log" || {
	tail -n 2 "$work/log"
	skip "buildah may run nothing here"
}
"${b[@]}" rm "$probe" >/dev/null
rm -rf "$work/root"
say "the base image is made: $base_mb MB"

# The wheel is built with this machine's build cache; the image's own is made by the lesson.
"${b[@]}" bud -q --layers=false --network host --volume "$(go env GOCACHE):/root/.cache/go-build" --build-arg "BASE_IMAGE=localhost/base" --build-arg "GOPROXY=$(go env GOPROXY)" \
	-t gopherwarp . >"$work/log" 2>&1 || {
	tail -n 40 "$work/log"
	exit 1
}
image_mb=$(size gopherwarp)
say "the image is built: $image_mb MB, $((image_mb - base_mb)) MB beside the base"
((image_mb <= limit_mb)) || { echo "It may have $limit_mb MB." >&2; exit 1; }

JUPYTER_TOKEN=$(python3 -c 'import secrets; print(secrets.token_hex())')
export JUPYTER_TOKEN
cat >"$work/serve" <<'SERVE'
container=$1 user=$2 port=$3
shift 3
exec "$@" run --network host --user "$user" --env PORT="$port" --env JUPYTER_TOKEN="$JUPYTER_TOKEN" --env BASE_URL=/one/two "$container" start-lab
SERVE
notebook=notebooks/solutions/1-basics/first-kernel.ipynb # for the image's own user; a first kernel for the others
for user in 1000 12345:0 12345:12345; do
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("localhost", 0)); print(s.getsockname()[1])')
	container=$("${b[@]}" from localhost/gopherwarp)
	start=$SECONDS
	bash "$work/serve" "$container" "$user" "$port" "${b[@]}" >"$work/log" 2>&1 &
	server=$!
	servers+=("$server")
	until BASE_URL=/one/two PORT=$port PATH=$PWD/.venv/bin:$PATH bash install/container/start.sh --check 2>/dev/null; do
		if ! kill -0 $server 2>/dev/null || ((SECONDS > start + 600)); then
			echo "JupyterLab did not start for the user $user:"
			cat "$work/log"
			exit 1
		fi
		sleep 0.2
	done
	say "user $user: JupyterLab answers after $((SECONDS - start)) s"
	say "user $user: $(BASE_URL=/one/two .venv/bin/python test/container/client.py "$port" "$notebook")"
	notebook=test/wheel/first.ipynb
	.venv/bin/python - "$port" <<'PYTHON'
import os, sys, urllib.request
urllib.request.urlopen(urllib.request.Request(f"http://localhost:{sys.argv[1]}/one/two/api/shutdown", method="POST", headers={"Authorization": "token " + os.environ["JUPYTER_TOKEN"]}))
PYTHON
	wait $server || true
done
say "container passed"
