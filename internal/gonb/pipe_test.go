package gonb

import (
	"encoding/gob"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// shown is an Output that keeps everything it receives.
type shown struct {
	mu    sync.Mutex
	lines []string
}

func (s *shown) add(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

func (s *shown) Stream(name, text string) { s.add("%s: %s", name, text) }

func (s *shown) Display(data, _ map[string]any, id string) { s.add("display %q %v", id, data) }

func (s *shown) UpdateDisplay(data, _ map[string]any, id string) { s.add("update %q %v", id, data) }

func (s *shown) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := s.lines
	s.lines = nil
	return lines
}

// TestMain also runs the programs that use the pipes.
func TestMain(m *testing.M) {
	if what := os.Getenv("GONB_TEST_PROGRAM"); what != "" {
		if err := programs[what](); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// A client has a program's ends of the pipes, opened in the same order as in gonbui.
type client struct {
	*gob.Encoder
	answers *gob.Decoder
}

func dial() (*client, error) {
	there, err := os.OpenFile(os.Getenv("GONB_PIPE"), os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	back, err := os.OpenFile(os.Getenv("GONB_PIPE_BACK"), os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	return &client{gob.NewEncoder(there), gob.NewDecoder(back)}, nil
}

func (c *client) send(id string, data map[string]any) error {
	return c.Encode(displayData{Data: data, DisplayID: id})
}

func (c *client) ask(data map[string]any) (any, error) {
	if err := c.send("", data); err != nil {
		return nil, err
	}
	var v commValue
	err := c.answers.Decode(&v)
	return v.Value, err
}

var programs = map[string]func() error{
	"show": func() error {
		c, err := dial()
		if err != nil {
			return err
		}
		for _, m := range []struct {
			id   string
			data map[string]any
		}{
			{"", map[string]any{"text/html": "<b>bold</b>"}},
			{"a", map[string]any{"text/markdown": "*one*"}},
			{"a", map[string]any{"text/markdown": "*two*"}},
			{"", map[string]any{"image/png": []byte{1, 2}}},
			{"", map[string]any{keyInput: &inputRequest{Prompt: "name?", Password: true}}},
			{"", map[string]any{keyValue: &commValue{Address: "/count", Value: 7}}},
			{"", map[string]any{keySubscribe: &commSubscription{Address: "/count"}}},
		} {
			if err := c.send(m.id, m.data); err != nil {
				return err
			}
		}
		for _, q := range []struct {
			ask  *commValue
			want any
		}{
			{&commValue{Address: addressSync, Value: 3}, 3},
			{&commValue{Address: "/count", Request: true}, 7},
		} {
			if got, err := c.ask(map[string]any{keyValue: q.ask}); err != nil || got != q.want {
				return fmt.Errorf("%v answered with %v, %v", q.ask, got, err)
			}
		}
		return nil
	},
	// widget talks with a front end.
	"widget": func() error {
		c, err := dial()
		if err != nil {
			return err
		}
		for _, data := range []map[string]any{
			{keyValue: &commValue{Address: "/own", Value: 3}},
			{keyValue: &commValue{Address: "/nobody", Request: true}}, // it has not subscribed, so there is no answer
			{keySubscribe: &commSubscription{Address: "/own"}},
			{keySubscribe: &commSubscription{Address: "/n"}},
			{keySubscribe: &commSubscription{Address: "/list"}},
			{keySubscribe: &commSubscription{Address: "/gone"}},
			{keySubscribe: &commSubscription{Address: "/gone", Unsubscribe: true}},
			{keyValue: &commValue{Address: "/gone", Request: true}},
		} {
			if err := c.send("", data); err != nil {
				return err
			}
		}
		for _, q := range []struct {
			address string
			want    any
		}{{"/n", 8.0}, {"/own", 3}, {"/list", []float64{1, 2.5}}} {
			got, err := c.ask(map[string]any{keyValue: &commValue{Address: q.address, Request: true}})
			if err != nil || !reflect.DeepEqual(got, q.want) {
				return fmt.Errorf("%s has %#v, %v, want %#v", q.address, got, err, q.want)
			}
		}
		return nil
	},
	// leave displays something and exits without waiting.
	"leave": func() error {
		c, err := dial()
		if err != nil {
			return err
		}
		return c.send("", map[string]any{"text/plain": strings.Repeat("x", 1<<20)})
	},
	"garbage": func() error {
		there, err := os.OpenFile(os.Getenv("GONB_PIPE"), os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = there.WriteString(strings.Repeat("\x05garbage", 1<<17))
		return err
	},
}

func TestPipe(t *testing.T) {
	out := &shown{}
	p, err := Open(t.TempDir(), Handler{
		Output: func() Output { return out },
		Input:  func(prompt string, password bool) { out.add("input %q %v", prompt, password) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		program string
		want    []string
	}{
		{"show", []string{
			`display "" map[text/html:<b>bold</b>]`, `display "a" map[text/markdown:*one*]`, `update "a" map[text/markdown:*two*]`,
			`display "" map[image/png:[1 2]]`, `input "name?" true`,
		}},
		{"leave", []string{fmt.Sprintf(`display "" map[text/plain:%s]`, strings.Repeat("x", 1<<20))}},
		{"garbage", []string{"stderr: read the output of a gonbui program"}},
		// The next program has a new stream, and IDs of its own.
		{"show", []string{`display "" map[text/html:<b>bold</b>]`, `display "a" map[text/markdown:*one*]`, `update`, `display`, `input`}},
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(append(os.Environ(), p.Env()...), "GONB_TEST_PROGRAM="+tc.program)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", tc.program, err, said)
		}
		p.Drain(t.Context())
		got := out.take()
		if len(got) != len(tc.want) {
			t.Errorf("%s: %d outputs, want %d: %.300q", tc.program, len(got), len(tc.want), got)
			continue
		}
		for i := range got {
			if !strings.HasPrefix(got[i], tc.want[i]) {
				t.Errorf("%s: %.200s, want %.200s", tc.program, got[i], tc.want[i])
			}
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(strings.TrimPrefix(p.Env()[0], "GONB_PIPE=")); !os.IsNotExist(err) {
		t.Errorf("the pipe is still there: %v", err)
	}
	p.Drain(t.Context())
}

// TestFrontEnd tests values between a program and a front end.
func TestFrontEnd(t *testing.T) {
	out := &shown{}
	var p *Pipe
	values := map[string]any{"/n": 8.0, "/own": nil, "/list": []any{1.0, 2.5}, "/nobody": 1.0, "/gone": 1.0}
	p, err := Open(t.TempDir(), Handler{
		Output: func() Output { return out },
		Post: func(address string, value any, request bool) bool {
			out.add("%s %v %v", address, value, request)
			if request {
				p.Deliver(address, values[address])
			}
			return true
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), p.Env()...), "GONB_TEST_PROGRAM=widget")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	p.Drain(t.Context())
	want := []string{"/own 3 false", "/nobody <nil> true", "/gone <nil> true", "/n <nil> true", "/own <nil> true", "/list <nil> true"}
	if got := out.take(); !slices.Equal(got, want) {
		t.Errorf("the front end got %q, want %q", got, want)
	}
	p.Deliver("/n", 1.0) // no program is there
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// TestBacklog tests that a program that does not read gets the last values.
func TestBacklog(t *testing.T) {
	r := &receiver{answers: make(chan commValue, 3), values: map[string]any{}, subscribed: map[string]int{"/n": 1}}
	for i := range 10 {
		r.deliver("/n", i)
	}
	close(r.answers)
	var got []any
	for a := range r.answers {
		got = append(got, a.Value)
	}
	if !slices.Equal(got, []any{7, 8, 9}) {
		t.Errorf("%v are left", got)
	}
}

// TestCloseRemoved closes pipes whose directory was removed.
func TestCloseRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "session")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := Open(dir, Handler{Output: func() Output { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// TestCloseInUse closes pipes that a program has open.
func TestCloseInUse(t *testing.T) {
	for range 50 { // the reader may or may not be waiting already
		var out shown
		p, err := Open(t.TempDir(), Handler{Output: func() Output { return &out }})
		if err != nil {
			t.Fatal(err)
		}
		there, err := os.OpenFile(p.there, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		runtime.Gosched()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if said := out.take(); len(said) > 0 {
			t.Errorf("the end of the pipe is no news, but it says %q", said)
		}
		there.Close()
	}
}
