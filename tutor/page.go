package tutor

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// width is that of lines of plain text.
const width = 88

// Text returns the page as plain text.
func (p *Page) Text() string {
	var b strings.Builder
	for n, part := range p.Parts {
		// The choices are between the question and how to answer it.
		if len(p.Choices) > 0 && n == len(p.Parts)-1 {
			p.listChoices(&b)
		}
		if part.Title != "" {
			b.WriteString(part.Title + "\n" + strings.Repeat("─", utf8.RuneCountInString(part.Title)) + "\n")
		}
		b.WriteString(plain(part.Text) + "\n\n")
		if n == 0 && len(p.Map) > 0 {
			p.listMap(&b)
		}
	}
	if p.Next {
		b.WriteString("%tutor next goes on.\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func (p *Page) listChoices(b *strings.Builder) {
	for _, o := range p.Choices {
		fmt.Fprintf(b, "  %s  %s\n", o.Letter, strings.ReplaceAll(render.Wrap(render.Unmarked(o.Text), width-5), "\n", "\n     "))
	}
	b.WriteString("\n")
}

func (p *Page) listMap(b *strings.Builder) {
	module := 0
	for _, r := range p.Map {
		if r.Module != module {
			module = r.Module
			fmt.Fprintf(b, "Module %d: %s\n", module, modules[module])
		}
		fmt.Fprintf(b, "  %s %s %s\n", r.Standing.mark(), bar(r.Mastery), r.Title)
	}
	b.WriteString("* mastered, + known from the placement, ! for your instructor, . open\n\n")
}

// plain returns Markdown as plain text.
func plain(text string) string {
	var out []string
	for _, block := range blocks(text) {
		switch {
		case block.code:
			out = append(out, "    "+strings.ReplaceAll(block.text, "\n", "\n    "))
		case block.list:
			for line := range strings.SplitSeq(block.text, "\n") {
				out = append(out, "* "+strings.ReplaceAll(render.Wrap(render.Unmarked(line), width-2), "\n", "\n  "))
			}
		default:
			out = append(out, render.Wrap(render.Unmarked(block.text), width))
		}
	}
	return strings.Join(out, "\n\n")
}

// A block is a paragraph, a list, one item a line, or code.
type block struct {
	text       string
	code, list bool
}

// blocks divides Markdown into blocks.
func blocks(text string) (all []block) {
	var code []string
	fenced := false
	var paragraph []string
	end := func() {
		if len(paragraph) == 0 {
			return
		}
		if strings.HasPrefix(paragraph[0], "* ") {
			joined := strings.Join(paragraph, "\n")
			all = append(all, block{text: strings.TrimPrefix(strings.ReplaceAll(joined, "\n* ", "\n"), "* "), list: true})
		} else {
			all = append(all, block{text: strings.Join(paragraph, " ")})
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```") && fenced:
			all = append(all, block{text: strings.Join(code, "\n"), code: true})
			code, fenced = nil, false
		case strings.HasPrefix(line, "```"):
			end()
			fenced = true
		case fenced:
			code = append(code, line)
		case strings.TrimSpace(line) == "":
			end()
		default:
			paragraph = append(paragraph, strings.TrimSpace(line))
		}
	}
	if fenced {
		all = append(all, block{text: strings.Join(code, "\n"), code: true})
	}
	end()
	return all
}

// HTML returns the page as HTML. Its choices are a list, since static HTML has no buttons that answer.
func (p *Page) HTML() string {
	var b strings.Builder
	b.WriteString(`<div class="gw-tutor" style="max-width: 46em; border-left: 4px solid #1976d2; padding: 0.2em 1em">`)
	for n, part := range p.Parts {
		if len(p.Choices) > 0 && n == len(p.Parts)-1 {
			b.WriteString(`<ol type="A">`)
			for _, o := range p.Choices {
				fmt.Fprintf(&b, "<li>%s</li>", render.Inline(o.Text))
			}
			b.WriteString("</ol>")
		}
		b.WriteString(part.html())
		if n == 0 && len(p.Map) > 0 {
			b.WriteString(p.mapSVG())
		}
	}
	if p.Next {
		b.WriteString("<p><code>%tutor next</code> goes on.</p>")
	}
	b.WriteString("</div>")
	return b.String()
}

// Card returns the HTML of the page without its call to go on, for which a card has a button.
func (p *Page) Card() string {
	q := *p
	q.Next = false
	return q.HTML()
}

func (p Part) html() string {
	var b strings.Builder
	if p.Title != "" {
		fmt.Fprintf(&b, `<p style="margin: 0.6em 0 0.2em"><strong>%s</strong></p>`, html.EscapeString(p.Title))
	}
	for _, block := range blocks(p.Text) {
		switch {
		case block.code:
			fmt.Fprintf(&b, "<pre>%s</pre>", html.EscapeString(block.text))
		case block.list:
			b.WriteString("<ul>")
			for line := range strings.SplitSeq(block.text, "\n") {
				fmt.Fprintf(&b, "<li>%s</li>", render.Inline(line))
			}
			b.WriteString("</ul>")
		default:
			fmt.Fprintf(&b, `<p style="margin: 0.2em 0 0.6em">%s</p>`, render.Inline(block.text))
		}
	}
	return b.String()
}

// colours of standings, which are legible in light and dark themes. The marks say the same to those who see no colours.
func (s Standing) colour() string {
	switch s {
	case Known:
		return "#5c8fd6"
	case Mastered:
		return "#2e8b57"
	case Helped:
		return "#d9822b"
	}
	return "#8a8f98"
}

// mapSVG returns the progress as a picture: a row of squares for each module, with the names as titles.
func (p *Page) mapSVG() string {
	const side, gap, left = 26, 5, 190
	var b strings.Builder
	rows, column, widest := 0, 0, 0
	module := 0
	for _, r := range p.Map {
		if r.Module != module {
			module, column = r.Module, 0
			rows++
			fmt.Fprintf(&b, `<text x="0" y="%d" font-size="13" fill="currentColor">%s</text>`, (rows-1)*(side+gap)+18, html.EscapeString(modules[module]))
		}
		x, y := left+column*(side+gap), (rows-1)*(side+gap)
		filled := int(r.Mastery*side + 0.5)
		fmt.Fprintf(&b, `<g><title>%s: %s, %d %%</title><rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="none" stroke="%s"/>`,
			html.EscapeString(r.Title), r.Standing.word(), int(100*r.Mastery+0.5), x, y, side, side, r.Standing.colour())
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="%s"/>`, x, y+side-filled, side, filled, r.Standing.colour())
		fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="14" text-anchor="middle" fill="currentColor">%s</text></g>`, x+side/2, y+18, r.Standing.mark())
		column++
		widest = max(widest, column)
	}
	text := "* mastered, + known from the placement, ! for your instructor, . open; point at a square for its name"
	fmt.Fprintf(&b, `<text x="0" y="%d" font-size="12" fill="currentColor">%s</text>`, rows*(side+gap)+16, text)
	width, height := max(left+widest*(side+gap), 620), rows*(side+gap)+24
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="progress of %d concepts" viewBox="0 0 %d %d" width="%d" style="max-width: 100%%; height: auto">%s</svg>`,
		len(p.Map), width, height, width, b.String())
}

func (s Standing) word() string {
	if s == Open {
		return "open"
	}
	return string(s)
}
