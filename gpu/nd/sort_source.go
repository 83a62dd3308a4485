package nd

import (
	_ "embed"
	"fmt"
)

// The kernels of sorting: the part that all of them need, counting, summing up the counts, and a pass, with its part for payloads.
var (
	//go:embed kernels/sort_keys.cu
	sortKeys string
	//go:embed kernels/sort_count.cu
	sortCount string
	//go:embed kernels/sort_before.cu
	sortBefore string
	//go:embed kernels/sort_move.cu
	sortMove string
	//go:embed kernels/sort_follow.cu
	sortFollow string
)

// keySource returns the part that all kernels of sorting need.
func (s *sorting) keySource() string { return keySource(s.dt, 4) }

// keySource returns the part that kernels of keys need, which have that many words as arguments: numbers as keys, which are unsigned and in
// the same order, and the test which threads have the same digit.
func keySource(dt DType, words int) string {
	bits := 8 * dt.Size()
	u := dtypeTable[[...]DType{8: Uint8, 16: Uint16, 32: Uint32, 64: Uint64}[bits]].stored
	encode, decode := "k", "k"
	switch {
	case dt.is(kindInt):
		encode, decode = "(nd_key)(k ^ nd_sign)", "(nd_key)(k ^ nd_sign)"
	case dt.is(kindFloat):
		encode = fmt.Sprintf("(nd_key)((nd_key)(k & ~nd_sign) > %[1]s ? ~(nd_key)0 : mode & %[2]d && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign)", infinityOf(dt), sortTies)
		decode = "(nd_key)(k & nd_sign ? k ^ nd_sign : ~k)"
	}
	return fill(sortKeys, holes{"words": words, "key": u, "sign": bits - 1, "encode": encode, "decode": decode})
}

// infinityOf returns the bits of a float that is infinite, as a C constant.
func infinityOf(dt DType) string {
	return map[DType]string{F16: "0x7c00", BF16: "0x7f80", F32: "0x7f800000u", F64: "0x7ff0000000000000ull"}[dt]
}

// countSource writes the kernel that counts the digits of all passes.
func (s *sorting) countSource() source {
	const name = "sort_count"
	return source{name: name, text: s.keySource() + fill(sortCount, holes{"threads": reduceBlock, "name": name})}.describedAs([]DType{s.dt})
}

// beforeSource writes the kernel that turns the counts of each pass into the number of keys before each digit.
func beforeSource() source {
	const name = "sort_before"
	return source{name: name, text: fill(sortBefore, holes{"name": name})}.describedAs([]DType{Uint32})
}

// moveSource writes the kernel that moves keys to their new positions. Each warp goes through its part of the tile in order and ranks its
// keys among those of the same digit; the tile is sorted in shared memory, so that adjacent keys are written together. How many keys of a
// digit are in the tiles before is found as by scans, by a thread for each digit, while other blocks are still ranking. Payloads use the
// same shared memory afterwards.
func (s *sorting) moveSource() source {
	name := "sort_move"
	word, bits := "unsigned", 30
	if s.wide {
		word, bits = "unsigned long long", 62
	}
	encode := func(k string) string { return fmt.Sprintf("(mode & %d ? nd_encode(%s, mode) : %s)", sortFirst, k, k) }
	decode := func(k string) string { return fmt.Sprintf("(mode & %d ? nd_decode(%s) : %s)", sortLast, k, k) }
	lead, other, digit := "nd_key", "unsigned", "(unsigned)(k >> shift)"
	read, store := encode("lead[base + i]"), "to_lead[to[j]] = "+decode("k")
	readOther, writeOther := fmt.Sprintf("mode & %d ? (unsigned)(base + i) : other[base + i]", sortFirst), "room.other[i]"
	types := []DType{s.dt}
	switch {
	case s.values > 0:
		value := rawDType(s.values)
		name, other, readOther = "sort_move_values", value.info().stored, "other[base + i]"
		types = append(types, value)
		store = fmt.Sprintf("if (!(mode & %d)) // nobody reads the sorted keys\n                to_lead[to[j]] = k", sortLast)
	case s.rows:
		name, lead, other, digit = "sort_move_rows", other, lead, "k / row >> shift"
		read, store = "lead[base + i]", "to_lead[to[j]] = k"
		readOther, writeOther = "other[base + i]", decode("room.other[i]")
	}
	follow := ""
	if s.payload {
		follow = fill(sortFollow, holes{"read": readOther, "write": writeOther})
	}
	made := source{name: name, text: s.keySource() + fill(sortMove, holes{
		"threads": sortBlock, "name": name, "Lead": lead, "Other": other, "word": word, "items": s.items(),
		"read": read, "digit": digit, "bits": bits, "store": store, "follow": follow,
	})}
	made.name = "sort_move" // numbers and types tell them apart
	made = made.describedAs(types, int(boolByte(s.payload)), int(boolByte(s.rows)))
	made.name = name
	return made
}
