package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// A dapReply is a response of the Debug Adapter Protocol.
type dapReply struct {
	Success bool
	Message string
	Command string
	Request int `json:"request_seq"`
	Body    struct {
		IsStarted      bool
		SourcePath     string
		StoppedThreads []int
		Breakpoints    []struct{ Verified bool }
		StackFrames    []struct {
			ID     int
			Name   string
			Line   int
			Source struct{ Path string }
		}
		Scopes []struct {
			Name               string
			VariablesReference int
		}
		Variables []struct {
			Name, Type, Value  string
			VariablesReference int
		}
		Result  string
		Content string
		Data    map[string]string
	}
}

// debug sends a request as the debugger panel of a front end does.
func (n *notebook) debug(command string, arguments map[string]any) (r dapReply) {
	n.t.Helper()
	q := map[string]any{"type": "request", "seq": 7, "command": command, "arguments": arguments}
	if err := n.RequestNow(n.t.Context(), "debug_request", q, &r); err != nil {
		n.t.Fatal(err)
	}
	if r.Command != command || r.Request != 7 {
		n.t.Errorf("%s is answered by %+v", command, r)
	}
	return r
}

// list returns the variables in a reply as text.
func (r dapReply) list() (text string, references map[string]int) {
	references = map[string]int{}
	var all []string
	for _, v := range r.Body.Variables {
		all = append(all, fmt.Sprintf("%s %s = %s", v.Name, v.Type, v.Value))
		references[v.Name] = v.VariablesReference
	}
	return strings.Join(all, "\n"), references
}

func TestVariablesPanel(t *testing.T) {
	t.Parallel()
	n := open(t)
	var info struct {
		Debugger bool
		Features []string `json:"supported_features"`
	}
	if err := n.RequestNow(t.Context(), "kernel_info_request", map[string]any{}, &info); err != nil || !info.Debugger {
		t.Fatalf("kernel_info says %+v, %v", info, err)
	}
	n.run("type point struct{ x, Y int; inner []string }\ntype shape interface{ area() float64 }\nfunc (p *point) area() float64 { return 1 }")
	n.run("p := &point{3, 4, []string{\"a\", \"b\"}}\nvar s shape = p\nm := map[string]int{\"one\": 1}\nb := gpu.Zeros[float32](1000)\nname := \"gopher\"\nconst limit = 3")

	if r := n.debug("debugInfo", nil); !r.Success || r.Body.IsStarted {
		t.Errorf("debugInfo: %+v", r)
	}
	for _, command := range []string{"initialize", "attach", "configurationDone"} {
		if r := n.debug(command, map[string]any{}); !r.Success {
			t.Errorf("%s: %+v", command, r)
		}
	}
	if r := n.debug("debugInfo", nil); !r.Body.IsStarted {
		t.Errorf("debugInfo after attach: %+v", r)
	}
	device := "sim"
	if d := os.Getenv("GOPHERWARP_DEVICE"); strings.HasPrefix(d, "cuda") {
		device = d
	}
	want := `b *gpu.Buffer[float32] = 1000 elements, 3.9 KiB on ` + device + `
m map[string]int = 1 entry
name string = "gopher"
p *point = &{x:3 Y:4 inner:["a" "b"]}
s shape = *point(&{x:3 Y:4 inner:["a" "b"]})`
	got, refs := n.debug("inspectVariables", nil).list()
	if got != want {
		t.Errorf("variables\n%s\nwant\n%s", got, want)
	}
	got, refs = n.debug("variables", map[string]any{"variablesReference": refs["s"]}).list()
	if want := "x int = 3\nY int = 4\ninner []string = 2 elements: [\"a\" \"b\"]"; got != want {
		t.Errorf("parts\n%s\nwant\n%s", got, want)
	}
	if got, _ = n.debug("variables", map[string]any{"variablesReference": refs["inner"]}).list(); got != "[0] string = \"a\"\n[1] string = \"b\"" {
		t.Errorf("elements\n%s", got)
	}
	if r := n.debug("richInspectVariables", map[string]any{"variableName": "name"}); r.Body.Data["text/plain"] != `"gopher"` {
		t.Errorf("richInspectVariables: %+v", r)
	}
	for _, command := range []string{"next", "nonsense", "variables", "richInspectVariables"} {
		if r := n.debug(command, map[string]any{"variableName": "no such"}); r.Success || r.Message == "" {
			t.Errorf("%s: %+v", command, r)
		}
	}

	// An open panel does not wait for a running cell.
	running := make(chan bool)
	ended := make(chan kernel.ExecuteReply)
	go func() {
		reply, _ := n.Execute(t.Context(), kernel.ExecuteRequest{Code: "name = \"changed\"\nfmt.Println()\nselect {}", OnOutput: func(m *kernel.Message) {
			if m.Header.Type == "stream" {
				close(running)
			}
		}})
		ended <- reply
	}()
	<-running
	if got, _ := n.debug("inspectVariables", nil).list(); got != want {
		t.Errorf("variables while a cell runs\n%s", got)
	}
	_ = n.Interrupt(t.Context())
	<-ended
	if got, _ := n.debug("inspectVariables", nil).list(); !strings.Contains(got, `name string = "changed"`) {
		t.Errorf("variables after the cell\n%s", got)
	}
	if r := n.debug("disconnect", nil); !r.Success {
		t.Errorf("disconnect: %+v", r)
	}
}

// TestGarbageInDebugger sends messages that are not requests of the Debug Adapter Protocol.
func TestGarbageInDebugger(t *testing.T) {
	t.Parallel()
	n := start(t)
	for _, content := range []string{`{}`, `{"command": 3}`, `{"command": "variables", "arguments": {"variablesReference": -1}}`} {
		var reply json.RawMessage
		if err := n.RequestNow(t.Context(), "debug_request", json.RawMessage(content), &reply); err != nil {
			t.Errorf("%s: %v", content, err)
		}
	}
	n.gives("1 + 1", "2")
}
