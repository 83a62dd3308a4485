package linalg

import (
	"math"
	"math/bits"
	"sync"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

// leastVectors is the shortest line of complex numbers that is transformed with vectors.
const leastVectors = 32

// planned is what transforms lines of complex64s of one length, a power of two, by Stockham's algorithm with vectors. Its numbers are
// rounded to float32 after each step, as NumPy's are.
type planned struct {
	n      int
	first  []float32 // the roots of the first step, for 8 at a time
	steps  []step
	re, im []float32 // roots of twice the length, for real numbers: e to the power of -πi·k/n, up to n/2
	rooms  sync.Pool // of *room
}

// step is a step of radix 4: count times near numbers, with three roots for each time.
type step struct {
	count, near int
	roots       []float32
}

// room is memory for a line, twice.
type room struct{ re, im, toRe, toIm []float32 }

var plans kept[*planned]

func newPlanned(n int) *planned {
	p := &planned{n: n}
	p.rooms.New = func() any {
		all := make([]float32, 4*n)
		return &room{all[:n:n], all[n : 2*n : 2*n], all[2*n : 3*n : 3*n], all[3*n:]}
	}
	root := func(k, of int) (re, im float32) {
		s, c := math.Sincos(-2 * math.Pi * float64(k) / float64(of))
		return float32(c), float32(s)
	}
	p.first = make([]float32, n/4*6)
	for i := range n / 4 {
		for k := range 3 {
			at := i/8*48 + k*16 + i%8
			p.first[at], p.first[at+8] = root((k+1)*i, n)
		}
	}
	for left, near := n/4, 4; left >= 4; left, near = left/4, near*4 {
		s := step{count: left / 4, near: near, roots: make([]float32, left/4*6)}
		for i := range s.count {
			for k := range 3 {
				s.roots[6*i+2*k], s.roots[6*i+2*k+1] = root((k+1)*i, left)
			}
		}
		p.steps = append(p.steps, s)
	}
	p.re, p.im = make([]float32, n/2), make([]float32, n/2)
	for k := range p.re {
		p.re[k], p.im[k] = root(k, 2*n)
	}
	return p
}

// run transforms the numbers of a room, which then are in its re and im again. Parts of a step are done at the same time if shared is set.
func (p *planned) run(r *room, shared bool) {
	share := func(n int, each float64, f func(from, to int)) {
		if shared {
			cores.Range(n, each, f)
			return
		}
		f(0, n)
	}
	share(p.n/32, 10, func(from, to int) {
		at := 8 * from
		simd.FourierFirst32(&r.toRe[4*at], &r.toIm[4*at], &r.re[at], &r.im[at], &p.first[6*at], p.n, 8*(to-from))
	})
	r.swap()
	for _, s := range p.steps {
		if s.count >= 4 || s.near < 8 {
			share(s.count, float64(s.near), func(from, to int) { s.run(r, p.n, from, to, 0, s.near) })
		} else {
			share(s.near/8, 8*float64(s.count), func(from, to int) { s.run(r, p.n, 0, s.count, 8*from, 8*to) })
		}
		r.swap()
	}
	if bits.TrailingZeros(uint(p.n))%2 != 0 {
		half := p.n / 2
		for _, part := range [][2][]float32{{r.toRe, r.re}, {r.toIm, r.im}} {
			to, from := part[0], part[1]
			simd.Add32(&to[0], &from[0], &from[half], half)
			simd.Sub32(&to[half], &from[0], &from[half], half)
		}
		r.swap()
	}
}

// run does the numbers from..end of the times begin..stop, of a line of n.
func (s *step) run(r *room, n, begin, stop, from, end int) {
	pass := simd.FourierPass32
	if s.near < 8 {
		pass = simd.FourierSecond32
	}
	in, out, some := begin*s.near+from, 4*begin*s.near+from, end-from
	pass(&r.toRe[out], &r.toIm[out], &r.re[in], &r.im[in], &s.roots[6*begin], n, 4*s.near, 4*(s.near-some), 4*(4*s.near-some), stop-begin, some)
}

// swap makes the results of a step the operands of the next.
func (r *room) swap() { r.re, r.im, r.toRe, r.toIm = r.toRe, r.toIm, r.re, r.im }

// turn exchanges the parts of all numbers: the transform of those is the inverse one, of which the parts are exchanged.
func (r *room) turn() { r.re, r.im, r.toRe, r.toIm = r.im, r.re, r.toIm, r.toRe }

// vectored transforms lines of float32s or complex64s, and reports whether it can: lengths are powers of two.
func vectored(c *routine.Transform, parts [][]byte) bool {
	n := c.Dims[0]
	if c.Kind != routine.ComplexToComplex {
		n /= 2
	}
	if c.Double || c.Rank != 1 || !simd.Has || n < leastVectors || bits.OnesCount(uint(c.Dims[0])) != 1 {
		return false
	}
	p := plans.of(n, newPlanned)
	in, out := c.Sizes()
	line := map[routine.Kind]func(in, out []float32, r *room, inverse, shared bool){
		routine.ComplexToComplex: p.complexes, routine.RealToComplex: p.fromReal, routine.ComplexToReal: p.toReal,
	}[c.Kind]
	if c.Kind != routine.RealToComplex {
		in *= 2
	}
	if c.Kind != routine.ComplexToReal {
		out *= 2
	}
	cores.Range(c.Count, 2*float64(n), func(from, to int) {
		r := p.rooms.Get().(*room)
		defer p.rooms.Put(r)
		for i := from; i < to; i++ {
			line(view[float32](parts[0], i*in), view[float32](parts[1], i*out), r, c.Inverse, c.Count == 1)
		}
	})
	return true
}

// complexes transforms a line of complex numbers.
func (p *planned) complexes(in, out []float32, r *room, inverse, shared bool) {
	simd.Parts32(&r.re[0], &r.im[0], &in[0], p.n)
	if inverse {
		r.turn()
	}
	p.run(r, shared)
	if inverse {
		r.turn()
	}
	simd.Joined32(&out[0], &r.re[0], &r.im[0], p.n)
}

// middle is the number of complex numbers behind the first that RealOut32 and RealIn32 make, and as many mirror them.
func (p *planned) middle() int { return (p.n/2 - 1) &^ 7 }

// fromReal transforms 2n real numbers: two make a complex number.
func (p *planned) fromReal(in, out []float32, r *room, _, shared bool) {
	simd.Parts32(&r.re[0], &r.im[0], &in[0], p.n)
	p.run(r, shared)
	to := complexesOf(out)[:p.n+1]
	simd.RealOut32(&out[0], &r.re[0], &r.im[0], &p.re[0], &p.im[0], p.n, p.middle())
	to[0], to[p.n] = complex(r.re[0]+r.im[0], 0), complex(r.re[0]-r.im[0], 0)
	to[p.n/2] = complex(r.re[p.n/2], -r.im[p.n/2])
	for k := p.middle() + 1; k < p.n/2; k++ {
		a, b := complex(r.re[k], r.im[k])/2, complex(r.re[p.n-k], -r.im[p.n-k])/2
		even, odd := a+b, a-b
		odd = complex(imag(odd), -real(odd)) * complex(p.re[k], p.im[k])
		to[k] = even + odd
		to[p.n-k] = complex(real(even)-real(odd), imag(odd)-imag(even))
	}
}

// toReal is the inverse of fromReal. The first and the last number are taken as real.
func (p *planned) toReal(in, out []float32, r *room, _, shared bool) {
	from := complexesOf(in)[:p.n+1]
	simd.RealIn32(&r.re[0], &r.im[0], &in[0], &p.re[0], &p.im[0], p.n, p.middle())
	first, last := real(from[0]), real(from[p.n])
	r.re[0], r.im[0] = first+last, first-last
	r.re[p.n/2], r.im[p.n/2] = 2*real(from[p.n/2]), -2*imag(from[p.n/2])
	for k := p.middle() + 1; k < p.n/2; k++ {
		a, b := from[k], complex(real(from[p.n-k]), -imag(from[p.n-k]))
		even, odd := a+b, (a-b)*complex(p.re[k], -p.im[k])
		r.re[k], r.im[k] = real(even)-imag(odd), imag(even)+real(odd)
		r.re[p.n-k], r.im[p.n-k] = real(even)+imag(odd), real(odd)-imag(even)
	}
	r.turn()
	p.run(r, shared)
	r.turn()
	simd.Joined32(&out[0], &r.re[0], &r.im[0], p.n)
}

func complexesOf(list []float32) []complex64 {
	return unsafe.Slice((*complex64)(unsafe.Pointer(&list[0])), len(list)/2)
}
