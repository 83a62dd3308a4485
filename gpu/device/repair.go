package device

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim"
)

// Repair reads everything that is cached of compilations for devices, rewrites or removes what is damaged, and returns a description of
// each damage.
func Repair() ([]string, error) {
	simulated, err := sim.Repair()
	compiled, err2 := driver.Repair()
	return append(simulated, compiled...), errors.Join(err, err2)
}
