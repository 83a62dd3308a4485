package sim

import (
	"os"
	"path/filepath"
	"slices"

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

// programObjects returns what is linked before the files of a unit: for a whole program the object of the runtime API.
func (t *toolchain) programObjects(u *unit) ([]string, error) {
	if !u.whole {
		return nil, nil
	}
	path, err := t.buildProgramObject(u.header())
	return []string{path}, err
}

// buildProgramObject returns the path of the object for programs with this header. They spend little time in it, so it is optimised little.
func (t *toolchain) buildProgramObject(h header) (string, error) {
	return t.buildOnce(t.programObjectPath(h.checked), "the CUDA runtime API of programs", h, func(tmp, out string) (string, error) {
		args := slices.DeleteFunc(t.commonFlags(), func(f string) bool { return f == "-shared" })
		args = append(args, t.kernelFlags()...)
		if h.checked {
			args = append(args, checkmode.CompilerFlags(t.clang, false)...)
		}
		args = append(args, "-O1", "-g0", "-isystem", filepath.Join(t.shim, "include"))
		source := filepath.Join(t.shim, "program.cpp")
		if !h.checked {
			return t.run(tmp, nil, append(args, "-c", "-o", out, source)...)
		}
		assembler := filepath.Join(tmp, "program.s")
		if log, err := t.run(tmp, nil, append(args, "-S", "-o", assembler, source)...); err != nil {
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
