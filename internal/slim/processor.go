package slim

import (
	"debug/elf"
	"encoding/binary"

	"github.com/gopherwarp/gopherwarp/internal/gorelease/goobj"
)

// A processor has the architecture-specific data of emptied functions.
type processor struct {
	name    string // as in GOARCH and in the first line of an object
	machine elf.Machine

	// jump is the code of an emptied function only: a jump through its own entry in the global
	// offset table. Redirect makes that entry refer to the function of the loaded program.
	jump []byte

	// The reference of the jump to that entry, in Go's object files: bytes of the jump and a kind
	// of relocation. From it, the linker makes one relocation for each instruction of four bytes,
	// of these types.
	operand, operandSize, reloc byte
	types                       []uint32

	// The tables of a function count its code in units of that many bytes. The last instruction of
	// the jump begins at byte last: there, too, the runtime uses the tables to read the stack.
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
		// R16 is reserved for the linker in each call, as in its own stubs.
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

// refersToEntry reports whether a relocation of some type, at that offset from the beginning of a
// jump, is one of the jump's.
func (p *processor) refersToEntry(kind uint32, offset uint64) bool {
	for i, t := range p.types {
		if kind == t && offset == uint64(p.operand)+4*uint64(i) {
			return true
		}
	}
	return false
}

// fits reports whether the first of a function's tables is right for a jump: the stack frame is empty.
func (p *processor) fits(table []byte) bool {
	change, n := binary.Uvarint(table)
	if n <= 0 || change != 2 { // starts at -1; the sign is the last bit
		return false
	}
	length, n := binary.Uvarint(table[n:])
	return n > 0 && int(length)*p.unit > p.last
}
