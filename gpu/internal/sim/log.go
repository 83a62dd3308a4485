package sim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

var (
	// location matches the start of a line with a position.
	location = regexp.MustCompile(`^(.*?):(\d+)(:\d+)?: `)
	// excerpt matches a line of source, or the markers under one.
	excerpt = regexp.MustCompile(`^ +(\d+)? *\|`)
	// tally matches clang's last line.
	tally = regexp.MustCompile(`^\d+ (errors?|warnings?)( and \d+ errors?)? generated\.$`)
	// assembly matches an error of the assembler, which writes Error with a capital letter.
	assembly = regexp.MustCompile(`^(.*?:\d+): Error: (.*)`)
)

// cleanLog removes from the compiler's messages what is not about the user's program: positions in
// the simulator's headers, and the chains of includes and instantiations that lead to them.
func (t *toolchain) cleanLog(p *backend.Program, log string) string {
	c := logCleaner{program: p, shim: t.shim}
	for line := range strings.Lines(log) {
		c.line(strings.TrimRight(line, "\n"))
	}
	if len(c.out) == 0 {
		return ""
	}
	return strings.Join(c.out, "\n") + "\n"
}

// A logCleaner is the state of cleanLog.
type logCleaner struct {
	program *backend.Program
	shim    string // directory of the headers
	out     []string
	hidden  bool // in a message about the headers: its excerpt is left out too
	failed  bool // there was an error of the program
}

func (c *logCleaner) line(line string) {
	inShim := strings.Contains(line, c.shim)
	_, missing, unresolved := strings.Cut(line, "undefined reference to ")
	switch {
	case unresolved:
		// The linker names positions in object files. Only the missing name is useful.
		line = c.program.Name + ": error: undefined reference to " + missing + ": it is declared, but has no body here"
		if !slices.Contains(c.out, line) {
			c.keep(line)
		}
	case assembly.MatchString(line):
		m := assembly.FindStringSubmatch(line)
		c.keep(assemblyPlace(c.program, m[1], m[2]) + ": error: the simulator cannot run assembly for a GPU (PTX): " + m[2])
	case strings.Contains(line, ": in function `"), strings.HasSuffix(line, "Assembler messages:"), strings.HasPrefix(line, "cc1plus: note: disable pass"):
	case strings.HasPrefix(line, ":"):
		c.callOfMain(line)
	case excerpt.MatchString(line):
		if !c.hidden && !strings.Contains(line, "GW_KERNEL") {
			c.out = append(c.out, line)
		}
	case strings.HasPrefix(line, "In file included from"), strings.HasPrefix(line, "                 from "):
		if !inShim && !strings.Contains(line, "<command-line>") && !strings.Contains(line, "<built-in>") {
			c.keep(line)
		}
	case strings.Contains(line, "in expansion of macro 'GW_KERNEL'"), strings.HasPrefix(line, "collect2: error"),
		strings.HasPrefix(line, "compilation terminated"), tally.MatchString(line):
		c.hidden = true
	case strings.Contains(line, "gwsim::") && (strings.Contains(line, "inlined from ") || strings.Contains(line, ": note: in instantiation of ")):
	case inShim:
		c.header(line)
	default:
		c.keep(line)
	}
}

// keep adds a message of the program.
func (c *logCleaner) keep(line string) {
	c.hidden = false
	c.failed = c.failed || strings.Contains(line, ": error: ")
	c.out = append(c.out, line)
}

// callOfMain reads a message about the line that calls main. It follows from the errors before, if there are some.
func (c *logCleaner) callOfMain(line string) {
	c.hidden = true
	if !c.failed && strings.Contains(line, "'main' was not declared") {
		c.out = append(c.out, c.program.Name+": error: "+noMain)
	} else if !c.failed && !strings.Contains(line, ": In function ") {
		c.keep(line)
	}
}

// header handles a message with a position in the headers.
func (c *logCleaner) header(line string) {
	c.hidden = true
	if c.failed && strings.Contains(line, "gwsim::") {
		return // a consequence of earlier errors
	}
	m := location.FindStringSubmatch(line)
	if m != nil && (strings.Contains(line, "error:") || strings.Contains(line, "note: candidate")) {
		c.out = append(c.out, "CUDA: "+line[len(m[0]):])
	}
}

// mnemonic matches the instruction in an assembler's message about an unknown instruction.
var mnemonic = regexp.MustCompile("`([^ ']+)")

// assemblyPlace returns the position of an instruction that the assembler rejects. For arm64, the message has a line of a temporary
// file; the result is then the first line of the source with that instruction, or the program without a line.
func assemblyPlace(p *backend.Program, place, message string) string {
	if file, _, _ := strings.Cut(place, ":"); !strings.HasSuffix(file, ".s") {
		return place
	}
	if m := mnemonic.FindStringSubmatch(message); m != nil {
		number := 0
		for line := range strings.Lines(p.Source) {
			number++
			if strings.Contains(line, m[1]) {
				return fmt.Sprintf("%s:%d", p.Name, number)
			}
		}
	}
	return p.Name
}
