#!/usr/bin/env bash
# Runs the wrong kernels of gpu/testdata/kernels/wrong in check mode and, on a machine with a GPU, under the tools
# of compute-sanitizer, and writes who finds what into a table.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=${1:-bench/results/defects.md}
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
GOPHERWARP_DEFECT_REPORT=$rows "${GO:-go}" test -count=1 -timeout 20m -run '^TestDefects$' ./gpu
gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -1 || true)
sanitizer=$(compute-sanitizer --version 2>/dev/null | sed -n 's/^Version //p' || true)
{
	echo "# Who finds which defect"
	echo
	echo "Made by \`make defects\`, $(date +%F). GPU: ${gpu:-none}. compute-sanitizer: ${sanitizer:-none}."
	echo
	echo "Each kernel of gpu/testdata/kernels/wrong has one defect; its file says why it is wrong. \"No tool\" is what shows without any: the launch fails, or does not end."
	echo "A wrong result is no defect that could be seen without knowing the right one. Where a tool names another line than the file does, the line is missing here."
	echo
	echo "| kernel | defect | check mode | memcheck | racecheck | initcheck | synccheck | no tool |"
	echo "|---|---|---|---|---|---|---|---|"
	sort "$rows"
} >"$out"
echo "$out has $(wc -l <"$rows") kernels."
