package gpu

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/gothread"
)

// A Dim3 is a size in up to three dimensions. A Y or Z of 0 counts as 1.
type Dim3 struct{ X, Y, Z int }

// Dim returns the Dim3 of one to three numbers; the others are 1. It panics if there are more.
func Dim(x int, yz ...int) Dim3 {
	d := Dim3{x, 1, 1}
	if len(yz) > 0 {
		d.Y = yz[0]
	}
	if len(yz) > 1 {
		d.Z = yz[1]
	}
	if len(yz) > 2 {
		panic(fmt.Sprintf("gpu.Dim: %d numbers, want 1 to 3", len(yz)+1))
	}
	return d
}

func (d Dim3) String() string { return fmt.Sprintf("(%d, %d, %d)", d.X, d.Y, d.Z) }

// A Launch is the configuration of a kernel launch.
type Launch struct {
	Grid  Dim3 // blocks
	Block Dim3 // threads per block
	// SharedBytes is the size of the dynamic shared memory of a block, in bytes.
	SharedBytes int
	Stream      *Stream // nil is the default stream
	// Cooperative launches all blocks at the same time, so that they can synchronize (cooperative_groups::this_grid().sync()). The grid
	// must not have more blocks than can be resident on the device.
	Cooperative bool
	// Cluster is the number of blocks in a cluster, whose blocks can access each other's shared memory. The grid must be a multiple of
	// it. The zero Dim3 means no clusters.
	Cluster Dim3

	empty bool // For and For2D without items
	stop  *gothread.At
}

// StopIn returns the launch with breakpoints in one thread only, that of the block and the index. All threads run. Without it a breakpoint
// stops each thread that comes to it when Run runs the kernel as plain Go, and the first thread of block 0 that comes to it in the recording of
// a launch on the simulator. It has no meaning on a GPU.
func (l Launch) StopIn(block, thread Dim3) Launch {
	l.stop = &gothread.At{Block: gothread.Dim(block), Thread: gothread.Dim(thread)}
	return l
}

// For returns the launch for n items, with blocks of that many threads; the last block may have threads without an item, so a kernel must
// check its index. With n = 0 nothing is launched.
func For(n, block int) Launch {
	return Launch{Grid: Dim(blocks(n, block)), Block: Dim(block), empty: n == 0}
}

// For2D returns the launch for w × h items, with blocks of bx × by threads; a kernel must check its indices, as with For. If w or h is 0,
// nothing is launched.
func For2D(w, h, bx, by int) Launch {
	return Launch{Grid: Dim(blocks(w, bx), blocks(h, by)), Block: Dim(bx, by), empty: w == 0 || h == 0}
}

// blocks returns n/size, rounded up. Invalid numbers are left to the check of the launch.
func blocks(n, size int) int {
	if n < 0 || size <= 0 {
		return min(n, -1)
	}
	return (n-1)/size + 1 // does not overflow; the result for 0 is not used
}

// A shape is the checked size of a launch, in the form that is sent.
type shape struct{ grid, block, cluster [3]uint32 }

