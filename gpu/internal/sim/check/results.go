package check

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// A resultWriter finds stores of what functions return. g++ writes "p[i] = f(x)" as a call whose result goes to memory, and
// its sanitizer looks at assignments only. Such a store follows the call of f, before any of the sanitizer's calls.
type resultWriter struct {
	out    *bytes.Buffer
	after  bool // the last call was one of a function
	framed bool // rbp points into the stack
}

// stores are instructions of amd64 that write a register to memory.
var stores = regexp.MustCompile(`^v?(mov(?:[bwlqd]|ss|sd|[lh]p[sd]|[au]p[sd]|dq[au]\d*)|pextr[bwdq]|extractps)\t(?:\$\d+, )?%(\w+), ([^%,()]*\(([^()]*)\))$`)

// before puts a call before a store that needs it: past the procedure linkage table, whose first use may change r11.
func (w *resultWriter) before(text string) {
	op, _, _ := strings.Cut(text, "\t")
	switch {
	case op == "call" && strings.Contains(text, "tls"): // it finds a shared variable, as part of an access
	case op == "call":
		w.after = !strings.Contains(text, "\t__tsan_")
	case strings.HasPrefix(op, "j") || op == "ret":
		w.after = false
	case strings.HasSuffix(op, ":") && !isMark(op):
		w.after = false
	case text == "movq\t%rsp, %rbp":
		w.framed = true
	case op == ".cfi_startproc":
		w.after, w.framed = false, false
	case w.after && op == "rep movsq":
		w.out.WriteString("\tmovq\t%rdi, %r11\n\tcall\t*gw_write0@GOTPCREL(%rip)\n")
	case w.after && (strings.Contains(op, "mov") || strings.Contains(op, "extr")):
		m := stores.FindStringSubmatch(text)
		if m == nil || strings.HasPrefix(m[4], "%rsp") || w.framed && strings.HasPrefix(m[4], "%rbp") {
			return
		}
		fmt.Fprintf(w.out, "\tleaq\t%s, %%r11\n\tcall\t*gw_write%d@GOTPCREL(%%rip)\n", m[3], storeSize(m[1], m[2]))
	}
}

// isMark reports whether a label is for debug information or the tables of exceptions alone.
func isMark(label string) bool {
	for _, prefix := range []string{".LV", ".LB", ".LEH", ".LCFI"} {
		if strings.HasPrefix(label, prefix) {
			return true
		}
	}
	return false
}

// storeSize returns how many bytes an instruction writes of a register.
func storeSize(op, register string) int {
	switch op {
	case "movb", "pextrb":
		return 1
	case "movw", "pextrw":
		return 2
	case "movl", "movd", "movss", "pextrd", "extractps":
		return 4
	case "movq", "movsd", "movlps", "movhps", "movlpd", "movhpd", "pextrq":
		return 8
	}
	switch register[0] {
	case 'y':
		return 32
	case 'z':
		return 64
	}
	return 16
}
