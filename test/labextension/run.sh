#!/usr/bin/env bash
# Builds JupyterLab's extension twice, in directories with different names: both are what the repository has.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/a longer name"
for dir in "$work/first" "$work/a longer name/second"; do
	TMPDIR=$(dirname "$dir") install/labextension/build.sh "$dir"
	if ! diff -r install/labextension/built "$dir"; then
		echo "install/labextension/built is not what its sources build: make labextension" >&2
		exit 1
	fi
done
echo "    JupyterLab's extension passed: $(find install/labextension/built -type f | wc -l) files, twice the same, in $SECONDS s"
