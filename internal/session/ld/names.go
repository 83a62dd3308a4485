package ld

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/funcname"
	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

// restoreNames makes the object file that Go's linker has written name functions as the cell's author does, for stack traces
// and runtime.FuncForPC. Package host would do it after loading, and each cell would have a page of memory that is not
// the file's.
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
