package registered

import (
	"flag"
	"maps"
	"slices"
	"testing"
)

func TestFlags(t *testing.T) {
	earlier := flag.CommandLine
	t.Cleanup(func() { flag.CommandLine = earlier })
	flag.CommandLine = flag.NewFlagSet("cell", flag.ContinueOnError)
	held := flag.CommandLine
	run := func(cell string, names ...string) {
		t.Helper()
		defer Begin(cell)()
		for _, name := range names {
			if flag.Lookup(name) != nil {
				t.Fatalf("when %s runs, %s is there already", cell, name)
			}
			flag.Int(name, 5, "a number")
		}
	}
	check := func(want ...string) {
		t.Helper()
		if got := slices.Sorted(maps.Keys(flags{}.Names())); !slices.Equal(got, want) {
			t.Errorf("flags %q, want %q", got, want)
		}
	}
	run("a", "x", "y")
	run("b", "z")
	run("a", "x", "y")
	check("x", "y", "z")
	if err := flag.CommandLine.Parse([]string{"-z=7", "one", "two"}); err != nil {
		t.Fatal(err)
	}
	run("a", "x")
	check("x", "z")
	if z := flag.Lookup("z"); z.Value.String() != "7" || z.DefValue != "5" || !flag.Parsed() || !slices.Equal(flag.Args(), []string{"one", "two"}) {
		t.Errorf("z is %v, parsed %v, the arguments are %q", z, flag.Parsed(), flag.Args())
	}
	if held != flag.CommandLine || held.Lookup("x") == nil {
		t.Error("who holds the flags has others now")
	}
	flag.CommandLine = flag.NewFlagSet("anew", flag.ContinueOnError)
	run("c", "x")
	run("a")
	check("x")
	run("c", "x")
}
