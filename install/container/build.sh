#!/usr/bin/env bash
# Builds the container's image from the Dockerfile with the first of docker, podman and buildah that is there: build.sh [sim|cuda]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

device=${1:-sim}
case $device in
sim) image=gopherwarp ;;
cuda) image=gopherwarp:cuda ;;
*)
	echo "$device is no kind of image: want sim or cuda" >&2
	exit 2
	;;
esac
for tool in docker podman buildah; do
	if command -v "$tool" >/dev/null; then
		echo "==> Building the image $image with $tool"
		exec "$tool" build --build-arg DEVICE="$device" -t "$image" .
	fi
done
echo "None of docker, podman and buildah is on the PATH: install one (Debian: apt install podman)." >&2
exit 1
