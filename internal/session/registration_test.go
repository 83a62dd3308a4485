package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// TestRegisterAgain runs cells again that register names in packages which accept each
// name only once.
func TestRegisterAgain(t *testing.T) {
	n := newNotebook(t)
	const serve = "w := httptest.NewRecorder()\nhttp.DefaultServeMux.ServeHTTP(w, httptest.NewRequest(\"GET\", \"/a\", nil))\nw.Body.String()"
	for _, s := range []struct{ id, cell, result string }{
		{"flags", "n := flag.Int(\"n\", 5, \"count\")\nv := flag.Bool(\"v\", false, \"say more\")", ""},
		{"flags", "n := flag.Int(\"n\", 6, \"count\")\n*n", "6"}, // edited
		{"others", "v := flag.Bool(\"v\", true, \"say more\")\n*v", "true"},
		{"again", "x := flag.String(\"x\", \"\", \"\")\nfunc main() { flag.Parse() }", ""},
		{"again", "x := flag.String(\"x\", \"y\", \"\")\nfunc main() { flag.Parse() }\n*x", `"y"`},
		{"mux", "func handle(answer string) { http.HandleFunc(\"/a\", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) }) }\nhandle(\"one\")", ""},
		{"rest", "http.HandleFunc(\"/\", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, \"rest\") })", ""},
		{"", serve, `"one"`},
		{"mux", "handle(\"two\")", ""},
		{"", serve, `"two"`},
		{"mux", "_ = handle", ""},
		{"", serve, `"rest"`},
	} {
		r, err := n.run(s.id, s.cell)
		if err != nil || r.result() != s.result {
			t.Errorf("%s\nresult %s, %v, want %s", s.cell, r.result(), err, s.result)
		}
	}
}

// TestRegisterTwice runs cells that register a name which another cell has registered.
func TestRegisterTwice(t *testing.T) {
	n := newNotebook(t)
	n.mustRun("register := func(names map[string]bool, name string) { if names[name] { panic(\"duplicate metrics collector registration attempted\") }; names[name] = true }\nnames := map[string]bool{}")
	for i, tc := range []struct{ first, second, want string }{
		{"n := flag.Int(\"n\", 5, \"count\")", "m := flag.Bool(\"n\", false, \"\")", "flag redefined: n\ncell[2] has registered it. To begin anew: flag.CommandLine = flag.NewFlagSet(\"cell\", flag.ContinueOnError)"},
		{"http.HandleFunc(\"/{a}\", func(http.ResponseWriter, *http.Request) {})", "\nhttp.HandleFunc(\"/{b}\", func(http.ResponseWriter, *http.Request) {})", "/{b} matches the same requests as /{a}\ncell[4] has registered it. To begin anew: http.DefaultServeMux = http.NewServeMux()"},
		{"expvar.NewInt(\"count\")", "expvar.NewInt(\"count\")", "Reuse of exported var name: count\nAn earlier run of this cell, cell[6], has registered it. To begin anew: %reset"},
		{"sql.Register(\"none\", struct{ driver.Driver }{})", "d := struct{ driver.Driver }{}\nsql.Register(\"none\", d)", "sql: Register called twice for driver none\ncell[8] has registered it. To begin anew: %reset"},
		{"register(names, \"requests\")", "register(names, \"requests\")", "duplicate metrics collector registration attempted\nAn earlier run of this cell, cell[10], has registered it. To begin anew: %reset"},
		{"register(names, strings.ToUpper(\"hits\"))", "for range 2 { register(names, \"HITS\") }", "duplicate metrics collector registration attempted\nAn earlier cell has registered it. To begin anew: %reset"},
	} {
		n.mustRun(tc.first)
		if _, err := n.cell(tc.second); err == nil || !strings.HasSuffix(err.Error(), tc.want) {
			t.Errorf("%d: %s\nerror %v, want %s", i, tc.second, err, tc.want)
		}
	}
	n.gives("flag.CommandLine = flag.NewFlagSet(\"cell\", flag.ContinueOnError)\nm := flag.Int(\"n\", 6, \"count\")\n*m", "6")
}

// run runs a cell with an ID of the front end.
func (n *notebook) run(id, text string) (*recorder, error) {
	n.n++
	r := &recorder{}
	return r, n.Run(context.Background(), session.Source{Name: fmt.Sprintf("cell[%d]", n.n), Text: text, ID: id}, r)
}
