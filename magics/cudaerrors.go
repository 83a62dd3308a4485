package magics

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// cudaErrorName is the name of the error of a cell that CUDA's compiler rejects.
const cudaErrorName = "CUDA compile error"

// A diagnostic is a message of g++, clang++ or NVRTC.
type diagnostic struct {
	file      string
	line, col int  // from 1; col is 0 if the message has none
	indented  bool // whether col counts from the first character of the line that is no space
	severity  string
	text      string
	more      []string // lines that follow it
}

var (
	// gccMessage matches a message of g++ or clang++.
	gccMessage = regexp.MustCompile(`^([^\s:][^:]*):(?:(\d+):)?(?:(\d+):)? (fatal error|error|warning|note): (.*)$`)
	// nvrtcMessage matches a message of NVRTC.
	nvrtcMessage = regexp.MustCompile(`^([^\s(][^(]*)\((\d+)\): (catastrophic error|error|warning|remark|note)(?: #\d+(?:-D)?)?: (.*)$`)
	// inFunction matches lines that say in which function the next message is, which its line shows.
	inFunction = regexp.MustCompile(`: (?:In (?:static )?(?:member )?(?:function|constructor|lambda|destructor)\b.*|At global scope):$`)
	// gccExcerpt matches a line of source in g++'s messages, and the markers below one.
	gccExcerpt = regexp.MustCompile(`^ *\d* *\|`)
	// caretLine matches the line in which NVRTC marks a column.
	caretLine = regexp.MustCompile(`^\s*\^\s*$`)
	// tallyLine matches NVRTC's last line and its remark on suppression.
	tallyLine = regexp.MustCompile(`^\d+ (?:catastrophic )?(?:errors?|warnings?) detected in the compilation of|^Remark: The warnings can be suppressed|^\d+ (?:errors?|warnings?) generated\.$`)
)

// diagnostics parses a compiler's log. rest has its lines that belong to no message.
func diagnostics(log string) (list []diagnostic, rest []string) {
	var before []string // lines about the next message
	excerpt := ""       // the line of source in NVRTC's last message
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\n")
		d, ok := parseDiagnostic(line)
		switch {
		case ok && d.severity == "note" && len(list) > 0:
			last := &list[len(list)-1]
			last.more = append(last.more, "note: "+d.text)
		case ok:
			d.more = append(before, d.more...)
			list, before = append(list, d), nil
		case strings.TrimSpace(line) == "", tallyLine.MatchString(line), gccExcerpt.MatchString(line), inFunction.MatchString(line):
		case caretLine.MatchString(line) && excerpt != "" && len(list) > 0:
			last := &list[len(list)-1]
			last.col = strings.Index(line, "^") - (len(excerpt) - len(strings.TrimLeft(excerpt, " \t"))) + 1
			last.indented = true
			last.more = slices.DeleteFunc(last.more, func(s string) bool { return s == excerpt })
		case strings.HasSuffix(line, ":") && !strings.HasPrefix(line, " "), strings.Contains(line, "required from"):
			before = append(before, line)
		case len(list) > 0:
			last := &list[len(list)-1]
			last.more, excerpt = append(last.more, line), line
		default:
			rest = append(rest, line)
		}
	}
	return list, append(rest, before...)
}

// parseDiagnostic parses the first line of a message.
func parseDiagnostic(line string) (diagnostic, bool) {
	if m := nvrtcMessage.FindStringSubmatch(line); m != nil {
		n, _ := strconv.Atoi(m[2])
		return diagnostic{file: m[1], line: n, severity: m[3], text: m[4]}, true
	}
	if m := gccMessage.FindStringSubmatch(line); m != nil {
		n, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		return diagnostic{file: m[1], line: n, col: col, severity: m[4], text: m[5]}, true
	}
	return diagnostic{}, false
}

func (d *diagnostic) isError() bool { return strings.HasSuffix(d.severity, "error") }

// where returns the message with its position.
func (d *diagnostic) where() string {
	at := d.file
	if d.line > 0 {
		at += fmt.Sprintf(":%d", d.line)
	}
	if d.col > 0 && d.line > 0 {
		at += fmt.Sprintf(":%d", d.col)
	}
	return at + ": " + d.text
}

// cudaError returns the error of a cell whose CUDA program the compiler rejects: each message with its line of the cell, a caret and, for
// the usual slips, an explanation. Other errors are returned unchanged.
func (c *Call) cudaError(err error) error {
	var run *session.RunError
	var cell *kernel.CellError
	log := ""
	switch {
	case errors.As(err, &run) && run.Kind == cudaErrorName:
		log = run.Message
	case errors.As(err, &cell) && cell.Name == cudaErrorName && cell.Traceback == nil:
		log = cell.Value
	default:
		return err
	}
	list, rest := diagnostics(log)
	failed := &kernel.CellError{Name: cudaErrorName, Value: strings.TrimSpace(log)}
	count := 0
	for i := range list {
		d := &list[i]
		if !d.isError() {
			if d.severity == "note" { // the compiler's caller explains what it does not have
				rest = append(rest, d.text)
			}
			continue
		}
		source, known := c.line(strings.TrimSuffix(d.file, programSuffix), d.line)
		if d.indented && known {
			d.col += len(source) - len(strings.TrimLeft(source, " \t"))
		}
		if count++; count == 1 {
			failed.Value = d.where()
		}
		failed.Traceback = append(failed.Traceback, headline(cudaErrorName, d.where()))
		if known {
			failed.Traceback = append(failed.Traceback, d.excerpt(source)...)
		}
		c.mark(d.file, d.line, severityError, joinLines(d.text, cudaHint(d.text)))
		for _, hint := range append(d.more, cudaHint(d.text)) {
			if hint != "" {
				failed.Traceback = append(failed.Traceback, "     "+hint)
			}
		}
	}
	if count == 0 {
		failed.Traceback = []string{headline(cudaErrorName, failed.Value)}
		return failed
	}
	if count > 1 {
		failed.Value += fmt.Sprintf(" (and %d more)", count-1)
	}
	failed.Traceback = append(failed.Traceback, rest...)
	return failed
}

