package verify

import (
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// TooManyCopies is the reason of work that copies more than it has to.
const TooManyCopies Reason = "too much is copied between host and device"

// Transfers checks that f copies at most so many bytes from the host to the device and back, together. It
// counts, on a GPU as on the simulator, and does not time.
func Transfers(name string, most int, f func() error) error {
	report, err := gpu.Profile(f, gpu.TimesOnly())
	if err != nil {
		return fmt.Errorf("checking the copies of %s: %w", name, err)
	}
	return judgeCopies(name, most, report)
}

func judgeCopies(name string, most int, report *gpu.ProfileReport) error {
	if len(report.Kernels) == 0 {
		return errors.New("checking the copies of " + name + ": the function launched no kernel: the work is to be done on the device")
	}
	calls, bytes := 0, 0
	for _, c := range report.Copies {
		if c.Kind == "HtoD" || c.Kind == "DtoH" {
			calls += c.Calls
			bytes += int(c.Bytes)
		}
	}
	took := fmt.Sprintf("%s bytes in %d copies", spaced(bytes), calls)
	if calls == 1 {
		took = spaced(bytes) + " bytes in one copy"
	}
	if bytes > most {
		f := &Failure{Check: name, Reason: TooManyCopies, Hint: "Each way costs more than most kernels do. Copy what is needed once, let kernels work on it one after the other, and copy back only the result."}
		f.message = fmt.Sprintf("%s: %s\n%s\n\n%s, at most %s bytes allowed", name, f.Reason, wrap(f.Hint), took, spaced(most))
		return f
	}
	fmt.Printf("✓ PASS %s: %s\n", name, took)
	return nil
}
