#!/usr/bin/env bash
# Makes the PNG of each picture of the lessons whose SVG has changed, with Chromium, and records the checksum of the SVG.
# Notebooks contain the PNG, as JupyterLab does not display SVG that is attached to a cell. pngquant makes it a third as large:
# drawings have few colours.
#
#   course/draw.sh [--all]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/lessons"
browser=${CHROMIUM:-$(command -v chromium || command -v google-chrome || command -v google-chrome-stable || true)}
if [[ -z $browser ]]; then
	echo "drawings need Chromium or Chrome (apt install chromium), or CHROMIUM set to one" >&2
	exit 1
fi
if ! command -v pngquant >/dev/null; then
	echo "drawings need pngquant (apt install pngquant)" >&2
	exit 1
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
shopt -s nullglob
for lesson in */*/; do
	(
		cd "$lesson"
		pictures=(*.svg)
		[[ ${#pictures[@]} -gt 0 ]] || exit 0
		for svg in "${pictures[@]}"; do
			sum=$(sha256sum "$svg")
			png=${svg%.svg}.png
			if [[ ${1:-} != --all && -f $png ]] && grep -qsxF "$sum" pictures.sum; then
				continue
			fi
			size=$(sed -nE '1,3s/.*<svg[^>]* width="([0-9]+)" height="([0-9]+)".*/\1,\2/p' "$svg" | head -1)
			if [[ -z $size ]]; then
				echo "$lesson$svg: its <svg> must have a width and then a height" >&2
				exit 1
			fi
			echo "$lesson$svg"
			"$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$tmp/profile" \
				--force-device-scale-factor=1.6 --window-size="$size" --screenshot="$PWD/$png" "file://$PWD/$svg" 2>"$tmp/log" || {
				cat "$tmp/log" >&2
				exit 1
			}
			pngquant --speed 1 --strip --force --ext .png "$png"
		done
		sha256sum "${pictures[@]}" >pictures.sum
	)
done
