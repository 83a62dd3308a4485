package check

import (
	"bytes"
	"path"
	"strconv"
	"strings"
)

// A lineWriter inserts calls of the runtime's gw_line where the code of a line begins, in files of the user. The compiler's directive .loc
// says so; it is followed until a label, where code from elsewhere may go on. A jump alone is no code of a line that has more: compilers give
// the jump over the other part of a branch the line after it.
type lineWriter struct {
	out   *bytes.Buffer
	clang bool
	lines *Lines          // knows the user's files; nil if no calls are inserted
	files map[string]bool // by the compiler's number
	code  map[string]bool // places that have more than a jump
	next  string          // the place, file and line, of the next instruction; "" if it is that of the one before
	last  string          // the place of the code before
	in    bool            // a function, behind the line of its name
	users bool            // the function stands in a file of the user
}

// places lists the places in assembly whose code is more than a jump.
func places(assembly []byte) map[string]bool {
	code, next := map[string]bool{}, ""
	for line := range bytes.Lines(assembly) {
		text := strings.TrimSpace(string(line))
		if at, ok := placeOf(text); ok {
			next = at
		} else if isInstruction(text) {
			if !strings.HasPrefix(text, "jmp\t") {
				code[next] = true
			}
			next = ""
		}
	}
	return code
}

// placeOf returns the number of the file and the line of a directive .loc.
func placeOf(text string) (string, bool) {
	fields := strings.Fields(text)
	if len(fields) < 3 || fields[0] != ".loc" {
		return "", false
	}
	return fields[1] + " " + fields[2], true
}

func isInstruction(text string) bool {
	return text != "" && text[0] != '.' && text[0] != '#' && !strings.HasSuffix(text, ":")
}

// before is called before a line of assembly is written.
func (w *lineWriter) before(text string) {
	if w.lines == nil {
		return
	}
	op, _, _ := strings.Cut(text, "\t")
	switch at, isPlace := placeOf(text); {
	case isPlace:
		file, line, _ := strings.Cut(at, " ")
		if w.next = ""; w.files[file] && line != "0" {
			w.next = at
		}
		if !w.in {
			w.users = w.files[file]
		}
	case strings.HasPrefix(text, ".file"):
		w.file(strings.TrimSpace(strings.TrimPrefix(text, ".file")))
	case op == ".cfi_startproc":
		w.next, w.last, w.in = "", "", w.users
	case op == ".cfi_endproc":
		w.in, w.users = false, false
	case strings.HasSuffix(op, ":") && !isMark(op) && !(w.clang && strings.HasPrefix(op, ".Ltmp")):
		w.last = ""
	case isInstruction(text):
		if w.in && w.next != "" && w.next != w.last && !(op == "jmp" && w.code[w.next]) {
			w.last = w.next
			w.out.WriteString("\tcall\t*gw_line@GOTPCREL(%rip)\n")
		}
		w.next = ""
	}
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
