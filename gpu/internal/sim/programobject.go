package sim

import (
	"path/filepath"
	"slices"
	"strings"

	checkmode "github.com/gopherwarp/gopherwarp/gpu/internal/sim/check"
)

// objectFlags are those of the CUDA runtime API, beside the flags of programs, which spend little time in it.
var objectFlags = []string{"-O1", "-g0"}

// programObjectPath returns the path of the object that whole programs, or those of check mode, are linked to: the CUDA runtime API.
func (t *toolchain) programObjectPath(checked bool) string {
	name := "program.o"
	if checked {
		name = "check-program.o"
	}
	return filepath.Join(t.cache, t.id, name)
}

// programObjects returns what is linked before the files of a unit: for a whole program the object of the runtime API. It is compiled for this
// program alone, to a directory, if an option may change the types that both have.
func (t *toolchain) programObjects(u *unit, dir string) ([]string, error) {
	if !u.whole {
		return nil, nil
	}
	changing := slices.DeleteFunc(slices.Clone(u.options), func(option string) bool { return !mayChangeTypes(option) })
	if len(changing) == 0 {
		path, err := t.buildProgramObject(u.header())
		return []string{path}, err
	}
	path := filepath.Join(dir, "program.o")
	if log, err := t.compileProgramObject(u.program.Check, changing, dir, path); err != nil {
		return nil, t.rejected(u, err, log)
	}
	return []string{path}, nil
}

// Options of the compiler with which types keep their layout and their names. The first are prefixes: macros, directories, warnings, the version of
// C++, and the processor.
var (
	harmlessPrefixes = []string{"-D", "-U", "-I", "-i", "-W", "-w", "-g", "-O", "-std=", "-pedantic", "-march=", "-mtune=", "-ffp-contract=", "-fvisibility=", "-fsanitize="}
	harmlessOptions  = []string{
		"-fopenmp", "-freciprocal-math", "-fno-signed-zeros", "-ffast-math", "-fPIC", "-fpic", "-fPIE", "-fpermissive", "-fexceptions", "-funroll-loops",
		"-fstrict-aliasing", "-fno-strict-aliasing", "-fomit-frame-pointer", "-fno-omit-frame-pointer", "-fno-inline", "-pipe", "-pthread",
	}
)

// mayChangeTypes reports whether types may have another layout or another name with an option.
func mayChangeTypes(option string) bool {
	for _, library := range []string{"-D_GLIBCXX_", "-D_LIBCPP_", "-U_GLIBCXX_", "-U_LIBCPP_"} { // their macros
		if strings.HasPrefix(option, library) && !strings.Contains(option, "_ASSERTIONS") {
			return true
		}
	}
	harmless := func(prefix string) bool { return strings.HasPrefix(option, prefix) }
	return strings.HasPrefix(option, "-") && !slices.ContainsFunc(harmlessPrefixes, harmless) && !slices.Contains(harmlessOptions, option)
}

// buildProgramObject returns the path of the object for programs with this header.
func (t *toolchain) buildProgramObject(h header) (string, error) {
	return t.buildOnce(t.programObjectPath(h.checked), "the CUDA runtime API of programs", h, func(tmp, out string) (string, error) {
		return t.compileProgramObject(h.checked, nil, tmp, out)
	})
}

// compileProgramObject compiles the runtime API with those options to a file. It returns the compiler's messages.
func (t *toolchain) compileProgramObject(checked bool, options []string, dir, out string) (string, error) {
	common := slices.DeleteFunc(t.commonFlags(), func(f string) bool { return f == "-shared" })
	args := slices.Concat(common, t.kernelFlags())
	if checked {
		args = append(args, checkmode.CompilerFlags(t.clang, false)...)
	}
	args = append(args, "-isystem", filepath.Join(t.shim, "include"))
	args = slices.Concat(args, options, objectFlags)
	source := filepath.Join(t.shim, "program.cpp")
	if !checked {
		return t.run(dir, nil, append(args, "-c", "-o", out, source)...)
	}
	assembler := filepath.Join(dir, "program.s")
	if log, err := t.run(dir, nil, append(args, "-S", "-o", assembler, source)...); err != nil {
		return log, err
	}
	if err := rewriteFile(assembler, checkmode.Rewriting{Clang: t.clang}); err != nil {
		return "", err
	}
	return t.run(dir, nil, append(common, "-c", "-o", out, assembler)...)
}
