#!/usr/bin/env bash
# The part of run.sh that runs inside the system for arm64.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { echo "    [$SECONDS s] $*"; }
say "$(uname -m), $(go version), $("${CXX:-g++}" --version | head -n 1)"

# tests NAME PACKAGE... runs the tests of the packages, prints each one's result, and remembers a failure.
failed=
tests() {
	local log=/tmp/$1.log
	go test -v -timeout 10h -run "${TESTS:-.}" "${@:2}" 2>&1 | tee "$log" |
		{ grep --line-buffered -E '^(--- |ok|FAIL|panic:|fatal error:)' || true; } || {
		failed+=" $1"
		grep -E -A 40 '^ *--- FAIL|^panic:|^fatal error:' "$log" | head -n 200
	}
	say "tests of the $1"
}

go build -o bin/gopherwarp ./cmd/gopherwarp
bin/gopherwarp run notebooks/solutions/1-basics/first-kernel.ipynb -o /tmp/first-kernel.ipynb
say "the first lesson ran"
tests simulator ./gpu/internal/sim/... ./gpu/internal/ring ./gpu/internal/driver/...
tests session ./internal/session/... ./internal/cellruntime/... ./internal/slim ./internal/gorelease/...
TESTS='^TestCorpus$' tests corpus ./test/foreign
if [[ -n $failed ]]; then
	say "failed:$failed"
	exit 1
fi
