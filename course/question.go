package course

import (
	"fmt"
	"hash/fnv"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Question is asked in a lesson, and answered by %answer.
type Question struct {
	ID      string
	Text    string
	Kind    QuestionKind
	Options []Option // of a choice; those of a number are known mistakes; those of an order are in the right one
	// Want is the answer to a question for a number, which may differ by Tolerance.
	Want, Tolerance float64
	Why             string // explains the right answer
	// Predict means that the answer is recorded and judged at the end of the lesson only.
	Predict bool
	Line    int // in the source file

	shuffled []int // the indices of Options in the order in which they are displayed
}

// A QuestionKind is the kind of a question.
type QuestionKind int

const (
	Choice QuestionKind = iota // one of the options
	Number                     // a number
	Order                      // the options in their order
)

// An Option is a possible answer.
type Option struct {
	Text  string
	Right bool
	Why   string // displayed to those who answer so
}

var (
	choiceLine = regexp.MustCompile(`^([-+]) (.+?)(?: => (.+))?$`)
	numberLine = regexp.MustCompile(`^= (\S+)(?: ± (\S+))?(?: => (.+))?$`)
	orderLine  = regexp.MustCompile(`^\d+\. (.+)$`)
	orderWhy   = regexp.MustCompile(`^=> (.+)$`)
)

// parseQuestion parses the body of a question: Markdown, and then lines that say of which kind it is.
func parseQuestion(id string, body []string, line int) (*Question, error) {
	q := &Question{ID: id, Line: line}
	var text []string
	for i, l := range body {
		choice, number, order, why := choiceLine.FindStringSubmatch(l), numberLine.FindStringSubmatch(l), orderLine.FindStringSubmatch(l), orderWhy.FindStringSubmatch(l)
		var err error
		switch {
		case choice != nil:
			q.Options = append(q.Options, Option{choice[2], choice[1] == "+", choice[3]})
		case number != nil:
			q.Kind, q.Why = Number, number[3]
			if q.Want, err = strconv.ParseFloat(number[1], 64); err == nil && number[2] != "" {
				q.Tolerance, err = strconv.ParseFloat(number[2], 64)
			}
		case order != nil:
			q.Kind = Order
			q.Options = append(q.Options, Option{Text: order[1]})
		case why != nil:
			q.Why = why[1]
		case len(q.Options) > 0 && strings.TrimSpace(l) != "":
			err = fmt.Errorf("%q after the options", l)
		default:
			text = append(text, l)
		}
		if err != nil {
			return nil, problemf(line+1+i, "question #%s: %v", id, err)
		}
	}
	q.Text = strings.TrimSpace(strings.Join(text, "\n"))
	if err := q.complete(); err != nil {
		return nil, problemf(line, "question #%s %v", id, err)
	}
	q.shuffle()
	return q, nil
}

// complete returns what the question lacks, or nil.
func (q *Question) complete() error {
	right := 0
	for _, o := range q.Options {
		if o.Right {
			right++
		}
		if _, err := strconv.ParseFloat(o.Text, 64); q.Kind == Number && err != nil {
			return fmt.Errorf("has the mistake %q, which is no number", o.Text)
		}
		if q.Kind != Order && !o.Right && o.Why == "" {
			return fmt.Errorf("does not say what is wrong with %q: write - %s => why", o.Text, o.Text)
		}
	}
	switch {
	case q.Text == "":
		return fmt.Errorf("asks nothing")
	case q.Kind == Choice && (right != 1 || len(q.Options) < 2):
		return fmt.Errorf("needs one right option, with +, and others, with -; or a number, with =; or steps in their order, from 1. on")
	case q.Kind == Number && right > 0:
		return fmt.Errorf("has a number and an option with +")
	case q.Kind == Order && (right > 0 || len(q.Options) < 3):
		return fmt.Errorf("needs at least three steps in their order, and no options")
	}
	return nil
}

// shuffle sets the order in which the options are displayed: that of the source, but for steps, which are mixed.
func (q *Question) shuffle() {
	for i := range q.Options {
		q.shuffled = append(q.shuffled, i)
	}
	if q.Kind != Order {
		return
	}
	key := func(i int) uint64 {
		h := fnv.New64a()
		fmt.Fprint(h, q.ID, q.Options[i].Text)
		return h.Sum64()
	}
	slices.SortFunc(q.shuffled, func(a, b int) int {
		if key(a) < key(b) {
			return -1
		}
		return 1
	})
	if slices.IsSorted(q.shuffled) { // the right order must not be the one that is displayed
		slices.Reverse(q.shuffled)
	}
}

func letter(i int) string { return string(rune('a' + i)) }

// ask returns the question as Markdown.
func (q *Question) ask() string {
	var b strings.Builder
	what := "Question"
	if q.Predict {
		what = "Predict"
	}
	fmt.Fprintf(&b, "**%s.** %s\n", what, q.Text)
	if q.Kind != Number {
		b.WriteByte('\n')
		for at, i := range q.shuffled {
			fmt.Fprintf(&b, "* **%s** – %s\n", letter(at), q.Options[i].Text)
		}
	}
	how := map[QuestionKind]string{
		Choice: "Write the letter of your answer in place of the question mark.",
		Number: "Write a number in place of the question mark.",
		Order:  "Write the letters in the right order in place of the question mark, with spaces between them.",
	}
	b.WriteString("\n" + how[q.Kind])
	return b.String()
}

// answer returns the right answer, as it is written after %answer.
func (q *Question) answer() string {
	switch q.Kind {
	case Number:
		return strconv.FormatFloat(q.Want, 'g', -1, 64)
	case Order:
		letters := make([]string, len(q.Options))
		for at, i := range q.shuffled {
			letters[i] = letter(at)
		}
		return strings.Join(letters, " ")
	}
	return letter(slices.IndexFunc(q.shuffled, func(i int) bool { return q.Options[i].Right }))
}

// text returns an answer with the text of the option that it is.
func (q *Question) text(answer string) string {
	if i := q.option(answer); q.Kind == Choice && i >= 0 {
		return fmt.Sprintf("%s – %s", answer, q.Options[i].Text)
	}
	return answer
}

// option returns the index of the option with that letter, or -1.
func (q *Question) option(letter string) int {
	if len(letter) == 1 {
		if at := int(letter[0]) - 'a'; at >= 0 && at < len(q.shuffled) {
			return q.shuffled[at]
		}
	}
	return -1
}

// judge reports whether an answer is right, and why. The error says what is no answer.
func (q *Question) judge(answer string) (right bool, why string, err error) {
	switch q.Kind {
	case Number:
		return q.judgeNumber(answer)
	case Order:
		return q.judgeOrder(strings.Fields(answer))
	}
	i := q.option(answer)
	if i < 0 {
		return false, "", fmt.Errorf("%q is none of the letters from a to %s", answer, letter(len(q.Options)-1))
	}
	return q.Options[i].Right, q.Options[i].Why, nil
}

func (q *Question) judgeNumber(answer string) (right bool, why string, err error) {
	got, err := strconv.ParseFloat(strings.NewReplacer("_", "", " ", "", ",", ".").Replace(answer), 64)
	if err != nil {
		return false, "", fmt.Errorf("%q is no number: write it with a point and without a unit", answer)
	}
	if math.Abs(got-q.Want) <= q.Tolerance {
		return true, q.Why, nil
	}
	for _, o := range q.Options {
		if v, err := strconv.ParseFloat(o.Text, 64); err == nil && math.Abs(got-v) <= q.Tolerance {
			return false, o.Why, nil
		}
	}
	if got > q.Want {
		return false, "It is less.", nil
	}
	return false, "It is more.", nil
}

func (q *Question) judgeOrder(letters []string) (right bool, why string, err error) {
	seen := map[int]bool{}
	first := -1 // the first step that is at the wrong place
	for at, l := range letters {
		i := q.option(l)
		if i < 0 || seen[i] {
			return false, "", fmt.Errorf("want each of the letters from a to %s once, with spaces between them", letter(len(q.Options)-1))
		}
		if seen[i] = true; i != at && first < 0 {
			first = at
		}
	}
	switch {
	case len(letters) != len(q.Options):
		return false, "", fmt.Errorf("%d letters, want %d", len(letters), len(q.Options))
	case first < 0:
		return true, q.Why, nil
	case first == 0:
		return false, fmt.Sprintf("%s does not come first.", letters[0]), nil
	}
	return false, fmt.Sprintf("After %s does not come %s.", letters[first-1], letters[first]), nil
}

// wrongAnswers returns answers that must be judged wrong, each with the reason.
func (q *Question) wrongAnswers() map[string]string {
	answers := map[string]string{}
	switch q.Kind {
	case Choice:
		for at, i := range q.shuffled {
			if o := q.Options[i]; !o.Right {
				answers[letter(at)] = o.Why
			}
		}
	case Number:
		for _, o := range q.Options {
			answers[o.Text] = o.Why
		}
		answers[strconv.FormatFloat(q.Want+2*q.Tolerance+1, 'g', -1, 64)] = ""
	case Order:
		right := strings.Fields(q.answer())
		slices.Reverse(right)
		answers[strings.Join(right, " ")] = "does not come first"
	}
	return answers
}

// cells returns the cells of the question: its text, and the answer.
func (q *Question) cells() []*Cell {
	return []*Cell{
		{ID: "ask-" + q.ID, Language: markdown, Source: q.ask(), Line: q.Line},
		{ID: q.ID, Language: "go", Source: "%answer " + q.ID + " " + q.answer(), Line: q.Line, Question: q},
	}
}
