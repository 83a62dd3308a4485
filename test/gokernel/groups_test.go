package gokernel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
)

func TestTiles(t *testing.T) {
	in, f := make([]int32, 64), make([]float32, 64)
	for i := range in {
		in[i], f[i] = int32(i*i%13), 1/float32(i+1)
	}
	compare(t, "tiles", tiles, gpu.For(64, 64), 0, in, f, make([]int32, 64), make([]float32, 64))
}

func TestSyncGrid(t *testing.T) {
	x := make([]int32, 8*64)
	for i := range x {
		x[i] = int32(i)
	}
	cfg := gpu.For(len(x), 64)
	cfg.Cooperative = true
	compare(t, "gridSums", gridSums, cfg, 0, x, make([]int32, 8), make([]int32, 1))
	err := gpu.For(len(x), 64).Run(true, func() { gridSums(x, make([]int32, 8), make([]int32, 1)) })
	if err == nil || !strings.Contains(err.Error(), "the launch is not cooperative: set Cooperative") {
		t.Errorf("error %v", err)
	}
	// A thread that panics ends those that wait for it in other blocks.
	err = cfg.Run(true, func() { gridSums(x, make([]int32, 7), make([]int32, 1)) })
	if err == nil || !strings.Contains(err.Error(), "index out of range [7] with length 7") {
		t.Errorf("error %v", err)
	}
}

// The products of small integers are exact in any order.
func TestMatrices(t *testing.T) {
	const n = 48
	a, b, c := make([]gpu.Float16, n*n), make([]gpu.Float16, n*n), make([]float32, n*n)
	for i := range a {
		a[i], b[i], c[i] = gpu.ToFloat16(float32(i%7-3)), gpu.ToFloat16(float32(i*i%5)), float32(i%3)
	}
	compare(t, "matrixProduct", matrixProduct, gpu.Launch{Grid: gpu.Dim(n/16, n/16), Block: gpu.Dim(32)}, 0, a, b, c, n, float32(0.5))
	p, q := make([]gpu.BFloat16, 256), make([]gpu.BFloat16, 256)
	for i := range p {
		p[i], q[i] = gpu.ToBFloat16(float32(i%9)/4), gpu.ToBFloat16(float32(-i%5))
	}
	compare(t, "brainProduct", brainProduct, gpu.For(32, 32), 0, p, q, make([]float32, 256))
}

func TestWrongGroups(t *testing.T) {
	for body, want := range map[string]string{
		"gpu.TiledPartition(len(x))":        "the size of a tile is a constant",
		"gpu.TiledPartition(12)":            "a tile has 1, 2, 4, 8, 16 or 32 threads, and not 12",
		"var t gpu.Tile; _ = t.Rank; t = t": "",
	} {
		_, err := translate(t, map[string]string{"cell[1]": fmt.Sprintf("package p; import \"github.com/gopherwarp/gopherwarp/gpu\"\n//gpu:kernel\nfunc k(x []int32) { %s }\n", body)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", body, err, want)
		}
	}
	_, err := translate(t, map[string]string{"cell[1]": "package p; import \"github.com/gopherwarp/gopherwarp/gpu\"\n//gpu:kernel\nfunc k(t gpu.Tile) { }\n"})
	if err == nil || !strings.Contains(err.Error(), "a gpu.Tile is made in the kernel") {
		t.Errorf("error %v", err)
	}
	for want, kernel := range map[string]func(){
		"it has 1, 2, 4, 8, 16 or 32":                    func() { gpu.TiledPartition(3) },
		"the tile is empty":                              func() { gpu.Tile{}.Rank() },
		"the stride of a matrix is 20: it is 16 or more": func() { gpu.LoadMatrixA(make([]gpu.Float16, 1000), 20) },
		"index out of range [255] with length 255":       func() { gpu.LoadAccumulator(make([]float32, 255), 16) },
	} {
		if err := gpu.For(1, 1).Run(true, kernel); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
