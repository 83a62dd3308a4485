package course

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A problem is an error in a source, at a line.
type problem struct {
	line int
	text string
}

func (p problem) Error() string { return fmt.Sprintf("%d: %s", p.line, p.text) }

func problemf(line int, format string, args ...any) error {
	return problem{line, fmt.Sprintf(format, args...)}
}

// parser parses a source line by line.
type parser struct {
	lesson *Lesson
	lines  []string
	at     int // index of the next line
	// text is the Markdown since the last cell, which began at line from.
	text []string
	from int
	ids  map[string]bool
}

// parse parses the source of the lesson at a path. Errors contain the line.
func parse(path, source string) (*Lesson, error) {
	p := &parser{lesson: &Lesson{Path: path}, lines: strings.Split(strings.ReplaceAll(source, "\r\n", "\n"), "\n"), ids: map[string]bool{}}
	if err := p.head(); err != nil {
		return nil, err
	}
	for p.at < len(p.lines) {
		if err := p.next(); err != nil {
			return nil, err
		}
	}
	p.endText()
	return p.lesson, p.extras()
}

// extras adds the cells that follow from hints and questions.
func (p *parser) extras() error {
	l := p.lesson
	var cells []*Cell
	for _, c := range l.Cells {
		cells = append(cells, c)
		if n := len(l.hintsFor(c.ID)); n > 0 && c.Exercise {
			text := fmt.Sprintf("Stuck? Run `%%hint %s` in a cell of its own: it shows a hint. Run again, it shows the next of %d.", c.ID, n)
			if n == 1 {
				text = fmt.Sprintf("Stuck? Run `%%hint %s` in a cell of its own: it shows a hint.", c.ID)
			}
			cells = append(cells, &Cell{ID: "hints-" + c.ID, Language: markdown, Source: text, Line: c.Line})
		}
	}
	l.Cells = cells
	if len(l.Questions()) > 0 {
		text := "## Your answers\n\nThis compares what you have answered and predicted with what is right."
		l.Cells = append(l.Cells,
			&Cell{ID: "text-your-answers", Language: markdown, Source: text, Line: len(p.lines)},
			&Cell{ID: "your-answers", Language: "go", Source: "%answer", Line: len(p.lines)})
	}
	ids := map[string]bool{}
	for _, c := range l.Cells {
		if ids[c.ID] {
			return problemf(c.Line, "there is another cell #%s", c.ID)
		}
		ids[c.ID] = true
	}
	return nil
}

// head parses the fields between the lines of ---.
func (p *parser) head() error {
	fields := map[string]*string{"title": &p.lesson.Title, "module": &p.lesson.Module, "time": &p.lesson.Time, "needs": &p.lesson.Needs}
	if p.lines[0] != "---" {
		return problemf(1, "a source begins with a line of --- and fields: title, module, time, needs, covers")
	}
	for p.at = 1; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		if line == "---" {
			p.at++
			return nil
		}
		name, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch field := fields[name]; {
		case !ok:
			return problemf(p.at+1, "%q is no field: write name: value", line)
		case name == "covers":
			p.lesson.Covers = append(p.lesson.Covers, strings.Fields(value)...)
		case name == "files":
			p.lesson.Files = strings.Fields(value)
		case name == "vary": // LoadVariant has applied it
		case field == nil:
			return problemf(p.at+1, "there is no field %q: there are title, module, time, needs, covers, files and vary", name)
		default:
			*field = value
		}
	}
	return problemf(1, "the fields do not end with a line of ---")
}

// next parses a line of text or a whole fence.
func (p *parser) next() error {
	line := p.lines[p.at]
	info, isFence := strings.CutPrefix(line, "```")
	_, isCell := cellName(info)
	switch {
	case isFence && (isCell || info == "stop"):
		return p.fence(info)
	case isFence: // code in the text; a # in it is no heading
		p.addText(line)
		for p.at < len(p.lines) && p.lines[p.at] != "```" {
			p.addText(p.lines[p.at])
		}
		if p.at < len(p.lines) {
			p.addText(p.lines[p.at])
		}
		return nil
	case line == "</details>": // what follows in the same cell would touch it
		p.addText(line)
		p.endText()
		return nil
	case strings.HasPrefix(line, "# "), strings.HasPrefix(line, "## "), strings.HasPrefix(line, "### "):
		p.endText()
	}
	p.addText(line)
	return nil
}

func (p *parser) addText(line string) {
	if len(p.text) == 0 {
		p.from = p.at + 1
	}
	p.text = append(p.text, line)
	p.at++
}

// endText adds a cell with the text so far.
func (p *parser) endText() {
	text := strings.Trim(strings.Join(p.text, "\n"), "\n")
	p.text = nil
	if strings.TrimSpace(text) == "" {
		return
	}
	id := "text"
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "#") {
		id = slug(first)
	} else if n := len(p.lesson.Cells); n > 0 {
		id = "after-" + p.lesson.Cells[n-1].ID
	}
	for base, n := id, 2; p.ids[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	p.ids[id] = true
	p.lesson.Cells = append(p.lesson.Cells, &Cell{ID: id, Language: markdown, Source: text, Line: p.from})
}

