package client

import (
	"fmt"
	"runtime"
	"testing"
)

// here notes the place of its caller for skip 0.
func here(skip int) (p Place) {
	p.Note(skip + 1)
	return p
}

// The levels are inlined or not as the compiler likes; those of a method of an embedded field have a
// function of the compiler's between them.
type inner struct{}

func (inner) tell(skip int) Place { return here(skip) }

type outer struct{ inner }

type teller interface{ tell(skip int) Place }

//go:noinline
func apart(skip int) Place { return here(skip) }

func within(skip int) Place { return here(skip) }

func generic[T any](skip int) Place { return here(skip) }

func deeper(n, skip int) Place {
	if n == 0 {
		return here(skip)
	}
	return deeper(n-1, skip)
}

func TestPlace(t *testing.T) {
	line := func() string {
		_, _, n, _ := runtime.Caller(1)
		return fmt.Sprintf("place_test.go:%d", n)
	}
	var byInterface teller = outer{}
	byClosure := func() Place { return within(2) }
	for name, c := range map[string]struct {
		got  Place
		want string
	}{
		"here":            {here(0), line()},
		"one call":        {apart(1), line()},
		"inlined":         {within(1), line()},
		"generic":         {generic[[3]int](1), line()},
		"two calls":       {byClosure(), line()},
		"embedded field":  {outer{}.tell(1), line()},
		"by an interface": {byInterface.tell(1), line()},
		"five calls":      {deeper(4, 5), line()},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	for what, p := range map[string]Place{"nothing": {}, "too deep": deeper(30, 31)} {
		if got := p.String(); got != "an unknown place" {
			t.Errorf("%s: %s", what, got)
		}
	}
	// The stack of a goroutine ends before as many frames as there is room for.
	at := make(chan Place)
	go func() { at <- here(0) }()
	if got := (<-at).String(); got == "an unknown place" {
		t.Error("the goroutine's own function is not found")
	}
}
