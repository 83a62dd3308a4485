package tutor

import (
	"context"
	"fmt"
	"strings"
)

// Prove runs the code of an item: the answer to a program is what it prints, the solution passes, and each wrong answer, as well as what is
// given to be mended, is refused for its reason. Kernels run on the device. It returns what does not hold; the error is that of the runner.
func (b *Bank) Prove(ctx context.Context, i *Item, runner Runner, device string) (problems []string, err error) {
	if i.Type == Predict {
		out, err := runner.Output(ctx, device, i.Program)
		if err != nil {
			return nil, fmt.Errorf("run the program of %s: %w", i.ID, err)
		}
		for _, a := range i.Answers {
			if (words(out) == words(a.Text)) != a.Right {
				problems = append(problems, fmt.Sprintf("%s: the program prints %q, and an answer is %q", i.ID, strings.TrimSpace(out), a.Text))
			}
		}
		return problems, nil
	}
	if i.Code == nil {
		return nil, nil
	}
	report := func(format string, args ...any) {
		problems = append(problems, i.ID+": "+fmt.Sprintf(format, args...))
	}
	test := func(what, answer string) (v Verdict, err error) {
		if v, err = runner.Test(ctx, device, i.Code, answer); err != nil {
			err = fmt.Errorf("test %s of %s: %w", what, i.ID, err)
		}
		return v, err
	}
	v, err := test("the solution", i.Code.Solution)
	if err != nil {
		return nil, err
	}
	if !v.Pass {
		report("the solution is refused: %s", v.Message)
	}
	if v, err = test("what is given", i.Code.Given); err != nil {
		return nil, err
	}
	switch {
	case v.Pass:
		report("what is given passes")
	case i.Type == Fix && !v.Compiles:
		report("what is given does not compile: %s", v.Message)
	}
	for _, w := range i.Code.Wrong {
		what := "the wrong answer " + w.Misconception
		if v, err = test(what, w.Text); err != nil {
			return nil, err
		}
		switch {
		case v.Pass:
			report("%s passes", what)
		case !v.Compiles:
			report("%s does not compile: %s", what, v.Message)
		case !strings.Contains(v.Message, w.Refused):
			report("%s is refused without saying %q: %s", what, w.Refused, v.Message)
		default:
			if first := i.Code.refusal(v.Message); first.Misconception != w.Misconception {
				report("%s gets the feedback of %s, whose line Refused comes first", what, first.Misconception)
			}
		}
	}
	return problems, nil
}

// refusal returns the wrong answer whose reason is in a message, or nil.
func (c *Code) refusal(message string) *WrongCode {
	for n, w := range c.Wrong {
		if strings.Contains(message, w.Refused) {
			return &c.Wrong[n]
		}
	}
	return nil
}
