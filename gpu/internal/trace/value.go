package trace

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/gopherwarp/gopherwarp/gpu/internal/half"
)

// exact is the largest integer up to which JavaScript's numbers have all integers.
const exact = 1 << 53

// value returns the bytes of a word as a number, or as a text if JSON has no such number.
func value(typ string, size int, bits uint64) any {
	switch typ {
	case "float32":
		if size == 4 {
			return float(float64(math.Float32frombits(uint32(bits))), 32)
		}
	case "float64":
		if size == 8 {
			return float(math.Float64frombits(bits), 64)
		}
	case "bool":
		if size == 1 {
			return bits != 0
		}
	case "int8", "int16", "int32", "int64", "int":
		shift := 64 - 8*size
		return integer(int64(bits<<shift) >> shift)
	case "uint8", "uint16", "uint32", "byte":
		return bits
	case "uint64", "uint", "uintptr":
		if bits > exact {
			return strconv.FormatUint(bits, 10)
		}
		return bits
	case "Float16":
		if size == 2 {
			return float(float64(half.To32(uint16(bits))), 32)
		}
	case "BFloat16":
		if size == 2 {
			return float(float64(half.BrainTo32(uint16(bits))), 32)
		}
	}
	return fmt.Sprintf("%#0*x", 2*size+2, bits)
}

func integer(v int64) any {
	if v > exact || v < -exact {
		return strconv.FormatInt(v, 10)
	}
	return v
}

func float(v float64, bits int) any {
	text := strconv.FormatFloat(v, 'g', -1, bits)
	if math.IsNaN(v) || math.IsInf(v, 0) || v == 0 && math.Signbit(v) {
		return text
	}
	return number(text)
}

// A number is the text of a JSON number.
type number string

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) { return []byte(n), nil }

// word returns the bytes of a word in memory as an integer.
func word(b []byte) uint64 {
	var full [8]byte
	copy(full[:], b)
	return binary.LittleEndian.Uint64(full[:])
}
