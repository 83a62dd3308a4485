package host

import (
	"os"
	"syscall"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

// prSetPtracer is PR_SET_PTRACER of prctl.
const prSetPtracer = 0x59616d61

// hold lets the kernel process attach a debugger before the run begins. An interrupt ends the
// wait, too.
func (h *host) hold(c *run) {
	// Where Linux lets only ancestors attach (Yama), a process may name one other process
	// whose descendants may, too. Elsewhere the call fails and is not needed.
	_, _, _ = syscall.Syscall(syscall.SYS_PRCTL, prSetPtracer, uintptr(os.Getppid()), 0)
	h.send(proto.Event{ID: c.id, Kind: proto.EventLoaded})
	select {
	case <-c.held:
	case <-c.ctx.Done():
	}
}

// release begins a held run.
func (h *host) release(id int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.run == nil || h.run.id != id {
		return // the request is late
	}
	select {
	case <-h.run.held:
	default:
		close(h.run.held)
	}
}
