package check

import (
	"bytes"
	"slices"
	"strings"
)

// volatileRead begins the names of the sanitizer's functions that are called before a volatile variable is read.
const volatileRead = "__tsan_volatile_read"

// waitsOnly are the beginnings of names of functions that a loop calls if it only waits.
var waitsOnly = []string{volatileRead, "__tsan_read", "__tsan_atomic_thread_fence", "_ZN5gwsim5pause", "__tls_get_addr"}

// waitingReads returns the numbers of the lines that call volatileRead in loops that do nothing but read. A thread goes round
// such a loop until another has changed the variable, so it does not count on the order in which threads run.
func waitingReads(assembly []byte) map[int]bool {
	found := map[int]bool{}
	if !bytes.Contains(assembly, []byte(volatileRead)) {
		return found
	}
	labels := map[string]int{} // of the function, by line
	lastOther := -1            // line of the last call of another function
	var reads []int            // lines that call volatileRead since
	number := -1
	for line := range bytes.Lines(assembly) {
		number++
		text := strings.TrimSpace(string(line))
		op, target, _ := strings.Cut(text, "\t")
		switch {
		case text == ".cfi_startproc":
			clear(labels)
			lastOther, reads = number, nil
		case strings.HasSuffix(op, ":"):
			labels[strings.TrimSuffix(op, ":")] = number
		case op == "call" || op == "bl" || op == "ret":
			if !waits(target) {
				lastOther, reads = number, nil
			} else if strings.HasPrefix(target, volatileRead) {
				reads = append(reads, number)
			}
		default:
			begin, back := labels[jumpTarget(op, target)]
			if !back || begin < lastOther {
				continue
			}
			for _, r := range reads {
				if r > begin {
					found[r] = true
				}
			}
		}
	}
	return found
}

// volatileWrite begins the names of the sanitizer's functions that are called before a volatile variable is written.
const volatileWrite = "__tsan_volatile_write"

// straightAccesses returns the numbers of the lines that call volatileRead or volatileWrite outside all loops of their function.
// A thread does not wait there for another one.
func straightAccesses(assembly []byte) map[int]bool {
	found := map[int]bool{}
	if !bytes.Contains(assembly, []byte(volatileRead)) {
		return found
	}
	labels := map[string]int{}
	var accesses []int // of the function, outside the loops that have ended
	number := -1
	for line := range bytes.Lines(assembly) {
		number++
		op, target, _ := strings.Cut(strings.TrimSpace(string(line)), "\t")
		switch {
		case op == ".cfi_startproc":
			clear(labels)
			accesses = nil
		case op == ".cfi_endproc":
			for _, at := range accesses {
				found[at] = true
			}
			accesses = nil
		case strings.HasSuffix(op, ":"):
			labels[strings.TrimSuffix(op, ":")] = number
		case strings.HasPrefix(target, volatileRead) || strings.HasPrefix(target, volatileWrite):
			accesses = append(accesses, number)
		default:
			if begin, back := labels[jumpTarget(op, target)]; back {
				accesses = slices.DeleteFunc(accesses, func(at int) bool { return at > begin })
			}
		}
	}
	return found
}

func waits(function string) bool {
	for _, prefix := range waitsOnly {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}

// jumpTarget returns the label that a jump or branch of amd64 or arm64 goes to, or "".
func jumpTarget(op, operands string) string {
	switch {
	case strings.HasPrefix(op, "j"), op == "b", strings.HasPrefix(op, "b."):
		return operands
	case strings.HasPrefix(op, "cb"), strings.HasPrefix(op, "tb"): // cbz x0, .L3 and tbnz x0, 0, .L3
		return strings.TrimSpace(operands[strings.LastIndexByte(operands, ',')+1:])
	}
	return ""
}
