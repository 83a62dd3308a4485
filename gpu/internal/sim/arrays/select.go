package arrays

import (
	"sync"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

// selectBins is the number of digits of a pass of a selection, as in package nd.
const selectBins = 1 << 11

// selecting returns a routine of the selection by digits of 11 bits, or nil.
func selecting(k *expression.Kernel, t expression.Type) *routine {
	if t.Complex() {
		return nil
	}
	o := orderOf(t)
	switch t.Size() {
	case 1:
		return selectRoutine[uint8](o, k.Name)
	case 2:
		return selectRoutine[uint16](o, k.Name)
	case 4:
		return selectRoutine[uint32](o, k.Name)
	}
	return selectRoutine[uint64](o, k.Name)
}

func selectRoutine[K keys](o order, name string) *routine {
	if name == "select_count" {
		return &routine{3, 5, func(p []pointer, w []int64, _ int) { selectCount[K](o, p, w) }}
	}
	return &routine{4, 3, func(p []pointer, w []int64, blocks int) { selectPick[K](o, p, w, blocks) }}
}

// distinct returns the prefixes of statistics, each once.
func distinct[K keys](found []uint64) (list []K) {
	for i, prefix := range found {
		if slotOf(found[:i], prefix) == i {
			list = append(list, K(prefix))
		}
	}
	return list
}

// slotOf returns the place of a number in a list, or the list's length.
func slotOf[K keys](list []K, x K) int {
	for i, v := range list {
		if v == x {
			return i
		}
	}
	return len(list)
}

// selectCount counts a digit of the keys whose higher digits are those of a statistic: the words are the number of keys, the bits below
// the digit, the bits below those higher digits, the number of statistics, and the mode of a sort.
func selectCount[K keys](o order, p []pointer, w []int64) {
	n, shift, high, some := int(w[0]), uint(w[1]), uint(w[2]), int(w[3])
	list := elements[K](p[1], n)
	c := digits[K]{ranking: rankingOf[K](o, w[4]&sortTies != 0), shift: shift, mask: 1<<(high-shift) - 1, high: high, bits: 8 * uint(unsafe.Sizeof(K(0)))}
	count := c.all
	if high < c.bits {
		c.prefixes = distinct[K](elements[uint64](p[2], some))
		c.begin()
		count = c.some
	}
	out := elements[[selectBins]uint64](p[0], max(len(c.prefixes), 1))
	var mu sync.Mutex
	cores.Blocks((n+selectBlock-1)/selectBlock, 1.5*selectBlock, func(blocks func() (from, to int)) {
		counts := make([][selectBins]uint64, len(out)+1) // the last one for every other key of the first pass
		for from, to := blocks(); from < to; from, to = blocks() {
			count(counts, list[from*selectBlock:min(n, to*selectBlock)])
		}
		mu.Lock()
		defer mu.Unlock()
		for i := range counts {
			sum := &out[i%len(out)]
			for d, v := range counts[i] {
				sum[d] += v
			}
		}
	})
}

// selectBlock is the number of keys that a thread counts at once.
const selectBlock = 1 << 13

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

// key is encode.
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

// digits counts a digit.
type digits[K keys] struct {
	ranking[K]
	shift, high, bits uint
	mask              K
	prefixes          []K
	begins            [selectBins]bool // which digits of the first pass the prefixes begin with
}

func (c *digits[K]) begin() {
	for _, prefix := range c.prefixes {
		c.begins[prefix<<c.high>>c.behind()] = true
	}
}

// behind returns the bits after the first digit.
func (c *digits[K]) behind() uint { return max(c.bits, 11) - 11 }

// all counts the digit of all keys.
func (c *digits[K]) all(counts [][selectBins]uint64, list []K) {
	r, shift, mask := c.ranking, c.shift, c.mask
	// Two halves in two arrays: to add to the same number twice in a row takes long.
	one, other := &counts[0], &counts[1]
	half := len(list) / 2
	left, right := list[:half], list[half:]
	for i, k := range left {
		one[uint(r.key(k)>>shift&mask)%selectBins]++
		other[uint(r.key(right[i])>>shift&mask)%selectBins]++
	}
	if len(right) > half {
		one[uint(r.key(right[half])>>shift&mask)%selectBins]++
	}
}

// some counts the digit of the keys with a prefix of the list.
func (c *digits[K]) some(counts [][selectBins]uint64, list []K) {
	r, shift, mask, high, behind := c.ranking, c.shift, c.mask, c.high, c.behind()
	for _, k := range list {
		key := r.key(k)
		if !c.begins[uint(key>>behind)%selectBins] {
			continue
		}
		if slot := slotOf(c.prefixes, key>>high); slot < len(c.prefixes) {
			counts[slot][uint(key>>shift&mask)%selectBins]++
		}
	}
}

// selectPick finds the digit of each statistic: the words are the number of statistics, the bits below the digit, those below the higher
// digits, and the place that each statistic has in the order of all keys.
func selectPick[K keys](o order, p []pointer, w []int64, some int) {
	shift, high := uint(w[1]), uint(w[2])
	out, found := elements[K](p[0], some), elements[uint64](p[1], 2*some)
	first := high == 8*uint(unsafe.Sizeof(K(0)))
	places := elements[int64](pointer(&w[0]), 3+some)[3:]
	var before []uint64
	var prefixes []K
	if !first {
		before = elements[uint64](p[3], 2*some)
		prefixes = distinct[K](before[:some])
	}
	for s := range some {
		prefix, rank, slot := uint64(0), uint64(places[s]), 0
		if !first {
			prefix, rank = before[s], before[some+s]
			slot = slotOf(prefixes, K(prefix))
		}
		digit := uint64(0)
		for _, count := range &elements[[selectBins]uint64](p[2], slot+1)[slot] {
			if rank < count {
				break
			}
			rank -= count
			digit++
		}
		found[s], found[some+s] = prefix<<(high-shift)|digit, rank
		if shift == 0 {
			out[s] = decode(o, K(found[s]))
		}
	}
}
