package include

import (
	"path/filepath"
	"slices"
	"strings"
)

// FromOptions returns the search path and the macros (NAME or NAME=VALUE) in options of NVRTC or g++. The directory of
// the source is set only by -iquote. ok is false if the options are not complete.
func FromOptions(options []string) (s Search, defines []string, ok bool) {
	meanings := []struct {
		names []string
		add   func(value string)
	}{
		{[]string{"-I", "--include-path"}, func(v string) { s.Dirs = append(s.Dirs, v) }},
		{[]string{"-include", "--pre-include"}, func(v string) { s.First = append(s.First, v) }},
		{[]string{"-D", "--define-macro"}, func(v string) { defines = append(defines, v) }},
		{[]string{"-iquote"}, func(v string) {
			if s.Own == "" {
				s.Own = v
			} else {
				s.Quote = append(s.Quote, v)
			}
		}},
	}
	for i := 0; i < len(options); i++ {
		o := strings.TrimSpace(options[i])
		for _, m := range meanings {
			name, value, joined := strings.Cut(o, "=")
			short := m.names[0]
			switch {
			case len(short) == 2 && len(o) > 2 && strings.HasPrefix(o, short): // -Idir, -DN=3
				value = strings.TrimPrefix(strings.TrimSpace(o[2:]), "=")
			case !slices.Contains(m.names, name):
				continue
			case !joined:
				if i++; i == len(options) {
					return s, defines, false
				}
				value = strings.TrimSpace(options[i])
			}
			m.add(value)
			break
		}
	}
	return s, defines, true
}

// Absolute returns the path from the root, for a compiler that works in another directory. A path that has none, since the current
// directory was removed, stays as it is.
func Absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
