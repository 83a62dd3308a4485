package magics

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gopherwarp/gopherwarp/kernel"
	"github.com/gopherwarp/gopherwarp/tutor"
)

// A Tutor answers the commands of %tutor.
type Tutor interface {
	Do(ctx context.Context, r tutor.Request) (*tutor.Page, error)
	Close() error
}

func tutorMagic() *Magic {
	return &Magic{
		Name: "tutor", Code: "cuda", Line: true, Cell: true, Usage: "[" + strings.Join(tutor.Commands, "|") + "] [ARGUMENTS]",
		Summary: "asks one question at a time about GPU programming, and adapts to the answers: start, then next and answer; answers that are code are the cell below %%tutor answer",
		Run:     runTutor,
	}
}

var errNoTutor = errors.New("this kernel has no tutor")

func runTutor(ctx context.Context, c *Call) error {
	if c.tutor == nil {
		return errNoTutor
	}
	name, args, _ := strings.Cut(strings.TrimSpace(c.Args), " ")
	r := tutor.Request{Command: name, Args: args}
	if strings.TrimSpace(c.Body) != "" {
		if name != "answer" {
			return c.usageError("only an answer has a cell: write %%%%tutor answer")
		}
		r.Item, r.Args = strings.TrimSpace(args), c.text()
	}
	r.Device = c.chosenDevice()
	page, err := c.tutor.Do(ctx, r)
	if input := new(tutor.InputError); errors.As(err, &input) {
		// An error would stop the run of all cells of a notebook.
		page, err = &tutor.Page{Parts: []tutor.Part{{Text: sentence(err)}}}, nil
	}
	if err != nil {
		return err
	}
	if page.File != "" {
		return c.writeProgress(ctx, page)
	}
	c.showPage(page)
	return nil
}

// chosenDevice returns the device that %gpu has chosen last, or "".
func (e *Engine) chosenDevice() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.device
}

// A deviceTutor runs answers on the device that is chosen when they are given.
type deviceTutor struct {
	Tutor
	device func() string
}

// Do implements Tutor.
func (t deviceTutor) Do(ctx context.Context, r tutor.Request) (*tutor.Page, error) {
	r.Device = t.device()
	return t.Tutor.Do(ctx, r)
}

// sentence returns an error as a sentence.
func sentence(err error) string {
	text := err.Error()
	if text[0] >= 'a' && text[0] <= 'z' {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if !strings.HasSuffix(text, "```") {
		text += "."
	}
	return text
}

// writeProgress writes the exported state to its file.
func (c *Call) writeProgress(ctx context.Context, page *tutor.Page) error {
	names, err := words(page.File)
	if err != nil || len(names) != 1 {
		return c.usageError("one file is expected; put a name with spaces into quotes")
	}
	path, err := c.surroundings(ctx).path(names[0])
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, page.Data, 0o600); err != nil {
		return fmt.Errorf("export the progress: %w", err)
	}
	c.Out.Stream("stdout", "Wrote "+path+"\n")
	return nil
}

// showPage shows a page: as a card with buttons if it can be answered by them and the front end has widgets, and otherwise as HTML or text.
func (c *Call) showPage(page *tutor.Page) {
	data := kernel.MIMEBundle{"text/plain": page.Text(), "text/html": page.HTML()}
	host, _ := c.Out.(kernel.CommHost)
	if host != nil && (page.Item != "" || page.Next) {
		if id, err := c.comms.cards.openCard(host, deviceTutor{c.tutor, c.chosenDevice}, page); err == nil {
			data["application/vnd.jupyter.widget-view+json"] = map[string]any{"model_id": id, "version_major": 2, "version_minor": 0}
		}
	}
	c.Out.Display(data, nil, "")
	if page.Picture != nil {
		c.Out.Display(page.Picture, nil, "")
	}
}
