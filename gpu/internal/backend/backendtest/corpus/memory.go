package corpus

import (
	"fmt"
	"math"
	"strconv"
	"unsafe"
)

// Memory has the contents of a case's buffers, by name. Every buffer is aligned to 16 bytes.
type Memory map[string][]byte

// view returns a buffer as a slice of T.
func view[T any](m Memory, name string) []T {
	b, ok := m[name]
	if !ok {
		panic("corpus: there is no memory " + name)
	}
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

func floats(m Memory, name string) []float32  { return view[float32](m, name) }
func doubles(m Memory, name string) []float64 { return view[float64](m, name) }
func ints(m Memory, name string) []int32      { return view[int32](m, name) }
func uints(m Memory, name string) []uint32    { return view[uint32](m, name) }

// random is a pseudo-random sequence, the same on every machine: xorshift.
type random uint64

func (r *random) next() uint64 {
	x := uint64(*r)
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*r = random(x)
	return x
}

func newRandom(seed int) *random {
	r := random(uint64(seed)*0x9e3779b97f4a7c15 + 0x1234567)
	for range 8 {
		r.next()
	}
	return &r
}

// uniform returns a number of at least 0 and less than 1, with 24 bits.
func (r *random) uniform() float32 { return float32(r.next()>>40) / (1 << 24) }

// Memory returns the initial memory of the case's kernels.
func (c *Case) Memory() (Memory, error) {
	m := Memory{}
	for _, b := range c.buffers {
		// In units of 16 bytes, for the alignment.
		pieces := make([][2]uint64, (b.count*elements[b.elem]+15)/16+1)
		m[b.name] = unsafe.Slice((*byte)(unsafe.Pointer(&pieces[0])), b.count*elements[b.elem])
		if err := b.init(m); err != nil {
			return nil, fmt.Errorf("%s: memory %s: %w", c.Name, b.name, err)
		}
	}
	if makeMemory := makers[c.Name]; makeMemory != nil {
		makeMemory(m)
	}
	return m, nil
}

func (b buffer) init(m Memory) error {
	var numbers []int
	for _, f := range b.fill[1:] {
		n, err := strconv.Atoi(f)
		if err != nil {
			return err
		}
		numbers = append(numbers, n)
	}
	var value func(int) float64
	switch kind := b.fill[0]; {
	case kind == "zero" || kind == "made":
		return nil
	case kind == "index":
		value = func(i int) float64 { return float64(i) }
	case kind == "small" && len(numbers) == 1:
		r := newRandom(numbers[0])
		value = func(int) float64 { return float64(r.next()>>33%16) - 8 }
	case kind == "below" && len(numbers) == 2:
		r := newRandom(numbers[1])
		value = func(int) float64 { return float64(r.next() >> 33 % uint64(numbers[0])) }
	case kind == "bits" && len(numbers) == 1:
		r := newRandom(numbers[0])
		value = func(int) float64 { return float64(uint32(r.next() >> 20)) }
	case kind == "uniform" && len(numbers) == 1:
		r := newRandom(numbers[0])
		value = func(int) float64 { return float64(r.uniform()) }
	default:
		return fmt.Errorf("%q does not say how the memory is filled", b.fill)
	}
	for i := range b.count {
		b.set(m, i, value(i))
	}
	return nil
}

func (b buffer) set(m Memory, i int, v float64) {
	switch b.elem {
	case "char":
		view[int8](m, b.name)[i] = int8(v)
	case "uchar":
		view[uint8](m, b.name)[i] = uint8(v)
	case "short":
		view[int16](m, b.name)[i] = int16(v)
	case "ushort":
		view[uint16](m, b.name)[i] = uint16(v)
	case "int":
		view[int32](m, b.name)[i] = int32(v)
	case "uint":
		view[uint32](m, b.name)[i] = uint32(v)
	case "long":
		view[int64](m, b.name)[i] = int64(v)
	case "ulong":
		view[uint64](m, b.name)[i] = uint64(v)
	case "float":
		view[float32](m, b.name)[i] = float32(v)
	case "double":
		view[float64](m, b.name)[i] = v
	case "half":
		view[uint16](m, b.name)[i] = toHalf(float32(v))
	case "bfloat16":
		view[uint16](m, b.name)[i] = toBfloat16(float32(v))
	}
}

// number returns an element as a float64, if it is of a floating-point type.
func (b buffer) number(m Memory, i int) (float64, bool) {
	switch b.elem {
	case "float":
		return float64(view[float32](m, b.name)[i]), true
	case "double":
		return view[float64](m, b.name)[i], true
	case "half":
		return float64(fromHalf(view[uint16](m, b.name)[i])), true
	case "bfloat16":
		return float64(fromBfloat16(view[uint16](m, b.name)[i])), true
	}
	return 0, false
}

// toHalf rounds to the nearest binary16 number, like CUDA's __float2half.
func toHalf(f float32) uint16 {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	a := math.Abs(float64(f))
	switch {
	case f != f:
		return 0x7fff
	case a >= 65520:
		return sign | 0x7c00
	case a < 0x1p-14: // subnormal: whole multiples of 2^-24
		return sign | uint16(math.RoundToEven(a*0x1p24))
	}
	fraction, exponent := math.Frexp(a)
	return sign | uint16(int(math.RoundToEven(fraction*2048))-1024+(exponent+14)<<10)
}

func fromHalf(h uint16) float32 {
	sign, exponent, fraction := float64(1), int(h>>10&31), float64(h&1023)
	if h&0x8000 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return float32(sign * math.Ldexp(fraction, -24))
	case 31:
		if fraction != 0 {
			return float32(math.NaN())
		}
		return float32(math.Inf(int(sign)))
	}
	return float32(sign * math.Ldexp(fraction+1024, exponent-25))
}

// toBfloat16 rounds to the nearest bfloat16 number.
func toBfloat16(f float32) uint16 {
	bits := math.Float32bits(f)
	if f != f {
		return 0x7fff
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

func fromBfloat16(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }
