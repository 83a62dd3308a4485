package tutor

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// problemf returns an error at a line of a file, without the file's name.
func problemf(line int, format string, args ...any) error {
	return fmt.Errorf("%d: %s", line, fmt.Sprintf(format, args...))
}

// A section is a part of a file: the text below a heading.
type section struct {
	title string
	line  int // of the heading
	text  []string
}

// sections divides lines at headings that begin with mark. The first section has no title. Lines in fences are no headings.
func sections(lines []string, mark string, first int) []section {
	all := []section{{line: first}}
	fenced := false
	for i, line := range lines {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if title, ok := strings.CutPrefix(line, mark+" "); ok && !fenced {
			all = append(all, section{title: strings.TrimSpace(title), line: first + i})
			continue
		}
		last := &all[len(all)-1]
		last.text = append(last.text, line)
	}
	return all
}

func (s section) String() string { return strings.TrimSpace(strings.Join(s.text, "\n")) }

// fields parses lines of the form "name: value" and returns them with the number of lines that they take.
func fields(lines []string, first int, known []string) (values map[string]string, taken int, err error) {
	values = map[string]string{}
	for i, line := range lines {
		if strings.TrimSpace(line) == "" || line == "---" {
			return values, i + 1, nil
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || !slices.Contains(known, name) {
			return nil, 0, problemf(first+i, "%q is no field: the fields are %s", line, strings.Join(known, ", "))
		}
		values[name] = strings.TrimSpace(value)
	}
	return values, len(lines), nil
}

var conceptFields = []string{"module", "needs", "lesson", "performance", "compare", "see", "instead", "use"}

var ids = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// parseConcepts parses concepts.md: headings "## id: Title", each with fields, and a definition after an empty line.
func parseConcepts(text string) ([]*Concept, error) {
	var all []*Concept
	for _, s := range sections(strings.Split(text, "\n"), "##", 1)[1:] {
		id, title, ok := strings.Cut(s.title, ":")
		if !ok || !ids.MatchString(id) {
			return nil, problemf(s.line, "write: ## id: Title")
		}
		f, taken, err := fields(s.text, s.line+1, conceptFields)
		if err != nil {
			return nil, err
		}
		c := &Concept{ID: id, Title: strings.TrimSpace(title), Needs: strings.Fields(f["needs"]), Lessons: strings.Fields(f["lesson"]), line: s.line}
		if c.Module, err = strconv.Atoi(f["module"]); err != nil || c.Module < 1 || c.Module > Modules {
			return nil, problemf(s.line, "the module of %s is %q: it is a number from 1 to %d", id, f["module"], Modules)
		}
		c.Steps = Steps{Performance: f["performance"], Compare: f["compare"], See: f["see"], Instead: f["instead"], Use: f["use"]}
		c.Definition = strings.TrimSpace(strings.Join(s.text[taken:], "\n"))
		all = append(all, c)
	}
	return all, nil
}

// parseMisconceptions parses lines "id: sentence".
func parseMisconceptions(text string) (map[string]string, error) {
	all := map[string]string{}
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, sentence, ok := strings.Cut(line, ": ")
		if !ok || !ids.MatchString(id) || all[id] != "" {
			return nil, problemf(i+1, "%q is not of the form id: sentence, with an id of its own", line)
		}
		all[id] = strings.TrimSpace(sentence)
	}
	return all, nil
}

var itemFields = []string{"type", "concepts", "level", "covers", "unit", "tolerance", "with", "language"}

