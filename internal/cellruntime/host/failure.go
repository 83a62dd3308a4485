package host

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/exit"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/funcname"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
)

// A kinded error returns the name under which a front end shows it.
type kinded interface {
	error
	ErrorKind() string
}

// failure returns the error for a value that a cell panicked with. Errors of Check and the like are
// shown as errors, all else as a panic.
func failure(v any, stack []uintptr) *proto.Error {
	e := &proto.Error{Kind: "panic", Frames: frames(stack)}
	switch v := v.(type) {
	case cell.Failure:
		e.Kind, e.Message = "error", message(v.Err)
		kind(e, v.Err)
	case error:
		e.Message = message(v)
		kind(e, v)
	default:
		e.Message = valuefmt.Sprint(v)
	}
	e.Message = distinguishTypes(strings.ReplaceAll(e.Message, funcname.Prefix, ""))
	return e
}

// message returns an error's message, or a replacement if its method panics.
func message(err error) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = valuefmt.Sprint(err) // which reports a panic of the method
		}
	}()
	if r := cell.Formatting(func() { text = err.Error() }); r != nil {
		return fmt.Sprintf("an error of type %T (%v)", err, r)
	}
	return text
}

var sameNameMessage = regexp.MustCompile(`^interface conversion: (.+) is (.+), not (.+) \(types from different (?:packages|scopes)\)$`)

// distinguishTypes returns a message that distinguishes the types where the runtime's message has two of one name.
func distinguishTypes(msg string) string {
	if m := sameNameMessage.FindStringSubmatch(msg); m != nil && m[2] == m[3] {
		return fmt.Sprintf("interface conversion: %s holds a %s from before that type was declared anew: assign it again", m[1], m[2])
	}
	return msg
}

// outcome returns the outcome of a cell whose goroutine ended with v: os.Exit(0) is a success, except in a cell that must
// run as a whole.
func outcome(v any, stack []uintptr, whole bool) *proto.Error {
	e, ok := v.(exit.Exited)
	if !ok || e.Code != 0 {
		return failure(v, stack)
	}
	if !whole {
		return nil
	}
	err := failure(v, stack)
	err.Kind, err.Message = "CheckFailed", "not graded here: "+e.Call+" ended the cell before its checks were done"
	return err
}

// report prints the failure of a goroutine that was still running after the end of its cell. It
// belongs to the cell, which can no longer fail.
func report(e *proto.Error) {
	if e == nil {
		return
	}
	fmt.Fprint(os.Stderr, described("a goroutine that the cell had started ended", e))
}

// described returns lines about a failure that follow what failed.
func described(what string, e *proto.Error) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s\n", what, e.Kind, e.Message)
	for _, f := range e.Frames {
		fmt.Fprintf(&b, "\t%s:%d in %s\n", f.File, f.Line, f.Func)
	}
	return b.String()
}

func kind(e *proto.Error, err error) {
	var k kinded
	if errors.As(err, &k) {
		e.Kind = k.ErrorKind()
	}
}

// frames resolves a stack and removes the frames that are not the user's: the runtime's panic
// handling above the call that failed and the session's own calls.
func frames(stack []uintptr) []proto.Frame {
	if len(stack) == 0 {
		return nil
	}
	var all []proto.Frame
	for frames, more := runtime.CallersFrames(stack), true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "":
		case strings.HasPrefix(f.Function, "runtime."), strings.HasPrefix(f.Function, "internal/runtime/"), strings.HasPrefix(f.Function, "os.runtime_"):
		case strings.Contains(f.Function, "/gopherwarp/internal/cellruntime/"):
		default:
			all = append(all, proto.Frame{Func: funcname.Written(f.Function), File: f.File, Line: f.Line})
		}
	}
	return folded(all)
}

const (
	// longestCycle is the maximum number of functions in a repeated sequence of calls that is folded, and
	// keptCycles the number of repetitions that are shown.
	longestCycle = 4
	keptCycles   = 2
)

// folded removes repeated calls of a deep recursion.
func folded(all []proto.Frame) []proto.Frame {
	var kept []proto.Frame
	for i := 0; i < len(all); {
		length, more := 1, 0
		for n := 1; n <= longestCycle && more == 0; n++ {
			end := i + n
			for end < len(all) && all[end] == all[end-n] {
				end++
			}
			if times := (end - i) / n; times > keptCycles+1 {
				length, more = n*keptCycles, (times-keptCycles)*n
			}
		}
		kept = append(kept, all[i:i+length]...)
		kept[len(kept)-1].More = more
		i += length + more
	}
	return kept
}
