package device

import (
	"fmt"
	"os"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
)

// Serve lets this program be its own device process, so that package gpu needs no gopherwarp program on the machine. It is called at the
// start of main, or of TestMain. In the program it returns at once. Package gpu starts the program a second time to control a device; in that
// process Serve serves the device and does not return.
//
// Package-level variables are set before main in both processes, so what they do should have no effects outside of the process.
func Serve() {
	if args, is := client.IsServer(); is {
		os.Exit(Main(args))
	}
	path, err := os.Executable()
	if err != nil {
		// Package gpu then looks for the gopherwarp program.
		fmt.Fprintln(os.Stderr, "device.Serve: find this program's file:", err)
		return
	}
	client.UseOwn(path)
}
