package session

import (
	"go/types"
	"maps"
	"slices"
)

// Users lists the names of cells among the given ones, and all that refers to them, directly or not.
func (s *Session) Users(names ...string) []string {
	s.running.Lock()
	defer s.running.Unlock()
	found := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		if found[name] || s.program.names[name] == nil {
			return
		}
		found[name] = true
		for user, e := range s.program.names {
			if _, ok := e.obj.(*types.Func); ok && e.decl != nil && e.decl.uses(name) {
				add(user)
			}
		}
	}
	for _, name := range names {
		add(name)
	}
	return slices.Sorted(maps.Keys(found))
}
