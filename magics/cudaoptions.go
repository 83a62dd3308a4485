package magics

import (
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
)

// cudaOptions parses the options of %%cuda. Unknown ones are passed to the compiler.
func cudaOptions(args string) (gpuhost.CompileRequest, error) {
	var q gpuhost.CompileRequest
	shared := false
	flags := map[string]*bool{"--check": &q.Check, "--json": &q.JSON, "--info": &q.Show.Info, "--ptx": &q.Show.PTX, "--sass": &q.Show.SASS}
	values := map[string]func(string) error{
		"--arch":    func(text string) error { q.Show.Arch = text; return nil },
		"--include": func(text string) error { q.Include = append(q.Include, text); return nil },
		"--go":      func(text string) error { q.Go = append(q.Go, text); return nil },
		"--shared": func(text string) error {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return usageError("--shared is a number of bytes, as in --shared=4096, and not %s", text)
			}
			q.Show.Shared, shared = n, true
			return nil
		},
	}
	words := strings.Fields(args)
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if flag := flags[word]; flag != nil {
			*flag = true
			continue
		}
		name, text, given := strings.Cut(word, "=")
		set := values[name]
		if set == nil {
			q.Flags = append(q.Flags, word)
			continue
		}
		if !given {
			if len(words) == 0 {
				return q, usageError("%s needs a value: %s=…", name, name)
			}
			text, words = words[0], words[1:]
		}
		if err := set(text); err != nil {
			return q, err
		}
	}
	switch {
	case q.JSON && !q.Check:
		return q, usageError("--json is about the reports of --check: give both")
	case q.Show.Arch != "" && !q.Show.Any():
		return q, usageError("--arch says what --info, --ptx or --sass are about: give one of them. Kernels are compiled for the device that they run on (%%gpu)")
	case shared && !q.Show.Info:
		return q, usageError("--shared says with how much dynamic shared memory --info computes the occupancy: give both")
	}
	return q, nil
}
