//go:build !linux

package main

import (
	"fmt"
	"os"
	"runtime"
)

func main() {
	fmt.Fprintln(os.Stderr, instead(runtime.GOOS))
	os.Exit(1)
}

// instead says what to use on a system that is not Linux, in which alone Go can load code as cells need it.
func instead(system string) string {
	if system == "windows" {
		return "gopherwarp runs on Linux: use it in WSL2 (wsl --install), or in a container (docker build -t gopherwarp .)"
	}
	return "gopherwarp runs on Linux: use it in a container (docker build -t gopherwarp .)"
}
