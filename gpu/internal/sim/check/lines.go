package check

import (
	"debug/dwarf"
	"fmt"
	"io"
	"path"
	"strings"
)

// Lines maps instructions to lines of a program.
type Lines struct {
	program string
	entries []lineEntry // by address
	inlined []inlinedCall
	files   map[string]bool // files of the user that the program includes
	beside  []string        // those whose names are relative
}

// A Place is a line of the program, or of a file that it includes.
type Place struct {
	File string // without directory, or relative to the program's; "" for the program itself
	Line int    // 0 if it is not known
}

type lineEntry struct {
	pc   uint64
	file string
	line int
	end  bool
}

// An inlinedCall is an inlined call, as a range of addresses. Calls inlined in it come after it in
// the list.
type inlinedCall struct {
	lo, hi uint64
	file   string // of the call
	line   int
}

// namedLines returns Lines without lines, which knows the user's files.
func namedLines(names []string) *Lines {
	l := &Lines{program: path.Base(names[0]), files: map[string]bool{}}
	for _, file := range names[1:] {
		if path.IsAbs(file) {
			l.files[path.Clean(file)] = true
		} else if file != "" {
			l.beside = append(l.beside, path.Clean(file))
		}
	}
	return l
}

// ReadLines reads the debug information of a program. The names are that of the program, and those of the files that it includes.
func ReadLines(d *dwarf.Data, names []string) (*Lines, error) {
	l := namedLines(names)
	r := d.Reader()
	var files []*dwarf.LineFile
	for {
		e, err := r.Next()
		if err != nil {
			return nil, fmt.Errorf("read debug information: %w", err)
		}
		if e == nil {
			return l, nil
		}
		switch e.Tag {
		case dwarf.TagCompileUnit:
			if files, err = l.readUnit(d, e); err != nil {
				return nil, err
			}
		case dwarf.TagInlinedSubroutine:
			ranges, err := d.Ranges(e)
			if err != nil {
				return nil, fmt.Errorf("read debug information: %w", err)
			}
			line, _ := e.Val(dwarf.AttrCallLine).(int64)
			file, _ := e.Val(dwarf.AttrCallFile).(int64)
			name := ""
			if file >= 0 && int(file) < len(files) && files[file] != nil {
				name = files[file].Name
			}
			for _, r := range ranges {
				l.inlined = append(l.inlined, inlinedCall{r[0], r[1], name, int(line)})
			}
		}
	}
}

func (l *Lines) readUnit(d *dwarf.Data, unit *dwarf.Entry) ([]*dwarf.LineFile, error) {
	lr, err := d.LineReader(unit)
	if err != nil || lr == nil {
		return nil, err
	}
	var e dwarf.LineEntry
	for {
		err := lr.Next(&e)
		if err == io.EOF {
			return lr.Files(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("read line numbers: %w", err)
		}
		entry := lineEntry{pc: e.Address, line: e.Line, end: e.EndSequence}
		if e.File != nil {
			entry.file = e.File.Name
		}
		l.entries = append(l.entries, entry)
	}
}

// At returns the line of the instruction before the address. If it is from an inlined function of CUDA's own, it is the line
// of the call.
func (l *Lines) At(pc uint64) Place {
	pc-- // a return address is after its call
	file, line := l.innermost(pc)
	if name, ok := l.users(file); ok {
		return Place{name, line}
	}
	// Innermost calls come last.
	for i := len(l.inlined) - 1; i >= 0; i-- {
		c := &l.inlined[i]
		if pc < c.lo || pc >= c.hi {
			continue
		}
		if name, ok := l.users(c.file); ok {
			return Place{name, c.line}
		}
	}
	return Place{}
}

// users reports whether a file is the user's, and returns its name in a Place.
func (l *Lines) users(file string) (name string, ok bool) {
	file = path.Clean(file)
	for _, name := range l.beside {
		if strings.HasSuffix(file, "/"+name) || file == name {
			return name, true
		}
	}
	if name = path.Base(file); name == l.program {
		return "", true
	}
	return name, l.files[file]
}

// innermost returns the line of an address. It searches all line sequences, of which each section of code has one.
func (l *Lines) innermost(pc uint64) (string, int) {
	for i := 0; i+1 < len(l.entries); i++ {
		e := &l.entries[i]
		if !e.end && pc >= e.pc && pc < l.entries[i+1].pc {
			return e.file, e.line
		}
	}
	return "", 0
}
