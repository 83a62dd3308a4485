package random

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
	"github.com/gopherwarp/gopherwarp/gpu/internal/philox"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// The results that were published with the function.
func TestPhilox(t *testing.T) {
	for _, c := range []struct {
		at   [4]uint32
		key  uint64
		want [4]uint32
	}{
		{[4]uint32{}, 0, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0)}, ^uint64(0), [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822, [4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		if got := philox.Words(c.at, c.key); got != c.want {
			t.Errorf("philox.Words(%x, %x) = %x, want %x", c.at, c.key, got, c.want)
		}
	}
}

// seed has bits in both halves of the key.
const seed = 0x9876543210abcdef

// same compares all bits of an array with those computed in plain Go. The generator has had some requests before, and the shape has an
// odd number of elements.
func same[T nd.Elem](t *testing.T, what string, draw func(g *Generator, shape ...int) *nd.Array[T], host func(s Stream, i int) T) {
	t.Helper()
	g, h := New(seed), New(seed)
	for range 3 {
		g.Stream()
		h.Stream()
	}
	s := h.Stream()
	for i, got := range draw(g, 61, 1, 67).ToHost() {
		if want := host(s, i); got != want {
			t.Fatalf("%s: element %d is %v, plain Go has %v", what, i, got, want)
		}
	}
}

func TestSameOnDeviceAndHost(t *testing.T) {
	same(t, "Random[float32]", Random[float32], func(s Stream, i int) float32 { return s.Float32(i) })
	same(t, "Random[float64]", Random[float64], func(s Stream, i int) float64 { return s.Float64(i) })
	same(t, "StandardNormal[float32]", StandardNormal[float32], func(s Stream, i int) float32 { return s.Normal32(i) })
	same(t, "StandardNormal[float64]", StandardNormal[float64], func(s Stream, i int) float64 { return s.Normal64(i) })
	same(t, "Normal[float32]", func(g *Generator, shape ...int) *nd.Array[float32] { return Normal[float32](g, 2, 0.3, shape...) },
		func(s Stream, i int) float32 { return philox.FMA32(0.3, s.Normal32(i), 2) })
	same(t, "Normal[float64]", func(g *Generator, shape ...int) *nd.Array[float64] { return Normal(g, 2, 0.3, shape...) },
		func(s Stream, i int) float64 { return math.FMA(0.3, s.Normal64(i), 2) })
	same(t, "Exponential[float32]", func(g *Generator, shape ...int) *nd.Array[float32] { return Exponential(g, float32(3), shape...) },
		func(s Stream, i int) float32 { return 3 * s.Exponential32(i) })
	same(t, "Exponential[float64]", func(g *Generator, shape ...int) *nd.Array[float64] { return Exponential(g, 0.5, shape...) },
		func(s Stream, i int) float64 { return 0.5 * s.Exponential64(i) })
	same(t, "Integers[int8]", func(g *Generator, shape ...int) *nd.Array[int8] { return Integers[int8](g, -100, 127, shape...) },
		func(s Stream, i int) int8 { return int8(s.Uint64N(i, 227) - 100) })
	const third = math.MaxUint32/3*2 + 1 // of which a third is rejected
	same(t, "Integers[int64]", func(g *Generator, shape ...int) *nd.Array[int64] {
		return Integers[int64](g, math.MinInt64, math.MinInt64+third, shape...)
	}, func(s Stream, i int) int64 { return math.MinInt64 + int64(s.Uint64N(i, third)) })
	for _, n := range []uint64{1 << 63 / 3 * 4, 0} {
		same(t, "IntegersClosed[uint64]", func(g *Generator, shape ...int) *nd.Array[uint64] { return IntegersClosed(g, 0, n-1, shape...) },
			func(s Stream, i int) uint64 { return s.Uint64N(i, n) })
	}
	for _, mean := range []float64{0, 0.3, 9.9, 10, 1234.5, 1e12} {
		same(t, fmt.Sprint("Poisson ", mean), func(g *Generator, shape ...int) *nd.Array[int64] { return Poisson[int64](g, mean, shape...) },
			func(s Stream, i int) int64 { return s.Poisson(i, mean) })
	}
}

func TestPermutation(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000, 1<<16 + 1, 100_003} {
		got := Permutation(New(seed), n).ToHost()
		if want := New(seed).Stream().Permutation(n); !slices.Equal(got, want) {
			t.Errorf("of %d: the device and plain Go differ", n)
		}
		fixed := 0
		for i, v := range got {
			if int(v) == i {
				fixed++
			}
		}
		if fixed > 20 {
			t.Errorf("of %d: %d numbers are in their old places", n, fixed)
		}
		slices.Sort(got)
		for i, v := range got {
			if int(v) != i {
				t.Fatalf("of %d: the number %d is missing or there twice", n, i)
			}
		}
	}
	for _, n := range []int{1000, 200_000} {
		list := ChoiceDistinct(New(1), n, 500).ToHost()
		slices.Sort(list)
		if len(slices.Compact(list)) != 500 || list[0] < 0 || list[499] >= int64(n) {
			t.Errorf("of %d: the numbers are not 500 different ones: %v", n, list)
		}
	}
}

func TestShuffled(t *testing.T) {
	a := nd.Arange[int32](12).Reshape(4, 3)
	order := New(9).Stream().Permutation(3)
	got := Shuffled(New(9), a, -1).ToHost()
	for i, v := range got {
		if want := int32(i/3*3) + int32(order[i%3]); v != want {
			t.Fatalf("the shuffled columns are %v, want the order %v", got, order)
		}
	}
}

