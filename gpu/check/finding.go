package check

import (
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A Finding is a defect of a kernel.
type Finding struct {
	Kind    string // "out of bounds", "race", …: one of the Kind constants
	Program string // e.g. "cell[3].cu"
	Kernel  string
	Line    int    // of the program; 0 if unknown
	Block   [3]int // of the first thread with the defect
	Thread  [3]int // of the first thread with the defect; -1 if unknown
	Message string // what happens and why it is wrong, for learners
	Warning bool   // it may be intended
	Count   int    // how often it was found
	Space   string `json:",omitempty"` // "global" or "shared"; "" if it does not concern memory
	Tool    string `json:",omitempty"` // the tool of compute-sanitizer that found it; "" for check mode
}

// The kinds of findings.
const (
	OutOfBounds      = "out of bounds"
	UseAfterFree     = "use after free"
	NullPointer      = "null pointer"
	Misaligned       = "misaligned access"
	Uninitialised    = "uninitialised read"
	Race             = "race"
	DivergentBarrier = "divergent barrier"
	EarlyExit        = "exit before a barrier"
	Deadlock         = "deadlock"
	WarpMask         = "wrong warp mask"
	Fault            = "fault"
	InactiveLane     = "inactive lane"
	Leak             = "leaked buffer"
)

// maxFindings is the maximum number of defects in an error's text.
const maxFindings = 5

// Defects returns the findings that are not warnings.
func (r *Report) Defects() []Finding {
	var list []Finding
	for _, f := range r.Findings {
		if !f.Warning {
			list = append(list, f)
		}
	}
	return list
}

// Err returns an *Error with the defects, or nil if there are none.
func (r *Report) Err() error {
	list := r.Defects()
	if len(list) == 0 {
		return nil
	}
	return &Error{Findings: list}
}

// An Error is the error of kernels in which check mode has found defects.
type Error struct{ Findings []Finding }

func (e *Error) Error() string {
	var b strings.Builder
	if n := len(e.Findings); n == 1 {
		b.WriteString("check mode found a defect:")
	} else {
		fmt.Fprintf(&b, "check mode found %d defects:", n)
	}
	for i := range e.Findings[:min(len(e.Findings), maxFindings)] {
		b.WriteString("\n" + e.Findings[i].String())
	}
	if n := len(e.Findings) - maxFindings; n > 0 {
		fmt.Fprintf(&b, "\nand %d more", n)
	}
	return b.String()
}

// String returns a line about the defect: its position, thread and message.
func (f *Finding) String() string { return (*backend.Finding)(f).String() }
