package memory

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A Limit bounds the memory of processes: by bytes, or by a part of what they have and could have. The zero Limit bounds
// nothing.
type Limit struct {
	Bytes int64
	Part  float64 // of the sum of what they take and what is available; 0 to 1
}

// Default is a Limit of 85 % of what the processes have and could have: the system and other programs keep the rest.
var Default = Limit{Part: 0.85}

var limitText = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?(%|[kKMGT]i?B?|B?)$`)

// ParseLimit reads a Limit: "8GB", "512 MiB", a number of bytes, "70%" or "off". An empty text is Default.
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

// Of returns how many bytes processes may take that take used bytes now, while more are available. It is math.MaxInt64 if nothing bounds them.
func (l Limit) Of(used, available int64) int64 {
	switch {
	case l.Bytes > 0:
		return l.Bytes
	case l.Part > 0:
		return int64(l.Part * float64(used+available))
	}
	return math.MaxInt64
}
