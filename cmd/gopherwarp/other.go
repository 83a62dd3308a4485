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

// instead returns what to use on a system that is not Linux. Only there can Go load code as cells need it.
func instead(system string) string {
	if system == "windows" {
		return "gopherwarp runs on Linux: use it in WSL2 (wsl --install), or in a container (docker build -t gopherwarp .)"
	}
	return "gopherwarp runs on Linux: use it in a container (docker build -t gopherwarp .)"
}
