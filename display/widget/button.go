package widget

import (
	"encoding/json"
	"slices"
)

// A Button is a widget to click.
type Button struct {
	*Widget
	clicked []func() // guarded by mu
}

// NewButton returns a button with a text.
func NewButton(text string, options ...Option) *Button {
	b := &Button{Widget: newWidget(button, traits{"description": text}, options)}
	b.onCustom = func(content json.RawMessage, _ [][]byte) {
		var e struct{ Event string }
		if json.Unmarshal(content, &e) == nil && e.Event == "click" {
			b.click()
		}
	}
	b.open()
	return b
}

// OnClick has f called after a click. Clicks while it runs are one more.
func (b *Button) OnClick(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clicked = append(b.clicked, f)
}

func (b *Button) click() {
	b.mu.Lock()
	clicked := slices.Clone(b.clicked)
	b.mu.Unlock()
	b.calls.call("OnClick", func() {
		for _, f := range clicked {
			f()
		}
	})
}
