package sim

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	checkmode "github.com/gopherwarp/gopherwarp/gpu/internal/sim/check"
)

// programObjectPath returns the path of the object that whole programs, or those of check mode, are linked to: the CUDA runtime API.
func (t *toolchain) programObjectPath(checked bool) string {
	name := "program.o"
	if checked {
		name = "check-program.o"
	}
	return filepath.Join(t.cache, t.id, name)
}

// programObjects returns what is linked before the files of a unit: for a whole program the object of the runtime API. If the program's options
// change the types of the C++ library that they share, the source is compiled with the program instead.
func (t *toolchain) programObjects(u *unit, in *input) ([]string, error) {
	if !u.whole {
		return nil, nil
	}
	if slices.ContainsFunc(u.options, changesTypes) {
		in.files = slices.Insert(in.files, 0, t.programSource())
		return nil, nil
	}
	path, err := t.buildProgramObject(u.header())
	return []string{path}, err
}

// changesTypes reports whether types have another layout or another name with an option of the compiler.
func changesTypes(option string) bool {
	return strings.Contains(option, "_GLIBCXX_") || option == "-fshort-enums" || strings.HasPrefix(option, "-fpack-struct")
}

func (t *toolchain) programSource() string { return filepath.Join(t.shim, "program.cpp") }

// buildProgramObject returns the path of the object for programs with this header. They spend little time in it, so it is optimised little.
func (t *toolchain) buildProgramObject(h header) (string, error) {
	return t.buildOnce(t.programObjectPath(h.checked), "the CUDA runtime API of programs", h, func(tmp, out string) (string, error) {
		args := slices.DeleteFunc(t.commonFlags(), func(f string) bool { return f == "-shared" })
		args = append(args, t.kernelFlags()...)
		if h.checked {
			args = append(args, checkmode.CompilerFlags(t.clang, false)...)
		}
		args = append(args, "-O1", "-g0", "-isystem", filepath.Join(t.shim, "include"))
		if !h.checked {
			return t.run(tmp, nil, append(args, "-c", "-o", out, t.programSource())...)
		}
		assembler := filepath.Join(tmp, "program.s")
		if log, err := t.run(tmp, nil, append(args, "-S", "-o", assembler, t.programSource())...); err != nil {
			return log, err
		}
		assembly, err := os.ReadFile(assembler)
		if err == nil {
			err = os.WriteFile(assembler, checkmode.Rewrite(assembly, checkmode.Rewriting{Clang: t.clang}), 0o644)
		}
		if err != nil {
			return "", err
		}
		return t.run(tmp, nil, append(t.commonFlags(), "-c", "-o", out, assembler)...)
	})
}
