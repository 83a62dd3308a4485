package session

import (
	"go/types"
	"maps"
	"slices"
)

// A session compiles a type again when a later cell adds a method to it, and with it everything that mentions the type. In a program
// these can be one type, with the methods of both cells, unless the values above the later cell would be shown otherwise. So declarations that
// are compiled again are merged with the earlier ones if what they mention is merged.

// merging has the homes that may be merged: the later one → the earlier one.
type merging struct {
	earlier map[home]home
	chunks  map[home][]placedChunk // the declarations of each home, with methods
	types   map[home]map[home]bool // what the types of variables mention
}

// A placedChunk is a declaration in a cell.
type placedChunk struct {
	c       *listedCell
	ch      *chunk
	carried bool
}

// mergeAgain merges declarations that were compiled again without a difference. The homes of the cells' objects are those of the first ones after it.
func mergeAgain(cells []*listedCell) {
	m := &merging{earlier: map[home]home{}, chunks: map[home][]placedChunk{}, types: map[home]map[home]bool{}}
	for _, c := range cells {
		m.addCell(c)
	}
	for m.splitOne() {
	}
	for _, c := range cells {
		m.apply(c)
	}
}

// addCell adds the cell's declarations, and what may be merged.
func (m *merging) addCell(c *listedCell) {
	for _, d := range c.units {
		for _, name := range d.names {
			obj := c.pkg.Scope().Lookup(name)
			h, ok := c.homes[obj]
			if !ok {
				continue
			}
			for _, q := range d.parts {
				m.chunks[h] = append(m.chunks[h], placedChunk{c, q.chunk, q.carried})
			}
			if old := c.base.names[name]; old != nil && old.decl != nil && addsOnly(d, old.decl) {
				m.earlier[h] = c.homes[old.obj]
			}
		}
	}
	for _, v := range c.fresh {
		m.types[c.homes[v]] = c.typeHomes(v.Type())
	}
	for name, old := range c.moved {
		if h, ok := c.homes[c.pkg.Scope().Lookup(name)]; ok {
			m.earlier[h] = c.homes[old]
		}
	}
}

// addsOnly reports whether d has all that old has, and besides at most methods that do not change how values are shown.
func addsOnly(d, old *decl) bool {
	had := map[string]bool{}
	for _, q := range old.parts {
		had[q.method()] = true
	}
	carried := 0
	for _, q := range d.parts {
		switch {
		case q.carried:
			carried++
		case q.receiver() == "" || had[q.method()] || shows(q.method()):
			return false
		}
	}
	return carried == len(old.parts)
}

// shows reports whether methods of the name are called when a value is printed, encoded or displayed.
func shows(method string) bool {
	return slices.Contains([]string{
		"String", "Error", "GoString", "Format", "MarshalJSON", "MarshalText", "MarshalBinary", "UnmarshalJSON", "UnmarshalText", "UnmarshalBinary",
		"MIMEBundle", "Render", "SimpleRender", "HTML", "JavaScript", "JPEG", "JSON", "Latex", "Markdown", "PNG", "PDF", "SVG",
	}, method)
}

// splitOne stops merging a pair that mentions different things, and reports whether there was one.
func (m *merging) splitOne() bool {
	for later, earlier := range m.earlier {
		if !maps.Equal(m.mentions(later, true), m.mentions(earlier, false)) {
			delete(m.earlier, later)
			return true
		}
	}
	return false
}

// mentions returns what the declarations at h, or those of them that are carried from earlier cells, mention.
func (m *merging) mentions(h home, carried bool) map[home]bool {
	found := map[home]bool{}
	for used := range m.types[h] {
		found[m.first(used)] = true
	}
	for _, p := range m.chunks[h] {
		if carried && !p.carried {
			continue
		}
		for used := range p.c.homesIn(p.ch.node()) {
			found[m.first(used)] = true
		}
	}
	return found
}

// first returns the home that h is merged with.
func (m *merging) first(h home) home {
	for {
		earlier, ok := m.earlier[h]
		if !ok {
			return h
		}
		h = earlier
	}
}

// apply gives the cell's objects the homes that they are merged with.
func (m *merging) apply(c *listedCell) {
	merged := func(name string) bool {
		h, ok := c.homes[c.pkg.Scope().Lookup(name)]
		return ok && m.first(h) != h
	}
	c.merged = map[*chunk]bool{}
	for _, d := range c.units {
		if len(d.names) > 0 && !slices.ContainsFunc(d.names, func(name string) bool { return !merged(name) }) {
			for _, q := range d.parts {
				c.merged[q.chunk] = q.carried
			}
		}
	}
	c.fresh = slices.DeleteFunc(c.fresh, func(v *types.Var) bool { return merged(v.Name()) })
	maps.DeleteFunc(c.moved, func(name string, _ *types.Var) bool { return merged(name) })
	for obj, h := range c.homes {
		c.homes[obj] = m.first(h)
	}
}
