package linalg

import (
	"math"
	"math/bits"
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

// transforms is what transforms lines of one length: lengths that are powers of two by Stockham's algorithm, others by gonum.
type transforms struct {
	plan  *fourier.CmplxFFT // of other lengths
	roots []complex128      // e to the power of -2πi·k/n
	room  []complex128
}

// leastRadix is the shortest length for which Stockham's algorithm is quicker.
const leastRadix = 16

func newTransforms(n int) *transforms {
	if n < leastRadix || bits.OnesCount(uint(n)) != 1 {
		return &transforms{plan: fourier.NewCmplxFFT(n)}
	}
	return &transforms{roots: keptRoots.of(n, rootsOf), room: make([]complex128, n)}
}

// kept has what depends on a length, for the lengths that were transformed last.
type kept[V any] struct {
	sync.Mutex
	values map[int]V
}

// of returns what the function makes for a length.
func (k *kept[V]) of(n int, made func(n int) V) V {
	k.Lock()
	defer k.Unlock()
	if v, ok := k.values[n]; ok {
		return v
	}
	if k.values == nil || len(k.values) == 8 {
		k.values = map[int]V{}
	}
	k.values[n] = made(n)
	return k.values[n]
}

var keptRoots kept[[]complex128]

// rootsOf returns the roots for a length.
func rootsOf(n int) []complex128 {
	list := make([]complex128, n)
	cores.Range(n, 20, func(from, to int) {
		for i := from; i < to; i++ {
			s, c := math.Sincos(-2 * math.Pi * float64(i) / float64(n))
			list[i] = complex(c, s)
		}
	})
	return list
}

// line transforms a line in place, without normalization.
func (t *transforms) line(x []complex128, inverse bool) {
	switch {
	case t.plan != nil && inverse:
		t.plan.Sequence(x, x)
		return
	case t.plan != nil:
		t.plan.Coefficients(x, x)
		return
	}
	from, to := x, t.room
	n, s := len(x), 1
	for ; n >= 4; n, s = n/4, s*4 {
		t.pass(to, from, n/4, s, inverse)
		from, to = to, from
	}
	if n == 2 {
		for q := range s {
			a, b := from[q], from[q+s]
			to[q], to[q+s] = a+b, a-b
		}
		from = to
	}
	if &from[0] != &x[0] {
		copy(x, from)
	}
}

// pass does s transforms of 4·m elements each by a step of radix 4.
func (t *transforms) pass(to, from []complex128, m, s int, inverse bool) {
	cores.Range(m, 4*float64(s), func(begin, end int) {
		for p := begin; p < end; p++ {
			w1, w2, w3 := t.roots[p*s], t.roots[2*p*s], t.roots[3*p*s]
			if inverse {
				w1, w2, w3 = conj(w1), conj(w2), conj(w3)
			}
			a, b, c, d := from[s*p:][:s], from[s*(p+m):][:s], from[s*(p+2*m):][:s], from[s*(p+3*m):][:s]
			y0, y1, y2, y3 := to[4*s*p:][:s], to[s*(4*p+1):][:s], to[s*(4*p+2):][:s], to[s*(4*p+3):][:s]
			for q := range s {
				sum, other := a[q]+c[q], b[q]+d[q]
				rest, turned := a[q]-c[q], b[q]-d[q]
				turned = complex(-imag(turned), real(turned))
				if inverse {
					turned = -turned
				}
				y0[q] = sum + other
				y1[q] = w1 * (rest - turned)
				y2[q] = w2 * (sum - other)
				y3[q] = w3 * (rest + turned)
			}
		}
	})
}

func conj(v complex128) complex128 { return complex(real(v), -imag(v)) }
