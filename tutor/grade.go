package tutor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// A Runner runs code of items. It must not let an answer harm what the learner has in the session.
// Device is the device that kernels run on, such as "cuda:0", or "" for the default one.
type Runner interface {
	// Output runs a program and returns what it prints.
	Output(ctx context.Context, device string, program []Cell) (string, error)
	// Test runs an answer with the item's setup and its hidden test. The error is that of the run, not of the answer.
	Test(ctx context.Context, device string, code *Code, answer string) (Verdict, error)
}

// A Verdict is the result of a test of code.
type Verdict struct {
	Pass bool
	// Compiles is false if the answer could not be tested. It does not count as an attempt.
	Compiles bool
	Message  string // why it did not pass
	Took     string // how long it took, where that was measured
	// Picture shows the smallest case that failed, step by step: a MIME bundle, or nil.
	Picture map[string]any
}

// An InputError is the error of an answer that cannot be graded, and so counts for nothing.
type InputError struct{ message string }

func (e *InputError) Error() string { return e.message }

func inputError(format string, args ...any) error { return &InputError{fmt.Sprintf(format, args...)} }

// A grade is the result of grading.
type grade struct {
	right         bool
	misconception string
	credit, gap   string
	took          string
	picture       map[string]any
}

// wrong returns the grade of an answer that is wrong in a way that the item knows.
func wrong(a Answer) grade {
	return grade{misconception: a.Misconception, credit: a.Credit, gap: a.Gap}
}

// wrongOrder is the misconception of lines in a wrong order.
const wrongOrder = "wrong-order"

const (
	maxText = 1000
	maxCode = 64 << 10
)

// grade grades an answer to an item as it was asked.
func (t *Tutor) grade(ctx context.Context, item *Item, asked *Pending, r Request) (grade, error) {
	text := r.Args
	limit := maxText
	if item.Type.IsCode() {
		limit = maxCode
	}
	if len(text) > limit {
		return grade{}, inputError("the answer has %d bytes, of which at most %d are read: nothing was graded; answer again, with the answer alone", len(text), limit)
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return grade{}, inputError("the answer is empty: %s", item.how())
	}
	switch item.Type {
	case Choice:
		return item.gradeChoice(asked, text)
	case Multiple:
		return item.gradeMultiple(asked, text)
	case Numeric:
		return item.gradeNumber(asked, text)
	case Order:
		return item.gradeOrder(asked, text)
	case Short:
		return item.gradeShort(text), nil
	case Predict:
		return t.gradeOutput(ctx, item, r.Device, text)
	}
	return t.gradeCode(ctx, item, r.Device, text)
}

// how says how an item of that type is answered.
func (i *Item) how() string {
	switch i.Type {
	case Choice:
		return "choose one, as in %tutor answer B"
	case Multiple:
		return "choose all that are right, as in %tutor answer A,C"
	case Numeric:
		switch {
		case i.Unit == "x":
			return "give the factor, as in %tutor answer 3*14"
		case slices.Contains(counts, i.Unit):
			return fmt.Sprintf("give the number of %s, as in %%tutor answer 3*14", i.Unit)
		case i.Unit != "":
			return fmt.Sprintf("give a number, in %s or with its unit, as in %%tutor answer 3*14 %s", i.Unit, i.Unit)
		}
		return "give a number or an expression, as in %tutor answer 256*61 + 320"
	case Order:
		return "give the numbers of the lines in the right order, as in %tutor answer 3 1 2, without lines that do not belong there"
	case Short:
		return "give a word, as in %tutor answer grid"
	case Predict:
		return "give what it prints, as in %tutor answer 1 2 3"
	}
	return "write %%tutor answer in the first line of a cell, and the code below it"
}

