package arrays

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

const (
	selectDigit  = 11      // bits of a digit
	selectBins   = 1 << 11 // digits
	selectBlock  = 1 << 13 // keys that a thread takes at once
	selectFew    = 1 << 12 // keys of which no digits are counted
	selectSorted = 1 << 5  // keys that are sorted
	selectRounds = 40
	selectShare  = 16      // keys for each of those that are moved at once, at least
	selectSpread = 1 << 15 // elements of a row that several threads read
)

// selecting returns the routine that finds the elements which a sort would put at some places of each row: the words are the elements of a
// row, the number of places, the mode of a sort, and the places.
func selecting(t expression.Type) *routine {
	if t.Complex() {
		return nil
	}
	o := orderOf(t)
	return &routine{2, 3, map[int]routineFunc{1: selectRows[uint8](o), 2: selectRows[uint16](o), 4: selectRows[uint32](o), 8: selectRows[uint64](o)}[t.Size()]}
}

func selectRows[K keys](o order) routineFunc {
	return func(p []pointer, w []int64, blocks int) {
		n, some := int(w[0]), int(w[1])
		places := elements[int64](pointer(&w[0]), 3+some)[3:]
		out, in := elements[K](p[0], blocks), elements[K](p[1], blocks/some*n)
		r := rankingOf[K](o, w[2]&sortTies != 0)
		find := func(row int, spread bool) {
			results := out[row*some:][:some]
			wants := make([]want[K], some)
			for i, place := range places {
				wants[i] = want[K]{int(place), &results[i]}
			}
			slices.SortFunc(wants, func(a, b want[K]) int { return a.place - b.place })
			s := selection[K]{ranking: r, list: in[row*n:][:n], spread: spread, bits: 8 * uint(unsafe.Sizeof(K(0)))}
			s.find(wants)
			for i, key := range results {
				results[i] = decode(o, key)
			}
		}
		rows := blocks / some
		if n >= selectSpread {
			for row := range rows {
				find(row, true)
			}
			return
		}
		cores.Range(rows, 5*float64(n), func(from, to int) {
			for row := from; row < to; row++ {
				find(row, false)
			}
		})
	}
}

// want is a place in the order of keys, and where the key there is stored.
type want[K keys] struct {
	place int
	to    *K
}

// ranking makes keys of numbers without branches that are hard to predict.
type ranking[K keys] struct {
	sign, flip K // bits that are inverted in any case, and those of negative numbers
	infinity   K // what is above it without its sign is no number
	bump       K // 1 if the two zeros are the same
}

func rankingOf[K keys](o order, ties bool) ranking[K] {
	sign := K(1) << (8*unsafe.Sizeof(K(0)) - 1)
	switch {
	case o.signed:
		return ranking[K]{sign: sign, infinity: ^K(0)}
	case o.infinity == 0:
		return ranking[K]{infinity: ^K(0)}
	}
	r := ranking[K]{sign: sign, flip: ^K(0), infinity: K(o.infinity)}
	if ties {
		r.bump = 1
	}
	return r
}

// key is encode without branches: here the signs of the numbers are in no order, and branches on them are hard to predict. A sort is a tenth
// slower with it.
func (r ranking[K]) key(k K) K {
	top := 8*unsafe.Sizeof(k) - 1
	sign := K(1) << top
	if k&^sign > r.infinity {
		return ^K(0)
	}
	key := k ^ (-(k>>top)&r.flip | r.sign)
	if key == ^sign {
		key += r.bump
	}
	return key
}

// selection finds keys among numbers.
type selection[K keys] struct {
	ranking[K]
	list   []K
	spread bool // on several threads
	bits   uint // of a key
	behind uint // bits behind the first digit
	high   uint // bits that are not known yet
	groups []group[K]
	begins [selectBins]uint8 // by the first digit, 1 + the first of its groups
}

// group is the wanted keys with the same known bits, which are above, and their places among all keys that have these.
type group[K keys] struct {
	above K
	wants []want[K]
}

