package magics

import (
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
)

// cudaOptions reads the options of %%cuda. Those that it does not know are the compiler's.
func cudaOptions(args string) (gpuhost.CompileRequest, error) {
	var q gpuhost.CompileRequest
	words := strings.Fields(args)
	value := func(i *int, name string) (string, bool, error) {
		if v, ok := strings.CutPrefix(words[*i], name+"="); ok {
			return v, true, nil
		}
		if words[*i] != name {
			return "", false, nil
		}
		if *i++; *i == len(words) {
			return "", true, usageError("%s needs a value: %s=…", name, name)
		}
		return words[*i], true, nil
	}
	shared := false
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "--check":
			q.Check = true
			continue
		case "--json":
			q.JSON = true
			continue
		case "--info":
			q.Show.Info = true
			continue
		case "--ptx":
			q.Show.PTX = true
			continue
		case "--sass":
			q.Show.SASS = true
			continue
		}
		if arch, ok, err := value(&i, "--arch"); err != nil {
			return q, err
		} else if ok {
			q.Show.Arch = arch
			continue
		}
		if path, ok, err := value(&i, "--include"); err != nil {
			return q, err
		} else if ok {
			q.Include = append(q.Include, path)
			continue
		}
		if text, ok, err := value(&i, "--shared"); err != nil {
			return q, err
		} else if ok {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return q, usageError("--shared is a number of bytes, as in --shared=4096, and not %s", text)
			}
			q.Show.Shared, shared = n, true
			continue
		}
		q.Flags = append(q.Flags, words[i])
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
