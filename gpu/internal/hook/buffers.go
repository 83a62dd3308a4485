package hook

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// CallLibrary gives a routine of a numerical library to the default stream of the device that has the buffers, each of them a
// *gpu.Buffer, and does not wait for it. Every operand of the routine must lie within one of the buffers. The error says what is wrong with
// the arguments, or which library is missing; what goes wrong later comes back from the next wait.
var CallLibrary func(c routine.Call, buffers ...any) error

// Share returns where the memory of a *gpu.Buffer is, so that it can be mapped: kernels run in another process, whose addresses
// mean nothing here. Map it while it is held (Hold), and wait for the device (Device.Sync) before reading it. Where the driver cannot share
// memory that is an error.
var Share func(buffer any) (client.SharedRange, error)

// Hold keeps a *gpu.Buffer from being freed until release is called: Free fails, and the buffer stays reachable.
var Hold func(buffer any) (release func(), err error)
