package device

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim"
)

// Repair reads all that is kept of what was compiled for devices, makes anew or removes what is damaged, and returns what was.
func Repair() ([]string, error) {
	simulated, err := sim.Repair()
	compiled, err2 := driver.Repair()
	return append(simulated, compiled...), errors.Join(err, err2)
}
