package client

import (
	"errors"
	"os"
	"slices"
	"strings"
	"sync/atomic"
)

// An Executable is the program that is started as a device process.
type Executable struct {
	Path string
	own  bool // whether it is this program
}

// servesEnv is set in the environment of device processes that are a user's own program, and of the processes that these start. It
// distinguishes them from that program with "device" as an argument of its user.
const servesEnv = "GOPHERWARP_SERVES"

// ownPath is the path of this program if it serves devices. It is global because a program is one or is none.
var ownPath atomic.Pointer[string]

// UseOwn makes this program the one that is started as a device process. path is that of its executable.
func UseOwn(path string) { ownPath.Store(&path) }

// IsServer reports whether this process was started as a device process by a program that calls UseOwn, and returns the arguments.
func IsServer() (args []string, is bool) {
	if os.Getenv(servesEnv) == "" || len(os.Args) < 2 || os.Args[1] != "device" {
		return nil, false
	}
	return os.Args[2:], true
}

// Environ returns the environment of a process of the program.
func (e Executable) Environ() []string {
	env := os.Environ()
	if e.own {
		env = append(slices.Clip(env), servesEnv+"=1")
	}
	return env
}

// Program returns the executable that serves devices. A program that serves them itself always fits its own version of the protocol, so it
// comes before the one that the environment names, which a session sets for all that cells start.
func Program() (Executable, error) {
	if path := ownPath.Load(); path != nil {
		return Executable{Path: *path, own: true}, nil
	}
	if path := os.Getenv("GOPHERWARP_BIN"); path != "" {
		return Executable{Path: path}, nil
	}
	// Every cell would have to link package os/exec for this one search.
	for _, dir := range strings.Split(os.Getenv("PATH"), ":") {
		path := dir + "/gopherwarp"
		if st, err := os.Stat(path); dir != "" && err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return Executable{Path: path}, nil
		}
	}
	return Executable{}, errors.New("the gopherwarp program, which runs devices, is not in PATH: call device.Serve() of " +
		"github.com/gopherwarp/gopherwarp/gpu/device at the start of main, so that this program runs them, add gopherwarp's directory to PATH, or set GOPHERWARP_BIN to its path")
}
