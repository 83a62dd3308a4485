package tutor

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Minimum numbers for a bank from which a concept can be learned.
const (
	minItems  = 4
	minLevels = 2
	// maxColumns is the number of columns of code that fit on a card.
	maxColumns = 110
)

// A Report is the result of Lint.
type Report struct {
	// Problems are mistakes in items: what has to be mended.
	Problems []string
	// Short are concepts with too few items, or too few kinds of them.
	Short  []string
	Items  int
	ByType map[Type]int
	// Covered are the IDs of errors of the sources that items are about, which begin with X.
	Covered []string
}

// Lint checks a bank without running code.
func (b *Bank) Lint() Report {
	r := Report{Items: len(b.Items), ByType: map[Type]int{}}
	covered := map[string]bool{}
	for _, item := range b.Items {
		r.ByType[item.Type]++
		for _, id := range item.Covers {
			covered[id] = true
			if strings.HasPrefix(id, "X") && !slices.Contains(r.Covered, id) {
				r.Covered = append(r.Covered, id)
			}
		}
		for _, problem := range b.lintItem(item) {
			r.Problems = append(r.Problems, fmt.Sprintf("%s: %s", item.ID, problem))
		}
	}
	slices.SortFunc(r.Covered, func(a, b string) int { return errorNumber(a) - errorNumber(b) })
	used := map[string]bool{wrongOrder: true} // which grading names
	for _, item := range b.Items {
		for _, m := range item.misconceptions() {
			used[m] = true
		}
	}
	for id := range b.Misconceptions {
		if !used[id] {
			r.Problems = append(r.Problems, "misconceptions.md: no answer is about "+id+": remove it")
		}
	}
	for _, c := range b.Concepts {
		r.Problems = append(r.Problems, lintConcept(c)...)
		if lack := b.lacks(c); lack != "" {
			r.Short = append(r.Short, c.ID+": "+lack)
		}
	}
	slices.Sort(r.Problems)
	return r
}

func errorNumber(id string) (n int) {
	_, _ = fmt.Sscanf(id, "X%d", &n) // another ID counts as 0
	return n
}

func lintConcept(c *Concept) (problems []string) {
	for name, text := range map[string]string{
		"definition": c.Definition, "performance": c.Steps.Performance, "compare": c.Steps.Compare, "see": c.Steps.See, "instead": c.Steps.Instead, "use": c.Steps.Use,
	} {
		if text == "" {
			problems = append(problems, fmt.Sprintf("concepts.md: %s has no %s", c.ID, name))
		}
	}
	if see := c.Steps.See; see != "" && !toRun.MatchString(see) {
		problems = append(problems, fmt.Sprintf("concepts.md: the field see of %s has no command to run, such as `%%prof STATEMENT`", c.ID))
	}
	return problems
}

// toRun matches a command that shows something about a program.
var toRun = regexp.MustCompile("`(%|gopherwarp )")

// lacks says what the bank has too little of about a concept.
func (b *Bank) lacks(c *Concept) string {
	levels := map[int]bool{}
	code, produced := false, false
	for _, item := range b.about[c.ID] {
		levels[item.Level] = true
		code = code || item.Type.IsCode()
		produced = produced || item.Type.produced()
	}
	var lack []string
	if n := len(b.about[c.ID]); n < minItems {
		lack = append(lack, fmt.Sprintf("%d items, want %d", n, minItems))
	}
	if n := len(levels); n < minLevels {
		lack = append(lack, fmt.Sprintf("%d level, want %d", n, minLevels))
	}
	if !produced {
		lack = append(lack, "no item that cannot be guessed")
	}
	if !code {
		lack = append(lack, "no item of code")
	}
	return strings.Join(lack, ", ")
}

// misconceptions returns those that the item's wrong answers name.
func (i *Item) misconceptions() (all []string) {
	for _, a := range i.Answers {
		if !a.Right {
			all = append(all, a.Misconception)
		}
	}
	for _, l := range i.Lines {
		if l.Rank == 0 {
			all = append(all, l.Misconception)
		}
	}
	if i.Code != nil {
		for _, w := range i.Code.Wrong {
			all = append(all, w.Misconception)
		}
	}
	return all
}

func (b *Bank) lintItem(i *Item) (problems []string) {
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if !ids.MatchString(i.ID) || i.ID == background.ID {
		report("its directory needs a name of small letters, digits and hyphens")
	}
	if i.Prompt == "" {
		report("there is no question")
	}
	if i.Steps.Why == "" {
		report("section Why is missing: it explains the right answer")
	}
	if len(i.Hints) == 0 || len(i.Hints) > 3 {
		report("%d hints, want 1 to 3", len(i.Hints))
	}
	for _, m := range i.misconceptions() {
		if m == "" {
			report("a wrong answer names no misconception")
		} else if b.Misconceptions[m] == "" {
			report("misconception %q is not in misconceptions.md", m)
		}
	}
	for _, a := range i.Answers {
		if !a.Right && a.Gap == "" {
			report("the wrong answer %q has no line that says what is wrong", a.Text+a.Value)
		}
	}
	problems = append(problems, i.lintAnswers()...)
	return append(problems, i.lintVariables()...)
}

