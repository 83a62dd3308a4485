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
	maxThreads int // of a block; 0 if nothing is said
}

// readPTX takes a program's PTX apart, by the kernels' symbols. Declarations of registers are left
// out, since they say nothing about the source.
func readPTX(ptx []byte, program string) map[string]ptxKernel {
	files := map[string]string{}
	for _, m := range ptxFile.FindAllSubmatch(ptx, -1) {
		files[string(m[1])] = sourceFile(string(m[2]), program)
	}
	all := map[string]ptxKernel{}
	var k ptxKernel
	name, body := "", false
	file, line := "", 0
	for text := range strings.Lines(string(ptx)) {
		text = strings.TrimRight(text, "\n")
		trimmed := strings.TrimSpace(text)
		if m := ptxEntry.FindStringSubmatch(text); m != nil {
			name, body, k = m[1], false, ptxKernel{}
			file, line = "", 0
			continue
		}
		switch {
		case name == "":
		case !body && trimmed == "{":
			body = true
		case !body:
			if m := ptxThreads.FindStringSubmatch(text); m != nil {
				k.maxThreads = 1
				for _, dim := range m[1:] {
					if n, err := strconv.Atoi(dim); err == nil {
						k.maxThreads *= n
					}
				}
			}
		case text == "}": // that of an inner block is indented, or the kernel's last
			labelsBeforeCode(k.code)
			all[name] = k
			name = ""
		default:
			if m := ptxLine.FindStringSubmatch(text); m != nil {
				file = files[m[1]]
				if line, _ = strconv.Atoi(m[2]); line == 0 { // it belongs to several
					file = ""
				}
				continue
			}
			if trimmed == "" || strings.HasPrefix(trimmed, ".reg") || strings.HasPrefix(trimmed, "//") {
				continue
			}
			k.code = append(k.code, backend.Instruction{Address: -1, Text: trimmed, File: file, Line: line})
		}
	}
	return all
}
