package slim

import (
	"debug/elf"
	"encoding/binary"

	"github.com/gopherwarp/gopherwarp/internal/gorelease/goobj"
)

// A processor is what the code of an emptied function depends on.
type processor struct {
	name    string // as GOARCH and the first line of an object say it
	machine elf.Machine

	// jump is the code of an emptied function, and of no other: a jump through its own entry
	// in the global offset table. Redirect lets that mean the function of the loaded program.
	jump []byte

	// Where the jump refers to that entry, as Go's object files and its linker say it: bytes of
	// the jump and a kind of relocation, of which the linker makes one for each instruction of
	// four bytes, of these types.
	operand, operandSize, reloc byte
	types                       []uint32

	// The tables of a function count its code in units of so many bytes. The last instruction of
	// the jump begins at byte last: there, too, the runtime asks them what is on the stack.
	unit, last int
}

var processors = []*processor{
	{
		name:    "amd64",
		machine: elf.EM_X86_64,
		jump:    []byte{0xff, 0x25, 0, 0, 0, 0}, // JMP *entry(IP)
		operand: 2, operandSize: 4, reloc: goobj.RelocGOTPCRel,
		types: []uint32{uint32(elf.R_X86_64_GOTPCREL)},
		unit:  1, last: 0,
	},
	{
		// R16 belongs to the linker in each call, as its own stubs use it.
		name:    "arm64",
		machine: elf.EM_AARCH64,
		jump: []byte{
			0x10, 0, 0, 0x90, // ADRP entry, R16
			0x10, 0x02, 0x40, 0xf9, // MOVD entry(R16), R16
			0, 0x02, 0x1f, 0xd6, // JMP (R16)
		},
		operand: 0, operandSize: 8, reloc: goobj.RelocGOTPCRelARM64,
		types: []uint32{uint32(elf.R_AARCH64_ADR_GOT_PAGE), uint32(elf.R_AARCH64_LD64_GOT_LO12_NC)},
		unit:  4, last: 8,
	},
}

// refersToEntry reports whether a relocation of some type, so many bytes behind the beginning
// of a jump, is one of those that the jump has.
func (p *processor) refersToEntry(kind uint32, offset uint64) bool {
	for i, t := range p.types {
		if kind == t && offset == uint64(p.operand)+4*uint64(i) {
			return true
		}
	}
	return false
}

// fits reports whether the first of a function's tables is right for a jump: nothing is on its stack.
func (p *processor) fits(table []byte) bool {
	change, n := binary.Uvarint(table)
	if n <= 0 || change != 2 { // from -1, with the sign in the last bit
		return false
	}
	length, n := binary.Uvarint(table[n:])
	return n > 0 && int(length)*p.unit > p.last
}
