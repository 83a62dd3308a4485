#!/usr/bin/env bash
# Makes a release of HEAD twice, in clones in different directories, with different build caches, umasks and time zones, and compares the
# digests. Then it looks into the files: the Debian package, unpacked, runs, and the list of modules is that of the program.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

GO=${GO:-go}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { echo "    [$SECONDS s] $*"; }
fail() {
	echo "$*" >&2
	exit 1
}

first=$work/first second=$work/in/a/longer/path/second
git clone --quiet . "$first"
git clone --quiet . "$second"
(cd "$first" && GO=$GO install/release.sh) >"$work/log" 2>&1 || fail "$(cat "$work/log")"
say "the first release is built"
(umask 077 && cd "$second" && GO=$GO GOCACHE=$work/cache TZ=Asia/Tokyo install/release.sh) >"$work/log" 2>&1 || fail "$(cat "$work/log")"
say "the second release is built"
diff "$first/dist/release/SHA256SUMS" "$second/dist/release/SHA256SUMS" || fail "The two releases differ."
cd "$first/dist/release"
sha256sum --quiet --check SHA256SUMS
say "$(wc -l <SHA256SUMS) files are the same: $(ls | tr '\n' ' ')"

version=$("$first/install/version.sh")
for arch in amd64 arm64; do
	root=$work/$arch
	dpkg-deb -x ./*_$arch.deb "$root"
	(cd "$root" && dpkg-deb -I "$OLDPWD"/*_$arch.deb md5sums | md5sum --quiet --check)
	[[ $(jq -r '.argv[0]' "$root/usr/share/jupyter/kernels/gopherwarp/kernel.json") == /usr/bin/gopherwarp ]] || fail "The kernelspec of the package names another program."
	mkdir "$work/tar-$arch"
	tar -C "$work/tar-$arch" --strip-components=1 -xf "gopherwarp_${version}_linux_$arch.tar.gz"
	cmp "$work/tar-$arch/gopherwarp" "$root/usr/bin/gopherwarp"
	"$GO" version -m -json "$root/usr/bin/gopherwarp" >"$work/build.json"
	[[ $(jq -r '.Settings[] | select(.Key == "GOARCH").Value' "$work/build.json") == "$arch" ]] || fail "The program for $arch is for another processor."
	diff <(jq -r '.Deps[] | "\(.Path) \(.Version)"' "$work/build.json" | sort) \
		<(jq -r '.components[] | select(.name != "std") | "\(.name) \(.version)"' "gopherwarp_${version}_linux_$arch.cdx.json" | sort) ||
		fail "The list of modules is not that of the program."
done
say "packages and lists of modules fit"

report=$("$work/$("$GO" env GOHOSTARCH)/usr/bin/gopherwarp" version --json)
[[ $(jq -r .version <<<"$report") == "$version" ]] || fail "The program has another version: $report"
[[ $(jq -r .commit <<<"$report") == $(git -C "$first" rev-parse HEAD) ]] || fail "The program is of another commit: $report"
say "the program of the package runs: $(jq -c '[.version, .commit, .go, .platform]' <<<"$report")"
echo "    release passed in $SECONDS s"
