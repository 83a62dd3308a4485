package slim

import (
	"bytes"
	"debug/elf"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// known are the beginnings of the objects whose format is known here: the numbers in
// object.go may be others for other releases and processors.
var known = [][]byte{[]byte("go object linux amd64 go1.26")}

// Rewrite returns a copy of a package's archive in which all functions are empty, except
// those that other packages may have too, and all other symbols that have holds.
// A plugin that is linked with it must be looked at with [Symbols.Missing].
//
// An archive of another object format than the one known here is an error: callers go on
// with the original.
func Rewrite(archive []byte, have *Symbols) (rewritten []byte, err error) {
	// Sizes and offsets come from the file. One that is damaged leads out of it somewhere.
	defer func() {
		if recover() != nil {
			rewritten, err = nil, errFormat
		}
	}()
	archive = slices.Clip(archive)
	const magic = "!<arch>\n"
	const headerSize = 60
	if !bytes.HasPrefix(archive, []byte(magic)) {
		return nil, errFormat
	}
	out := []byte(magic)
	for rest := archive[len(magic):]; len(rest) > 0; {
		header := rest[:headerSize]
		size, err := strconv.Atoi(strings.TrimSpace(string(header[48:58])))
		if err != nil {
			return nil, errFormat
		}
		data := rest[headerSize : headerSize+size]
		rest = rest[min(headerSize+size+size&1, len(rest)):]
		switch {
		case bytes.HasPrefix(header, []byte("__.PKGDEF")):
			data = nil // what the compiler reads
		case bytes.HasPrefix(data, []byte(elf.ELFMAG)):
			if have.holdsAll(data) {
				continue
			}
		case bytes.HasPrefix(data, []byte("go object ")):
			if data, err = rewriteMember(data, have); err != nil {
				return nil, err
			}
		}
		out = append(out, header[:48]...)
		out = append(out, fmt.Sprintf("%-10d`\n", len(data))...)
		out = append(out, data...)
		if len(data)&1 != 0 {
			out = append(out, 0)
		}
	}
	return out, nil
}

// rewriteMember rewrites the object behind some lines of text.
func rewriteMember(data []byte, have *Symbols) ([]byte, error) {
	start := bytes.Index(data, []byte(objectMagic))
	if start < 0 || !slices.ContainsFunc(known, func(k []byte) bool { return bytes.HasPrefix(data, k) }) {
		return nil, errFormat
	}
	object, err := rewriteObject(slices.Clip(data[start:]), have)
	return append(data[:start:start], object...), err
}
