package nd_test

import (
	"cmp"
	"fmt"
	"os"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/device"
)

// The tests are their own device process: package gpu starts this binary again. They run on the
// simulator unless GOPHERWARP_DEVICE says otherwise.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "device" {
		os.Exit(device.Run(os.Args[2:], device.Backends(), os.Stdout, os.Stderr))
	}
	bin, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("GOPHERWARP_BIN", bin)
	os.Setenv("GOPHERWARP_DEVICE", cmp.Or(os.Getenv("GOPHERWARP_DEVICE"), "sim"))
	os.Exit(m.Run())
}
