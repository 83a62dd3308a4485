package sim

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	checkmode "github.com/gopherwarp/gopherwarp/gpu/internal/sim/check"
	"github.com/gopherwarp/gopherwarp/internal/intact"
)

// The headers that precede kernels, and whole programs of one file and of several.
const (
	preludeHeader = "prelude.h"
	programHeader = "program.h"
	severalHeader = "several.h"
)

// A header precedes a program. Compilers read a precompiled form of it, which takes a third of the time of the text for a small
// kernel. If there is none, or a program's options do not fit it, they read the text.
type header struct {
	name    string
	checked bool // precompiled with the flags of check mode
}

// headers are all that may be precompiled.
func headers() []header {
	var all []header
	for _, name := range []string{preludeHeader, programHeader, severalHeader} {
		all = append(all, header{name, false}, header{name, true})
	}
	return all
}

// header returns the header that precedes the program.
func (u *unit) header() header {
	h := header{preludeHeader, u.program.Check}
	if u.whole {
		h.name = programHeader
	}
	if u.whole && len(u.program.More) > 0 {
		h.name = severalHeader
	}
	return h
}

// headerText returns the path of a header's text.
func (t *toolchain) headerText(h header) string { return filepath.Join(t.shim, h.name) }

// precompiled returns the path of a header in precompiled form. g++ looks for a directory of this name, and takes the file in it that was
// compiled with the flags that it has itself.
func (t *toolchain) precompiled(h header) string {
	dir, name := h.name+".gch", "plain"
	if t.clang {
		dir = h.name + ".clang"
	}
	if h.checked {
		name = "check"
	}
	return filepath.Join(t.shim, dir, name)
}

func (t *toolchain) isPrecompiled(h header) bool {
	_, err := os.Stat(t.precompiled(h))
	return err == nil
}

// include returns the flags that include a header before the program. g++ itself checks whether the precompiled header
// fits the other flags; clang fails if it does not.
func (t *toolchain) include(h header, otherFlags bool) []string {
	if t.clang && !otherFlags && t.isPrecompiled(h) {
		return []string{"-include-pch", t.precompiled(h)}
	}
	return []string{"-include", t.headerText(h)}
}

// precompile precompiles a header. If this fails, programs are compiled without it.
func (t *toolchain) precompile(tmp string, h header) {
	args := slices.Concat(t.commonFlags(), t.kernelFlags())
	if h.checked {
		if t.clang {
			return // programs of check mode have other flags
		}
		args = append(args, checkmode.CompilerFlags(t.clang, false)...)
	}
	out := filepath.Join(tmp, filepath.Base(t.precompiled(h)))
	args = append(args, "-isystem", filepath.Join(t.shim, "include"), "-x", "c++-header", t.headerText(h), "-o", out)
	if _, err := t.run(tmp, nil, args...); err != nil {
		return
	}
	if err := os.MkdirAll(filepath.Dir(t.precompiled(h)), 0o755); err == nil {
		_ = keepSealed(out, t.precompiled(h))
	}
}

// prepareHeader precompiles the header of a program again if it is damaged, and that of whole programs at its first use. The header of
// kernels is precompiled beside the runtime.
func (t *toolchain) prepareHeader(u *unit, tmp string) {
	h := u.header()
	if damaged := t.checkPrecompiled(h, false); damaged || u.whole && !t.isPrecompiled(h) {
		t.precompile(tmp, h)
	}
}

// checkPrecompiled removes a precompiled header that is damaged, and reports whether it did. With full, it reads the whole file.
func (t *toolchain) checkPrecompiled(h header, full bool) (removed bool) {
	path := t.precompiled(h)
	return t.isPrecompiled(h) && intact.Sealed(path, full) != nil && os.Remove(path) == nil
}

// runWith runs the compiler in a directory on a program with this header. If it fails because of the precompiled header, it runs again without
// it, or with one that is precompiled anew.
func (t *toolchain) runWith(h header, tmp, dir, text string, args ...string) (string, error) {
	log, err := t.run(dir, []byte(text), args...)
	switch {
	case err == nil:
		return log, nil
	case strings.Contains(log, "PCH"):
		// On some systems the compiler gets other addresses at each run, for which a precompiled header does not work.
		// g++ may have failed at a damaged one for other flags.
		_ = os.RemoveAll(filepath.Dir(t.precompiled(h)))
	case t.checkPrecompiled(h, true):
		t.precompile(tmp, h)
	default:
		return log, err
	}
	return t.run(dir, []byte(text), args...)
}
