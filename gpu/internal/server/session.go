package server

import (
	"os"

	"golang.org/x/sys/unix"
)

// exitWithSession exits the process when the other end of the socket is closed, which the system does whenever the session exits.
// There is nothing to clean up: memory exists as long as its descriptors, and the driver cleans up after a process.
func exitWithSession(socket int) {
	for {
		fds := []unix.PollFd{{Fd: int32(socket), Events: unix.POLLRDHUP}}
		_, err := unix.Poll(fds, -1)
		if err == unix.EINTR {
			continue
		}
		if err != nil || fds[0].Revents&(unix.POLLHUP|unix.POLLRDHUP|unix.POLLERR|unix.POLLNVAL) != 0 {
			os.Exit(0)
		}
	}
}
