#!/usr/bin/env bash
# Builds the site into dist/site: runs the lessons' solutions on the simulator, makes pages of them, and has MkDocs build all.
# Lessons are not run again that have been since the program and they were changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! command -v npm >/dev/null; then
	echo "The site is built with npm, which is missing here (Debian: apt-get install npm)." >&2
	exit 1
fi
bin=dist/docs-venv/bin

echo "==> Site: the scripts that draw diagrams and formulas"
mkdir -p dist/npm dist/lessons
cp install/site/package.json install/site/package-lock.json dist/npm
npm ci --prefix dist/npm --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null

echo "==> Site: lessons"
for notebook in notebooks/solutions/*/*.ipynb; do
	name=$(basename "$notebook" .ipynb)
	run=dist/lessons/$name.ipynb
	if ! [[ $run -nt $notebook && $run -nt bin/gopherwarp ]]; then
		echo "    $name"
		bin/gopherwarp run --device sim "$notebook" -o "$run.new" >"$run.log" 2>&1 || {
			cat "$run.log" >&2
			exit 1
		}
		rm "$run.log"
		mv "$run.new" "$run"
	fi
	rm -rf "dist/lessons/$name.md" "dist/lessons/${name}_files"
	"$bin/python" install/site/lesson.py "$run" "dist/lessons/$name.md"
done

echo "==> Site: dist/site"
NO_MKDOCS_2_WARNING=1 "$bin/mkdocs" build --strict --clean --config-file install/site/mkdocs.yml 2>&1 | { grep -v '^INFO' || true; }
du -sh dist/site | sed 's/^/    /'
