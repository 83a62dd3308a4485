package memory

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Limit is a limit of the memory of processes: in bytes, or as a part of the memory that they use and that is available. The zero
// Limit is no limit.
type Limit struct {
	Bytes int64
	Part  float64 // of the sum of used and available memory; 0 to 1
}

// Default is a Limit of 85 % of used and available memory: the rest is for the system and other programs.
var Default = Limit{Part: 0.85}

// units are the units of sizes, in bytes. Session processes link this package, so it does without regular expressions.
var units = map[string]float64{"": 1, "B": 1}

func init() {
	size, sizeOfTwo := 1.0, 1.0
	for _, prefix := range []string{"k", "M", "G", "T"} {
		size, sizeOfTwo = size*1000, sizeOfTwo*1024
		for _, p := range []string{prefix, strings.ToUpper(prefix)} {
			units[p], units[p+"B"] = size, size
			units[p+"i"], units[p+"iB"] = sizeOfTwo, sizeOfTwo
		}
	}
}

// ParseLimit parses a Limit: "8GB", "512 MiB", a number of bytes, "70%" or "off". For an empty text it returns Default.
func ParseLimit(text string) (Limit, error) {
	text = strings.TrimSpace(text)
	switch text {
	case "":
		return Default, nil
	case "off":
		return Limit{}, nil
	}
	bad := fmt.Errorf("%q is no limit of memory: use a size such as 8GB or 512MiB, a part such as 70%% of what is free, or off", text)
	unit := strings.TrimLeft(text, "0123456789.")
	n, err := strconv.ParseFloat(strings.TrimSuffix(text, unit), 64)
	if err != nil || n <= 0 {
		return Limit{}, bad
	}
	if unit = strings.TrimPrefix(unit, " "); unit == "%" {
		if n >= 100 {
			return Limit{}, bad
		}
		return Limit{Part: n / 100}, nil
	}
	size, ok := units[unit]
	if size *= n; !ok || size > math.MaxInt64/2 {
		return Limit{}, bad
	}
	return Limit{Bytes: int64(size)}, nil
}

// Of returns the limit in bytes for processes that use used bytes while more are available, or math.MaxInt64 if there is no limit.
func (l Limit) Of(used, available int64) int64 {
	switch {
	case l.Bytes > 0:
		return l.Bytes
	case l.Part > 0:
		return int64(l.Part * float64(used+available))
	}
	return math.MaxInt64
}
