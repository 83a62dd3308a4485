package session

import (
	"go/types"
	"maps"
	"slices"
)

// Users returns those of the names that cells have declared, and the funcs that refer to them, directly or indirectly.
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
