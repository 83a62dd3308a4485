#!/usr/bin/env bash
# Runs everything that needs a GPU on this machine's first one: measurements of launches, copies and arrays in comparison
# with C, CuPy, Numba, cuda.core, PyTorch and JAX in one run, the tests of the GPU packages, the tests of the program, and
# the first lesson. Records of such runs are in bench/results. Needs Go, gcc, bin/gopherwarp, the NVIDIA driver and NVRTC;
# nvcc, CuPy, Numba and cuda.core for the comparison.
#
#   bench/gpu.sh [FOLDER FOR THE EXECUTED LESSON]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=${1:-artifacts}
mkdir -p "$out"
export GOPHERWARP_DEVICE=cuda:0 GOPHERWARP_BIN=$PWD/bin/gopherwarp GOPHERWARP_TEST_PROGRAM=$PWD/bin/gopherwarp
failed=()
step() {
	local name=$1 limit=$2
	shift 2
	echo "==> $name"
	local start=$SECONDS
	timeout "$limit" "$@" || failed+=("$name (status $?)")
	echo "    $((SECONDS - start)) s"
}

nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
go version
step "doctor" 60 bin/gopherwarp doctor
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
step "the session program" 300 bin/gopherwarp install --prefix "$tmp/prefix"

go build -o "$tmp/launch-go" ./bench/launch
go build -o "$tmp/copies-go" ./bench/copies
if command -v nvcc >/dev/null; then
	nvcc -O2 -o "$tmp/launch-c" bench/launch/launch.cu -lcuda
	nvcc -O2 -o "$tmp/copies-c" bench/copies/copies.cu
	step "launches from C" 60 "$tmp/launch-c"
fi
for peer in cupy numba cuda.core; do
	if python3 -c "import importlib.util as u; raise SystemExit(u.find_spec('${peer%%.*}') is None)"; then
		step "launches from $peer" 60 python3 "bench/launch/launch_${peer/./_}.py"
	else
		echo "==> launches from $peer: it is not installed"
	fi
done
step "launches from Go" 60 "$tmp/launch-go"
if [[ -x $tmp/launch-c ]]; then
	step "launches from C, again" 60 "$tmp/launch-c"
	step "launches from Go, again" 60 "$tmp/launch-go"
	step "copies from C" 60 "$tmp/copies-c"
fi
step "copies from Go" 60 "$tmp/copies-go"
if [[ -x $tmp/copies-c ]]; then
	step "copies from C, again" 60 "$tmp/copies-c"
	step "copies from Go, again" 60 "$tmp/copies-go"
fi

go build -o "$tmp/nd-go" ./bench/nd
step "arrays" 60 "$tmp/nd-go"
step "arrays of all sizes" 60 "$tmp/nd-go" -curve
step "arrays of CuPy, PyTorch and JAX" 120 python3 bench/nd/peers.py

step "tests of the GPU packages" 420 go test -count=1 ./gpu/...
step "defects that each tool finds" 900 bench/defects.sh "$out/defects.md"
step "checks by compute-sanitizer and the simulator" 300 bench/check-gpu.sh "$out/checks.md"
step "tests of the program" 240 go test -count=1 -v -run 'Test' ./test/e2e
step "the first lesson" 240 bin/gopherwarp run notebooks/solutions/1-basics/first-kernel.ipynb --device cuda:0 -o "$out/first-kernel.ipynb"

if ((${#failed[@]})); then
	printf 'FAILED: %s\n' "${failed[@]}"
	exit 1
fi
echo "All passed."
