package sim

import (
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// simulator is the backend. It has one device unless its choice says otherwise.
type simulator struct{ choice choice }

// New returns the simulator.
func New() backend.Backend { return simulator{choice{count: 1}} }

// Name returns "sim", followed by the choice if there is one: "sim:t4".
func (s simulator) Name() string {
	if s.choice.spec == "" {
		return "sim"
	}
	return "sim:" + s.choice.spec
}

func (s simulator) Count() (int, error) { return s.choice.count, nil }

// Open starts the worker threads. If the cache has no runtime yet, it compiles it first, which
// takes some 300 ms.
func (s simulator) Open(ordinal int) (backend.Device, error) {
	if n := s.choice.count; ordinal < 0 || ordinal >= n {
		hint := ""
		if n == 1 {
			hint = "; sim:x2 has two"
		}
		return nil, errorf(codeInvalidDevice, "%s has no device number %d: the numbers are 0 to %d%s", s.Name(), ordinal, n-1, hint)
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
	d := newDevice(tools, rt, cores)
	d.props.Ordinal = ordinal
	d.manner = s.choice.order
	if s.choice.model != nil {
		s.choice.model.apply(&d.props)
		d.memory.total = d.props.TotalMemory
		d.arch = archOption(d.props)
	}
	// Each device has its own range of addresses, so that devices can access each other's memory.
	d.memory.next = chunkBase + uint64(ordinal)*((chunkEnd-chunkBase)/maxDevices)
	return d, nil
}
