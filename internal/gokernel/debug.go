package gokernel

import (
	"go/types"
	"regexp"
	"strconv"
	"strings"
)

// Debug is what a debugger needs of a program to show it as Go.
type Debug struct {
	Lines     map[string]map[int]bool // lines with code, by the file's name
	Functions map[string]Shown        // by the name in C++
}

// Shown is a function as the user wrote it.
type Shown struct {
	Name      string
	Variables map[string]Variable // by the name in C++; without those that only the translation has
	Passed    map[string]Variable // parameters of a kernel, by the name of the first that each has in C++: the elements of a slice
}

// A Variable is a variable as the user wrote it.
type Variable struct{ Name, Type string }

var lineDirective = regexp.MustCompile(`^#line (\d+) (".*")$`)

// debug returns what a debugger needs of the translated program, whose text is given.
func (t *translation) debug(text string) Debug {
	d := Debug{Lines: map[string]map[int]bool{}, Functions: map[string]Shown{}}
	for _, f := range t.order {
		d.Functions[f.name] = f.shown()
	}
	file, number := "", 0
	for line := range strings.Lines(text) {
		if m := lineDirective.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			file, _ = strconv.Unquote(m[2])
			number, _ = strconv.Atoi(m[1])
			continue
		}
		if d.Lines[file] == nil {
			d.Lines[file] = map[int]bool{}
		}
		d.Lines[file][number] = true
		number++
	}
	return d
}

// shown returns the function as the user wrote it.
func (f *function) shown() Shown {
	s := Shown{Name: f.decl.Name.Name, Variables: map[string]Variable{}, Passed: map[string]Variable{}}
	if receiver := f.sig.Recv(); receiver != nil {
		s.Name = types.TypeString(receiver.Type(), func(*types.Package) string { return "" }) + "." + s.Name
		if strings.HasPrefix(s.Name, "*") {
			s.Name = "(" + strings.Replace(s.Name, ".", ").", 1)
		}
	}
	for o, name := range f.locals {
		if o.Name() != "_" {
			s.Variables[name] = f.written(o)
		}
	}
	for name, o := range f.passed {
		s.Passed[name] = f.written(o)
	}
	return s
}

// written returns a variable as the user wrote it.
func (f *function) written(o types.Object) Variable {
	return Variable{o.Name(), types.TypeString(f.subst(o.Type()), cellName)}
}
