package gothread

// WarpSize is the number of threads in a warp.
const WarpSize = 32

// A warp is up to 32 threads of a block with successive indices.
type warp struct {
	*barrier
	values [WarpSize]any
	here   uint32 // lanes of the exchange
}

// SyncWarp waits for all threads of the warp that have not ended.
func (t *Thread) SyncWarp() { t.warp.wait() }

// Exchange gives v to the other threads of the warp, and returns their values and a bit for each lane that has given one.
func (t *Thread) Exchange(v any) (values [WarpSize]any, lanes uint32) {
	w := t.warp
	w.mu.Lock()
	w.values[t.Lane] = v
	w.here |= 1 << t.Lane
	w.mu.Unlock()
	w.wait()
	w.mu.Lock()
	values, lanes = w.values, w.here
	w.mu.Unlock()
	w.wait()
	w.mu.Lock()
	w.here &^= 1 << t.Lane
	w.mu.Unlock()
	return values, lanes
}