// letters returns the index in the item of a choice that is called by its letter or its text.
func (i *Item) letter(asked *Pending, text string) (int, bool) {
	if len(text) == 1 {
		at := int(unicode.ToUpper(rune(text[0])) - 'A')
		if at >= 0 && at < len(asked.Order) {
			return asked.Order[at], true
		}
		return 0, false
	}
	for n, a := range i.Answers {
		if normal(asked.fill(a.Text)) == normal(text) {
			return n, true
		}
	}
	return 0, false
}

func (i *Item) gradeChoice(asked *Pending, text string) (grade, error) {
	n, ok := i.letter(asked, text)
	if !ok {
		return grade{}, inputError("%q is none of the choices A to %c: %s", short(text), 'A'+len(asked.Order)-1, i.how())
	}
	a := i.Answers[n]
	if a.Right {
		return grade{right: true, credit: a.Credit}, nil
	}
	return wrong(asked.filled(a)), nil
}

func (i *Item) gradeMultiple(asked *Pending, text string) (grade, error) {
	chosen := map[int]bool{}
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || unicode.IsSpace(r) })
	if len(words) == 1 && len(words[0]) > 1 {
		words = strings.Split(words[0], "") // "AC"
	}
	for _, word := range words {
		n, ok := i.letter(asked, word)
		if !ok {
			return grade{}, inputError("%q is none of the choices A to %c: %s", short(word), 'A'+len(asked.Order)-1, i.how())
		}
		chosen[n] = true
	}
	hits, total := 0, 0
	var first *Answer // the first mistake in the order of the item
	for n, a := range i.Answers {
		if a.Right {
			total++
		}
		switch {
		case a.Right && chosen[n]:
			hits++
		case a.Right != chosen[n] && (first == nil || first.Right && !a.Right):
			first = &i.Answers[n]
		}
	}
	if first == nil {
		return grade{right: true}, nil
	}
	g := wrong(asked.filled(*first))
	if hits > 0 {
		g.credit = fmt.Sprintf("%d of the %d right ones are among yours. %s", hits, total, g.credit)
	}
	switch {
	case first.Right && g.gap == "":
		g.gap = "One that is right is missing: look at each again, and ask when it would not hold."
	case first.Right:
		g.gap = "One that is right is missing. " + g.gap
	default:
		g.gap = fmt.Sprintf("Not right: %s. %s", strings.TrimSuffix(asked.fill(first.Text), "."), g.gap)
	}
	return g, nil
}

func (i *Item) gradeNumber(asked *Pending, text string) (grade, error) {
	q, err := evaluate(text)
	if err != nil {
		return grade{}, inputError("the answer %q can't be read: %v. Please %s", short(text), err, i.how())
	}
	unit := quantity{value: 1}
	if i.Unit != "" {
		if unit, err = evaluateUnit(i.Unit); err != nil {
			return grade{}, fmt.Errorf("grade %s: its unit %s: %w", i.ID, i.Unit, err)
		}
	}
	switch {
	case q.pure() && unit.pure() && strings.Contains(text, "%"): // it is a part of 1 already
	case q.pure():
		q.value *= unit.value
	case !q.sameUnit(unit):
		return grade{}, inputError("%q has another unit than what is asked for: %s", short(text), i.how())
	}
	for _, a := range i.Answers {
		want, err := asked.value(a)
		if err != nil {
			return grade{}, fmt.Errorf("grade %s: %w", i.ID, err)
		}
		if !near(q.value, want*unit.value, i.Tolerance) {
			continue
		}
		if a.Right {
			return grade{right: true}, nil
		}
		return wrong(asked.filled(a)), nil
	}
	g := grade{gap: "That is not the number that comes out. Write down what is counted, step by step, and give the expression instead of its value."}
	if want, err := asked.value(i.Answers[0]); err == nil && i.Answers[0].Right && want != 0 {
		switch ratio := q.value / (want * unit.value); {
		case ratio > 0.5 && ratio < 2:
			g.credit = "The order of magnitude is right."
		case ratio > 0:
			g.gap = fmt.Sprintf("It is %s. Write down what is counted, step by step, and check each unit.", map[bool]string{true: "too large", false: "too small"}[ratio > 1])
		}
	}
	return g, nil
}