// find stores the keys at the wanted places, which ascend. It counts a digit of all keys, and then the next digit of those whose digits so far
// are wanted, until they are few.
func (s *selection[K]) find(wants []want[K]) {
	if len(s.list) <= selectFew {
		sorted := make([]K, len(s.list))
		for i, k := range s.list {
			sorted[i] = s.key(k)
		}
		pick(sorted, 0, wants, 0)
		return
	}
	s.behind = max(s.bits, selectDigit) - selectDigit
	shift := s.behind
	counts, least, largest := s.count(shift)
	for last := len(wants) - 1; last >= 0 && (wants[last].place == len(s.list)-1 || least == largest); last-- {
		*wants[last].to = largest
		wants = wants[:last]
	}
	s.groups = []group[K]{{0, wants}}
	total := s.split(counts, s.bits-shift)
	for s.high = shift; s.high > 0 && total > len(s.list)/selectShare; {
		shift = max(s.high, selectDigit) - selectDigit
		counts = s.countNext(shift)
		total = s.split(counts, s.high-shift)
		s.high = shift
	}
	if s.high > 0 {
		for i, part := range s.gather() {
			pick(part, 0, s.groups[i].wants, 0)
		}
		return
	}
	for _, g := range s.groups {
		for _, w := range g.wants {
			*w.to = g.above
		}
	}
}

// split divides the groups by the next digit, which has so many bits, and returns how many keys the new ones have.
func (s *selection[K]) split(counts [][selectBins]int, width uint) (total int) {
	var groups []group[K]
	for i, g := range s.groups {
		begin, wants := 0, g.wants
		for d, count := range &counts[i] {
			var of []want[K]
			for len(wants) > 0 && wants[0].place < begin+count {
				of = append(of, want[K]{wants[0].place - begin, wants[0].to})
				wants = wants[1:]
			}
			if of != nil {
				groups = append(groups, group[K]{g.above<<width | K(d), of})
				total += count
			}
			begin += count
		}
	}
	if s.groups = groups; s.high == 0 { // the first digit
		for i, g := range slices.Backward(groups) {
			s.begins[uint(g.above)%selectBins] = uint8(i + 1)
		}
	}
	return total
}

// inBlocks calls f for parts of a list, on several threads if there are many, each with the values that it gets of begin, and end for these.
func inBlocks[K keys, V any](list []K, spread bool, begin func() V, f func(v V, part []K), end func(v V)) {
	if !spread || len(list) <= selectBlock {
		v := begin()
		f(v, list)
		end(v)
		return
	}
	var mu sync.Mutex
	cores.Blocks((len(list)+selectBlock-1)/selectBlock, selectBlock, func(blocks func() (from, to int)) {
		v := begin()
		for from, to := blocks(); from < to; from, to = blocks() {
			f(v, list[from*selectBlock:min(len(list), to*selectBlock)])
		}
		mu.Lock()
		defer mu.Unlock()
		end(v)
	})
}

// counts are those of a thread, and its least and largest keys.
type counts[K keys] struct {
	of             [][selectBins]int
	least, largest K
}

// count returns how many keys have each first digit, and the least and the largest key.
func (s *selection[K]) count(shift uint) (sums [][selectBins]int, least, largest K) {
	r := s.ranking
	least = ^K(0)
	sums = make([][selectBins]int, 1)
	inBlocks(s.list, s.spread, func() *counts[K] { return &counts[K]{make([][selectBins]int, 2), ^K(0), 0} }, func(c *counts[K], part []K) {
		// Two halves in two arrays: to add to the same number twice in a row takes long.
		one, other, low, most := &c.of[0], &c.of[1], c.least, c.largest
		half := len(part) / 2
		left, right := part[:half], part[half:]
		for i, k := range left {
			x, y := r.key(k), r.key(right[i])
			low, most = min(low, x, y), max(most, x, y)
			one[uint(x>>shift)%selectBins]++
			other[uint(y>>shift)%selectBins]++
		}
		if len(right) > half {
			x := r.key(right[half])
			low, most = min(low, x), max(most, x)
			one[uint(x>>shift)%selectBins]++
		}
		c.least, c.largest = low, most
	}, func(c *counts[K]) {
		least, largest = min(least, c.least), max(largest, c.largest)
		for d := range &sums[0] {
			sums[0][d] += c.of[0][d] + c.of[1][d]
		}
	})
	return sums, least, largest
}

