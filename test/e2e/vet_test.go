package e2e

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
)

func TestVet(t *testing.T) {
	t.Parallel()
	n := open(t)
	if got := n.run("%vet").stdout; got != "nothing was found\n" {
		t.Errorf("printed %q", got)
	}
	named := func(id, code string) {
		t.Helper()
		if reply, err := n.Execute(t.Context(), kernel.ExecuteRequest{Code: code, CellID: id}); err != nil || reply.Status != "ok" {
			t.Fatalf("%s\n%+v %v", code, reply, err)
		}
	}
	n.run("type pair struct{ a, b int }\n%env A=1\nfunc logf(format string, args ...any) { fmt.Printf(format, args...) }") // cell[3]
	named("one", "p := pair{1, 2}\nlogf(\"%d\\n\", p.a)\nfunc greet() {\n\tfmt.Printf(\"%d\\n\", \"text\")\n}")
	named("two", "\nlogf(\"%s\\n\", 5)\nmu := sync.Mutex{}\n_ = p")
	o := n.fails("%vet", "VetError: cell[4]:4:17: fmt.Printf format %d has arg \"text\" of wrong type string (printf) (and 1 more)")
	if want := "cell[5]:2:16: logf format %s has arg 5 of wrong type int (printf)"; !contains(o.traceback, want, "logf(\"%s\\n\", 5)") {
		t.Errorf("traceback\n%s\nwant %q in it", o.traceback, want)
	}
	// A cell that is run again replaces its earlier version, and a declaration is
	// moved with it.
	named("two", "logf(\"%d\\n\", 5)")
	named("one", "\n\nfunc greet() {\n\tfmt.Printf(\"%d\\n\", \"text\")\n}")
	n.fails("%vet", "VetError: cell[8]:4:17: fmt.Printf format %d has arg \"text\" of wrong type string (printf)")
	// Replaced declarations are not reported, whichever cell replaced them.
	n.run("func greet() {}")
	if got := n.run("%vet").stdout; got != "nothing was found\n" {
		t.Errorf("printed %q", got)
	}
	n.fails("%vet all", "Usage: %vet")
}

func contains(text string, all ...string) bool {
	for _, part := range all {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
