package driver

import (
	"fmt"
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// cuda is the backend of the CUDA driver.
type cuda struct {
	load func() (*api, error)
}

// New returns the backend. It loads no libraries, and works on machines without a driver.
func New() backend.Backend {
	return &cuda{load: sync.OnceValues(loadAPI)}
}

func (*cuda) Name() string { return "cuda" }

// Count returns the number of GPUs that the driver reports. Without a driver or a GPU it is 0, with an error that says why.
func (c *cuda) Count() (int, error) {
	a, err := c.load()
	if err != nil {
		return 0, err
	}
	var n int32
	if err := a.check(a.DeviceGetCount(&n), "counting the GPUs"); err != nil {
		return 0, err
	}
	return int(n), nil
}

// Open retains the GPU's primary context and makes it current in the calling OS thread, on which all of the device's methods must
// be called. The first call of a process takes 200 to 300 ms.
func (c *cuda) Open(ordinal int) (backend.Device, error) {
	n, err := c.Count()
	if err != nil {
		return nil, fmt.Errorf("opening cuda:%d: %w", ordinal, err)
	}
	if ordinal < 0 || ordinal >= n {
		return nil, invalidValue("there is no device cuda:%d: the driver reports %d, numbered from 0", ordinal, n)
	}
	a, err := c.load()
	if err != nil {
		return nil, err
	}
	d, err := openDevice(a, ordinal)
	if err != nil {
		return nil, fmt.Errorf("opening cuda:%d: %w", ordinal, err)
	}
	return d, nil
}
