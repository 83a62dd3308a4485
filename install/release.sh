#!/usr/bin/env bash
# Makes dist/release: for amd64 and arm64 the program with its licences (.tar.gz), the wheel, the Debian package and the list of the
# program's modules (CycloneDX); the entry of the changelog, and SHA256SUMS. With RELEASE_BUNDLE=yes also the offline bundles, which takes
# some minutes. The same commit and release of Go give the same files, wherever they are built; so a tree with changes is refused.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
umask 022
export LC_ALL=C.UTF-8 TZ=UTC

GO=${GO:-go}
for tool in git dpkg-deb; do
	if ! command -v "$tool" >/dev/null; then
		echo "A release is made with $tool, which is missing here (Debian: apt-get install git dpkg)." >&2
		exit 1
	fi
done
if changes=$(git status --porcelain) && [[ -n $changes ]]; then
	echo "A release is made of a commit, and these files differ from it: commit or remove them." >&2
	echo "$changes" >&2
	exit 1
fi
version=$(install/version.sh)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
# "gopherwarp version --json" reports the commit.
export SOURCE_DATE_EPOCH WHEEL_VERSION=$version GOFLAGS="${GOFLAGS:-} -buildvcs=true"
out=dist/release
rm -rf "$out"
mkdir -p "$out"
stage=$(mktemp -d dist/.release.XXXXXX)
trap 'rm -rf "$stage"' EXIT
install/venv.sh dist/release-venv install/requirements-release.txt >/dev/null

echo "==> Release: gopherwarp $version"
for arch in amd64 arm64; do
	GOARCH=$arch install/wheel.sh
	case $arch in
	amd64) wheel=gopherwarp-$version-py3-none-manylinux_2_17_x86_64.whl ;;
	arm64) wheel=gopherwarp-$version-py3-none-manylinux_2_17_aarch64.whl ;;
	esac
	cp "dist/$wheel" "$out/"

	# All packages have the program of the wheel.
	name=gopherwarp_${version}_linux_$arch
	program=$stage/$name/gopherwarp
	mkdir -p "$stage/$name"
	dist/release-venv/bin/python -c 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))' \
		"dist/$wheel" "gopherwarp-$version.data/scripts/gopherwarp" >"$program"
	chmod 755 "$program"
	cp LICENSE THIRD_PARTY_NOTICES "$stage/$name/"
	tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" | gzip -n9 >"$out/$name.tar.gz"
	install/release/deb.sh "$program" "$arch" "$version" "$out"
	"$GO" version -m -json "$program" | dist/release-venv/bin/python install/release/sbom.py "$version" "$out/$name.cdx.json"
	if [[ ${RELEASE_BUNDLE:-} == yes ]]; then
		GOARCH=$arch install/bundle.sh
		cp "dist/gopherwarp-offline-linux-$arch.tar.xz" "$out/gopherwarp-offline_${version}_linux_$arch.tar.xz"
	fi
done
base=${version%%.dev*}
sed -n "/^## ${base//./\\.}\\b/,/^## /p" docs/CHANGELOG.md | sed '1b; /^## /d' >"$out/CHANGES-$version.md"
if [[ $version == "$base" ]] && grep -q "^## ${base//./\\.}\b.*not yet released" docs/CHANGELOG.md; then
	echo "docs/CHANGELOG.md says that $base is not yet released: write the day into its heading, commit, and move the tag v$base." >&2
	exit 1
fi
if ! [[ -s $out/CHANGES-$version.md ]]; then
	echo "docs/CHANGELOG.md has no entry for $base: write one, with a heading ## $base" >&2
	exit 1
fi
(cd "$out" && sha256sum -- * >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)
(cd "$out" && du -h -- * | sed 's/^/    /')