// Moments and frequencies are within five standard deviations of the expected ones.
func TestDistributions(t *testing.T) {
	const n = 200_000
	g := New(2024)
	moments := func(what string, list []float64, mean, variance float64) {
		t.Helper()
		sum, squares := 0.0, 0.0
		for _, v := range list {
			sum += v - mean
			squares += (v - mean) * (v - mean)
		}
		if got := sum / n; math.Abs(got) > 5*math.Sqrt(variance/n) {
			t.Errorf("%s: the mean is %v, want %v", what, mean+got, mean)
		}
		if got := squares / n; math.Abs(got-variance) > 0.02*variance {
			t.Errorf("%s: the variance is %v, want %v", what, got, variance)
		}
	}
	wide := func(a *nd.Array[float32]) []float64 { return nd.AsType[float64](a).ToHost() }
	moments("uniform", wide(Uniform[float32](g, -2, 4, n)), 1, 3)
	moments("normal", Normal(g, 3.0, 2, n).ToHost(), 3, 4)
	moments("normal", wide(Normal[float32](g, -1, 0.5, n)), -1, 0.25)
	moments("exponential", wide(Exponential[float32](g, 2, n)), 2, 4)
	for _, mean := range []float64{4, 50} {
		list := Poisson[int64](g, mean, n).ToHost()
		reals := make([]float64, n)
		for i, v := range list {
			reals[i] = float64(v)
		}
		moments("poisson", reals, mean, mean)
	}
	p := []float64{0.1, 0, 0.6, 0.3}
	shares := func(what string, list []int64) {
		t.Helper()
		count := make([]float64, len(p))
		for _, v := range list {
			count[v]++
		}
		for i, c := range count {
			if total := float64(len(list)); math.Abs(c-p[i]*total) > 5*math.Sqrt(p[i]*total) {
				t.Errorf("%s: number %d came %v times of %v, want a share of %v", what, i, c, total, p[i])
			}
		}
	}
	shares("ChoiceWeighted", ChoiceWeighted(g, p, n).ToHost())
	var first []int64
	for range 5000 {
		first = append(first, g.Stream().weighted(p, 2)[0])
	}
	shares("ChoiceWeightedDistinct", first)
	// Three numbers have six permutations.
	orders := map[string]int{}
	for range 6000 {
		orders[fmt.Sprint(g.Stream().Permutation(3))]++
	}
	for order, count := range orders {
		if len(orders) != 6 || count < 850 || count > 1150 {
			t.Errorf("the order %s came %d times of 6000, and there were %d orders", order, count, len(orders))
		}
	}
}

func TestErrors(t *testing.T) {
	g := New(1)
	for want, f := range map[string]func(){
		"random.Normal: the standard deviation is -1":                     func() { Normal(g, 0.0, -1, 3) },
		"random.Uniform: high is NaN":                                     func() { Uniform(g, 0, math.NaN(), 3) },
		"there is nothing from low to below high":                         func() { Integers(g, 3, 3, 1) },
		"the probabilities sum up to 0.5, not to 1":                       func() { ChoiceWeighted(g, []float64{0.5}, 1) },
		"2 different numbers: 1 of the 2 probabilities":                   func() { ChoiceWeightedDistinct(g, []float64{1, 0}, 2) },
		"there are no 4 different numbers":                                func() { ChoiceDistinct(g, 3, 4) },
		"the generator is nil: make one with random.New":                  func() { Random[float32](nil, 1) },
		"the mean is +Inf":                                                func() { Poisson[int32](g, math.Inf(1), 1) },
		"random.Shuffled: axis 1 is out of bounds for an array of 1 axes": func() { Shuffled(g, nd.Zeros[int8](2), 1) },
		"negative length":                                                 func() { Random[float32](g, -1) },
	} {
		if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	if a := Random[float64](g, 0, 3); a.Size() != 0 {
		t.Errorf("an empty array has %d elements", a.Size())
	}
}

func TestFMA(t *testing.T) {
	s := New(5).Stream()
	near := func(i int) float32 {
		return math.Float32frombits(s.numbers().Word(uint64(i), 0)&0x807fffff | 0x3f000000)
	}
	for i := 0; i < 30000; i += 3 {
		a, b, c := near(i), near(i+1), near(i+2)
		switch i % 4 {
		case 1:
			c *= 0x1p-24
		case 2:
			c = -a * b // the rounding error
		}
		exact := new(big.Float).SetPrec(200).Mul(big.NewFloat(float64(a)), big.NewFloat(float64(b)))
		want, _ := exact.Add(exact, big.NewFloat(float64(c))).Float32()
		if got := philox.FMA32(a, b, c); got != want {
			t.Fatalf("fma32(%v, %v, %v) = %v, want %v", a, b, c, got, want)
		}
	}
}

// The logarithms are as accurate as their types.
func TestLog(t *testing.T) {
	s := New(6).Stream()
	for i := range 10000 {
		x := philox.Open64(s.numbers().Wide(uint64(i), 0))
		if i%2 == 0 {
			x = 1 - x*0x1p-18
		}
		if got, want := philox.Log64(x), math.Log(x); math.Abs(got-want) > 0x1p-51*math.Abs(want) {
			t.Fatalf("log64(%v) = %v, want %v", x, got, want)
		}
		w := uint32(x*(1<<32)) | 1
		n := w &^ (1<<max(bits.Len32(w)-24, 0) - 1) // as a float32
		if got, want := float64(philox.MinusTwoLog32(w)), -2*math.Log(float64(n)*0x1p-32); math.Abs(got-want) > 0x1p-22*want {
			t.Fatalf("minusTwoLog32(%d) = %v, want %v", w, got, want)
		}
	}
}
