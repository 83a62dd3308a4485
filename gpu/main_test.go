package gpu

import (
	"cmp"
	"fmt"
	"os"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// The tests are their own device process: the link starts this binary again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "device" {
		toys := device.Named{Name: "toy", New: func() backend.Backend { return toy{} }}
		os.Exit(device.Run(os.Args[2:], append([]device.Named{toys}, device.Backends()...), os.Stdout, os.Stderr))
	}
	bin, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("GOPHERWARP_BIN", bin)
	if os.Getenv(deviceEnv) == "" {
		os.Setenv(deviceEnv, "sim") // the examples' device; tests choose theirs
	}
	if len(os.Args) > 2 && os.Args[1] == "session" {
		os.Setenv(deviceEnv, cmp.Or(os.Getenv("TEST_DEVICE"), "toy:0"))
		sessions[os.Args[2]]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fresh gives the test a toy device with a process of its own.
func fresh(t testing.TB) *Device { return freshDevice(t, "toy:0") }

// freshDevice gives the test that device, with a process of its own.
func freshDevice(t testing.TB, name string) *Device {
	t.Helper()
	t.Setenv(deviceEnv, name)
	old := registry.devices
	oldCurrent := registry.current
	registry.devices, registry.current = nil, nil
	t.Cleanup(func() {
		for _, d := range registry.devices {
			d.link.Close()
		}
		registry.devices, registry.current = old, oldCurrent
	})
	d, err := Current()
	if err != nil {
		t.Fatal(err)
	}
	return d
}
