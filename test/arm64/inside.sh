#!/usr/bin/env bash
# The part of run.sh that runs inside the system for arm64.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { echo "    [$SECONDS s] $*"; }
say "$(uname -m), $(go version), $("${CXX:-g++}" --version | head -n 1)"

go build -o bin/gopherwarp ./cmd/gopherwarp
bin/gopherwarp run notebooks/solutions/1-basics/first-kernel.ipynb -o /tmp/first-kernel.ipynb
say "the first lesson ran"
go test -timeout 10h -run "${TESTS:-.}" ./gpu/internal/sim/... ./gpu/internal/ring ./gpu/internal/driver/... ./gpu/internal/vendor
say "the simulator's tests"
go test -timeout 10h -run "${TESTS:-.}" ./session/...
say "the session's tests, with programs of Go's own"
