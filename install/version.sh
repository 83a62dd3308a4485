#!/usr/bin/env bash
# Prints the version of this tree, as PEP 440 writes it: WHEEL_VERSION, or the newest one in docs/CHANGELOG.md; a tree without that
# tag is a development version of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' docs/CHANGELOG.md | head -n 1)
if [[ -n ${WHEEL_VERSION:-} ]]; then
	version=$WHEEL_VERSION
elif [[ $(git describe --tags --exact-match 2>/dev/null || true) != "v$version" ]]; then
	version+=.dev$(git rev-list --count HEAD 2>/dev/null || echo 0)
fi
echo "$version"
