package slim

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
	"github.com/gopherwarp/gopherwarp/internal/gorelease/goobj"
)

// Rewrite returns a copy of a package's archive in which all functions are empty, except those that
// other packages may have, too, and so are all other symbols that are in have. A plugin linked with
// it must be checked with [Symbols.Missing].
//
// It returns an error for an archive of an unknown object format: callers then use the
// original.
func Rewrite(archive []byte, have *Symbols) ([]byte, error) {
	return rewriteArchive(archive, func(header, data []byte) ([]byte, error) {
		switch {
		case bytes.HasPrefix(header, []byte("__.PKGDEF")):
			return nil, nil // only the compiler reads it
		case bytes.HasPrefix(data, []byte(elf.ELFMAG)) && have.holdsAll(data):
			return nil, errLeaveOut
		case bytes.HasPrefix(data, []byte("go object ")):
			return rewriteMember(data, func(object []byte, p *processor) ([]byte, error) { return rewriteObject(object, p, have, false) })
		}
		return data, nil
	})
}

// RewriteNew is like Rewrite for a package that has not been loaded, which can be linked with slim ones: only what is in have is
// empty. That is code which the compiler adds to each package: the methods of instances of generic types.
func RewriteNew(archive []byte, have *Symbols) ([]byte, error) {
	return rewriteArchive(archive, func(header, data []byte) ([]byte, error) {
		switch {
		case bytes.HasPrefix(header, []byte("__.PKGDEF")):
			return nil, nil // only the compiler reads it
		case bytes.HasPrefix(data, []byte("go object ")) && bytes.Contains(data, []byte(goobj.Magic)):
			return rewriteMember(data, func(object []byte, p *processor) ([]byte, error) { return rewriteObject(object, p, have, true) })
		}
		return data, nil
	})
}

// KeepMethods returns a copy of a package's archive that can be linked with slim ones: its tables
// of the methods that an interface can call refer to these methods.
func KeepMethods(archive []byte) ([]byte, error) {
	return rewriteArchive(archive, func(_, data []byte) ([]byte, error) {
		if !bytes.HasPrefix(data, []byte("go object ")) || !bytes.Contains(data, []byte(goobj.Magic)) {
			return data, nil
		}
		return rewriteMember(data, func(object []byte, _ *processor) ([]byte, error) { return keepAllMethods(object) })
	})
}

// SameExports reports whether two archives export the same to the compiler and to other archives.
func SameExports(a, b []byte) bool {
	first, second := exports(a), exports(b)
	return first != nil && bytes.Equal(first, second)
}

// exports returns what the compiler reads of an archive, or nil.
func exports(archive []byte) (content []byte) {
	_, _ = rewriteArchive(archive, func(header, data []byte) ([]byte, error) {
		if bytes.HasPrefix(header, []byte("__.PKGDEF")) {
			content = data
		}
		return nil, nil
	})
	return content
}

// errLeaveOut makes rewriteArchive omit a member.
var errLeaveOut = errors.New("leave the member out")

// rewriteArchive calls rewrite for each member of an archive.
func rewriteArchive(archive []byte, rewrite func(header, data []byte) ([]byte, error)) (rewritten []byte, err error) {
	// Sizes and offsets come from the file. If it is damaged, an index may be out of range.
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
		if data, err = rewrite(header, data); err == errLeaveOut {
			continue
		} else if err != nil {
			return nil, err
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

// rewriteMember rewrites an object that is preceded by lines of text.
func rewriteMember(data []byte, rewrite func([]byte, *processor) ([]byte, error)) ([]byte, error) {
	start := bytes.Index(data, []byte(goobj.Magic))
	p := processorOf(data)
	if start < 0 || p == nil {
		return nil, errFormat
	}
	object, err := rewrite(slices.Clip(data[start:]), p)
	return append(data[:start:start], object...), err
}

// processorOf returns the processor of the object after "go object linux amd64 go1.27.3", or nil if its format is not
// known: numbers in it may differ in other releases and for other processors.
func processorOf(object []byte) *processor {
	fields := strings.Fields(string(object[:min(len(object), 100)]))
	if len(fields) < 5 || fields[2] != "linux" {
		return nil
	}
	if _, ok := gorelease.Find(fields[4]); !ok {
		return nil
	}
	at := slices.IndexFunc(processors, func(p *processor) bool { return p.name == fields[3] })
	if at < 0 {
		return nil
	}
	return processors[at]
}
