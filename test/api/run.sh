#!/usr/bin/env bash
# Compares the public API with that of the last tagged version, by apidiff. A change is allowed if docs/CHANGELOG.md has been
# given a line that names what changed. Where no version is tagged there is nothing to compare with.
#
# The argument is the repository; without one it is that of this script. GO names the go command.
set -euo pipefail
cd "${1:-"$(dirname "${BASH_SOURCE[0]}")/../.."}"

apidiff=golang.org/x/exp/cmd/apidiff@v0.0.0-20261014143641-f0251eb4aa3e
go=${GO:-go}
if ! tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null); then
	echo "    no version is tagged yet: nothing to compare with"
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/old"
git archive "$tag" | tar -x -C "$work/old"
module=$("$go" list -m)
# It is built here, as the module of the other folder may ask for another release of Go.
GOBIN=$work "$go" install "$apidiff"
# It names each internal package that it leaves out.
apidiff() { { "$work/apidiff" -m "$@" 2>&1 >&3 | { grep -v '^Ignoring internal package' >&2 || true; }; } 3>&1; }
(cd "$work/old" && apidiff -w "$work/old.api" "$module")
apidiff -w "$work/new.api" "$module"
# Lines such as "- ./gpu.(*Buffer[T]).Len: removed" and "- package MODULE/gpu/vec: added"; those of packages that users import.
apidiff "$work/old.api" "$work/new.api" | sed -nE "s,^- (\./|package $module/)((gpu|display|verify)[./:].*),\2,p" |
	grep -v '^gpu/device' | sort -u >"$work/changes" || true

git diff --unified=0 "$tag" -- docs/CHANGELOG.md | sed -n 's/^+//p' >"$work/log"
missing=0
while read -r line; do
	name=${line%%:*}
	name=${name##*[./]}
	if ! grep -qwF -- "$name" "$work/log"; then
		((missing++)) || echo "The public API differs from $tag's. docs/CHANGELOG.md has no line for:"
		echo "    $line"
	fi
done <"$work/changes"
((missing == 0)) || exit 1
echo "    $(wc -l <"$work/changes") changes since $tag, each in docs/CHANGELOG.md"
