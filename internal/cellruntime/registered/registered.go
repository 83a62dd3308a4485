// Package registered takes back what a cell has registered in places that take a name only once, such as the flags of
// package flag, before the cell is run again.
//
// It is part of the session process. Packages that only some sessions have add their places when they are loaded.
package registered

import (
	"maps"
	"sync"
)

// A Registry is such a place.
type Registry interface {
	// Names are what is registered now, each with something that tells it from what was registered under this name before.
	Names() map[string]any
	// Remove takes names back.
	Remove(names map[string]bool)
}

// registries are all places, and who has registered what there. It is process-wide because a plugin's init function has
// no other way to reach its host.
var registries struct {
	sync.Mutex
	all []*known
}

type known struct {
	Registry
	owner map[string]string // name → the cell that has registered it
}

// Add makes a registry known.
func Add(r Registry) {
	registries.Lock()
	defer registries.Unlock()
	registries.all = append(registries.all, &known{r, map[string]string{}})
}

// Begin takes back what an earlier run of a cell has registered. What is registered until end is called is
// the cell's.
func Begin(cell string) (end func()) {
	registries.Lock()
	defer registries.Unlock()
	all := registries.all
	before := make([]map[string]any, len(all))
	for i, k := range all {
		k.takeBack(cell)
		before[i] = k.Names()
	}
	return func() {
		registries.Lock()
		defer registries.Unlock()
		for i, k := range all {
			for name, what := range k.Names() {
				if before[i][name] != what {
					k.owner[name] = cell
				}
			}
		}
	}
}

func (k *known) takeBack(cell string) {
	names := map[string]bool{}
	for name := range k.Names() {
		if k.owner[name] == cell {
			names[name] = true
		}
	}
	maps.DeleteFunc(k.owner, func(_, owner string) bool { return owner == cell })
	if len(names) > 0 {
		k.Remove(names)
	}
}
