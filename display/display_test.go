package display

import (
	"reflect"
	"testing"

	"github.com/gopherwarp/gopherwarp/session/cell"
)

// front keeps what a cell displays.
type front struct {
	cell.Host
	shown  []map[string]any
	clears []bool
}

func (f *front) Clear(wait bool) { f.clears = append(f.clears, wait) }

func (f *front) Display(mime, _ map[string]any, _ string, _ bool) { f.shown = append(f.shown, mime) }

func TestShow(t *testing.T) {
	f := &front{}
	cell.SetHost(f)
	defer cell.SetHost(nil)
	Show(Markdown("*a*"))
	Show(HTML("<i>a</i>"))
	want := []map[string]any{
		{"text/markdown": "*a*", "text/plain": "*a*"},
		{"text/html": "<i>a</i>", "text/plain": "<i>a</i>"},
	}
	if !reflect.DeepEqual(f.shown, want) {
		t.Errorf("got %v, want %v", f.shown, want)
	}
}

func TestClear(t *testing.T) {
	f := &front{}
	cell.SetHost(f)
	defer cell.SetHost(nil)
	Clear(true)
	Clear(false)
	if want := []bool{true, false}; !reflect.DeepEqual(f.clears, want) {
		t.Errorf("got %v, want %v", f.clears, want)
	}
}

func TestClearOutsideANotebook(*testing.T) {
	Clear(false) // must not need a host
}

func ExampleShow() {
	Show(Markdown("| n |\n|---|\n| 1 |"))
	// Output:
	// | n |
	// |---|
	// | 1 |
}
