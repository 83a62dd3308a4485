package gothread

import "math/bits"

// WarpSize is the number of threads in a warp.
const WarpSize = 32

// A group is threads that exchange values.
type group struct {
	*barrier
	values [WarpSize]any
	here   uint32 // members of the exchange
}

// A warp is up to 32 threads of a block with successive indices.
type warp struct {
	group
	ended uint32          // lanes whose threads have ended
	tiles map[tile]*group // those that have been asked for, without the warp itself
}

// A tile is the lanes of a warp from first, a multiple of size.
type tile struct{ first, size int }

// lanes returns a bit for each lane of the tile.
func (t tile) lanes() uint32 { return uint32(1<<t.size-1) << t.first }

func newWarp(threads int) *warp {
	return &warp{group: group{barrier: newBarrier(threads)}, ended: ^uint32(1<<threads - 1), tiles: map[tile]*group{}}
}

// group returns the threads of t's warp whose lanes are in the same tile of size lanes as t's.
func (t *Thread) group(size int) *group {
	w := t.warp
	if size >= WarpSize {
		return &w.group
	}
	of := tile{t.Lane &^ (size - 1), size}
	w.mu.Lock()
	defer w.mu.Unlock()
	g := w.tiles[of]
	if g == nil {
		g = &group{barrier: newBarrier(bits.OnesCount32(of.lanes() &^ w.ended))}
		g.broken = w.broken
		w.tiles[of] = g
	}
	return g
}

// endLane says that the thread of a lane has ended.
func (w *warp) endLane(lane int) {
	w.mu.Lock()
	w.ended |= 1 << lane
	var with []*group
	for of, g := range w.tiles {
		if of.lanes()>>lane&1 != 0 {
			with = append(with, g)
		}
	}
	w.mu.Unlock()
	for _, g := range with {
		g.end()
	}
	w.end()
}

// failAll makes all that wait in the warp or its tiles panic.
func (w *warp) failAll() {
	w.mu.Lock()
	w.broken = true // also for tiles that are asked for later
	var all []*group
	for _, g := range w.tiles {
		all = append(all, g)
	}
	w.mu.Unlock()
	for _, g := range all {
		g.fail()
	}
	w.fail()
}

// SyncWarp waits for all threads in the same tile of size lanes that have not ended. A tile of 32 lanes is the warp.
func (t *Thread) SyncWarp(size int) { t.group(size).wait() }

// Exchange gives v to the other threads in the same tile of size lanes, and returns their values and a bit for each one that has given one, by
// their places in the tile.
func (t *Thread) Exchange(size int, v any) (values [WarpSize]any, lanes uint32) {
	g, at := t.group(size), t.Lane%size
	g.mu.Lock()
	g.values[at] = v
	g.here |= 1 << at
	g.mu.Unlock()
	g.wait()
	g.mu.Lock()
	values, lanes = g.values, g.here
	g.mu.Unlock()
	g.wait()
	g.mu.Lock()
	g.here &^= 1 << at
	g.mu.Unlock()
	return values, lanes
}
