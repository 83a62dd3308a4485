// All verbs of fmt on all kinds of types with names that other packages can't see.
package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

type (
	count    int
	label    string
	flag     bool
	ratio    float64
	bytes    []byte
	grid     [2][2]count
	callback func(count) label
	pipe     chan label
	index    map[label]*inner
)

type inner struct {
	id   count
	Name label
	self *inner
	any  any
}

type outer struct {
	inner
	*strings.Builder
	int
	list  []inner
	table map[count]ratio
	tags  struct {
		a, B string
		c    [1]flag
	}
	do  callback
	err error
}

type shower struct{ hidden int }

func (s shower) String() string { return fmt.Sprintf("shower<%d>", s.hidden) }

type goShower struct{ hidden int }

func (goShower) GoString() string { return "goShower!" }

type formatter struct{ x int }

func (f formatter) Format(s fmt.State, verb rune) {
	w, ok := s.Width()
	fmt.Fprintf(s, "[%c %d %v %v]", verb, w, ok, s.Flag('+'))
}

type failing struct{ code count }

func (f *failing) Error() string { return fmt.Sprint("failed with ", f.code) }

type plainError struct{ code count }

func (e plainError) Error() string { return fmt.Sprint("plain ", e.code) }

type panics struct{}

func (panics) String() string { panic("in String") }

type nested struct {
	shower
	goShower goShower
	f        formatter
	e        error
	s        fmt.Stringer
	d        time.Duration
}

type pair[K comparable, V any] struct {
	key K
	Val V
}

func (p pair[K, V]) swap() pair[string, K] { return pair[string, K]{fmt.Sprint(p.Val), p.key} }

var values = []any{
	count(3), label("l\"x"), flag(true), ratio(2.5), bytes("hi"),
	grid{{1, 2}, {3, 4}},
	inner{1, "n", nil, count(2)},
	&inner{id: 4},
	outer{inner: inner{id: 9}, int: 7, list: []inner{{id: 1}}, table: map[count]ratio{2: 1, 1: 2}},
	shower{5},
	&shower{6},
	goShower{7},
	formatter{8},
	&failing{9},
	nested{shower: shower{1}, e: plainError{2}, s: shower{3}, d: time.Second},
	pair[label, count]{"k", 1},
	pair[label, count]{"k", 1}.swap(),
	[]pair[int, inner]{{1, inner{id: 2}}},
	struct {
		a int
		B string
	}{1, "two"},
	map[label][]count{"b": {1}, "a": {2, 3}},
	[3]flag{true},
	[]any{count(1), nil, label("x")},
	(*inner)(nil), index(nil), error(nil),
	3 + 4i, 'x', uintptr(16),
	panics{},
	errors.Join(plainError{1}, plainError{2}),
}

func main() {
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%T", "%d", "%s", "%q", "%x", "%5.1f", "%t", "%c"} {
			line := fmt.Sprintf(verb, v)
			if strings.Contains(line, "0xc") || strings.Contains(line, "(0x") {
				line = "an address"
			}
			fmt.Println(verb, line)
		}
	}
	var p pipe
	var cb callback
	fmt.Printf("%T %T %v %v %#v\n", p, cb, p == nil, cb == nil, p)
	fmt.Printf("%[2]T %[1]v %!|%z %d\n", count(1), label("x"))
	var a, b count
	var l label
	n, err := fmt.Sscanf("12 0x1f word", "%d %v %s", &a, &b, &l)
	fmt.Println(n, err, a, b, l)
	fmt.Println(fmt.Errorf("wrap: %w", &failing{3}))
}
