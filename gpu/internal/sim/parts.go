package sim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A part is a file of a whole program, as the compiler is to see it.
type part struct {
	name string // as messages show it
	dir  string // where the user has it
	text string // with its #line
	// language is "" for CUDA C++, else "c++" or "c": host code, which has the runtime API only where it includes it.
	language string
}

// An input is what the compiler is called with.
type input struct {
	dir     string   // where it works
	options []string // of the user
	files   []string // C++ sources
	objects []string // compiled already
	mirror  string   // what to leave out of messages
}

// prepare writes the files of a unit for the compiler, into a directory that is new. A program of kernels comes on standard input.
//
// The files of a whole program go into a tree that has them under the paths that the user has them under, so that a file finds
// beside it what it includes. Originals that messages name by a relative path lie where the compiler works: it shows their lines.
func (t *toolchain) prepare(u *unit, dir string) (input, error) {
	in := input{dir: dir, options: u.options, files: []string{"-"}}
	if !u.whole {
		show(dir, u.program.Name, u.program.Source)
		return in, nil
	}
	in.dir, in.mirror, in.files = filepath.Join(dir, "shown"), filepath.Join(dir, "files"), nil
	in.options = mirrored(u, in.mirror)
	err := os.MkdirAll(in.dir, 0o755)
	for path, text := range u.beside {
		if err == nil {
			err = writeFile(filepath.Join(in.mirror, path), text)
		}
	}
	for _, d := range userSearch(u.options).Dirs {
		_ = os.MkdirAll(filepath.Join(in.mirror, d), 0o755) // so that d/../file is found; if not, the original is
	}
	for i, p := range u.parts {
		path := filepath.Join(in.mirror, p.dir, fmt.Sprintf("gopherwarp-part-%d", i))
		if err == nil {
			err = writeFile(path, p.text)
		}
		if p.language == "" {
			in.files = append(in.files, path)
		} else if err == nil {
			err = t.compileHost(u, in, p, path)
			in.objects = append(in.objects, path+".o")
		}
	}
	for name, text := range shown(u) {
		show(in.dir, name, text)
	}
	if failed := new(backend.CompileError); errors.As(err, &failed) {
		return in, failed
	}
	if err != nil {
		return in, wrap(codeSystemNotReady, err, "writing the program for the compiler")
	}
	return in, nil
}

// compileHost compiles a part of host code to an object beside it.
func (t *toolchain) compileHost(u *unit, in input, p part, path string) error {
	args := slices.DeleteFunc(t.commonFlags(), func(f string) bool { return f == "-shared" })
	if p.language == "c" {
		args = slices.DeleteFunc(args, func(f string) bool { return f == "-fno-gnu-unique" || f == "--driver-mode=g++" })
		args = append(args, "-O3")
	} else {
		args = append(args, t.kernelFlags()...)
	}
	for i, o := range in.options {
		before := ""
		if i > 0 {
			before = in.options[i-1]
		}
		if p.language == "c" && (strings.HasPrefix(o, "-std=") || o == "-include" || before == "-include") {
			continue // of C++
		}
		args = append(args, o)
	}
	args = append(args, t.headers(u)...)
	args = append(args, "-iquote", t.shim, "-c", "-o", path+".o", "-x", p.language, path)
	log, err := t.run(in.dir, nil, args...)
	if err != nil {
		log = t.cleanLog(&u.program, strings.ReplaceAll(log, in.mirror, ""))
		return &backend.CompileError{Program: p.name, Log: log + hints(u, log)}
	}
	return nil
}

// mirrored returns the options of a unit with the tree before each directory and in place of each file that it has.
func mirrored(u *unit, mirror string) []string {
	var out []string
	for i := 0; i < len(u.options); i++ {
		switch o := u.options[i]; {
		case strings.HasPrefix(o, "-I") && len(o) > 2:
			out = append(out, "-I"+filepath.Join(mirror, o[2:]), o)
		case o == "-iquote":
			i++
			out = append(out, o, filepath.Join(mirror, u.options[i]), o, u.options[i])
		case o == "-include":
			i++
			if _, ok := u.beside[u.options[i]]; ok {
				out = append(out, o, filepath.Join(mirror, u.options[i]))
			} else {
				out = append(out, o, u.options[i])
			}
		default:
			out = append(out, o)
		}
	}
	return out
}

// shown returns the originals by the names that messages have for them.
func shown(u *unit) map[string]string {
	texts := map[string]string{u.program.Name: u.program.Source}
	for _, s := range u.program.More {
		texts[s.Name] = s.Text
	}
	here, err := os.Getwd()
	if err != nil {
		return texts
	}
	for path := range u.beside {
		if name := nameIn(here, path); name != path {
			if text, err := os.ReadFile(path); err == nil {
				texts[name] = string(text)
			}
		}
	}
	return texts
}

// show puts a source where the compiler reads its lines for a message. Without it messages are only shorter.
func show(dir, name, text string) {
	if filepath.IsLocal(name) {
		_ = writeFile(filepath.Join(dir, name), text)
	}
}

func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// nameIn returns the name of a file for messages: relative if it lies in that directory.
func nameIn(dir, path string) string {
	if name, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(name) {
		return name
	}
	return path
}