// parseItem parses item.md: fields between two lines of ---, the prompt, and sections with the headings of itemSections.
func parseItem(text string) (*Item, error) {
	lines := strings.Split(text, "\n")
	if lines[0] != "---" {
		return nil, problemf(1, "the file begins with a line ---, fields, and another line ---")
	}
	f, taken, err := fields(lines[1:], 2, itemFields)
	if err != nil {
		return nil, err
	}
	item := &Item{Type: Type(f["type"]), Concepts: strings.Fields(f["concepts"]), Covers: strings.Fields(f["covers"]), Unit: f["unit"]}
	if !slices.Contains(allTypes, item.Type) {
		return nil, problemf(2, "the type is %q: it is one of %v", item.Type, allTypes)
	}
	if len(item.Concepts) == 0 {
		return nil, problemf(2, "the field concepts is missing")
	}
	if item.Level, err = strconv.Atoi(f["level"]); err != nil || item.Level < -2 || item.Level > 2 {
		return nil, problemf(2, "the level is %q: it is a number from -2 to 2", f["level"])
	}
	if percent := f["tolerance"]; percent != "" {
		if item.Tolerance, err = strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(percent, "%")), 64); err != nil || item.Tolerance <= 0 {
			return nil, problemf(2, "the tolerance is %q: it is a percentage, such as 5 %%", percent)
		}
		item.Tolerance /= 100
	}
	if item.Variables, err = parseVariables(f["with"]); err != nil {
		return nil, problemf(2, "%v", err)
	}
	if item.Type.IsCode() {
		item.Code = &Code{Language: f["language"]}
		if l := item.Code.Language; l != "cuda" && l != "go" {
			return nil, problemf(2, "the language is %q: it is cuda or go", l)
		}
	}
	first := taken + 2
	all := sections(lines[taken+1:], "##", first)
	item.Prompt = all[0].String()
	for _, s := range all[1:] {
		if err := item.section(s); err != nil {
			return nil, err
		}
	}
	return item, nil
}

// parseVariables parses "n = 1 | 2; b = 32".
func parseVariables(text string) ([]Variable, error) {
	var all []Variable
	for part := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, values, ok := strings.Cut(part, "=")
		v := Variable{Name: strings.TrimSpace(name)}
		for value := range strings.SplitSeq(values, "|") {
			v.Values = append(v.Values, strings.TrimSpace(value))
		}
		if !ok || v.Name == "" || slices.Contains(v.Values, "") {
			return nil, fmt.Errorf("%q is not of the form n = 1000 | 5000", strings.TrimSpace(part))
		}
		all = append(all, v)
	}
	return all, nil
}

// section adds a section to the item.
func (item *Item) section(s section) error {
	title, rest, _ := strings.Cut(s.title, " ")
	text := s.String()
	if step := item.Steps.field(title); step != nil {
		*step = text
		return nil
	}
	var err error
	switch {
	case title == "Answers":
		item.Answers, err = parseAnswers(s)
		for i := range item.Answers {
			if a := &item.Answers[i]; item.Type == Numeric {
				a.Text, a.Value, _ = strings.Cut(a.Text, "=")
				a.Text, a.Value = strings.TrimSpace(a.Text), strings.TrimSpace(a.Value)
			}
		}
	case title == "Lines":
		item.Lines, err = parseLines(s)
	case title == "Hints":
		for _, line := range s.text {
			if hint, ok := strings.CutPrefix(line, "* "); ok {
				item.Hints = append(item.Hints, hint)
			}
		}
	case title == "Program":
		item.Program, err = parseCells(s)
	case item.Code != nil:
		err = item.Code.section(title, rest, s)
	default:
		err = problemf(s.line, "a section %q: an item of type %s has none", s.title, item.Type)
	}
	return err
}

// field returns the step of a heading, or nil.
func (s *Steps) field(title string) *string {
	switch title {
	case "Why":
		return &s.Why
	case "Performance":
		return &s.Performance
	case "Compare":
		return &s.Compare
	case "See":
		return &s.See
	case "Instead":
		return &s.Instead
	case "Use":
		return &s.Use
	}
	return nil
}

