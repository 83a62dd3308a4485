#!/usr/bin/env bash
# Builds JupyterLab's extension into built/, which is in the repository, and records in sums.txt of which sources it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
./build.sh built
find package.json package-lock.json tsconfig.json rspack.config.js src schema built -type f | LC_ALL=C sort | xargs sha256sum >sums.txt
