package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// payload runs a cell, and returns the items of its reply's payload.
func (n *notebook) payload(code string) []map[string]any {
	n.t.Helper()
	var reply struct {
		Status  string
		Payload []map[string]any
	}
	n.query("execute_request", map[string]any{"code": code, "silent": false, "store_history": true, "allow_stdin": false, "stop_on_error": true}, &reply)
	if reply.Status != "ok" {
		n.t.Errorf("%s: %s", code, reply.Status)
	}
	return reply.Payload
}

// TestHistory checks %history and %rerun against what IPython does with the same cells.
func TestHistory(t *testing.T) {
	t.Parallel()
	n := open(t) // runs the first cell
	n.run("x := 1")
	n.run("x += 2\nx")
	for _, tc := range []struct{ cell, want string }{
		{"%history", "0;\nx := 1\nx += 2\nx\n"},
		{"%history -n 2-3", "2: x := 1\n3: x += 2\n   x\n"},
		{"%hist -l 1", "%history -n 2-3\n"},
		{"%history 3 2", "x += 2\nx\nx := 1\n"},
	} {
		if got := n.run(tc.cell).stdout; got != tc.want {
			t.Errorf("%s prints %q, want %q", tc.cell, got, tc.want)
		}
	}
	if o := n.run("%rerun 3"); o.stdout != "cell[3] again:\nx += 2\nx\n" || o.result != "5" {
		t.Errorf("%%rerun prints %q and gives %s", o.stdout, o.result)
	}
	if o := n.run("%rerun"); o.result != "7" { // of the cell that reruns cell 3
		t.Errorf("%%rerun gives %s", o.result)
	}
	n.gives("x", "7")
	n.fails("%rerun 100", "no cell 100 ran before this one")
	n.fails("%rerun 5-3", `"5-3" is not a cell`)
	n.fails("%history -l none", `"none" is not a number of cells`)
}

func TestRunAndLoad(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%%writefile prog.go\npackage main\n\nimport \"fmt\"\n\nvar kept = 3\n\nfunc twice(x int) int { return 2 * x }\n\nfunc main() { fmt.Println(\"in main\", twice(kept)) }")
	if o := n.run("%run prog.go"); o.stdout != "in main 6\n" {
		t.Errorf("%%run prints %q", o.stdout)
	}
	n.gives("twice(kept)", "6")
	n.run("%%writefile bad.go\npackage main\n\nfunc f() int {\n\treturn missing\n}")
	n.fails("%run bad.go", ":4:9")
	n.run("%%writefile a.ipynb\n" + `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
{"cell_type": "markdown", "metadata": {}, "source": "# title"},
{"cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": "fromNotebook := 7"},
{"cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": ["fmt.Println(\n", "fromNotebook)"]}]}`)
	if o := n.run("%run a.ipynb"); o.stdout != "7\n" {
		t.Errorf("%%run of a notebook prints %q", o.stdout)
	}
	n.gives("fromNotebook", "7")
	n.run("%%writefile self.ipynb\n" + `{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": "%run self.ipynb"}]}`)
	n.fails("%run self.ipynb", "has a %run itself")
	n.run("%%writefile py.ipynb\n" + `{"nbformat": 4, "metadata": {"kernelspec": {"language": "python"}}, "cells": []}`)
	n.fails("%run py.ipynb", "are in python")
	n.fails("%run none.go", "no such file")
	n.fails("%run a.txt.go.", "no such file")
	n.fails("x := 1\n%run prog.go", "alone in its cell")
	n.fails("%run", "no file is named")

	if got := n.payload("%load prog.go"); len(got) != 1 || got[0]["source"] != "set_next_input" || got[0]["replace"] != true ||
		!strings.HasPrefix(fmt.Sprint(got[0]["text"]), "// %load prog.go\npackage main\n") {
		t.Errorf("%%load has the payload %v", got)
	}
	n.run("%%writefile k.cu\n__global__ void f() {}")
	n.fails("%load https://example.com/prog.go", "!curl -LO https://example.com/prog.go")
	if got := n.payload("%load k.cu"); len(got) != 1 || got[0]["text"] != "%%cuda\n__global__ void f() {}" {
		t.Errorf("%%load has the payload %v", got)
	}
	n.fails("%load .", "is not a file")
}