// section adds a section to the code of an item.
func (c *Code) section(title, rest string, s section) error {
	cells, err := parseCells(s)
	if err != nil {
		return err
	}
	if title == "Setup" {
		c.Setup = cells
		return nil
	}
	if len(cells) != 1 {
		return problemf(s.line, "section %q has %d fences of code, want one", s.title, len(cells))
	}
	code := cells[0].Text
	switch title {
	case "Given":
		c.Given = code
	case "Solution":
		c.Solution = code
	case "Test":
		c.Test = code
	case "Wrong":
		w := WrongCode{Text: code, Answer: Answer{Misconception: strings.Trim(rest, "[]")}}
		for _, line := range s.text {
			if strings.HasPrefix(line, "```") {
				break
			}
			w.about(line)
		}
		if w.Refused == "" {
			return problemf(s.line, "a wrong answer needs a line Refused: with a part of the message that refuses it")
		}
		c.Wrong = append(c.Wrong, w)
	default:
		return problemf(s.line, "a section %q: code has Setup, Given, Solution, Test and Wrong", s.title)
	}
	return nil
}

// about adds a line of text to a wrong answer.
func (w *WrongCode) about(line string) {
	if refused, ok := strings.CutPrefix(line, "Refused: "); ok {
		w.Refused = strings.TrimSpace(refused)
		return
	}
	w.Answer.about(line)
}

// about adds a line of text about an answer: what is right of it, or what is not.
func (a *Answer) about(line string) {
	line = strings.TrimSpace(line)
	if credit, ok := strings.CutPrefix(line, "Credit: "); ok {
		a.Credit = credit
		return
	}
	a.Gap = strings.TrimSpace(a.Gap + " " + line)
}

// tagged matches a text with the name of a misconception in brackets at its end.
var tagged = regexp.MustCompile(`^(.*?)\s+\[([a-z0-9-]+)\]$`)

// parseAnswers parses lines "+ right" and "- wrong [misconception]", each with indented lines about it. A number is followed by the
// expression that it is computed from: "+ 4 = 1000/256".
func parseAnswers(s section) ([]Answer, error) {
	var all []Answer
	for i, line := range s.text {
		switch {
		case strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "  ") && len(all) > 0:
			all[len(all)-1].about(line)
		case strings.HasPrefix(line, "+ "), strings.HasPrefix(line, "- "):
			a := Answer{Text: line[2:], Right: line[0] == '+'}
			if m := tagged.FindStringSubmatch(a.Text); m != nil && !a.Right {
				a.Text, a.Misconception = m[1], m[2]
			}
			all = append(all, a)
		default:
			return nil, problemf(s.line+1+i, "%q: answers are lines with + or -, and indented lines about them", line)
		}
	}
	return all, nil
}

// parseLines parses lines "1 | text" and "- | text [misconception]".
func parseLines(s section) ([]Line, error) {
	var all []Line
	for i, line := range s.text {
		rank, text, ok := strings.Cut(line, " | ")
		switch {
		case strings.TrimSpace(line) == "":
		case !ok && strings.HasPrefix(line, "  ") && len(all) > 0:
			last := &all[len(all)-1]
			last.Gap = strings.TrimSpace(last.Gap + " " + strings.TrimSpace(line))
		case ok && rank == "-":
			l := Line{Text: text}
			if m := tagged.FindStringSubmatch(text); m != nil {
				l.Text, l.Misconception = m[1], m[2]
			}
			all = append(all, l)
		default:
			n, err := strconv.Atoi(rank)
			if !ok || err != nil || n < 1 {
				return nil, problemf(s.line+1+i, "%q is not of the form 1 | text", line)
			}
			all = append(all, Line{Rank: n, Text: text})
		}
	}
	return all, nil
}

// parseCells parses the fences of a section.
func parseCells(s section) ([]Cell, error) {
	var all []Cell
	var open *Cell
	for i, line := range s.text {
		language, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			if language != "cuda" && language != "go" {
				return nil, problemf(s.line+1+i, "code in %q: it is in cuda or go", language)
			}
			open = &Cell{Language: language}
		case fence:
			open.Text = strings.TrimSuffix(open.Text, "\n")
			all = append(all, *open)
			open = nil
		case open != nil:
			open.Text += line + "\n"
		}
	}
	if open != nil {
		return nil, problemf(s.line, "a fence of section %q does not end", s.title)
	}
	return all, nil
}
