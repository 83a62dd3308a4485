package client

import (
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
)

// launches is a ring buffer of recent launches, used to attribute asynchronous errors. Adding one needs only a few stores.
type launches struct {
	ring  [256]launchRecord
	count uint64
}

// launchRecord is a launch: the number of its command, its kernel and stream, and where it was called.
type launchRecord struct {
	seq    uint64
	kernel string
	stream uint32
	at     Place
}

func (k *launchRecord) String() string { return k.kernel + " (" + k.at.String() + ")" }

func (m *launches) add(seq uint64, stream uint32, kernel string, at *Place) {
	k := &m.ring[m.count%uint64(len(m.ring))]
	k.seq, k.stream, k.kernel, k.at = seq, stream, kernel, *at
	m.count++
}

// between returns the launches after one command up to another, the oldest first.
func (m *launches) between(after, upTo uint64) []launchRecord {
	var list []launchRecord
	n := uint64(len(m.ring))
	for i := m.count - min(m.count, n); i < m.count; i++ {
		if k := &m.ring[i%n]; k.seq > after && k.seq <= upTo {
			list = append(list, *k)
		}
	}
	return list
}

// candidates returns the launches that may have been running when the device failed: of each stream, those after the last
// completed marker up to the next.
func candidates(list []launchRecord, seg *ring.Segment) []launchRecord {
	type span struct{ completed, next uint32 }
	spans := map[uint32]span{}
	full := map[uint32]bool{} // streams of which all candidates were found
	var found []launchRecord
	for _, m := range list {
		s, ok := spans[m.stream]
		if !ok {
			s.completed, s.next = seg.Progress(m.stream)
			spans[m.stream] = s
		}
		if full[m.stream] || s.completed != 0 && int32(uint32(m.seq)-s.completed) <= 0 {
			continue
		}
		found = append(found, m)
		full[m.stream] = uint32(m.seq) == s.next
	}
	return found
}

// listLaunches returns the names of distinct launches for a message, the last ones if there are many.
func listLaunches(list []launchRecord) string {
	const maxNames = 8
	var names []string
	for i := range list {
		names = append(names, list[i].String())
	}
	if extra := len(names) - maxNames; extra > 0 {
		names = append([]string{fmt.Sprintf("%d earlier ones", extra)}, names[extra:]...)
	}
	return strings.Join(names, ", ")
}

// distinct returns the first launch of each kernel at each place.
func distinct(list []launchRecord) (first []launchRecord) {
	seen := map[string]bool{}
	for _, k := range list {
		if name := k.String(); !seen[name] {
			seen[name] = true
			first = append(first, k)
		}
	}
	return first
}
