#!/usr/bin/env bash
# Runs a small test of each part on an emulated arm64: cells, redefinition, an interrupt, a panic, slim archives, simulated
# kernels, check mode and the first lesson. Compilers run natively, and the C library is the cross compiler's, so that no
# system has to be set up first. make test-arm64 does more.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. test/arm64/emulation.sh

echo "==> arm64, emulated"
need
cross "$PWD"
export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
# The program is built as for wheels and bundles; the tests are with cgo.
say() { echo "    [$SECONDS s] $*"; }

CGO_ENABLED=0 go build -o dist/gopherwarp-arm64 ./cmd/gopherwarp
dist/gopherwarp-arm64 run notebooks/solutions/1-basics/first-kernel.ipynb -o dist/first-kernel-arm64.ipynb
say "the first lesson ran"
go test -count=1 ./internal/session -run 'TestInterrupt/^(endless_loop|blocked_in_a_select)$|TestPanicNamesTheLines|TestRedefinition/^(a_func_that_others_use|recursion_and_main)$|TestSlimArchives/^(generic_functions|functions_that_nothing_has_called_before)$'
say "interrupts, panics, redefinition, slim archives"
go test -count=1 ./gpu/internal/client -run '^TestPlace$'
go test -count=1 ./gpu/internal/driver ./gpu/internal/driver/cudalib -run '^(TestCallKept|TestCallWithID)$'
go test -count=1 ./gpu/internal/sim -run 'TestBackend/^Kernels$|TestWrongKernels/^(read_past_end|load_without_barrier|barrier_in_branches|misaligned_int)$|TestCounts|TestCheckGang/^beyond_the_memory|TestMessages/^assembly_for_a_GPU|TestKernelFaults/^(wild_write|stack_overflow_of_a_fiber)$'
go test -count=1 ./gpu/internal/sim/check
say "simulated kernels, faults, check mode"
