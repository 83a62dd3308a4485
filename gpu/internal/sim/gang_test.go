package sim

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// TestGangErrors checks the errors of blocks that must run at the same time.
func TestGangErrors(t *testing.T) {
	const grid = "#include <cooperative_groups.h>\n__global__ void k(int *x, long n) {\n"
	tests := []struct {
		name, body string
		launch     func(l *backend.Launch)
		code       int
		part       string
	}{
		{"not cooperative", "cooperative_groups::this_grid().sync();", func(*backend.Launch) {}, codeLaunchFailed, "line 3 needs a cooperative launch"},
		{
			"a block ends", "if (blockIdx.x != 2) cooperative_groups::this_grid().sync();",
			func(l *backend.Launch) { l.Cooperative = true }, codeLaunchFailed, "a block has ended, and others wait for it at this_grid().sync() on line 3",
		},
		{
			"a fault beside waiting blocks", "if (blockIdx.x == 2 && threadIdx.x == 5) *(volatile int *)n = 1; cooperative_groups::this_grid().sync();",
			func(l *backend.Launch) { l.Cooperative = true }, codeIllegalAddress, "block (2,0,0), thread (5,0,0)",
		},
		{"too large", "", func(l *backend.Launch) { l.Cooperative, l.Grid[0] = true, 5000 }, codeCooperativeLaunchTooLarge, "all 5000 blocks"},
		{"large cluster", "", func(l *backend.Launch) { l.Cluster, l.Grid[0] = [3]uint32{16, 1, 1}, 16 }, codeInvalidClusterSize, "16 blocks"},
		{"uneven cluster", "", func(l *backend.Launch) { l.Cluster = [3]uint32{3, 1, 1} }, codeInvalidValue, "cannot be cut"},
		{"flat cluster", "", func(l *backend.Launch) { l.Cluster = [3]uint32{2, 0, 1} }, codeInvalidValue, "empty"},
		{
			"no such block", "cooperative_groups::this_cluster().map_shared_rank(x, 2);", func(l *backend.Launch) { l.Cluster = [3]uint32{2, 1, 1} },
			codeLaunchFailed, "the cluster has 2 blocks, and no block 2",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, l := prepare(t, grid+tt.body+"\n}")
			tt.launch(l)
			err := d.Launch(l)
			var e *backend.Error
			if !errors.As(err, &e) || e.Code != tt.code || e.Name != codeNames[tt.code] || !strings.Contains(e.Message, tt.part) {
				t.Errorf("got %v, want code %d with %q", err, tt.code, tt.part)
			}
		})
	}
}

// A gang that is larger than the number of processors must neither slow down nor break later
// launches, which the worker threads run.
func TestLaunchAfterGang(t *testing.T) {
	d, l := prepare(t, `#include <cooperative_groups.h>
		__global__ void k(int *x, long n) {
			if (threadIdx.x == 0) atomicAdd(x, 1);
			if (gridDim.x == 24) cooperative_groups::this_grid().sync();
			if (threadIdx.x == 0 && *(volatile int *)x < 24) atomicAdd(x + 1, 1);
		}`)
	l.Cooperative, l.Grid[0] = true, 24
	check(t, d.Launch(l))
	l.Cooperative, l.Grid[0] = false, 1000
	for range 20 {
		check(t, d.Launch(l))
	}
	addr := uint64(0)
	for i := range 8 {
		addr |= uint64(l.Args[i]) << (8 * i)
	}
	if got := readInts(t, d, addr, 2); got[0] != 24+20*1000 || got[1] != 0 {
		t.Errorf("got %v", got)
	}
}

// The kernel's own attribute also makes clusters.
func TestClusterDims(t *testing.T) {
	d, l := prepare(t, `#include <cooperative_groups.h>
		namespace cg = cooperative_groups;
		__global__ void __cluster_dims__(2, 1, 1) k(int *x, long n) {
			__shared__ int mine;
			cg::cluster_group cluster = cg::this_cluster();
			if (threadIdx.x == 0) mine = 10 * blockIdx.x + cluster.num_blocks();
			cluster.sync();
			if (threadIdx.x == 0) x[blockIdx.x] = *cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
			cluster.sync();
		}`)
	check(t, d.Launch(l))
	if got := readInts(t, d, binary.LittleEndian.Uint64(l.Args), 4); !slices.Equal(got, []int32{12, 2, 32, 22}) {
		t.Errorf("got %v", got)
	}
	l.Grid[0] = 3
	var e *backend.Error
	if err := d.Launch(l); !errors.As(err, &e) || e.Code != codeInvalidValue {
		t.Errorf("3 blocks in clusters of 2: %v", err)
	}
}
