package verify

import (
	"errors"
	"strings"
	"testing"
)

func TestChoice(t *testing.T) {
	why := map[string]string{"compute": "It does one addition for 12 bytes.", "latency": "Many threads hide it."}
	for _, c := range []struct{ got, want string }{
		{"memory", ""},
		{" Memory\n", ""},
		{"compute", "bound: not compute\nIt does one addition"},
		{"LATENCY", "Many threads hide it."},
		{"", "not answered yet\nChoose one of these: compute, latency, memory."},
		{"?", "not answered yet"},
		{"disk", `"disk" is none of the answers`},
	} {
		checkFailure(t, c.got, Choice("bound", c.got, "memory", why), c.want)
	}
}

func TestOrder(t *testing.T) {
	want := []string{"copy", "launch", "wait", "copy back"}
	for _, c := range []struct{ got, want string }{
		{"copy,launch,wait,copy back", ""},
		{"launch,copy,wait,copy back", `"launch" does not come first`},
		{"copy,launch,copy back,wait", `After "launch" does not come "copy back"`},
		{"copy,launch,launch,wait", `"launch" is there twice`},
		{"copy,jump", `"jump" is none of the steps`},
		{"copy,launch", "2 steps are given, of 4"},
		{"copy", "1 step is given, of 4"},
	} {
		checkFailure(t, c.got, Order("steps", strings.Split(c.got, ","), want), c.want)
	}
	checkFailure(t, "nothing", Order("steps", nil, want), "0 steps are given")
}

// checkFailure checks that err is a *Failure with want in its message, or nil if that is empty.
func checkFailure(t *testing.T, what string, err error, want string) {
	t.Helper()
	var f *Failure
	switch {
	case want == "" && err != nil:
		t.Errorf("%q: %v", what, err)
	case want != "" && (!errors.As(err, &f) || !strings.Contains(f.Error(), want)):
		t.Errorf("%q: got %v, want %q", what, err, want)
	}
}
