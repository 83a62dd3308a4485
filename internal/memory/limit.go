package memory

import (
	"fmt"
	"math"
	"regexp"
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

var limitText = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?(%|[kKMGT]i?B?|B?)$`)

// ParseLimit parses a Limit: "8GB", "512 MiB", a number of bytes, "70%" or "off". For an empty text it returns Default.
func ParseLimit(text string) (Limit, error) {
	switch strings.TrimSpace(text) {
	case "":
		return Default, nil
	case "off":
		return Limit{}, nil
	}
	bad := fmt.Errorf("%q is no limit of memory: use a size such as 8GB or 512MiB, a part such as 70%% of what is free, or off", text)
	m := limitText.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Limit{}, bad
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil || n <= 0 {
		return Limit{}, bad
	}
	if m[2] == "%" {
		if n >= 100 {
			return Limit{}, bad
		}
		return Limit{Part: n / 100}, nil
	}
	base := 1000.0
	if strings.Contains(m[2], "i") {
		base = 1024
	}
	exponent := 0
	if m[2] != "" && m[2] != "B" {
		exponent = strings.Index("kMGT", strings.Replace(m[2][:1], "K", "k", 1)) + 1
	}
	size := n * math.Pow(base, float64(exponent))
	if size > math.MaxInt64/2 {
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
