package device

import (
	"errors"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// counted is a backend with a number of devices and nothing else.
type counted struct {
	backend.Backend
	n   int
	err error
}

func (c counted) Count() (int, error) { return c.n, c.err }

func named(name string, n int, err error) Named {
	return Named{name, func() backend.Backend { return counted{n: n, err: err} }}
}

var errNoDriver = errors.New("no driver")

func TestChoose(t *testing.T) {
	for name, c := range map[string]struct {
		choice []Named
		ask    string
		want   int // devices of the one chosen, 0 for none
		say    string
	}{
		"first":       {[]Named{named("cuda", 2, nil), named("sim", 1, nil)}, "auto", 2, ""},
		"second":      {[]Named{named("cuda", 0, errNoDriver), named("sim", 1, nil)}, "auto", 1, "cuda: no driver"},
		"no device":   {[]Named{named("cuda", 0, nil), named("sim", 1, nil)}, "auto", 1, "cuda: no device"},
		"none at all": {[]Named{named("cuda", 0, errNoDriver), named("sim", 0, nil)}, "auto", 0, "no device can be used: cuda: no driver; sim: no device"},
		"by name":     {[]Named{named("cuda", 2, nil), named("sim", 1, nil)}, "sim", 1, ""},
		"unknown":     {[]Named{named("cuda", 2, nil), named("sim", 1, nil)}, "tpu", 0, `there is no device kind "tpu": the choices are auto, cuda, sim`},
	} {
		b, note, err := choose(c.choice, c.ask)
		got := 0
		if b != nil {
			got, _ = b.Count()
		}
		said := note
		if err != nil {
			said = err.Error()
		}
		if got != c.want || (err != nil) != (c.want == 0) || !strings.HasPrefix(said, c.say) || (said == "") != (c.say == "") {
			t.Errorf("%s: got %d devices, %q, %v, want %d, %q", name, got, note, err, c.want, c.say)
		}
	}
}

func TestRun(t *testing.T) {
	choice := []Named{named("cuda", 2, nil), named("sim", 1, nil)}
	broken := []Named{named("cuda", 0, errNoDriver), named("sim", 1, nil)}
	for name, c := range map[string]struct {
		choice         []Named
		args           string
		status         int
		stdout, stderr string
	}{
		"list":          {choice, "--list", exitOK, "cuda:0\ncuda:1\nsim\n", ""},
		"list a model":  {Backends()[1:], "--list --model t4x2", exitOK, "sim:t4x2\nsim:t4x2:1\n", ""},
		"unknown model": {Backends()[1:], "--list --model riva128", exitOK, "", "cannot imitate \"riva128\""},
		"no driver":     {broken, "--list", exitOK, "sim\n", "gopherwarp device: cuda: no driver\n"},
		"by hand":       {choice, "--backend sim", exitUsage, "", "is started by a session"},
		"bad flag":      {choice, "--nope", exitUsage, "", "-nope"},
		"bad value":     {choice, "--ordinal x", exitUsage, "", "-ordinal"},
	} {
		var stdout, stderr strings.Builder
		status := Run(strings.Fields(c.args), c.choice, &stdout, &stderr)
		if status != c.status || stdout.String() != c.stdout || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%s: got status %d, %q, %q", name, status, stdout.String(), stderr.String())
		}
	}
}

// The names of backends are used by users and must not change by accident.
func TestBackends(t *testing.T) {
	if got := names(Backends()); got != "cuda, sim" {
		t.Errorf("got %q", got)
	}
}
