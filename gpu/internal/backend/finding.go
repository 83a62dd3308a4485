package backend

import (
	"fmt"
	"strconv"
)

// String returns a line about the defect: its position, thread and message.
func (f *Finding) String() string {
	if f.Kernel == "" {
		return f.Kind + ": " + f.Message
	}
	s := f.Program
	if f.Line > 0 {
		s += ":" + strconv.Itoa(f.Line)
	}
	gap := " "
	switch f.Kind {
	case KindDivergentBarrier, KindEarlyExit, KindDeadlock, KindWarpMask, KindFault: // the message is not about the thread
		gap = ": "
	}
	kind := f.Kind
	if f.Warning {
		kind = "warning: " + kind
	}
	if f.Thread[0] < 0 {
		s += fmt.Sprintf(": %s in %s: %s", kind, f.Kernel, f.Message)
	} else {
		s += fmt.Sprintf(": %s in %s: thread %s of block %s%s%s", kind, f.Kernel, coordinates(f.Thread), coordinates(f.Block), gap, f.Message)
	}
	if f.Count > 1 {
		s += fmt.Sprintf(" (%d times)", f.Count)
	}
	return s
}

func coordinates(c [3]int) string { return fmt.Sprintf("(%d,%d,%d)", c[0], c[1], c[2]) }
