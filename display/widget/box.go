package widget

import "fmt"

// A Box holds other widgets.
type Box struct{ *Widget }

func newBox(m *model, children []Any, set traits, options []Option) *Box {
	b := &Box{newWidget(m, join(set, traits{"children": elements(children)}), options)}
	b.open()
	return b
}

// elements returns the value of a trait that refers to widgets.
func elements(children []Any) []any {
	all := make([]any, len(children))
	for i, c := range children {
		all[i] = c.base()
	}
	return all
}

// NewHBox returns widgets side by side.
func NewHBox(children ...Any) *Box { return newBox(hBox, children, nil, nil) }

// NewVBox returns widgets one below the other.
func NewVBox(children ...Any) *Box { return newBox(vBox, children, nil, nil) }

// NewBox returns widgets with options: Layout("display", "flex") and others arrange them.
func NewBox(children []Any, options ...Option) *Box { return newBox(box, children, nil, options) }

// NewGridBox returns widgets in a grid: Layout("grid_template_columns", "1fr 2fr") and others arrange them.
func NewGridBox(children []Any, options ...Option) *Box {
	return newBox(gridBox, children, nil, options)
}

// SetChildren replaces the widgets in the box. It fails if the box is closed.
func (b *Box) SetChildren(children ...Any) error {
	return b.SetTrait("children", elements(children))
}

// A Stack shows one of several widgets. Its value is the index of that one, and -1 if none is shown.
type Stack struct{ *Control[int] }

// A Page is a widget of a Stack with its title.
type Page struct {
	Title  string
	Widget Any
}

func newStack(m *model, selected int, pages []Page, options []Option) *Stack {
	titles, children := make([]any, len(pages)), make([]Any, len(pages))
	for i, p := range pages {
		titles[i], children[i] = p.Title, p.Widget
	}
	c := codec[int]{
		encode: func(v int) any {
			if v < 0 {
				return nil
			}
			return v
		},
		decode: func(v any) (int, error) {
			if v == nil {
				return -1, nil
			}
			return whole(v)
		},
		fit: func(_ *Widget, v int) (int, error) {
			if v >= len(pages) {
				return v, fmt.Errorf("there is no page %d: it has %d", v, len(pages))
			}
			return max(v, -1), nil
		},
	}
	return &Stack{newControl(m, "selected_index", selected, c, traits{"children": elements(children), "titles": titles}, options)}
}

// NewTab returns pages with tabs, of which the first is shown.
func NewTab(pages []Page, options ...Option) *Stack {
	return newStack(tabModel, first(pages), pages, options)
}

// NewAccordion returns pages below each other that open at their titles. All are closed.
func NewAccordion(pages []Page, options ...Option) *Stack {
	return newStack(accordion, -1, pages, options)
}

// NewStack returns pages of which only Set chooses the one that is shown. It is the first.
func NewStack(pages []Page, options ...Option) *Stack {
	return newStack(stack, first(pages), pages, options)
}

func first(pages []Page) int {
	if len(pages) == 0 {
		return -1
	}
	return 0
}

// A Bond keeps the values of two controls equal in the front end, without Go.
type Bond struct{ *Widget }

// Link makes the front end give each of two controls the other's value when it changes, such as those of a Play and a slider. Go gets both
// changes.
func Link[T any](a, b *Control[T]) *Bond {
	end := func(c *Control[T]) []any { return []any{c.Widget, c.trait} }
	l := &Bond{newWidget(linkModel, traits{"source": end(a), "target": end(b)}, nil)}
	l.open()
	return l
}
