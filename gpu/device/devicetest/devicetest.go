package devicetest

import (
	"cmp"
	"fmt"
	"os"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/device"
)

// Main is called by TestMain of such a package, and does not return. Package gpu starts the test binary a second time with the
// arguments of "gopherwarp device". The tests run on the simulator unless GOPHERWARP_DEVICE is set.
func Main(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "device" {
		os.Exit(device.Main(os.Args[2:]))
	}
	bin, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("GOPHERWARP_BIN", bin)
	if _, err := os.Stat("/dev/nvidiactl"); err == nil && os.Getenv("GOPHERWARP_DEVICE") == "" {
		fmt.Fprintln(os.Stderr, "devicetest: tests run on the simulator, not on this machine's GPU: set GOPHERWARP_DEVICE=cuda:0")
	}
	os.Setenv("GOPHERWARP_DEVICE", cmp.Or(os.Getenv("GOPHERWARP_DEVICE"), "sim"))
	os.Exit(m.Run())
}
