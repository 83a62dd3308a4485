package render

import (
	"fmt"
	"strconv"
	"time"
)

// Bytes returns a number of bytes in the largest binary unit that is not larger: "1.5 KiB".
func Bytes(n uint64) string {
	if n < 1024 {
		return strconv.FormatUint(n, 10) + " B"
	}
	v, unit := float64(n), -1
	for v >= 1024 {
		v, unit = v/1024, unit+1
	}
	return fmt.Sprintf("%.1f %ciB", v, "KMGTPE"[unit])
}

// Duration returns a duration with up to four digits, in the largest unit up to seconds that is not longer: "12.34 ms".
func Duration(d time.Duration) string { return Seconds(d.Seconds()) }

// Seconds is like Duration for a number of seconds, which may be less than a nanosecond.
func Seconds(s float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if s >= u.size {
			return fmt.Sprintf("%.4g %s", s/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.4g ns", s*1e9)
}

// Count returns a number and a noun in the singular or plural: "1 cell", "2 cells".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
