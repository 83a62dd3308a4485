package device

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim"
)

// Repair reads all cached compilations for devices, rewrites or removes damaged entries, and returns a description of
// each damage.
func Repair() ([]string, error) {
	simulated, err := sim.Repair()
	compiled, err2 := driver.Repair()
	return append(simulated, compiled...), errors.Join(err, err2)
}