// lintAnswers checks that the answers fit the type.
func (i *Item) lintAnswers() (problems []string) {
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	right, wrong := 0, 0
	texts := map[string]bool{}
	for _, a := range i.Answers {
		if a.Right {
			right++
		} else {
			wrong++
		}
		if text := normal(a.Text + a.Value); texts[text] {
			report("the answer %q is there twice", a.Text+a.Value)
		} else {
			texts[text] = true
		}
	}
	switch i.Type {
	case Choice:
		if right != 1 || wrong < 2 || right+wrong > 8 {
			report("%d right and %d wrong choices, want one right one and at least two wrong ones", right, wrong)
		}
	case Multiple:
		if right < 2 || wrong < 1 || right+wrong > 8 {
			report("%d right and %d wrong choices, want at least two right ones and one wrong one", right, wrong)
		}
	case Numeric:
		if right != 1 || !i.Answers[0].Right {
			report("the first answer, and no other, is the right one")
		} else {
			problems = append(problems, i.lintNumbers()...)
		}
	case Short:
		if right == 0 {
			report("there is no right answer")
		}
	case Predict:
		if right != 1 || len(i.Program) == 0 {
			report("it needs a section Program and one right answer, with which its output is compared")
		}
	case Order:
		problems = append(problems, i.lintLines()...)
	default:
		problems = append(problems, i.lintCode()...)
	}
	return problems
}

func (i *Item) lintLines() (problems []string) {
	if n := len(i.Lines) - i.distractors(); n < 3 {
		problems = append(problems, fmt.Sprintf("%d lines to order, want at least 3", n))
	}
	for _, l := range i.Lines {
		if l.Rank == 0 && l.Gap == "" {
			problems = append(problems, fmt.Sprintf("the line %q has no line that says why it does not belong there", l.Text))
		}
	}
	return problems
}

func (i *Item) lintCode() (problems []string) {
	c := i.Code
	for name, text := range map[string]string{"Given": c.Given, "Solution": c.Solution, "Test": c.Test} {
		if text == "" {
			problems = append(problems, "section "+name+" is missing")
		}
	}
	if len(c.Wrong) == 0 {
		problems = append(problems, "there is no section Wrong: each likely mistake is one")
	}
	for _, w := range c.Wrong {
		if w.Gap == "" {
			problems = append(problems, fmt.Sprintf("the wrong code %s has no line that says what is wrong", w.Misconception))
		}
	}
	for line := range strings.Lines(c.Given) {
		if n := len([]rune(strings.ReplaceAll(line, "\t", "    "))); n > maxColumns {
			problems = append(problems, fmt.Sprintf("a line of what is given has %d columns, want at most %d", n, maxColumns))
		}
	}
	if i.Type == Optimise && !strings.Contains(c.Test, "verify.Speed(") {
		problems = append(problems, "the test takes no time: verify.Speed compares with a reference where there is a GPU")
	}
	if squeezed(c.Given) == squeezed(c.Solution) {
		problems = append(problems, "what is given is the solution")
	}
	return problems
}

// asks returns the item as it may be asked, with each value of its variables.
func (i *Item) asks() []*Pending {
	all := []*Pending{{Values: map[string]string{}}}
	for _, v := range i.Variables {
		var more []*Pending
		for _, p := range all {
			for _, value := range v.Values {
				values := map[string]string{v.Name: value}
				for name, old := range p.Values {
					values[name] = old
				}
				more = append(more, &Pending{Values: values})
			}
		}
		all = more
	}
	return all
}

// lintNumbers computes all answers again, with all values of the variables.
func (i *Item) lintNumbers() (problems []string) {
	for _, asked := range i.asks() {
		want, err := asked.value(i.Answers[0])
		if err != nil {
			return append(problems, err.Error())
		}
		if text := asked.fill(i.Answers[0].Text); text != "" {
			if q, err := evaluate(text); err != nil || !near(q.value, want, 0) {
				problems = append(problems, fmt.Sprintf("the answer is %s, but %s is %s", text, i.Answers[0].Value, number(want)))
			}
		}
		for _, a := range i.Answers[1:] {
			v, err := asked.value(a)
			switch {
			case err != nil:
				problems = append(problems, err.Error())
			case near(v, want, i.Tolerance):
				problems = append(problems, fmt.Sprintf("with %v the wrong answer %s%s is the right one", asked.Values, a.Text, a.Value))
			}
		}
	}
	if i.Unit != "" {
		if _, err := evaluateUnit(i.Unit); err != nil {
			problems = append(problems, "unit: "+err.Error())
		}
	}
	return problems
}

var variable = regexp.MustCompile(`\{([a-z]+)\}`)

// lintVariables checks that what is in braces is a variable, in items that have any.
func (i *Item) lintVariables() (problems []string) {
	if len(i.Variables) == 0 {
		return nil
	}
	for _, v := range i.Variables {
		if !strings.Contains(i.Prompt, "{"+v.Name+"}") {
			problems = append(problems, "the question does not mention {"+v.Name+"}")
		}
	}
	texts := []string{i.Prompt, i.Steps.Why}
	for _, a := range i.Answers {
		texts = append(texts, a.Text, a.Value, a.Gap, a.Credit)
	}
	for _, text := range append(texts, i.Hints...) {
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			if !slices.ContainsFunc(i.Variables, func(v Variable) bool { return v.Name == m[1] }) {
				problems = append(problems, fmt.Sprintf("{%s} is no variable", m[1]))
			}
		}
	}
	return problems
}