// group returns the number of the group of a key, or -1.
func (s *selection[K]) group(key K) int {
	first := s.begins[uint(key>>s.behind)%selectBins]
	if first == 0 {
		return -1
	}
	return s.groupFrom(int(first)-1, key>>s.high)
}

// groupFrom returns the number of the group of keys with these known bits, of those from number i on, or -1.
func (s *selection[K]) groupFrom(i int, above K) int {
	for ; i < len(s.groups); i++ {
		if s.groups[i].above >= above {
			if s.groups[i].above == above {
				return i
			}
			return -1
		}
	}
	return -1
}

// countNext returns how many keys of each group have each next digit.
func (s *selection[K]) countNext(shift uint) [][selectBins]int {
	r, mask := s.ranking, uint(1)<<(s.high-shift)-1
	sums := make([][selectBins]int, len(s.groups))
	inBlocks(s.list, s.spread, func() [][selectBins]int { return make([][selectBins]int, len(sums)) }, func(counts [][selectBins]int, part []K) {
		for _, k := range part {
			key := r.key(k)
			if g := s.group(key); g >= 0 {
				counts[g][uint(key>>shift)&mask%selectBins]++
			}
		}
	}, func(counts [][selectBins]int) {
		for g := range sums {
			for d, count := range &counts[g] {
				sums[g][d] += count
			}
		}
	})
	return sums
}

// gather returns the keys of each of the groups.
func (s *selection[K]) gather() [][]K {
	r := s.ranking
	parts := make([][]K, len(s.groups))
	inBlocks(s.list, s.spread, func() [][]K { return make([][]K, len(parts)) }, func(found [][]K, part []K) {
		for _, k := range part {
			key := r.key(k)
			if g := s.group(key); g >= 0 {
				found[g] = append(found[g], key)
			}
		}
	}, func(found [][]K) {
		for i, keys := range found {
			parts[i] = append(parts[i], keys...)
		}
	})
	return parts
}

// pick stores the keys at the wanted places, which ascend, of a list that begins at a place. It changes the list's order. After many rounds,
// whose pivots must have been bad, it sorts.
func pick[K keys](list []K, begin int, wants []want[K], rounds int) {
	for ; len(wants) > 0; rounds++ {
		if len(list) <= selectSorted || rounds > selectRounds {
			slices.Sort(list)
			for _, w := range wants {
				*w.to = list[w.place-begin]
			}
			return
		}
		less, equal := partition(list)
		low, _ := slices.BinarySearchFunc(wants, begin+less, func(w want[K], place int) int { return w.place - place })
		high, _ := slices.BinarySearchFunc(wants, begin+less+equal, func(w want[K], place int) int { return w.place - place })
		for _, w := range wants[low:high] {
			*w.to = list[less]
		}
		pick(list[:less], begin, wants[:low], rounds+1)
		list, begin, wants = list[less+equal:], begin+less+equal, wants[high:]
	}
}

// partition orders a list by a key of it: those that are less, equal ones, and the others. It returns how many there are of the first two.
func partition[K keys](list []K) (less, equal int) {
	n := len(list)
	a, b, c := list[n/4], list[n/2], list[n/4*3]
	pivot := max(min(a, b), min(max(a, b), c))
	for i, k := range list { // without a branch on the order, which is hard to predict
		list[i] = list[less]
		list[less] = k
		if k < pivot {
			less++
		}
	}
	rest := list[less:]
	for i, k := range rest {
		rest[i] = rest[equal]
		rest[equal] = k
		if k == pivot {
			equal++
		}
	}
	return less, equal
}
