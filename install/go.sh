#!/usr/bin/env bash
# Prints the path of a go command, and fetches a toolchain if there is none.
#
#   install/go.sh             the one on the PATH if it can build gopherwarp, or else the newest known release
#   install/go.sh go1.26.8    this version, of internal/gorelease/toolchains.txt
#
# Fetched toolchains are written where gopherwarp itself finds them: gopherwarp/go in the user's cache.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

oldest=go1.26
wanted=${1:-}
known() { cut -d ' ' -f 1 internal/gorelease/toolchains.txt | sort -u -V; }

# version prints the version of a go command.
version() { GOWORK=off GOTOOLCHAIN=local "$1" env GOVERSION 2>/dev/null | cut -d ' ' -f 1; }

if [[ -n $wanted ]] && ! known | grep -qx "$wanted"; then
	echo "install/go.sh: $wanted is not in internal/gorelease/toolchains.txt, which has:" "$(known | xargs)" >&2
	exit 1
fi
for go in "$(command -v go || true)" /usr/local/go/bin/go \
	"${GOMODCACHE:-${GOPATH:-$HOME/go}/pkg/mod}/golang.org/toolchain@v0.0.1-$wanted".linux-*/bin/go; do
	[[ -x $go ]] || continue
	found=$(version "$go") || continue
	if [[ $found == "$wanted" ]] ||
		[[ -z $wanted && $(printf '%s\n' "$oldest" "$found" | sort -V | head -n 1) == "$oldest" ]]; then
		echo "$(GOWORK=off GOTOOLCHAIN=local "$go" env GOROOT)/bin/go"
		exit 0
	fi
done

wanted=${wanted:-$(known | tail -n 1)}
target=${XDG_CACHE_HOME:-$HOME/.cache}/gopherwarp/go/$wanted
if [[ ! -x $target/bin/go ]]; then
	"${PYTHON:-python3}" install/fetch-go.py "$wanted" "$target" >&2
fi
echo "$target/bin/go"
