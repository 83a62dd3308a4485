package check

import (
	"bytes"
	"path"
	"strconv"
	"strings"
)

// A lineWriter inserts calls of the runtime's gw_line where the code of a line begins, in files of the user. The compiler's directive .loc
// says so; it is followed until a label, where code from elsewhere may go on.
type lineWriter struct {
	out   *bytes.Buffer
	clang bool
	lines *Lines          // knows the user's files; nil if no calls are inserted
	files map[string]bool // by the compiler's number
	last  string          // file and line of the code before
	in    bool            // a function, behind the line of its name
	users bool            // the function stands in a file of the user
}

// before is called before a line of assembly is written.
func (w *lineWriter) before(text string) {
	if w.lines == nil {
		return
	}
	op, _, _ := strings.Cut(text, "\t")
	switch {
	case strings.HasPrefix(text, ".file"):
		w.file(strings.TrimSpace(strings.TrimPrefix(text, ".file")))
	case op == ".cfi_startproc":
		w.last, w.in = "", w.users
	case op == ".cfi_endproc":
		w.in, w.users = false, false
	case strings.HasSuffix(op, ":") && !isMark(op) && !(w.clang && strings.HasPrefix(op, ".Ltmp")):
		w.last = ""
	}
}

// after is called after a line of assembly was written.
func (w *lineWriter) after(text string) {
	fields := strings.Fields(text)
	if w.lines == nil || len(fields) < 3 || fields[0] != ".loc" {
		return
	}
	if !w.in {
		w.users = w.files[fields[1]]
		return
	}
	at := fields[1] + " " + fields[2]
	if at == w.last || fields[2] == "0" || !w.files[fields[1]] {
		return
	}
	w.last = at
	w.out.WriteString("\tcall\t*gw_line@GOTPCREL(%rip)\n")
}

// file keeps whether a numbered file is one of the user's: NUMBER "NAME" or NUMBER "DIRECTORY" "NAME".
func (w *lineWriter) file(text string) {
	number, rest, ok := strings.Cut(text, " ")
	if _, err := strconv.Atoi(number); err != nil || !ok {
		return
	}
	var names []string
	for rest = strings.TrimSpace(rest); strings.HasPrefix(rest, `"`); rest = strings.TrimSpace(rest) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			break
		}
		name, err := strconv.Unquote(quoted)
		if err != nil {
			break
		}
		names, rest = append(names, name), rest[len(quoted):]
	}
	_, w.files[number] = w.lines.users(path.Join(names...))
}
