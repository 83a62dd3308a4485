#!/usr/bin/env bash
# Checks wrong and right programs and a notebook on this machine's first GPU, by compute-sanitizer and by the simulator, and compares
# the findings with those that both must have. Needs bin/gopherwarp, g++, the NVIDIA driver and compute-sanitizer, and nvcc for the programs.
#
#   bench/check-gpu.sh [PAGE]
#
# PAGE is a file for the table that is printed, too.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=$PWD/bin/gopherwarp
page=$(realpath -m "${1:-/dev/null}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# Each program's first line is what must be found: lines, kinds and the tool in the order of lines, "-" if only the simulator sees it.
cat >past.cu <<'EOF'
// 2 out of bounds memcheck
__global__ void k(int *o) { o[threadIdx.x] = 1; }
int main() {
    int *o;
    cudaMalloc(&o, 40);
    k<<<1, 64>>>(o);
    cudaDeviceSynchronize();
}
EOF
cat >unseen.cu <<'EOF'
// 5 race -; 10 uninitialised read -; 15 inactive lane -
#include <cstdio>
__global__ void race(int *o) {
    if (threadIdx.x == 0)
        *o += 1;
}
__global__ void unset(int *o) {
    __shared__ int s[64];
    if (threadIdx.x == 3) s[3] = 1;
    o[threadIdx.x] = s[threadIdx.x];
}
__global__ void sum(const int *x, int *o) {
    int v = x[threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_down_sync(0xffffffff, v, step);
    if (threadIdx.x % 32 == 0) o[threadIdx.x / 32] = v;
}
int main() {
    int *x, *o;
    cudaMalloc(&x, 256);
    cudaMalloc(&o, 256);
    cudaMemset(x, 0, 256);
    cudaMemset(o, 0, 256);
    race<<<4, 32>>>(o);
    unset<<<1, 64>>>(o);
    sum<<<1, 48>>>(x, o);
    return cudaDeviceSynchronize();
}
EOF
cat >both.cu <<'EOF'
// 2 misaligned access memcheck; 3 race -
template <class T> __global__ void store(char *p) { *reinterpret_cast<T *>(p + 1) = T(1); }
__global__ void add(int *o) { *o += 1; }
int main() {
    int *o;
    cudaMalloc(&o, 64);
    cudaMemset(o, 0, 64);
    add<<<8, 1>>>(o);
    cudaDeviceSynchronize();
    store<int><<<1, 1>>>(reinterpret_cast<char *>(o));
    cudaDeviceSynchronize();
}
EOF
cat >right.cu <<'EOF'
//
#include <cstdio>
__global__ void sum(const int *x, int *o) {
    int v = x[threadIdx.x];
    for (int step = 8; step > 0; step /= 2)
        v += __shfl_down_sync(0xffff, v, step); // the upper lanes get what nobody uses
    if (threadIdx.x == 0) *o = v;
}
int main() {
    int *x, *o;
    cudaMallocManaged(&x, 64);
    cudaMallocManaged(&o, 4);
    for (int i = 0; i < 16; i++) x[i] = i;
    sum<<<1, 16>>>(x, o);
    cudaDeviceSynchronize();
    printf("%d\n", *o);
    return *o != 120;
}
EOF

# findings prints those of a report in JSON as the first lines of the programs have them.
findings() {
	python3 - "$1" <<'EOF'
import json, sys
list = json.load(open(sys.argv[1])).get("Findings") or []
print("; ".join(f"{f['Line']} {f['Kind']} {f.get('Tool') or '-'}" for f in sorted(list, key=lambda f: f["Line"])))
EOF
}

failed=0
row() {
	local verdict=pass
	if [[ $2 != "$3" ]]; then
		verdict=FAIL failed=1
	fi
	printf '| %s | %s | %s | %s |\n' "$1" "$2" "$3" "$verdict" | tee -a "$page"
}
{
	echo "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1), $("$program" --version), $(date +%F)"
	echo
	echo "| checked | found | expected | |"
	echo "|---|---|---|---|"
} | tee -a "$page"

for file in *.cu; do
	want=$(sed -n '1s|^// *||p' "$file")
	"$program" program --device cuda:0 --check --report "$file.json" "$file" >"$file.out" 2>&1
	status=$?
	if [[ ! -f $file.json ]]; then
		row "$file" "no report, status $status: $(tail -1 "$file.out")" "$want"
		continue
	fi
	row "$file" "$(findings "$file.json")" "$want"
	row "$file, exit status" "$status" "$([[ -z $want ]] && echo 0 || echo 1)"
	python3 -c 'import json, sys; print("    " + json.load(open(sys.argv[1]))["Note"])' "$file.json"
done

cat >cells.ipynb <<'EOF'
{"cells": [
 {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": null, "source": [
  "%%cuda --check\n",
  "__global__ void reverse(int *x, int n) {\n", "    __shared__ int s[64];\n", "    int t = threadIdx.x;\n", "    s[t] = x[t];\n",
  "    x[t] = s[n - 1 - t];\n", "    if (t == 0) x[blockIdx.x] += 1;\n", "}\n"]},
 {"cell_type": "code", "id": "b", "metadata": {}, "outputs": [], "execution_count": null, "source": [
  "x := gpu.Zeros[int32](64)\n",
  "r, err := check.Run(func() error { return reverse.Launch(gpu.For(128, 64), x, 64) })\n",
  "if err != nil { panic(err) }\n",
  "for _, f := range r.Findings { fmt.Println(\"FOUND\", f.Line, f.Kind, f.Tool) }\n", "fmt.Println(\"NOTE\", r.Note)\n"]}],
 "metadata": {"kernelspec": {"name": "gopherwarp", "display_name": "Go", "language": "go"}, "language_info": {"name": "go"}}, "nbformat": 4, "nbformat_minor": 5}
EOF
"$program" run --device cuda:0 cells.ipynb -o done.ipynb >cells.out 2>&1
lines=$(grep -oE 'FOUND [0-9]+ race ?(racecheck)?' done.ipynb cells.out 2>/dev/null | sed 's/.*FOUND //' | sort -u | paste -sd ';')
# racecheck sees the race in shared memory only, the simulator those in global memory.
case $lines in
*racecheck*race*|*race*racecheck*) row "a %%cuda --check cell" "findings of both" "findings of both" ;;
*) row "a %%cuda --check cell" "$lines" "findings of both"; tail -20 cells.out ;;
esac
exit "$failed"
