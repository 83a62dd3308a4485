package rank

import (
	"errors"
	"strings"
)

// firstHost returns the first of the hosts of a list in Slurm's form: "gpu[03-06,11],login" begins with gpu03.
func firstHost(list string) (string, error) {
	var host strings.Builder
	for rest := list; rest != "" && rest[0] != ','; {
		at := strings.IndexAny(rest, "[],")
		switch {
		case at < 0:
			host.WriteString(rest)
			rest = ""
		case rest[at] == ',':
			host.WriteString(rest[:at])
			rest = ""
		case rest[at] == ']':
			return "", errors.New("a ] without a [")
		default:
			host.WriteString(rest[:at])
			numbers, after, closed := strings.Cut(rest[at+1:], "]")
			if !closed {
				return "", errors.New("a [ without a ]")
			}
			first, _, _ := strings.Cut(numbers, ",")
			first, _, _ = strings.Cut(first, "-")
			if first == "" || strings.Trim(first, "0123456789") != "" {
				return "", errors.New("between [ and ] stand numbers, as in n[1-3,7]")
			}
			host.WriteString(first)
			rest = after
		}
	}
	if host.Len() == 0 {
		return "", errors.New("it names no host")
	}
	return host.String(), nil
}
