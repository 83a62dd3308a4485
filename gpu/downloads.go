package gpu

import (
	"slices"
	"sync"
)

// Downloads runs f and returns what it has copied from the current device to the host, copy by copy: what a function
// returns can be looked for there. Pinned and managed memory is left out, as nobody copies that.
func Downloads(f func() error) ([][]byte, error) {
	d, err := Current()
	if err != nil {
		return nil, wrap("noting copies", err)
	}
	var mu sync.Mutex
	var copies [][]byte
	note := func(data []byte) {
		mu.Lock()
		defer mu.Unlock()
		copies = append(copies, slices.Clone(data))
	}
	defer d.link.ObserveDownloads(note)()
	err = f()
	mu.Lock()
	defer mu.Unlock()
	return copies, err
}
