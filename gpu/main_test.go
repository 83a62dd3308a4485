package gpu

import (
	"fmt"
	"os"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// The tests are their own device process: the link starts this binary again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "device" {
		toys := []device.Named{{Name: "toy", New: func() backend.Backend { return toy{} }}}
		os.Exit(device.Run(os.Args[2:], toys, os.Stdout, os.Stderr))
	}
	bin, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("GOPHERWARP_BIN", bin)
	os.Setenv(deviceEnv, "toy:0")
	if len(os.Args) > 2 && os.Args[1] == "session" {
		sessions[os.Args[2]]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fresh gives the test a device process of its own.
func fresh(t testing.TB) *Device {
	t.Helper()
	old := registry.devices
	oldCurrent := registry.current
	registry.devices, registry.current = nil, nil
	t.Cleanup(func() {
		for _, d := range registry.devices {
			d.link.close()
		}
		registry.devices, registry.current = old, oldCurrent
	})
	d, err := Current()
	if err != nil {
		t.Fatal(err)
	}
	return d
}
