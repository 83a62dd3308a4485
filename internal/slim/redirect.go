package slim

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

// Redirect lets the emptied functions in an object file that Go's linker has written mean
// those that are loaded already.
//
// Go's linker writes each function twice into the symbol table: by its name, for other
// files, and by its name with a prefix, for all references within this one. The jump of
// an emptied function is made to refer to the former, which becomes undefined.
func Redirect(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("open the linked object: %w", err)
	}
	defer file.Close()
	if err := redirect(file); err != nil {
		return fmt.Errorf("redirect functions in %s: %w", path, err)
	}
	return nil
}

func redirect(file *os.File) error {
	f, err := elf.NewFile(file)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(processors, func(p *processor) bool { return p.machine == f.Machine })
	if at < 0 {
		return fmt.Errorf("it is for a processor that is not known here, %v", f.Machine)
	}
	p := processors[at]
	table := f.SectionByType(elf.SHT_SYMTAB)
	if table == nil {
		return fmt.Errorf("there is no symbol table")
	}
	symbols, err := f.Symbols()
	if err != nil {
		return err
	}
	data, err := table.Data()
	if err != nil {
		return err
	}
	globals := map[string]int{} // index in the table, which begins with one that has no name
	for i, sym := range symbols {
		if elf.ST_BIND(sym.Info) == elf.STB_GLOBAL {
			globals[sym.Name] = i + 1
		}
	}
	for _, relocs := range f.Sections {
		if relocs.Type != elf.SHT_RELA || int(relocs.Info) >= len(f.Sections) {
			continue
		}
		code := f.Sections[relocs.Info]
		if code.Flags&elf.SHF_EXECINSTR == 0 {
			continue
		}
		text, err := code.Data()
		if err != nil {
			return err
		}
		list, err := relocs.Data()
		if err != nil {
			return err
		}
		const relaSize, symSize = 24, elf.Sym64Size
		for i := 0; i+relaSize <= len(list); i += relaSize {
			offset, info := order.Uint64(list[i:]), order.Uint64(list[i+8:])
			kind := elf.R_TYPE64(info)
			if !slices.Contains(p.types, kind) {
				continue
			}
			sym := symbols[elf.R_SYM64(info)-1]
			if !p.refersToEntry(kind, offset-sym.Value) || !bytes.HasPrefix(text[sym.Value:], p.jump) {
				continue
			}
			global, ok := globals[strings.TrimPrefix(sym.Name, gorelease.LocalPrefix)]
			if !ok {
				// The jump would go to itself.
				return fmt.Errorf("the function %s is hidden from other files", sym.Name)
			}
			order.PutUint64(list[i+8:], elf.R_INFO(uint32(global), kind))
			clear(data[global*symSize+6 : global*symSize+symSize]) // section, value and size
		}
		if _, err := file.WriteAt(list, int64(relocs.Offset)); err != nil {
			return err
		}
	}
	_, err = file.WriteAt(data, int64(table.Offset))
	return err
}
