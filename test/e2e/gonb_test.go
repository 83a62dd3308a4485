package e2e

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
)

const gonbModule = "github.com/janpfeifer/gonb@v0.11.4"

// TestGonbui uses GoNB's own package in cells and in a separate program.
func TestGonbui(t *testing.T) {
	t.Parallel()
	n := open(t)
	if o := n.cell("%get " + gonbModule); o.reply.Status != "ok" {
		t.Skip("SKIPPED: GoNB's package can't be fetched: " + o.reply.Value)
	}
	n.run("import \"github.com/janpfeifer/gonb/gonbui\"\nid := gonbui.UniqueID()")
	type shown struct {
		kind string
		data map[string]any
	}
	display := func(code string) (all []shown) {
		t.Helper()
		reply, err := n.Execute(t.Context(), kernel.ExecuteRequest{Code: code, OnOutput: func(m *kernel.Message) {
			var c struct {
				Data map[string]any
				Text string
			}
			switch m.Header.Type {
			case "display_data", "update_display_data":
				_ = m.DecodeContent(&c)
				if text, _ := c.Data["text/plain"].(string); strings.HasPrefix(text, "Compiling ") { // on a slow machine
					return
				}
				all = append(all, shown{m.Header.Type, c.Data})
			case "stream":
				_ = m.DecodeContent(&c)
				all = append(all, shown{m.Header.Type, map[string]any{"text": c.Text}})
			}
		}})
		if err != nil || reply.Status != "ok" {
			t.Fatalf("%s\n%+v %v", code, reply, err)
		}
		return all
	}
	for _, tc := range []struct{ cell, want string }{
		{"gonbui.DisplayHTML(\"<b>bold</b>\")", `display_data {"text/html":"<b>bold</b>"}`},
		{"gonbui.DisplayMarkdown(\"*text*\")\ngonbui.Sync()\nfmt.Println(\"after\")", `display_data {"text/markdown":"*text*"}stream {"text":"after\n"}`},
		{"gonbui.DisplayHTML(\"first\")\n!echo second", `display_data {"text/html":"first"}stream {"text":"second\n"}`},
		{"gonbui.UpdateHTML(id, \"one\")\ngonbui.UpdateHTML(id, \"two\")", `display_data {"text/html":"one"}update_display_data {"text/html":"two"}`},
		{"gonbui.DisplayPNG([]byte{1, 2, 3})", `display_data {"image/png":"AQID"}`},
		// A program has a pipe of its own.
		{"!mkdir show", ""},
		{
			"%%writefile show/main.go\npackage main\n\nimport \"github.com/janpfeifer/gonb/gonbui\"\n\nfunc main() {\n\tgonbui.DisplayHTML(\"from a program\")\n\tgonbui.Sync()\n}",
			"",
		},
		{"%cd show\n!go mod init show >/dev/null 2>&1 && go get " + gonbModule + " 2>/dev/null && go build -o show .", ""},
		{"!./show", `display_data {"text/html":"from a program"}`},
		{"gonbui.DisplayHTML(\"and again\")", `display_data {"text/html":"and again"}`},
	} {
		got := ""
		for _, s := range display(tc.cell) {
			data, err := json.Marshal(s.data)
			if err != nil {
				t.Fatal(err)
			}
			got += s.kind + " " + strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(data))
		}
		if tc.want != "" && got != tc.want {
			t.Errorf("%s\nshows %s\nwant %s", tc.cell, got, tc.want)
		}
	}
	// A new process opens the pipes again.
	n.run("%reset")
	if got := display("import \"github.com/janpfeifer/gonb/gonbui\"\ngonbui.DisplayMarkdown(\"new\")"); len(got) != 1 || got[0].data["text/markdown"] != "new" {
		t.Errorf("shows %v", got)
	}

	asked := ""
	_, err := n.Execute(t.Context(), kernel.ExecuteRequest{
		Code: "gonbui.RequestInput(\"your name?\", true)\nvar line string\nfmt.Scanln(&line)\n",
		OnInput: func(prompt string, password bool) string {
			if password {
				asked = prompt
			}
			return "gopher"
		},
	})
	if err != nil || asked != "your name?" {
		t.Errorf("asked %q, error %v", asked, err)
	}
	n.gives("line", `"gopher"`)
}

// TestInputsOfCommands answers a command that reads its standard input.
func TestInputsOfCommands(t *testing.T) {
	t.Parallel()
	n := open(t)
	if got := n.run("!cat").stdout; got != "" {
		t.Errorf("printed %q", got)
	}
	for _, name := range []string{"inputs", "password"} {
		var o outcome
		answers := []string{"first", "second"}
		_, err := n.Execute(t.Context(), kernel.ExecuteRequest{
			Code: "%with_" + name + "\n!read a; read b; echo $b $a", OnOutput: o.take,
			OnInput: func(_ string, password bool) string {
				if password != (name == "password") {
					t.Errorf("%s: asked for a password: %v", name, password)
				}
				answer := answers[0]
				answers = answers[1:]
				return answer
			},
		})
		if err != nil || o.stdout != "second first\n" {
			t.Errorf("%s: printed %q, error %v", name, o.stdout, err)
		}
	}
	n.fails("%with_inputs\n!read a || exit 7", "exit status 7") // there is no front end to ask
}

func TestGoNBHabits(t *testing.T) {
	t.Parallel()
	n := open(t)
	for _, name := range []string{"track .", "untrack", "goworkfix", "autoget", "noautoget"} {
		if got := n.run("%" + name).stdout; got != "" {
			t.Errorf("%%%s prints %q", name, got)
		}
	}
	if got := n.run("%version").stdout; !strings.HasPrefix(got, "gopherwarp ") || !strings.Contains(got, ", go1.") {
		t.Errorf("%%version prints %q", got)
	}
	// GONB_DIR is the working directory of cells, GONB_TMP_DIR a directory of the session.
	dir := t.TempDir()
	start := n.run("must(os.Getwd())").result
	n.gives("os.Getenv(\"GONB_DIR\")", start)
	n.gives("strings.HasPrefix(os.Getenv(\"GONB_TMP_DIR\"), os.TempDir()) && must(os.Stat(os.Getenv(\"GONB_TMP_DIR\"))).IsDir()", "true")
	n.run("%cd " + dir)
	n.gives("os.Getenv(\"GONB_DIR\")", strconv.Quote(dir))
	n.run("%cd ..")
	if got := n.run("!echo $GONB_DIR").stdout; got != filepath.Dir(dir)+"\n" {
		t.Errorf("after %%cd .. GONB_DIR is %s", got)
	}
	n.run("%reset")
	n.gives("os.Getenv(\"GONB_DIR\")", strconv.Quote(filepath.Dir(dir)))
	if got := n.run("!echo file > $GONB_TMP_DIR/note && cat $GONB_TMP_DIR/note").stdout; got != "file\n" {
		t.Errorf("GONB_TMP_DIR holds %q", got)
	}
	// The flags of the coverage, which GoNB's own notebooks begin with, are left out with a sentence; others count.
	if got := n.run("%goflags --cover --covermode=set -tags=some").stdout; strings.Count(got, "is left out") != 2 {
		t.Errorf("%%goflags --cover prints %q", got)
	}
	if got := n.run("%goflags").stdout; !strings.Contains(got, "-tags=some") || strings.Contains(got, "cover") {
		t.Errorf("the flags are %q", got)
	}
	n.run(`%goflags ""`)
	n.fails("%wasm", "GOOS=js")
	n.fails("%widgets", "no JupyterLab with gopherwarp's extension is connected")
}