var notWord = regexp.MustCompile(`[^a-z0-9]+`)

// slug returns a cell's name for a heading. Names of cells have at most 64 characters.
func slug(heading string) string {
	s := strings.Trim(notWord.ReplaceAllString(strings.ToLower(heading), "-"), "-")
	return "text-" + s[:min(len(s), 50)]
}

// cellName returns the name in the info string of a fence.
func cellName(info string) (string, bool) {
	for _, word := range strings.Fields(info) {
		if name, ok := strings.CutPrefix(word, "#"); ok {
			return strings.TrimSuffix(name, ":"), true
		}
	}
	return "", false
}

// fence parses a cell or an answer.
func (p *parser) fence(info string) error {
	begin := p.at + 1
	p.at++
	var body []string
	for ; p.at < len(p.lines) && p.lines[p.at] != "```"; p.at++ {
		body = append(body, p.lines[p.at])
	}
	if p.at == len(p.lines) {
		return problemf(begin, "the fence has no end")
	}
	p.at++
	language, rest, _ := strings.Cut(info, " ")
	switch language {
	case "wrong":
		w, err := parseAnswer(language, rest, body, begin)
		p.lesson.Wrong = append(p.lesson.Wrong, w)
		return err
	case "right":
		r, err := parseAnswer(language, rest, body, begin)
		p.lesson.Right = append(p.lesson.Right, r)
		return err
	case "hint":
		exercise := strings.TrimPrefix(strings.TrimSpace(rest), "#")
		p.lesson.Hints = append(p.lesson.Hints, Hint{exercise, strings.TrimSpace(strings.Join(body, "\n")), begin})
		return nil
	case "question":
		return p.question(rest, body, begin)
	case "stop":
		return p.stop(body, begin)
	case "answer":
		language = markdown
	}
	c := &Cell{Language: language, Source: strings.Join(body, "\n"), Line: begin}
	if language != "go" && language != "cuda" && language != markdown {
		return problemf(begin, "a cell is in go or cuda, not in %q", language)
	}
	if err := c.attributes(rest, begin); err != nil {
		return err
	}
	if c.Words = language == markdown; c.Words && (c.Points == 0 || c.Exercise || c.Check || c.Raises) {
		return problemf(begin, "an answer in words has a name and points=, and nothing else")
	}
	return p.add(begin, c)
}

// question adds the cells of a question, whose info string is "#name" or "#name predict".
func (p *parser) question(info string, body []string, line int) error {
	id, attribute, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(info), "#"), " ")
	if !validID.MatchString(id) || attribute != "" && attribute != "predict" {
		return problemf(line, "write: question #name, or question #name predict")
	}
	q, err := parseQuestion(id, body, line)
	if err != nil {
		return err
	}
	q.Predict = attribute == "predict"
	return p.add(line, q.cells()...)
}

// stop adds the cells of a good place to stop, from a text about what has been done and what comes.
func (p *parser) stop(body []string, line int) error {
	text := strings.TrimSpace(strings.Join(body, "\n"))
	if text == "" {
		return problemf(line, "write in the fence stop what has been done, and what comes")
	}
	return p.add(line,
		&Cell{ID: "text-stop", Language: markdown, Source: "## A good place to stop\n\n" + text + "\n\n" + comeBack, Line: line},
		&Cell{ID: "so-far", Language: "go", Source: "%progress " + p.lesson.Name(), Line: line, Stop: true})
}

const comeBack = "The next cell shows what is done. When you come back, select it and choose *Run → Run All Above Selected Cell*: " +
	"your answers are in the notebook, but a new session does not know them."

// add ends the text so far and adds cells.
func (p *parser) add(line int, cells ...*Cell) error {
	p.endText()
	for _, c := range cells {
		if p.ids[c.ID] {
			return problemf(line, "there is another cell #%s", c.ID)
		}
		p.ids[c.ID] = true
		p.lesson.Cells = append(p.lesson.Cells, c)
	}
	return nil
}

var validID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`) // as notebooks and nbgrader require

func (c *Cell) attributes(info string, line int) error {
	for _, word := range strings.Fields(info) {
		name, value, _ := strings.Cut(word, "=")
		switch {
		case name[0] == '#':
			if c.ID = name[1:]; !validID.MatchString(c.ID) {
				return problemf(line, "the name %q has other characters than letters, digits, - and _", c.ID)
			}
		case word == "exercise":
			c.Exercise = true
		case word == "check":
			c.Check = true
		case word == "raises":
			c.Raises = true
		case name == "for":
			c.For = strings.Split(value, ",")
		case name == "points":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return problemf(line, "points=%s is no number of points", value)
			}
			c.Points = n
		default:
			return problemf(line, "%q means nothing here: a cell has #name, exercise, check, for=, points= and raises", word)
		}
	}
	return nil
}
