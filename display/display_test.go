package display

import (
	"reflect"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// front records the output of a cell.
type front struct {
	cell.Host
	shown  []map[string]any
	clears []bool
	ids    []string // of what is shown, with a ! for updates
}

func (f *front) Clear(wait bool) { f.clears = append(f.clears, wait) }

func (f *front) Display(mime, _ map[string]any, id string, update bool) {
	if update {
		id += "!"
	}
	f.shown, f.ids = append(f.shown, mime), append(f.ids, id)
}

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

func TestLive(t *testing.T) {
	f := &front{}
	cell.SetHost(f)
	defer cell.SetHost(nil)
	a, b := Live(HTML("a")), Live(HTML("b"))
	a.Update(HTML("c"))
	if a.id == b.id {
		t.Error("two areas are one")
	}
	if want := []string{a.id, b.id, a.id + "!"}; !reflect.DeepEqual(f.ids, want) {
		t.Errorf("ids %q, want %q", f.ids, want)
	}
	if got := f.shown[2]["text/html"]; got != "c" {
		t.Errorf("the update shows %v", got)
	}
}

func ExampleLive() {
	area := Live(Markdown("0 %"))
	area.Update(Markdown("50 %"))
	// Output:
	// 0 %
	// 50 %
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
