package sim

import (
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// simulator is the backend; it has one device.
type simulator struct{}

// New returns the simulator.
func New() backend.Backend { return simulator{} }

func (simulator) Name() string { return "sim" }

func (simulator) Count() (int, error) { return 1, nil }

// Open starts the workers. The first time on a machine it compiles the runtime for them,
// which takes some 300 ms.
func (simulator) Open(ordinal int) (backend.Device, error) {
	if ordinal != 0 {
		return nil, errorf(codeInvalidDevice, "there is one simulated device, number 0, and no number %d", ordinal)
	}
	tools, err := findToolchain()
	if err != nil {
		return nil, err
	}
	cores := runtime.GOMAXPROCS(0)
	rt, err := startRuntime(tools, cores)
	if err != nil {
		return nil, err
	}
	return newDevice(tools, rt, cores), nil
}
