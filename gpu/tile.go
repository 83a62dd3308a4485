package gpu

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/gothread"
)

// The functions and types in this file are for kernels written in Go.

// A Tile is 1, 2, 4, 8, 16 or 32 threads of a warp with successive lanes, which wait for each other and exchange values without the rest of the
// warp: cooperative groups' thread_block_tile. TiledPartition returns it.
type Tile struct{ size int32 }

// TiledPartition returns the tile of size threads that the calling thread is in: cooperative groups' tiled_partition. In a kernel that is
// launched size is a constant.
func TiledPartition(size int) Tile {
	if size < 1 || size > gothread.WarpSize || size&(size-1) != 0 {
		panic(fmt.Sprintf("gpu.TiledPartition: a tile of %d threads: it has 1, 2, 4, 8, 16 or 32", size))
	}
	return Tile{int32(size)}
}

// in returns the thread that calls the method of that name, and the size of the tile.
func (t Tile) in(name string) (*gothread.Thread, int) {
	if t.size == 0 {
		panic("gpu: the tile is empty: gpu.TiledPartition makes one")
	}
	return thread("Tile." + name), int(t.size)
}

// Size returns the number of threads.
func (t Tile) Size() int { return int(t.size) }

// Rank returns the index of the thread in the tile.
func (t Tile) Rank() int {
	th, size := t.in("Rank")
	return th.Lane % size
}

// Sync waits until all threads of the tile have called it.
func (t Tile) Sync() {
	th, size := t.in("Sync")
	th.SyncWarp(size)
}

// Ballot returns a bit for each thread of the tile that passes true, by its rank. All threads of the tile must call it.
func (t Tile) Ballot(b bool) uint32 {
	th, size := t.in("Ballot")
	return ballotIn(th, size, b)
}

// All reports whether all threads of the tile pass true. All of them must call it.
func (t Tile) All(b bool) bool { return t.Ballot(!b) == 0 }

// Any reports whether a thread of the tile passes true. All of them must call it.
func (t Tile) Any(b bool) bool { return t.Ballot(b) != 0 }

// TileShuffle returns the v of the thread with that rank. All threads of the tile must call it.
func TileShuffle[T Lane](t Tile, v T, rank int) T {
	th, size := t.in("TileShuffle")
	return exchangeIn(th, size, v, func(int) int { return rank & (size - 1) })
}

// TileShuffleDown returns the v of the thread whose rank is delta higher, or v if there is none. All threads of the tile must call it.
func TileShuffleDown[T Lane](t Tile, v T, delta int) T {
	th, size := t.in("TileShuffleDown")
	return exchangeIn(th, size, v, func(rank int) int { return rank + delta })
}

// TileShuffleUp returns the v of the thread whose rank is delta lower, or v if there is none. All threads of the tile must call it.
func TileShuffleUp[T Lane](t Tile, v T, delta int) T {
	th, size := t.in("TileShuffleUp")
	return exchangeIn(th, size, v, func(rank int) int { return rank - delta })
}

// TileShuffleXor returns the v of the thread whose rank is that of the calling one, exclusive or mask. All threads of the tile must call it.
func TileShuffleXor[T Lane](t Tile, v T, mask int) T {
	th, size := t.in("TileShuffleXor")
	return exchangeIn(th, size, v, func(rank int) int { return rank ^ mask })
}

// TileSum returns the sum of the v of all threads of the tile, to each of them. All of them must call it.
func TileSum[T Lane](t Tile, v T) T { return tileReduced(t, v, func(a, b T) T { return a + b }) }

// TileMin returns the smallest v of all threads of the tile, to each of them. All of them must call it.
func TileMin[T Lane](t Tile, v T) T { return tileReduced(t, v, func(a, b T) T { return min(a, b) }) }

// TileMax returns the largest v of all threads of the tile, to each of them. All of them must call it.
func TileMax[T Lane](t Tile, v T) T { return tileReduced(t, v, func(a, b T) T { return max(a, b) }) }

// tileReduced combines the values of a tile.
func tileReduced[T Lane](t Tile, v T, combine func(a, b T) T) T {
	for mask := t.Size() / 2; mask > 0; mask /= 2 {
		v = combine(v, TileShuffleXor(t, v, mask))
	}
	return v
}
