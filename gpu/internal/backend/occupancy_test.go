package backend

import (
	"slices"
	"testing"
)

// The limits of three devices, as reported by their drivers.
var (
	hopper = Properties{
		ComputeMajor: 9, WarpSize: 32, MaxThreadsPerBlock: 1024, MaxThreadsPerMultiProcessor: 2048, MaxBlocksPerMultiProcessor: 32,
		RegistersPerBlock: 65536, RegsPerMultiprocessor: 65536,
		SharedMemPerBlock: 48 << 10, SharedMemPerBlockOptin: 227 << 10, SharedMemPerMultiprocessor: 228 << 10, ReservedSharedMemPerBlock: 1 << 10,
	}
	turing = Properties{
		ComputeMajor: 7, ComputeMinor: 5, WarpSize: 32, MaxThreadsPerBlock: 1024, MaxThreadsPerMultiProcessor: 1024, MaxBlocksPerMultiProcessor: 16,
		RegistersPerBlock: 65536, RegsPerMultiprocessor: 65536,
		SharedMemPerBlock: 48 << 10, SharedMemPerBlockOptin: 64 << 10, SharedMemPerMultiprocessor: 64 << 10,
	}
	pascal = Properties{
		ComputeMajor: 6, WarpSize: 32, MaxThreadsPerBlock: 1024, MaxThreadsPerMultiProcessor: 2048, MaxBlocksPerMultiProcessor: 32,
		RegistersPerBlock: 65536, RegsPerMultiprocessor: 65536,
		SharedMemPerBlock: 48 << 10, SharedMemPerBlockOptin: 48 << 10, SharedMemPerMultiprocessor: 64 << 10,
	}
)

func TestFit(t *testing.T) {
	for _, tc := range []struct {
		name             string
		device           *Properties
		r                Resources
		threads, dynamic int
		blocks           int
		limits           []string
	}{
		{"nothing but threads", &hopper, Resources{Registers: 32}, 256, 0, 8, []string{LimitThreads, LimitRegisters}},
		{"few registers", &hopper, Resources{Registers: 16}, 256, 0, 8, []string{LimitThreads}},
		{"one register too many is rounded up", &hopper, Resources{Registers: 33}, 256, 0, 6, []string{LimitRegisters}},
		{"the most registers", &hopper, Resources{Registers: 255}, 256, 0, 1, []string{LimitRegisters}},
		{"registers of a block that is too large", &hopper, Resources{Registers: 65}, 1024, 0, 0, []string{LimitRegisters}},
		{"a block of 5 warps counts as one of 8 there", &hopper, Resources{Registers: 255}, 160, 0, 1, []string{LimitRegisters}},
		{"small blocks", &hopper, Resources{Registers: 32}, 32, 0, 32, []string{LimitBlocks}},
		{"a part of a warp is a warp", &hopper, Resources{Registers: 16}, 33, 0, 32, []string{LimitThreads, LimitBlocks}},
		{"static shared memory", &hopper, Resources{Registers: 16, Shared: 48 << 10}, 128, 0, 4, []string{LimitShared}},
		{"with dynamic", &hopper, Resources{Registers: 16, Shared: 1 << 10}, 128, 100 << 10, 2, []string{LimitShared}},
		{"the most shared memory", &hopper, Resources{Registers: 16}, 128, 227 << 10, 1, []string{LimitShared}},
		{"more than that", &hopper, Resources{Registers: 16}, 128, 227<<10 + 1, 0, []string{LimitShared}},
		{"launch bounds", &hopper, Resources{Registers: 16, MaxThreads: 64}, 128, 0, 0, []string{LimitThreads}},
		{"unknown registers", &hopper, Resources{Registers: Unknown}, 1024, 0, 2, []string{LimitThreads}},
		{"Turing", &turing, Resources{Registers: 32}, 256, 0, 4, []string{LimitThreads}},
		{"its small blocks", &turing, Resources{Registers: 32}, 32, 0, 16, []string{LimitBlocks}},
		{"its shared memory has no reserve", &turing, Resources{Registers: 16, Shared: 16 << 10}, 128, 0, 4, []string{LimitShared}},
		{"registers in two parts", &pascal, Resources{Registers: 72}, 32, 0, 28, []string{LimitRegisters}},
		{"too many threads", &pascal, Resources{Registers: 16}, 1056, 0, 0, []string{LimitThreads}},
		{"no threads", &pascal, Resources{Registers: 16}, 0, 0, 0, nil},
	} {
		got := tc.device.Fit(tc.r, tc.threads, tc.dynamic)
		if got.Blocks != tc.blocks || !slices.Equal(got.Limits, tc.limits) {
			t.Errorf("%s: %d blocks by %v, want %d by %v", tc.name, got.Blocks, got.Limits, tc.blocks, tc.limits)
		}
	}
	if f := hopper.Fit(Resources{Registers: 32}, 96, 0); f.Blocks != 21 || f.Warps != 63 || f.Fraction != 63.0/64 {
		t.Errorf("blocks of 96 threads: %+v", f)
	}
}
