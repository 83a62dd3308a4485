#!/usr/bin/env bash
# The part of run.sh that runs inside the system for arm64.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { echo "    [$SECONDS s] $*"; }
say "$(uname -m), $(go version), $("${CXX:-g++}" --version | head -n 1)"

# tests PATTERN PACKAGE... runs the packages' tests, one package after the other, since go test prints the results of several
# only at their end. It prints each test's result, and records a failure.
failed=
tests() {
	local package log=/tmp/tests.log
	for package in $(go list "${@:2}"); do
		go test -v -timeout 10h -run "${TESTS:-$1}" "$package" 2>&1 | tee "$log" |
			{ grep --line-buffered -E '^(--- |ok|FAIL|panic:|fatal error:)' || true; } || {
			failed+=" $package"
			grep -vE '^(=== | *--- (PASS|SKIP))' "$log" | head -n 200
		}
		say "$package"
	done
}

go build -o bin/gopherwarp ./cmd/gopherwarp
bin/gopherwarp run notebooks/solutions/1-basics/first-kernel.ipynb -o /tmp/first-kernel.ipynb
say "the first lesson ran"
tests . ./gpu/internal/sim/... ./gpu/internal/ring ./gpu/internal/driver/...
tests . ./internal/session/... ./internal/cellruntime/... ./internal/slim ./internal/gorelease/...
GOPHERWARP_PROGRAM_TIME=20m tests '^TestCorpus$' ./test/foreign # an emulated program takes ten times as long
if [[ -n $failed ]]; then
	say "failed:$failed"
	exit 1
fi
