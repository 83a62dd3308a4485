package ld

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/funcname"
	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

// restoreNames replaces the names of functions in the object file of Go's linker by those that the cell's author wrote, for
// stack traces and runtime.FuncForPC. Package host could do it after loading, but then each cell would have a page of memory
// that is not shared with the file.
func restoreNames(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	object, err := elf.NewFile(file)
	if err != nil {
		return err
	}
	section := object.Section(gorelease.FunctionTable)
	if section == nil {
		return errors.New("there is no section " + gorelease.FunctionTable)
	}
	table, err := section.Data()
	if err != nil {
		return err
	}
	names, err := functionNames(table)
	if err != nil {
		return err
	}
	funcname.Restore(names)
	_, err = file.WriteAt(table, int64(section.Offset))
	return err
}

// functionNames returns the part of a gorelease.FunctionTable that holds the names of functions.
func functionNames(table []byte) ([]byte, error) {
	if len(table) < gorelease.CUOffset+8 {
		return nil, errors.New("the table of functions is cut off")
	}
	from, to := binary.LittleEndian.Uint64(table[gorelease.FuncNameOffset:]), binary.LittleEndian.Uint64(table[gorelease.CUOffset:])
	if from > to || to > uint64(len(table)) {
		return nil, errors.New("the table of functions has an unknown layout")
	}
	return table[from:to], nil
}
