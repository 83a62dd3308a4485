package prochost

import (
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/session/cell"
)

// The names of the handlers for variables. A cell has put pointers to them under
// VariablesKey before, as a map[string]any by name.
const (
	CallDescribe = "variables.describe"
	CallClear    = "variables.clear"

	VariablesKey = "variables"
)

// Content is what a variable holds.
type Content struct {
	Bytes  int64  // memory that it holds itself: elements of a slice, but not what they point to
	Device string // where the memory is, unless it is the host's
	Text   string // a word on the value
}

// take returns the variables that a cell has put on the shelf, and takes them off it.
func take() map[string]any {
	vars := cell.Get[map[string]any](VariablesKey)
	cell.Put(VariablesKey, nil)
	return vars
}

func describe(struct{}) (map[string]Content, error) {
	all := map[string]Content{}
	for name, p := range take() {
		all[name] = content(reflect.ValueOf(p).Elem())
	}
	return all, nil
}

// clearAll lets go of what variables hold.
func clearAll(struct{}) (map[string]Content, error) {
	for _, p := range take() {
		reflect.ValueOf(p).Elem().SetZero()
	}
	return map[string]Content{}, nil
}

// deviceMemory is a gpu.Buffer of any element.
type deviceMemory interface {
	Bytes() int
	Len() int
	Device() *gpu.Device
}

// maxText is how much of a string is shown, in characters.
const maxText = 32

// content describes a variable without calling its methods, which may be slow or never
// return. Goroutines may be changing it meanwhile; maps are therefore not walked.
func content(v reflect.Value) Content {
	c := Content{Bytes: int64(v.Type().Size())}
	switch v.Kind() {
	case reflect.Bool:
		c.Text = strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		c.Text = strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		c.Text = strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32:
		c.Text = strconv.FormatFloat(v.Float(), 'g', -1, 32)
	case reflect.Float64:
		c.Text = strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Complex64, reflect.Complex128:
		c.Text = fmt.Sprint(v.Complex())
	case reflect.String:
		c.Bytes += int64(v.Len())
		c.Text = quote(v.String())
	case reflect.Slice:
		c.Bytes += int64(v.Cap()) * int64(v.Type().Elem().Size())
		c.Text = count(v.Len(), "element")
	case reflect.Array:
		c.Text = count(v.Len(), "element")
	case reflect.Map:
		c.Bytes += int64(v.Len()) * int64(v.Type().Key().Size()+v.Type().Elem().Size())
		c.Text = count(v.Len(), "entry")
	case reflect.Chan:
		c.Text = fmt.Sprintf("%d of %d buffered", v.Len(), v.Cap())
	case reflect.Interface:
		if !v.IsNil() {
			c.Text = v.Elem().Type().String()
		}
	case reflect.Pointer:
		if m, ok := v.Interface().(deviceMemory); ok && !v.IsNil() {
			return Content{Bytes: int64(m.Bytes()), Device: m.Device().Name(), Text: count(m.Len(), "element")}
		}
		if !v.IsNil() {
			c.Bytes += int64(v.Type().Elem().Size())
		}
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Chan, reflect.Interface, reflect.Pointer, reflect.Func:
		if v.IsNil() {
			c.Text = "nil"
		}
	}
	return c
}

func count(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case thing == "entry":
		return fmt.Sprintf("%d entries", n)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func quote(s string) string {
	if utf8.RuneCountInString(s) <= maxText {
		return strconv.Quote(s)
	}
	runes := []rune(s[:min(len(s), maxText*utf8.UTFMax)])
	return strconv.Quote(string(runes[:maxText])) + "…"
}
