package gpu

import (
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
)

// marks remembers the launches of late, so that an error which comes back later can be
// laid at the right one's door. Writing one costs nothing but the stores.
type marks struct {
	ring  [256]mark
	count uint64
}

type mark struct {
	seq    uint64
	kernel *Kernel
	stream uint32
	place  place
}

func (m *marks) add(k mark) {
	m.ring[m.count%uint64(len(m.ring))] = k
	m.count++
}

// narrow leaves those of the launches that the device can have been at when it failed: on
// each stream the ones after what it is known to have finished, up to the next that it was
// to tell of.
func narrow(list []mark, seg *ring.Segment) []mark {
	type span struct{ reached, next uint32 }
	spans := map[uint32]span{}
	past := map[uint32]bool{} // streams whose candidates are complete
	var left []mark
	for _, m := range list {
		s, ok := spans[m.stream]
		if !ok {
			s.reached, s.next = seg.Progress(m.stream)
			spans[m.stream] = s
		}
		if past[m.stream] || s.reached != 0 && int32(uint32(m.seq)-s.reached) <= 0 {
			continue
		}
		left = append(left, m)
		past[m.stream] = uint32(m.seq) == s.next
	}
	return left
}

// between lists the launches from after one command up to another, the oldest first.
func (m *marks) between(after, upTo uint64) []mark {
	var list []mark
	n := uint64(len(m.ring))
	for i := m.count - min(m.count, n); i < m.count; i++ {
		if k := m.ring[i%n]; k.seq > after && k.seq <= upTo {
			list = append(list, k)
		}
	}
	return list
}

func (k mark) String() string { return k.kernel.name + " (" + k.place.String() + ")" }

// suspects puts launches into words: "one of ..." if there are several.
func suspects(list []mark) string {
	const most = 8
	var names []string
	for _, m := range list {
		name := m.String()
		if n := len(names); n > 0 && names[n-1] == name {
			continue
		}
		names = append(names, name)
	}
	if extra := len(names) - most; extra > 0 {
		names = append([]string{fmt.Sprintf("%d earlier ones", extra)}, names[extra:]...)
	}
	return strings.Join(names, ", ")
}