func evaluateUnit(name string) (quantity, error) { return evaluate("1 " + name) }

// near reports whether a number is another one, up to a relative error. Without one, to three significant digits or as an integer.
func near(got, want, tolerance float64) bool {
	if want == math.Trunc(want) && tolerance == 0 && math.Abs(want) < 1e9 {
		return math.Abs(got-want) < 1e-6*max(1, math.Abs(want))
	}
	return math.Abs(got-want) <= max(tolerance, 0.005)*math.Abs(want)
}

func (i *Item) gradeShort(text string) grade {
	for _, a := range i.Answers {
		if normal(a.Text) == normal(text) {
			if a.Right {
				return grade{right: true, credit: a.Credit}
			}
			return wrong(a)
		}
	}
	return grade{gap: "That is another word than the one that is looked for."}
}

// normal returns a text without what does not count in a word: capitals, spaces, quotes, parentheses of a call and signs at the end.
func normal(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	text = strings.Trim(text, "`'\"")
	text = strings.TrimRight(text, ".;!")
	text = strings.TrimSuffix(text, "()")
	return strings.Join(strings.Fields(text), " ")
}

func (i *Item) gradeOrder(asked *Pending, text string) (grade, error) {
	numbers, err := i.numbers(asked, text)
	if err != nil {
		return grade{}, err
	}
	want := i.ranks(numbers)
	right, last := 0, 0
	for n, at := range numbers {
		line := i.Lines[at]
		if line.Rank == 0 {
			return grade{misconception: line.Misconception, credit: beginning(right), gap: fmt.Sprintf("Line %d of yours does not belong there: `%s`. %s", n+1, line.Text, line.Gap)}, nil
		}
		if want[n] < last || !i.follows(want[:n], want[n]) {
			return grade{
				misconception: wrongOrder, credit: beginning(right),
				gap: fmt.Sprintf("`%s` comes too %s.", line.Text, map[bool]string{true: "late", false: "early"}[want[n] < last]),
			}, nil
		}
		last = want[n]
		right++
	}
	if total := len(i.Lines) - i.distractors(); right < total {
		return grade{misconception: wrongOrder, credit: beginning(right), gap: fmt.Sprintf("It does not end there: %d of %d lines are missing.", total-right, total)}, nil
	}
	return grade{right: true}, nil
}

func beginning(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("The first %s.", map[bool]string{true: "line is right", false: fmt.Sprintf("%d lines are right", n)}[n == 1])
}

func (i *Item) distractors() int {
	n := 0
	for _, l := range i.Lines {
		if l.Rank == 0 {
			n++
		}
	}
	return n
}

// numbers returns the indices of the lines that an answer names, each once.
func (i *Item) numbers(asked *Pending, text string) ([]int, error) {
	var all []int
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", ;\t\n-", r) }) {
		n := 0
		if _, err := fmt.Sscanf(word, "%d", &n); err != nil || n < 1 || n > len(asked.Order) || fmt.Sprint(n) != word {
			return nil, inputError("%q is not the number of a line from 1 to %d: %s", short(word), len(asked.Order), i.how())
		}
		if slices.Contains(all, asked.Order[n-1]) {
			return nil, inputError("line %d is in the answer twice: %s", n, i.how())
		}
		all = append(all, asked.Order[n-1])
	}
	return all, nil
}

// ranks returns the rank of each line. Lines of equal text may be exchanged, so they get their ranks in the order of the answer.
func (i *Item) ranks(lines []int) []int {
	free := map[string][]int{}
	for _, l := range i.Lines {
		if l.Rank > 0 {
			free[l.Text] = append(free[l.Text], l.Rank)
		}
	}
	for _, f := range free {
		slices.Sort(f)
	}
	ranks := make([]int, len(lines))
	for n, at := range lines {
		text := i.Lines[at].Text
		if f := free[text]; len(f) > 0 {
			ranks[n], free[text] = f[0], f[1:]
		}
	}
	return ranks
}

