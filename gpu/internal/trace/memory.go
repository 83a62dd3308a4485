package trace

import (
	"maps"
	"slices"
)

type memoryKey struct {
	name   string
	shared bool
	block  int // of shared memory; -1 of global
	start  uint64
}

// sizes are those of the types of words, in bytes.
var sizes = map[string]int{
	"bool": 1, "int8": 1, "uint8": 1, "byte": 1, "int16": 2, "uint16": 2, "Float16": 2, "BFloat16": 2,
	"int32": 4, "uint32": 4, "float32": 4, "int64": 8, "uint64": 8, "float64": 8,
}

// memory is a Memory while its words are collected.
type memory struct {
	*Memory
	region Region
	index  int            // in Trace.Memory
	first  map[int]uint64 // words before the launch, as far as accesses tell
	rows   map[int]bool   // by the index of the row
	left   bool           // rows were left out
}

// parts returns the words of an access. Words are elements if these have a simple type, and otherwise have the size of the first access.
func (b *builder) parts(block int, e *Event) []part {
	if e.Kind == Stray {
		return []part{{accessKey{e.PC, -1, e.op(), 0}, int(e.Address), nil, nil}}
	}
	region, ok := b.launch.Region(e.Region, e.Address)
	if !ok {
		return nil
	}
	m := b.memoryOf(block, region, e)
	offset := int(e.Address - region.Start)
	var list []part
	for at := 0; at < e.size(); at += m.Word {
		n := min(m.Word, e.size()-at)
		p := part{accessKey: accessKey{e.PC, m.index, e.op(), at}, word: (offset + at) / m.Word}
		before, after := e.Before>>(8*at), e.After>>(8*at)
		if n < 8 {
			before, after = before&(1<<(8*n)-1), after&(1<<(8*n)-1)
		}
		typ := m.Type
		if n < m.Word {
			typ = "" // a part of a word
		}
		p.value, p.old = value(typ, n, before), nil
		if p.op != "r" {
			p.value, p.old = value(typ, n, after), p.value
		}
		if row := p.word / m.RowWords; m.rows[row] || len(m.rows) < keptRows {
			m.rows[row] = true
			if _, known := m.first[p.word]; !known && n == m.Word {
				m.first[p.word] = before
			}
		} else {
			m.left = true
		}
		list = append(list, p)
	}
	return list
}

// memoryOf returns the memory of a region.
func (b *builder) memoryOf(block int, r Region, e *Event) *memory {
	key := memoryKey{r.Name, r.Shared, -1, r.Start}
	if r.Shared {
		key.block = block
	}
	if m := b.memory[key]; m != nil {
		return m
	}
	m := &memory{
		Memory: &Memory{
			Name: r.Name, Space: "global", Block: key.block, Type: r.Type, Elem: r.Elem, Start: int((r.Start - r.Base) % banks),
		},
		region: r, index: len(b.trace.Memory), first: map[int]uint64{}, rows: map[int]bool{},
	}
	if r.Shared {
		m.Space = "shared"
	}
	m.Word = sizes[r.Type]
	if m.Word == 0 {
		m.Word = e.size()
	}
	m.Elem = max(m.Elem, m.Word)
	m.Size = int(r.Size) / m.Word
	m.RowWords = max(sector/m.Word, 1)
	if r.Shared {
		m.RowWords = max(banks/m.Word, 1)
	}
	for _, d := range r.Dims {
		m.Dims = append(m.Dims, int(d))
	}
	b.memory[key] = m
	b.trace.Memory = append(b.trace.Memory, m.Memory)
	return m
}

// finish sets the rows of all memory.
func (b *builder) finish() {
	all := slices.SortedFunc(maps.Values(b.memory), func(x, y *memory) int { return x.index - y.index })
	for _, m := range all {
		if m.left {
			b.note("of %s the first %d rows that were used are shown", m.Name, keptRows)
		}
		for row := range m.rows {
			m.Rows = append(m.Rows, row*m.RowWords)
		}
		slices.Sort(m.Rows)
		for _, first := range m.Rows {
			for w := first; w < first+m.RowWords; w++ {
				m.Values = append(m.Values, m.before(w))
			}
		}
	}
}

// before returns a word before the launch, or nil.
func (m *memory) before(w int) any {
	if end := (w + 1) * m.Word; end <= len(m.region.Before) {
		return value(m.Type, m.Word, word(m.region.Before[w*m.Word:end]))
	}
	if bits, ok := m.first[w]; ok && !m.region.Shared {
		return value(m.Type, m.Word, bits)
	}
	return nil // shared memory begins with leftovers
}
