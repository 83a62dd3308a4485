package hook

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// CallLibrary submits a routine of a numerical library to the default stream of the device of the buffers, each of which is a
// *gpu.Buffer, without waiting. Every operand of the routine must lie within one of the buffers. It returns an error for invalid
// arguments or a missing library; later errors are returned by the next wait.
var CallLibrary func(c routine.Call, buffers ...any) error

// WithExpression returns a gpu.CompileOption that describes what the program's only kernel computes, in the form of package expression.
// The simulator computes that without compiling the program.
var WithExpression func(description []byte) any

// Share returns the shared memory of a *gpu.Buffer, so that it can be mapped: kernels run in another process, whose addresses are
// not valid in this one. It must be mapped while it is held (Hold), and read only after waiting for the device (Finish). It
// is an error where the driver cannot share memory.
var Share func(buffer any) (client.SharedRange, error)

// Hold prevents a *gpu.Buffer from being freed until release is called: Free fails, and the buffer remains reachable.
var Hold func(buffer any) (release func(), err error)

// Finish waits for the work of a *gpu.Device whose completion is not known yet. It is faster than Device.Sync if there is none.
var Finish func(device any) error

// Late tells a *gpu.Device of a function that executes work that has been put off. It is called before anything waits for the device,
// marks a place in its work, or observes it.
var Late func(device any, execute func(wait bool) error)

// Skips reports whether launches on a *gpu.Device are left out at present, so that what they would compute is undefined.
var Skips func(device any) bool
