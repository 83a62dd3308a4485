#!/usr/bin/env bash
# Runs the test binaries of the GPU packages, each in its package's folder. Arguments go to each.
set -uo pipefail
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$tests/../env.sh"
failed=0
while read -r binary folder; do
	echo "==> $folder"
	(cd "$tests/../gopherwarp/$folder" && "$tests/$binary" "$@") || failed=1
done <"$tests/list"
exit $failed
