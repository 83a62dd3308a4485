package verify

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

// TooManyCopies is the reason of work that copies more bytes than necessary.
const TooManyCopies Reason = "too much is copied between host and device"

// Transfers checks that f copies at most that many bytes in total from the host to the device and back. It counts bytes, on a GPU as on
// the simulator, and does not measure time. The kernels that f launches must have passed the check of their results with the same name
// before, by Function or Run. The error is a *Failure if there are more bytes or the results have not passed.
func Transfers(name string, most int, f func() error) error {
	if err := unproven(name, "copies", f); err != nil {
		return err
	}
	report, err := prof.Run(f, prof.WithTimesOnly())
	if err != nil {
		return fmt.Errorf("checking the copies of %s: %w", name, err)
	}
	return judgeCopies(name, most, report)
}

func judgeCopies(name string, most int, report *prof.Report) error {
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
	passed(name, "%s", took)
	return nil
}