// follows reports whether all lines of lower rank are before a line of that rank.
func (i *Item) follows(before []int, rank int) bool {
	lower := 0
	for _, l := range i.Lines {
		if l.Rank > 0 && l.Rank < rank {
			lower++
		}
	}
	for _, r := range before {
		if r < rank {
			lower--
		}
	}
	return lower == 0
}

// errNoRunner is the error where code cannot be run.
var errNoRunner = errors.New("there is nothing here that could run the code of this question: %tutor skip goes on to another")

func (t *Tutor) gradeOutput(ctx context.Context, item *Item, device, text string) (grade, error) {
	if t.Runner == nil {
		return grade{}, errNoRunner
	}
	out, err := t.Runner.Output(ctx, device, item.Program)
	if err != nil {
		return grade{}, fmt.Errorf("run the program of question %s: %w", item.ID, err)
	}
	if words(out) == words(text) {
		return grade{right: true}, nil
	}
	for _, a := range item.Answers {
		if !a.Right && words(a.Text) == words(text) {
			return wrong(a), nil
		}
	}
	got, want := strings.Fields(words(text)), strings.Fields(words(out))
	same := 0
	for same < min(len(got), len(want)) && got[same] == want[same] {
		same++
	}
	g := grade{gap: "It prints something else. Follow it step by step with paper and pencil, for each thread."}
	if len(got) != len(want) {
		g.gap = fmt.Sprintf("It prints %d values or words; your answer has %d.", len(want), len(got))
	}
	if same > 0 {
		g.credit = fmt.Sprintf("The beginning is right: %s.", strings.Join(want[:same], " "))
	}
	return g, nil
}

// words returns a text without what does not count in an output: brackets, commas and the width of spaces.
func words(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("[](),;", r) }), " ")
}

func (t *Tutor) gradeCode(ctx context.Context, item *Item, device, text string) (grade, error) {
	if t.Runner == nil {
		return grade{}, errNoRunner
	}
	if !strings.Contains(text, "{") {
		return grade{}, inputError("this question wants code: %s", item.how())
	}
	if item.Type == Fix && squeezed(text) == squeezed(item.Code.Given) {
		return grade{}, inputError("that is the code as it was given: change it, and answer again")
	}
	v, err := t.Runner.Test(ctx, device, item.Code, text)
	if err != nil {
		return grade{}, fmt.Errorf("test the answer: %w", err)
	}
	switch {
	case v.Pass:
		return grade{right: true, took: v.Took}, nil
	case !v.Compiles:
		return grade{}, inputError("the answer was not tested, since it does not compile or run, which does not count as an attempt:\n\n```\n%s\n```", v.Message)
	}
	g := grade{credit: "It compiles and runs.", gap: "```\n" + v.Message + "\n```", picture: v.Picture}
	if w := item.Code.refusal(v.Message); w != nil {
		g.misconception = w.Misconception
		if w.Credit != "" {
			g.credit = w.Credit
		}
		g.gap = w.Gap + "\n\n" + g.gap
	}
	return g, nil
}

// squeezed returns code without spaces.
func squeezed(code string) string { return strings.Join(strings.Fields(code), "") }

// fill replaces the variables in a text by their values.
func (p *Pending) fill(text string) string {
	for name, value := range p.Values {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

// filled returns an answer with the values of the variables.
func (p *Pending) filled(a Answer) Answer {
	a.Credit, a.Gap = p.fill(a.Credit), p.fill(a.Gap)
	return a
}

// value returns the number of an answer.
func (p *Pending) value(a Answer) (float64, error) {
	text := a.Value
	if text == "" {
		text = a.Text
	}
	q, err := evaluate(p.fill(text))
	if err != nil {
		return 0, fmt.Errorf("compute %s: %w", text, err)
	}
	return q.value, nil
}

// short returns the beginning of a text that is quoted in a message.
func short(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
