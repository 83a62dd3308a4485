package slim

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

// Redirect makes the emptied functions in an object file that Go's linker has written refer to the
// loaded ones.
//
// Go's linker writes each function twice to the symbol table: under its name, for other files, and
// under its name with a prefix, for all references within this one. Redirect makes the jump of an
// emptied function refer to the former, and makes that undefined.
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
	r, err := newRedirection(f)
	if err != nil {
		return err
	}
	for _, relocs := range f.Sections {
		if relocs.Type != elf.SHT_RELA || int(relocs.Info) >= len(f.Sections) {
			continue
		}
		code := f.Sections[relocs.Info]
		if code.Flags&elf.SHF_EXECINSTR == 0 {
			continue
		}
		list, err := r.section(code, relocs)
		if err != nil {
			return err
		}
		if _, err := file.WriteAt(list, int64(relocs.Offset)); err != nil {
			return err
		}
	}
	_, err = file.WriteAt(r.table, int64(r.offset))
	return err
}

// A redirection changes the symbol table of an object file.
type redirection struct {
	*processor
	symbols []elf.Symbol   // without the first one, which has no name
	globals map[string]int // indexes in the table
	table   []byte         // as it will be written to the file
	offset  uint64         // of the table in the file
}

func newRedirection(f *elf.File) (*redirection, error) {
	at := slices.IndexFunc(processors, func(p *processor) bool { return p.machine == f.Machine })
	if at < 0 {
		return nil, fmt.Errorf("unknown processor %v", f.Machine)
	}
	table := f.SectionByType(elf.SHT_SYMTAB)
	if table == nil {
		return nil, errors.New("there is no symbol table")
	}
	r := &redirection{processor: processors[at], globals: map[string]int{}, offset: table.Offset}
	var err error
	if r.symbols, err = f.Symbols(); err != nil {
		return nil, err
	}
	if r.table, err = table.Data(); err != nil {
		return nil, err
	}
	for i, sym := range r.symbols {
		if elf.ST_BIND(sym.Info) == elf.STB_GLOBAL {
			r.globals[sym.Name] = i + 1
		}
	}
	return r, nil
}

// section redirects the emptied functions of a section of code, and returns its changed relocations.
func (r *redirection) section(code, relocs *elf.Section) ([]byte, error) {
	text, err := code.Data()
	if err != nil {
		return nil, err
	}
	list, err := relocs.Data()
	if err != nil {
		return nil, err
	}
	const relaSize = 24
	for i := 0; i+relaSize <= len(list); i += relaSize {
		if err := r.relocation(text, list[i:i+relaSize]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// relocation redirects an emptied function if rela is the relocation of its jump.
func (r *redirection) relocation(text, rela []byte) error {
	offset, info := order.Uint64(rela), order.Uint64(rela[8:])
	kind := elf.R_TYPE64(info)
	if !slices.Contains(r.types, kind) {
		return nil
	}
	sym := r.symbols[elf.R_SYM64(info)-1]
	if !r.refersToEntry(kind, offset-sym.Value) || !bytes.HasPrefix(text[sym.Value:], r.jump) {
		return nil
	}
	global, ok := r.globals[strings.TrimPrefix(sym.Name, gorelease.LocalPrefix)]
	if !ok {
		// The jump would refer to itself.
		return fmt.Errorf("the function %s is hidden from other files", sym.Name)
	}
	order.PutUint64(rela[8:], elf.R_INFO(uint32(global), kind))
	clear(r.table[global*elf.Sym64Size+6 : (global+1)*elf.Sym64Size]) // section, value and size
	return nil
}
