package kernel

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A Pager is an Output that can show a bundle outside the cell's output, if the front end has a pager. The outputs that the kernel passes
// to an engine are Pagers.
type Pager interface {
	Page(data MIMEBundle)
}

// NextInput is an Output that can change the front end's input. The outputs that the kernel passes to an engine are of this kind.
type NextInput interface {
	// SetNextInput replaces the text of the cell, or, if replace is not set, puts the text into the next one.
	SetNextInput(text string, replace bool)
}

// A Helper is an Engine that answers a cell that asks for help. For other engines the kernel calls Inspect, which may know less: it does
// not wait until the engine is ready.
type Helper interface {
	// Help describes name; detail is 1 if the user asked for all details, else 0. A nil bundle means that nothing is known. It is called
	// like Execute, for one cell at a time.
	Help(ctx context.Context, name string, detail int, out Output) (MIMEBundle, error)
}

// helpCell matches a cell that asks for help in any Jupyter kernel: name? or ?name, with a second ? for details.
var helpCell = regexp.MustCompile(`^(\?\??)?(%{0,2}[\pL_][\pL\p{Nd}_.]*)(\?\??)?$`)

// helpSubject returns the name that a cell asks for help on. ok reports whether it asks for help.
func helpSubject(code string) (name string, detail int, ok bool) {
	const longest = 500 // bytes; no name has so many, and a cell may have millions
	if code = strings.TrimSpace(code); len(code) > longest {
		return "", 0, false
	}
	m := helpCell.FindStringSubmatch(code)
	if m == nil || (m[1] == "") == (m[3] == "") {
		return "", 0, false
	}
	return m[2], len(m[1]+m[3]) - 1, true
}

// help shows the description of name in the front end's pager.
func (s *server) help(ctx context.Context, name string, detail int, out *output) error {
	var data MIMEBundle
	var err error
	if h, ok := s.eng.(Helper); ok {
		data, err = h.Help(ctx, name, detail, out)
	} else {
		data, err = s.eng.Inspect(ctx, name, utf8.RuneCountInString(name), detail)
	}
	if err != nil {
		return err
	}
	if data == nil {
		return &CellError{Name: "HelpError", Value: fmt.Sprintf("nothing is known of %s: is it spelt right, and has the cell that declares it run?", name)}
	}
	out.Page(data)
	return nil
}

// Page implements Pager. The bundle is sent in the cell's reply; one that is shown after that is lost.
func (o *output) Page(data MIMEBundle) {
	encoded := o.encoded(data)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pages = append(o.pages, map[string]any{"source": "page", "data": encoded, "start": 0})
}

// SetNextInput implements NextInput.
func (o *output) SetNextInput(text string, replace bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pages = append(o.pages, map[string]any{"source": "set_next_input", "text": text, "replace": replace})
}

// payload returns the payload of a cell's reply.
func (o *output) payload() []any {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]any{}, o.pages...)
}
