#!/usr/bin/env bash
# Builds JupyterLab's extension into a directory, from the sources here and the packages of package-lock.json.
#
#   install/labextension/build.sh DIRECTORY
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if ! command -v npm >/dev/null; then
	echo "JupyterLab's extension is built with npm, which is missing here (Debian: apt-get install npm)." >&2
	exit 1
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp -r "$source"/{package.json,package-lock.json,tsconfig.json,rspack.config.js,src,schema} "$stage"
cd "$stage"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
npm run --silent build >log 2>&1 || {
	cat log >&2
	exit 1
}
rm -rf "$out"
mv built "$out"
