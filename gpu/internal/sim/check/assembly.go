package check

import (
	"bytes"
	"runtime"
	"strconv"
	"strings"
)

// sharedGap is the size in bytes of the gap after each variable in shared memory, so that an index
// out of bounds does not access the next variable. It is a multiple of 128 bytes, over which the
// banks repeat, so variables stay in the same banks.
const sharedGap = 512

// watchedCalls are functions of the C library that access, allocate or free memory. The runtime has functions of
// similar names, which check mode tracks.
var watchedCalls = map[string]bool{
	"memcpy": true, "memmove": true, "memset": true, "malloc": true, "free": true,
	"sincos": true, "sincosf": true, "modf": true, "modff": true, "frexp": true, "frexpf": true, "remquo": true, "remquof": true,
	"_Znwm": true, "_Znam": true, "_ZdlPv": true, "_ZdlPvm": true, "_ZdaPv": true, "_ZdaPvm": true, // new and delete
}

// Rewriting says how assembly is changed.
type Rewriting struct {
	Clang bool // the compiler
	// Count inserts code that counts floating-point operations, where that is possible. The counters of a program stand in one file.
	Count bool
	// Record inserts calls before the code of each line of the user's files, which are those of the names. It needs g++ or clang on amd64.
	Record []string
}

// Rewrite changes a compiler's assembly output for check mode. It puts gaps between the shared
// variables, which are the thread-local ones: the compiler writes ".section .tbss…", the label and
// ".zero SIZE". It replaces watchedCalls by calls of the runtime's functions, and inserts calls before
// results of functions are stored. It marks volatile reads in loops that only wait, and volatile accesses outside loops.
func Rewrite(assembly []byte, how Rewriting) []byte {
	var counter *counters
	if how.Count {
		counter = countersOf(how.Clang)
	}
	lines := lineWriter{clang: how.Clang, files: map[string]bool{}}
	if how.Record != nil && runtime.GOARCH == "amd64" {
		lines.lines, lines.code = namedLines(how.Record), places(assembly)
	}
	return rewrite(assembly, counter, runtime.GOARCH == "amd64" && !how.Clang, lines)
}

func rewrite(assembly []byte, counter *counters, watchResults bool, steps lineWriter) []byte {
	var out bytes.Buffer
	out.Grow(len(assembly) + 4096)
	steps.out = &out
	inTLS := false
	operations := operationWriter{out: &out, counter: counter}
	results := resultWriter{out: &out}
	waiting, straight := waitingReads(assembly), straightAccesses(assembly)
	number := -1
	for line := range bytes.Lines(assembly) {
		number++
		text := strings.TrimSpace(string(line))
		switch {
		case strings.HasPrefix(text, ".section"):
			inTLS = strings.Contains(text, ".tbss")
		case text == ".text" || text == ".data" || text == ".bss" || strings.HasPrefix(text, ".popsection"):
			inTLS = false
		case inTLS && strings.HasPrefix(text, ".zero"):
			out.Write(line)
			line = []byte("\t.zero\t" + strconv.Itoa(sharedGap) + "\n")
		default:
			if op, target, ok := strings.Cut(text, "\t"); ok && (op == "call" || op == "callq" || op == "jmp" || op == "bl" || op == "b") {
				if name, _, _ := strings.Cut(target, "@"); watchedCalls[name] {
					line = []byte("\t" + op + "\tgw_" + target + "\n")
				} else if waiting[number] {
					line = []byte("\t" + op + "\t" + strings.Replace(target, volatileRead, "gw_waiting_read", 1) + "\n")
				} else if straight[number] {
					line = []byte("\t" + op + "\t" + strings.Replace(target, "__tsan_volatile_", "gw_straight_", 1) + "\n")
				}
			}
		}
		operations.before(text)
		steps.before(text)
		if watchResults {
			results.before(text)
		}
		out.Write(line)
	}
	operations.end()
	return out.Bytes()
}