// check compares a launch with the limits of the device and the kernel.
func (k *Kernel) check(cfg *Launch) (s shape, err error) {
	props := k.mod.dev.link.Properties()
	threads := 1
	for i, axis := range [...]struct {
		name        string
		grid, block int
	}{
		{"x", cfg.Grid.X, cfg.Block.X}, {"y", cfg.Grid.Y, cfg.Block.Y}, {"z", cfg.Grid.Z, cfg.Block.Z},
	} {
		if i > 0 {
			// A literal such as Dim3{X: 8} omits them.
			axis.grid, axis.block = oneForZero(axis.grid), oneForZero(axis.block)
		}
		switch {
		case axis.block <= 0:
			return s, k.reject("block %v: %d threads in %s, want at least 1 (gpu.For(n, 256) makes a launch for n items)", cfg.Block, axis.block, axis.name)
		case axis.block > props.MaxBlockDim[i]:
			return s, k.reject("block of %d threads in %s: %s allows %d", axis.block, axis.name, props.Name, props.MaxBlockDim[i])
		case axis.grid <= 0:
			return s, k.reject("grid %v: %d blocks in %s, want at least 1 (gpu.For(n, 256) makes a launch for n items)", cfg.Grid, axis.grid, axis.name)
		case axis.grid > props.MaxGridDim[i]:
			return s, k.reject("grid of %d blocks in %s: %s allows %d", axis.grid, axis.name, props.Name, props.MaxGridDim[i])
		}
		s.grid[i], s.block[i] = uint32(axis.grid), uint32(axis.block)
		threads *= axis.block
	}
	if threads > props.MaxThreadsPerBlock {
		return s, k.reject("block of %d threads: %s allows %d per block", threads, props.Name, props.MaxThreadsPerBlock)
	}
	if most := k.info.MaxThreadsPerBlock; most > 0 && threads > most {
		return s, k.reject("block of %d threads: with its %d registers a thread this kernel can have %d per block", threads, k.info.NumRegs, most)
	}
	if cfg.SharedBytes < 0 {
		return s, k.reject("%d bytes of dynamic shared memory", cfg.SharedBytes)
	}
	most := max(props.SharedMemPerBlock, props.SharedMemPerBlockOptin)
	if n := k.info.SharedSizeBytes + cfg.SharedBytes; n > most {
		return s, k.reject("%d bytes of shared memory (%d static, %d dynamic): %s allows %d per block", n, k.info.SharedSizeBytes, cfg.SharedBytes, props.Name, most)
	}
	if err := cfg.Stream.on(k.mod.dev.link); err != nil {
		return s, k.reject("%s", err.Message)
	}
	if cfg.Cluster != (Dim3{}) {
		if s.cluster, err = k.checkCluster(cfg, props); err != nil {
			return s, err
		}
	}
	if cfg.Cooperative {
		err = k.checkCooperative(cfg, threads, props)
	}
	return s, err
}

// maxCluster is the maximum number of blocks in a cluster on all devices that have clusters, without opting in to more.
const maxCluster = 8

func (k *Kernel) checkCluster(cfg *Launch, props *backend.Properties) (size [3]uint32, err error) {
	if props.ClusterLaunch == 0 {
		return size, k.reject("clusters: %s has none", props.Name)
	}
	total := 1
	for i, axis := range [...]struct {
		name       string
		grid, size int
	}{
		{"x", cfg.Grid.X, cfg.Cluster.X}, {"y", cfg.Grid.Y, cfg.Cluster.Y}, {"z", cfg.Grid.Z, cfg.Cluster.Z},
	} {
		grid, n := oneForZero(axis.grid), oneForZero(axis.size)
		if n < 0 || grid%n != 0 {
			return size, k.reject("grid of %d blocks in %s: it must be a multiple of the cluster's %d", grid, axis.name, n)
		}
		size[i] = uint32(n)
		total *= n
	}
	if total > maxCluster {
		return size, k.reject("cluster of %d blocks: %s allows %d", total, props.Name, maxCluster)
	}
	return size, nil
}

func (k *Kernel) checkCooperative(cfg *Launch, threads int, props *backend.Properties) error {
	if props.CooperativeLaunch == 0 {
		return k.reject("a cooperative launch: %s has none", props.Name)
	}
	fit, err := k.blocksThatFit(resources{threads, cfg.SharedBytes}, props)
	if err != nil {
		return err
	}
	if n := cfg.Grid.X * oneForZero(cfg.Grid.Y) * oneForZero(cfg.Grid.Z); n > fit {
		return k.reject("cooperative launch of %d blocks: %s can run %d of %d threads at the same time", n, props.Name, fit, threads)
	}
	return nil
}

// residentBlocks is hook.ResidentBlocks.
func residentBlocks(kernel any, threads, sharedBytes int) (int, error) {
	k := kernel.(*Kernel)
	return k.blocksThatFit(resources{threads, sharedBytes}, k.mod.dev.link.Properties())
}

// blocksThatFit returns how many blocks can be on the device at the same time.
func (k *Kernel) blocksThatFit(need resources, props *backend.Properties) (int, error) {
	k.resident.mu.Lock()
	defer k.resident.mu.Unlock()
	if n, ok := k.resident.blocks[need]; ok {
		return n, nil
	}
	o, err := k.occupancy("launching "+k.name, need.threads, need.shared)
	if err != nil {
		return 0, err
	}
	if k.resident.blocks == nil {
		k.resident.blocks = map[resources]int{}
	}
	k.resident.blocks[need] = o.Blocks * props.MultiProcessorCount
	return k.resident.blocks[need], nil
}

func oneForZero(n int) int {
	if n == 0 {
		return 1
	}
	return n
}

// reject returns the error of an invalid launch.
func (k *Kernel) reject(format string, args ...any) *Error {
	e := misuse("launching "+k.name, format, args...)
	e.Kernel = k.name
	return e
}
