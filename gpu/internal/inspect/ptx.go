package inspect

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

var (
	ptxEntry   = regexp.MustCompile(`^\s*(?:\.visible\s+|\.weak\s+)?\.entry\s+([\w$]+)`)
	ptxFile    = regexp.MustCompile(`(?m)^\s*\.file\s+(\d+)\s+"([^"]+)"`)
	ptxLine    = regexp.MustCompile(`^\s*\.loc\s+(\d+)\s+(\d+)`)
	ptxThreads = regexp.MustCompile(`^\s*\.(?:maxntid|reqntid)\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?`)
)

// ptxKernel is a kernel in PTX.
type ptxKernel struct {
	code       []backend.Instruction
	maxThreads int // per block; 0 if not specified
}

// readPTX returns the kernels of a program's PTX, by symbol, without declarations of registers, which are not related to the
// source.
func readPTX(ptx []byte, program string) map[string]ptxKernel {
	r := ptxReader{files: map[string]string{}, all: map[string]ptxKernel{}}
	for _, m := range ptxFile.FindAllSubmatch(ptx, -1) {
		r.files[string(m[1])] = sourceFile(string(m[2]), program)
	}
	for text := range strings.Lines(string(ptx)) {
		text = strings.TrimRight(text, "\n")
		switch m := ptxEntry.FindStringSubmatch(text); {
		case m != nil:
			r.begin(m[1])
		case r.name == "":
		case r.body:
			r.code(text)
		default:
			r.head(text)
		}
	}
	return r.all
}

// A ptxReader is the state of readPTX.
type ptxReader struct {
	files map[string]string // by their numbers in .file directives
	all   map[string]ptxKernel

	name string // of the kernel, or "" between kernels
	body bool   // in the body, after its head
	k    ptxKernel
	file string // file and line of the last .loc directive
	line int
}

func (r *ptxReader) begin(name string) {
	r.name, r.body, r.k = name, false, ptxKernel{}
	r.file, r.line = "", 0
}

// head reads a line between a kernel's name and its body.
func (r *ptxReader) head(text string) {
	if strings.TrimSpace(text) == "{" {
		r.body = true
		return
	}
	m := ptxThreads.FindStringSubmatch(text)
	if m == nil {
		return
	}
	r.k.maxThreads = 1
	for _, dim := range m[1:] {
		if n, err := strconv.Atoi(dim); err == nil {
			r.k.maxThreads *= n
		}
	}
}

// code reads a line of a kernel's body.
func (r *ptxReader) code(text string) {
	if text == "}" { // the end of the kernel: the brace of an inner block is indented
		labelsBeforeCode(r.k.code)
		r.all[r.name] = r.k
		r.name = ""
		return
	}
	if m := ptxLine.FindStringSubmatch(text); m != nil {
		r.file = r.files[m[1]]
		if r.line, _ = strconv.Atoi(m[2]); r.line == 0 { // the code belongs to several lines
			r.file = ""
		}
		return
	}
	text = strings.TrimSpace(text)
	if text == "" || strings.HasPrefix(text, ".reg") || strings.HasPrefix(text, "//") {
		return
	}
	r.k.code = append(r.k.code, backend.Instruction{Address: -1, Text: text, File: r.file, Line: r.line})
}