// excerpt returns the line that a message is about, with its number and a caret.
func (d *diagnostic) excerpt(source string) []string {
	lines := []string{fmt.Sprintf("%s%4d%s %s", bold, d.line, reset, source)}
	if d.col > 0 {
		lines = append(lines, "     "+caret(source, d.col))
	}
	return lines
}

// cudaHints are remedies for common mistakes in CUDA C++, by the words of g++, clang++ and NVRTC.
var cudaHints = []struct {
	message *regexp.Regexp
	hint    string // may refer to groups of message
}{
	{regexp.MustCompile(`^expected (?:';'|a ";"|',' or ';')`), "a statement of C++ ends in a semicolon: look here, and at the end of the line before"},
	{regexp.MustCompile(`^a host function call cannot be configured|__host__ function\("?(\w+).*from a __(?:global|device)__ function`), "put __device__ before the function that the kernel calls"},
	{
		regexp.MustCompile(`(?:'double ?\*'|"(?:const )?double \*") (?:to|is incompatible with parameter of type|cannot be used to initialize an entity of type) (?:'float ?\*'|"(?:const )?float \*")|(?:'float ?\*'|"(?:const )?float \*") (?:to|is incompatible with parameter of type|cannot be used to initialize an entity of type) (?:'double ?\*'|"(?:const )?double \*")`),
		"float is Go's float32 and double its float64: memory of the one cannot be read as the other",
	},
	{regexp.MustCompile(`a __global__ function (?:must have a void return type|type must)|must have a "?void"? return type`), "a kernel returns nothing: it writes its results to memory"},
}

// unknownName matches messages about a name that is not declared.
var unknownName = regexp.MustCompile(`'(\w+)' was not declared|use of undeclared identifier '(\w+)'|identifier "(\w+)" is undefined`)

// builtins are names of CUDA that are often written with other capital letters.
var builtins = []string{"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "__syncthreads", "__syncwarp", "__shared__", "atomicAdd", "atomicMax", "atomicMin", "__global__", "__device__"}

// cudaHint returns an explanation of a compiler's message, or "".
func cudaHint(message string) string {
	if m := unknownName.FindStringSubmatch(message); m != nil {
		name := m[1] + m[2] + m[3]
		for _, b := range builtins {
			if b != name && strings.EqualFold(strings.Trim(b, "_"), strings.Trim(name, "_")) {
				return "CUDA's name is " + b + ": capital letters and underscores count"
			}
		}
	}
	for _, h := range cudaHints {
		if h.message.MatchString(message) {
			return h.hint
		}
	}
	return ""
}

// preludeName is the file that messages about the code before translated Go name.
const preludeName = "prelude.h"

// unusedVariable matches warnings about variables that are not used, as those of an exercise that nobody has begun.
var unusedVariable = regexp.MustCompile(`^unused variable '|^variable '[^']+' set but not used|^variable "[^"]+" was (?:declared but never referenced|set but never used)`)

// cudaWarnings returns the warnings in a compiler's log without those about unused variables, and about what kernels in Go call.
func cudaWarnings(log string) (list []diagnostic, text string) {
	all, rest := diagnostics(log)
	for _, d := range all {
		if !unusedVariable.MatchString(d.text) && d.file != preludeName {
			list = append(list, d)
			rest = append(rest, d.where())
			rest = append(rest, d.more...)
		}
	}
	return list, strings.Join(rest, "\n")
}

// showWarnings shows the warnings in a compiler's log.
func (c *Call) showWarnings(log string) {
	list, text := cudaWarnings(log)
	for i := range list {
		c.mark(list[i].file, list[i].line, severityWarning, list[i].text)
	}
	if text != "" {
		c.Out.Display(kernel.MIMEBundle{"text/plain": "Warnings of the CUDA compiler:\n" + text}, nil, "")
	}
}

// indexed matches a function without a qualifier of CUDA whose body uses an index of a thread, in its first lines.
var indexed = regexp.MustCompile(`(?m)^(?:extern\s+"C"\s+)?(?:static\s+|inline\s+)*void\s+(\w+)\s*\([^;{]*\)\s*\{(?s:[^}]*?)\b(?:threadIdx|blockIdx)\b`)

// unlaunched returns a note about a cell whose functions look like kernels and are none, or "".
func unlaunched(source string) string {
	if m := indexed.FindStringSubmatch(source); m != nil {
		return fmt.Sprintf("%[1]s is no kernel, and Go cannot launch it: write __global__ void %[1]s(…), or __device__ if only kernels call it", m[1])
	}
	return ""
}
