#!/usr/bin/env bash
# Runs the tests of the GPU packages, on the GPU if there is one. Arguments are
# passed to go test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./env.sh
cd gopherwarp
exec go test -count=1 "$@" ./gpu/...
