package nd

import (
	"maps"
	"slices"
)

// Rehearse runs f without launching kernels and compiles those that it would launch, many at a time. The results of f are undefined.
func Rehearse(f func()) {
	e := current("Rehearse")
	list := e.rehearse(f)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.compileAll(list)
}

// Sources runs f as Rehearse does and returns the texts of all kernels that it would launch, in the order of their keys.
func Sources(f func()) []string {
	e := current("Sources")
	known := e.programs
	e.programs = map[string]*program{}
	defer func() { e.programs = known }()
	list := e.rehearse(f)
	var texts []string
	for _, key := range slices.Sorted(maps.Keys(list)) {
		texts = append(texts, prelude(list[key].need)+"\n"+list[key].text)
	}
	return texts
}

// rehearse runs f without launching kernels and returns the sources of those that are not cached, by their keys.
func (e *engine) rehearse(f func()) map[string]source {
	e.mu.Lock()
	e.rehearsal = map[string]source{}
	e.mu.Unlock()
	f()
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.rehearsal
	e.rehearsal = nil
	return list
}