func TestValuesInHelp(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("type point struct{ X, Y int }\nplace := point{3, 4}\nlist := make([]int, 1000)\nfunc double(x int) int { return 2 * x }")
	text := func(code string) string {
		t.Helper()
		items := n.payload(code)
		if len(items) != 1 || items[0]["source"] != "page" {
			t.Fatalf("%s has the payload %v", code, items)
		}
		data, _ := items[0]["data"].(map[string]any)
		return fmt.Sprint(data["text/plain"])
	}
	for _, tc := range []struct{ cell, want string }{
		{"place?", "Value:\n{X:3 Y:4}"},
		{"?place", "Value:\n{X:3 Y:4}"},
		{"place.X?", "Value:\n3"},
		{"list?", "[]int of 1000 elements"},
		{"%pinfo place", "Value:\n{X:3 Y:4}"},
		{"%pinfo2 double", "return 2 * x"},
		{"%pinfo %cd", "%cd [FOLDER]"},
	} {
		if got := text(tc.cell); !strings.Contains(got, tc.want) {
			t.Errorf("%s shows\n%s\nwant %q in it", tc.cell, got, tc.want)
		}
	}
	if got := text("double?"); strings.Contains(got, "Value:") {
		t.Errorf("a function has a value:\n%s", got)
	}
	n.fails("%pinfo nowhere", "nothing is known of nowhere")
	n.fails("%pinfo", "no name is given")
}

func TestPathCompletion(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("!mkdir -p 'data dir/inner' sub && touch 'data dir/one.txt' 'data dir/.hidden' data.txt 'it'\"'\"'s' sub/prog.go")
	n.run("%env PLACE=sub")
	for _, tc := range []struct{ cell, want string }{
		{"!cat da‸", `data\ dir/ data.txt`},
		{"!cat data\\ dir/‸", `data\ dir/inner/ data\ dir/one.txt`},
		{"!cat \"data dir/o‸", "data dir/one.txt"},
		{"!cat data\\ dir/.h‸", `data\ dir/.hidden`},
		{"!cat it‸", `it\'s`},
		{"!ls -l > su‸", "sub/"},
		{"%cd ‸", `data\ dir/ sub/`},
		{"%cd da‸", `data\ dir/`},
		{"%run sub/‸", "sub/prog.go"},
		{"%%writefile sub/p‸", "sub/prog.go"},
		{"x := 1\n!cat sub/p‸", "sub/prog.go"},
		{"!cat none/‸", ""},
		{"!cat $PLACE/‸", "$PLACE/prog.go"},
	} {
		reply := n.complete(tc.cell)
		if got := strings.Join(reply.Matches, " "); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.cell, got, tc.want)
		}
	}
	if reply := n.complete("!cat data\\ dir/o‸"); reply.Start != 5 || reply.End != len("!cat data\\ dir/o") {
		t.Errorf("replaces from %d to %d", reply.Start, reply.End)
	}
	n.run("%cd sub")
	if got := n.complete("!cat ‸").Matches; !slices.Equal(got, []string{"prog.go"}) {
		t.Errorf("after %%cd: %v", got)
	}
	// A running cell does not keep completion waiting.
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = n.Execute(t.Context(), kernel.ExecuteRequest{Code: "!sleep 2"})
	}()
	if got := n.complete("!cat p‸").Matches; !slices.Equal(got, []string{"prog.go"}) {
		t.Errorf("while a cell runs: %v", got)
	}
	<-done
}

func TestOrderOfCompletions(t *testing.T) {
	t.Parallel()
	n := open(t)
	for _, tc := range []struct{ cell, first, later string }{
		{"fo‸", "for", "format"},
		{"le‸", "len", ""},
		{"ma‸", "make", "maphash"},
		{"st‸", "string", "stdversion"},
		{"re‸", "return", "registry"},
		{"fm‸", "fmt", ""},
	} {
		got := n.complete(tc.cell).Matches
		at, later := slices.Index(got, tc.first), slices.Index(got, tc.later)
		if at < 0 || later >= 0 && later < at {
			t.Errorf("%s: %s is at %d and %s at %d of %v", tc.cell, tc.first, at, tc.later, later, got)
		}
	}
}
