// Package registered removes what a cell has registered in registries that accept a name only once, such as the flags of
// package flag, before the cell is run again.
//
// It is part of the session process. Packages that only some sessions have add their registries when they are loaded.
package registered

import (
	"maps"
	"sync"
)

// A Registry is a registry of names.
type Registry interface {
	// Names returns the registered names, each with a value that differs after the name was registered again.
	Names() map[string]any
	// Remove removes names.
	Remove(names map[string]bool)
}

// registries are all registries, and the cells that have registered names. It is process-wide because a plugin's init
// function can only reach its host through global variables.
var registries struct {
	sync.Mutex
	all []*known
}

type known struct {
	Registry
	owner map[string]string // name → the cell that has registered it
}

// Add adds a registry.
func Add(r Registry) {
	registries.Lock()
	defer registries.Unlock()
	registries.all = append(registries.all, &known{r, map[string]string{}})
}

// Begin removes what an earlier run of a cell has registered. Registrations until end is called are
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
