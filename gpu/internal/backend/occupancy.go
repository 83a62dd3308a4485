package backend

import (
	"fmt"
	"math"
)

// A Fit is the number of blocks of a kernel that can be resident on a multiprocessor at the same time, and the resources that
// limit it.
type Fit struct {
	Blocks, Warps int
	Fraction      float64 // of the maximum number of resident warps
	Limits        []string
}

// The limits of a Fit.
const (
	LimitThreads   = "threads"
	LimitBlocks    = "blocks"
	LimitRegisters = "registers"
	LimitShared    = "shared memory"
)

// noLimit is greater than the number of resident blocks on any device.
const noLimit = math.MaxInt

// registerUnit is the allocation unit of registers per warp, on all GPUs since 2012.
const registerUnit = 256

// Fit returns the occupancy of a kernel, computed as the driver does, for blocks of that many threads with that many bytes of
// dynamic shared memory. Registers that are Unknown count as zero.
func (p *Properties) Fit(r Resources, threads, dynamicShared int) Fit {
	var f Fit
	if threads <= 0 || p.WarpSize == 0 {
		return f
	}
	warps := (threads + p.WarpSize - 1) / p.WarpSize
	maxWarps := p.MaxThreadsPerMultiProcessor / p.WarpSize
	limits := []struct {
		name   string
		blocks int
	}{
		{LimitThreads, maxWarps / warps},
		{LimitBlocks, p.MaxBlocksPerMultiProcessor},
		{LimitRegisters, p.byRegisters(r.Registers, warps)},
		{LimitShared, p.byShared(r.Shared + dynamicShared)},
	}
	if threads > p.MaxThreadsPerBlock || r.MaxThreads > 0 && threads > r.MaxThreads {
		limits[0].blocks = 0
	}
	f.Blocks = limits[0].blocks
	for _, l := range limits {
		f.Blocks = min(f.Blocks, l.blocks)
	}
	for _, l := range limits {
		if l.blocks == f.Blocks {
			f.Limits = append(f.Limits, l.name)
		}
	}
	f.Warps = f.Blocks * warps
	if maxWarps > 0 {
		f.Fraction = float64(f.Warps) / float64(maxWarps)
	}
	return f
}

// byRegisters returns the number of blocks for which there are registers. A multiprocessor has partitions with registers of their
// own, and each warp is in one of them.
func (p *Properties) byRegisters(perThread, warps int) int {
	if perThread <= 0 {
		return noLimit
	}
	perWarp := roundUp(perThread*p.WarpSize, registerUnit)
	parts := 4
	if p.ComputeMajor == 6 && p.ComputeMinor == 0 {
		parts = 2
	}
	// The driver refuses a block as if it used registers of all partitions equally.
	if perWarp*roundUp(warps, parts) > p.RegistersPerBlock {
		return 0
	}
	return p.RegsPerMultiprocessor / parts / perWarp * parts / warps
}

func (p *Properties) byShared(bytes int) int {
	if bytes > max(p.SharedMemPerBlock, p.SharedMemPerBlockOptin) {
		return 0
	}
	unit := 256
	if p.ComputeMajor >= 8 {
		unit = 128
	}
	taken := roundUp(bytes+p.ReservedSharedMemPerBlock, unit)
	if taken == 0 {
		return noLimit
	}
	return p.SharedMemPerMultiprocessor / taken
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// Arch returns the architecture of the device, as compilers name it: "sm_90".
func (p *Properties) Arch() string { return fmt.Sprintf("sm_%d%d", p.ComputeMajor, p.ComputeMinor) }
