// errors.Is and As, type switches and assertions across declarations.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
)

type notFound struct{ key string }

func (e notFound) Error() string        { return e.key + " not found" }
func (e notFound) Is(target error) bool { return target == errMissing }

type temporary interface{ temporary() bool }

type network struct {
	op    string
	cause error
}

func (e *network) Error() string   { return e.op + ": " + e.cause.Error() }
func (e *network) Unwrap() error   { return e.cause }
func (e *network) temporary() bool { return e.op == "dial" }

var errMissing = errors.New("missing")

type multi []error

func (m multi) Error() string   { return fmt.Sprint(len(m), " errors") }
func (m multi) Unwrap() []error { return m }

type typed[T any] struct{ v T }

func (t typed[T]) Error() string { return fmt.Sprintf("typed %v", t.v) }

type (
	celsius float64
	kelvin  float64
	visitor interface{ visit(any) string }
	plain   struct{}
	loud    struct{ plain }
)

func (plain) visit(v any) string { return kind(v) }
func (l loud) visit(v any) string {
	return l.plain.visit(v) + "!"
}

func kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case celsius, kelvin:
		return fmt.Sprintf("degrees %v", v)
	case func(celsius) kelvin:
		return fmt.Sprint("func ", v(1))
	case interface{ temporary() bool }:
		return "temporary"
	case visitor:
		return "visitor " + fmt.Sprintf("%T", v)
	case struct{ a int }:
		return fmt.Sprint("struct ", v.a)
	case []celsius:
		return fmt.Sprint("slice ", len(v))
	case map[string]visitor:
		return fmt.Sprint("map ", len(v))
	case typed[int]:
		return fmt.Sprint("int ", v.v+1)
	case typed[celsius]:
		return "typed celsius"
	case error:
		return "error " + v.Error()
	}
	return fmt.Sprintf("other %T", v)
}

func open(key string) error {
	return fmt.Errorf("open: %w", &network{"dial", multi{notFound{key}, typed[string]{key}, strconv.ErrRange}})
}

func main() {
	err := open("k")
	var n *network
	var nf notFound
	var tmp temporary
	var ts typed[string]
	var ti typed[int]
	fmt.Println(errors.As(err, &n), n.op, errors.As(err, &nf), nf.key, errors.As(err, &tmp), tmp.temporary(), errors.As(err, &ts), ts.v, errors.As(err, &ti))
	fmt.Println(errors.Is(err, errMissing), errors.Is(err, strconv.ErrRange), errors.Is(err, fs.ErrNotExist), errors.Is(err, nf), err)
	_, err = os.Open("no such file")
	var pathErr *fs.PathError
	fmt.Println(errors.As(err, &pathErr), pathErr.Op, errors.Is(err, fs.ErrNotExist))
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(nf)
	fmt.Println(ctx.Err(), context.Cause(ctx), context.Cause(ctx) == error(nf))
	for _, v := range []any{
		nil, celsius(1), kelvin(2), 3.0, func(c celsius) kelvin { return kelvin(c) + 273 }, &network{}, plain{}, loud{}, struct{ a int }{4}, []celsius{1},
		map[string]visitor{"a": loud{}}, typed[int]{1}, typed[celsius]{2}, typed[kelvin]{3}, struct{ b int }{}, [1]plain{},
	} {
		fmt.Println(plain{}.visit(v), loud{}.visit(v))
	}
	var v visitor = loud{}
	_, ok := v.(plain)
	_, ok2 := v.(interface{ visit(any) string })
	fmt.Println(ok, ok2, v == visitor(loud{}), any(celsius(1)) == any(kelvin(1)), any(struct{ a int }{1}) == any(struct{ a int }{1}))
	fmt.Println(func() (r any) { defer func() { r = recover() }(); return any(v).(temporary) }())
	fmt.Println(func() (r any) { defer func() { r = recover() }(); return any(v).(plain) }())
	fmt.Println(func() (r any) { defer func() { r = recover() }(); return map[any]int{[]celsius{}: 1} }())
	fmt.Println(func() (r any) { defer func() { r = recover() }(); var e *network; return e.temporary() }())
}
