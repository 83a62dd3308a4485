package gpu

import (
	"fmt"
	"os"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/internal/memory"
)

// idleEnv is the environment variable with the time after which an unused device is suspended: a duration such as 10m, or off.
const idleEnv = "GOPHERWARP_GPU_IDLE"

// limited sets the limits of a new device that the environment has.
func limited(l *client.Link) error {
	if text := os.Getenv(client.QuotaEnv); text != "" {
		limit, err := memory.ParseLimit(text)
		if err != nil {
			return fmt.Errorf("%s: %w", client.QuotaEnv, err)
		}
		l.SetQuota(limit)
	}
	switch text := os.Getenv(idleEnv); text {
	case "", "off", "0":
	default:
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return fmt.Errorf("%s: %q is no duration: use one such as 10m or 90s, or off", idleEnv, text)
		}
		l.SuspendAfter(d)
	}
	return nil
}

// Suspend hands the device back to others until it is used again: it copies the contents of its memory to host memory and ends the device
// process. The next use allocates the memory again, at the same addresses, copies the contents back, and restores kernels, streams,
// textures and graphs. The times of events are lost. If others have taken the device's memory by then, that use fails, nothing is lost, and
// a later one may succeed.
//
// It returns an error, and does nothing, while the device has unfinished work, or something that cannot be restored: a variable of a
// module that a kernel has written, memory of the device's heap, memory that is shared with other code or another device.
//
// With the environment variable GOPHERWARP_GPU_IDLE, such as 10m, devices are suspended that were not used for that long.
func (d *Device) Suspend() error { return wrap("suspending "+d.Name(), d.link.Suspend()) }
