package debugger

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
)

// Front ends identify the source of a cell by a hash of its text, which they and the
// kernel compute in the same way: Murmur2 with this seed, between a prefix and a suffix.
const hashSeed = 0xc70f6907

func sourcePrefix() string { return filepath.Join(os.TempDir(), "gopherwarp-cell-") }

const sourceSuffix = ".go"

// sourcePath returns the path by which front ends identify the source of a cell
// with this text.
func sourcePath(text string) string {
	return sourcePrefix() + strconv.FormatUint(uint64(murmur2([]byte(text), hashSeed)), 10) + sourceSuffix
}

// murmur2 is the 32-bit hash MurmurHash2.
func murmur2(data []byte, seed uint32) uint32 {
	const m = 0x5bd1e995
	h := seed ^ uint32(len(data))
	for ; len(data) >= 4; data = data[4:] {
		k := binary.LittleEndian.Uint32(data) * m
		k ^= k >> 24
		h = h*m ^ k*m
	}
	if len(data) > 0 {
		var rest [4]byte
		copy(rest[:], data)
		h = (h ^ binary.LittleEndian.Uint32(rest[:])) * m
	}
	h ^= h >> 13
	h *= m
	return h ^ h>>15
}
