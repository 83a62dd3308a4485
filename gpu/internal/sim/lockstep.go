package sim

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// Below compute capability 7.0 the lanes of a warp execute each instruction together, and programs rely on it: they exchange
// values by volatile shared variables, without __syncwarp(). Such programs are compiled so that they call the runtime before each
// access to a volatile variable and at the beginning of each basic block (shim/runtime_lockstep.h), where a lane waits for the others.

// independentLanes is the __CUDA_ARCH__ from which on lanes run on their own.
const independentLanes = 700

// inLockstep reports whether the options, which are the compiler's, are for a device whose lanes run in lockstep.
func inLockstep(options []string) bool {
	lockstep := false
	for _, o := range options {
		if version, ok := strings.CutPrefix(o, "-D"+archMacro+"="); ok {
			n, err := strconv.Atoi(version)
			lockstep = err == nil && n < independentLanes
		}
	}
	return lockstep
}

// runsInLockstep reports whether a program, with what it includes, is compiled for lanes in lockstep.
func runsInLockstep(p backend.Program, options []string) bool {
	if p.Check || !inLockstep(options) {
		return false
	}
	search := userSearch(options)
	for _, s := range append([]backend.Source{{Text: p.Source}}, p.More...) {
		if hasVolatile(s.Text) {
			return true
		}
		for _, text := range search.Files(s.Text) {
			if hasVolatile(text) {
				return true
			}
		}
	}
	return false
}

// hasVolatile reports whether a text has a volatile type. The word after asm means something else.
func hasVolatile(text string) bool {
	if !strings.Contains(text, "volatile") {
		return false
	}
	before := ""
	for t := range cxx.All(text) {
		if t.Kind == cxx.Ident && t.Text == "volatile" && !strings.Contains(before, "asm") {
			return true
		}
		if t.Kind == cxx.Directive && strings.Contains(t.Text, "volatile") {
			return true
		}
		before = t.Text
	}
	return false
}

// lockstepFlags returns the compiler flags, which follow those of all programs. The compiler is to leave the statements in
// their order, and not to copy any: lanes meet at the same instruction.
func lockstepFlags(clang bool) []string {
	flags := []string{"-O1", "-fsanitize=thread"}
	if clang {
		return append(flags, "-fsanitize-coverage=bb,trace-pc", "-mllvm", "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-instrument-func-entry-exit=0",
			"-mllvm", "-tsan-instrument-read-before-write=1", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops")
	}
	return append(flags, "-fsanitize-coverage=trace-pc", "--param=tsan-distinguish-volatile=1", "--param=tsan-instrument-func-entry-exit=0", "-Wno-tsan",
		"-fno-thread-jumps", "-fno-reorder-blocks", "-fno-crossjumping", "-fno-tree-loop-im", "-fno-tree-vectorize", "-fno-tree-slp-vectorize")
}

// compileLockstep compiles the sources of an input to objects, which take their place. They are linked in another run, which
// leaves out the library that those flags add.
func (t *toolchain) compileLockstep(u *unit, in *input, dir string, args []string) (log string, err error) {
	for i, file := range in.files {
		object := filepath.Join(dir, fmt.Sprintf("lockstep-%d.o", i))
		one := append(args[:len(args):len(args)], lockstepFlags(t.clang)...)
		if log, err = t.run(in.dir, []byte(u.text), append(one, "-c", "-o", object, "-x", "c++", file)...); err != nil {
			return log, err
		}
		in.objects = append(in.objects, object)
	}
	in.files = nil
	return "", nil
}
