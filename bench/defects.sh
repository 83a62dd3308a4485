#!/usr/bin/env bash
# Runs the wrong kernels of gpu/testdata/kernels/wrong in check mode and, on a machine with a GPU, under the tools of
# compute-sanitizer, and writes a table of the defects that each finds. Rows of the existing page are kept unless their
# kernel has changed, so that an interrupted run can be continued.
#
#   bench/defects.sh [PAGE]
#
# DEFECTS_LIMIT is the maximum time (default 20m). DEFECTS_TEST is a compiled test binary of ./gpu, if there is one.
# DEFECTS_RUN selects a part: ^TestDefects$/sim, /cuda or /endless.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=$(realpath -m "${1:-bench/results/defects.md}")
limit=${DEFECTS_LIMIT:-20m} run=${DEFECTS_RUN:-^TestDefects\$}
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
if [[ -f $out ]]; then
	grep -E '^\| [a-z_0-9]+ <!-- ' "$out" >"$rows" || true
fi
export GOPHERWARP_DEFECT_REPORT=$rows
status=0
if [[ -n ${DEFECTS_TEST:-} ]]; then
	(cd gpu && timeout "$limit" "$DEFECTS_TEST" -test.run "$run" -test.v) || status=$?
else
	timeout "$limit" "${GO:-go}" test -count=1 -timeout "$limit" -run "$run" ./gpu || status=$?
fi
gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -1 || true)
sanitizer=$(compute-sanitizer --version 2>/dev/null | sed -n 's/^Version //p' || true)
{
	echo "# Defects that each tool finds"
	echo
	echo "Made by \`make defects\`, last on $(date +%F). GPU: ${gpu:-none}. compute-sanitizer: ${sanitizer:-none}. Rows of kernels that have not changed may be of earlier runs."
	echo
	echo "Each kernel of gpu/testdata/kernels/wrong has one defect; its file says why it is wrong. \"No tool\" is what shows without any: the launch fails, or does not end."
	echo "A wrong result is no defect that could be seen without knowing the right one. Where a tool names another line than the file does, the line is missing here."
	echo
	echo "| kernel | defect | check mode | memcheck | racecheck | initcheck | synccheck | no tool |"
	echo "|---|---|---|---|---|---|---|---|"
	# The last row of a kernel counts.
	tac "$rows" | sort -u -s -k2,2
} >"$out.new"
mv "$out.new" "$out"
echo "$out has $(sort -u -k2,2 "$rows" | wc -l) kernels, $(tac "$rows" | sort -u -s -k2,2 | grep -c 'not run' || true) of them not run everywhere."
exit "$status"
