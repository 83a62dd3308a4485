package check

import (
	"bytes"
	"strconv"
	"strings"
)

// sharedGap is what is put after each variable in shared memory, in bytes, so that an index
// beyond its end does not find the next one. All banks come round once in 128 bytes, so
// variables stay in the banks they were in.
const sharedGap = 512

// Pad puts gaps between the shared variables in a compiler's assembly output. They are the
// thread-local ones, for which the compiler writes ".section .tbss…", the label and
// ".zero SIZE".
func Pad(assembly []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(assembly) + 4096)
	inTLS := false
	for line := range bytes.Lines(assembly) {
		out.Write(line)
		text := strings.TrimSpace(string(line))
		switch {
		case strings.HasPrefix(text, ".section"):
			inTLS = strings.Contains(text, ".tbss")
		case text == ".text" || text == ".data" || text == ".bss" || strings.HasPrefix(text, ".popsection"):
			inTLS = false
		case inTLS && strings.HasPrefix(text, ".zero"):
			out.WriteString("\t.zero\t" + strconv.Itoa(sharedGap) + "\n")
		}
	}
	return out.Bytes()
}
