package e2e

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// ask runs a cell. Its requests for input get the answers in turn, and then none.
func (n *notebook) ask(code string, answers ...string) (o *outcome, prompts []string) {
	n.t.Helper()
	o = &outcome{}
	reply, err := n.Execute(n.t.Context(), kernel.ExecuteRequest{
		Code: code, OnOutput: o.take,
		OnInput: func(prompt string, password bool) string {
			if password {
				n.t.Errorf("%s\nasks for a password", code)
			}
			prompts = append(prompts, prompt)
			if len(prompts) > len(answers) {
				_ = n.Interrupt(n.t.Context())
				return ""
			}
			return answers[len(prompts)-1]
		},
	})
	if err != nil {
		n.t.Fatal(err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reply, o.traceback = reply, strings.Join(reply.Traceback, "\n")
	return o, prompts
}

func TestStdin(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("var name string\nvar x, y int")
	n.run("// #include <stdio.h>\nimport \"C\"\nfunc getchar() int32 { return int32(C.getchar()) }")
	for _, tc := range []struct {
		name, cell string
		answers    []string
		shown      string // with | at each request
	}{
		{"Scan", `fmt.Print("Name: "); fmt.Scan(&name); fmt.Println("Hello,", name)`, []string{"gopher"}, "Name: |Hello, gopher\n"},
		{"two words in a line", `fmt.Scan(&x, &y); fmt.Println(x + y)`, []string{"3 4"}, "|7\n"},
		{"two lines", `fmt.Scan(&x, &y); fmt.Println(x + y)`, []string{"3", "4"}, "||7\n"},
		{"Scanln", "for range 2 {\n\tfmt.Print(\"? \")\n\tfmt.Scanln(&x)\n}\nfmt.Println(x)", []string{"8", "9"}, "? |? |9\n"},
		{"a reader", `in := bufio.NewReader(os.Stdin); line, err := in.ReadString('\n'); fmt.Printf("%q %v\n", line, err)`, []string{"one  line"}, "|\"one  line\\n\" <nil>\n"},
		{"the reader of an earlier cell", `line, err = in.ReadString('\n'); fmt.Printf("%q\n", line)`, []string{"é"}, "|\"é\\n\"\n"},
		{"a long line", `line, err = in.ReadString('\n'); fmt.Println(len(line))`, []string{strings.Repeat("x", 200_000)}, "|200001\n"},
		{"an empty line", `line, err = in.ReadString('\n'); fmt.Printf("%q\n", line)`, []string{""}, "|\"\\n\"\n"},
		{"a goroutine", "got := make(chan string)\ngo func() { s := bufio.NewScanner(os.Stdin); s.Scan(); got <- s.Text() }()\nfmt.Println(<-got)", []string{"there"}, "|there\n"},
		{"C", `fmt.Printf("%c%c%c\n", getchar(), getchar(), getchar()); getchar();`, []string{"abc"}, "|abc\n"},
	} {
		o, prompts := n.ask(tc.cell, tc.answers...)
		if o.reply.Status != "ok" {
			t.Errorf("%s: %s", tc.name, o.reply.Value)
		}
		// The text before a request is its prompt, unless it was sent before.
		rest, pieces := o.stdout, strings.Split(tc.shown, "|")
		if len(prompts) != len(pieces)-1 {
			t.Errorf("%s: %d questions, want %d", tc.name, len(prompts), len(pieces)-1)
			continue
		}
		for i, piece := range pieces {
			if i < len(prompts) {
				piece = strings.TrimSuffix(piece, prompts[i])
			}
			if !strings.HasPrefix(rest, piece) {
				t.Errorf("%s: shown %q with the prompts %q, want %q", tc.name, o.stdout, prompts, tc.shown)
				break
			}
			rest = rest[len(piece):]
		}
		if rest != "" {
			t.Errorf("%s: %q was shown, too", tc.name, rest)
		}
	}
}

// TestStdinEnds reads without a front end that answers, and interrupts a reader.
func TestStdinEnds(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("kept := 1\nvar x int")
	for range 2 { // each reader gets the end of the file
		o := n.fails("fmt.Scan(&x)", "EOF")
		if !strings.Contains(o.stderr, "this front end can't ask for input") {
			t.Errorf("standard error %q", o.stderr)
		}
	}
	if got := n.cell("data, err := io.ReadAll(os.Stdin)\nfmt.Println(len(data), err)").stdout; got != "0 <nil>\n" {
		t.Errorf("reading all gives %q", got)
	}
	for _, cell := range []string{"!cat", "%%bash\nread line; echo \"[$line]\"", "%%script cat\n"} {
		n.cell(cell) // commands have their own input
	}

	for _, cell := range []string{"fmt.Scan(&x)", "for { fmt.Scan(&x) }", "in := bufio.NewReader(os.Stdin)\nin.ReadString('\\n')"} {
		o, _ := n.ask(cell)
		if o.reply.Name != "Interrupted" || o.errors != 1 || o.stderr != "" {
			t.Errorf("%s\nends with %s: %s, standard error %q", cell, o.reply.Name, o.reply.Value, o.stderr)
		}
		n.gives("kept", "1")
	}
	if o, _ := n.ask("fmt.Scan(&x)\nx", "5"); o.result != "5" {
		t.Errorf("after that Scan gives %s: %s", o.result, o.reply.Value)
	}
}
