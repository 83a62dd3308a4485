package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Choice checks the answer to a question, such as a letter or a word. Case and space around it do not matter. why has the other possible
// answers, each with the reason why it is wrong, which the failure reports. The error is a *Failure.
//
//	verify.Choice("bound", answer, "memory", map[string]string{
//		"compute": "It does one addition for 12 bytes.",
//	})
func Choice(name, got, right string, why map[string]string) error {
	plain := func(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
	if plain(got) == plain(right) {
		passed(name, "%s", strings.TrimSpace(got))
		return nil
	}
	possible := append(slices.Collect(maps.Keys(why)), right)
	slices.Sort(possible)
	choose := "Choose one of these: " + strings.Join(possible, ", ") + "."
	if got := plain(got); got == "" || got == "?" {
		return questionFailure(name, "not answered yet", choose)
	}
	for answer, reason := range why {
		if plain(answer) == plain(got) {
			return questionFailure(name, "not "+answer, reason)
		}
	}
	return questionFailure(name, fmt.Sprintf("%q is none of the answers", got), choose)
}

// Order checks that steps are in their order. The failure names the first one that is not. The error is a *Failure.
func Order(name string, got, want []string) error {
	if slices.Equal(got, want) {
		passed(name, "all %s are in their order", counted(len(want), "step", "steps"))
		return nil
	}
	for i, step := range got {
		switch {
		case !slices.Contains(want, step):
			return questionFailure(name, fmt.Sprintf("%q is none of the steps", step), "Write each step as it is given.")
		case slices.Contains(got[:i], step):
			return questionFailure(name, fmt.Sprintf("%q is there twice", step), "Write each step once.")
		}
	}
	for i, step := range got {
		switch {
		case step == want[i]:
		case i == 0:
			return questionFailure(name, "the order is not right", fmt.Sprintf("%q does not come first.", step))
		default:
			return questionFailure(name, "the order is not right", fmt.Sprintf("After %q does not come %q.", got[i-1], step))
		}
	}
	return questionFailure(name, "steps are missing", fmt.Sprintf("%s given, of %d.", counted(len(got), "step is", "steps are"), len(want)))
}

func questionFailure(name, reason, hint string) *Failure {
	f := &Failure{Check: name, Reason: Reason(reason), Hint: hint}
	f.message = fmt.Sprintf("%s: %s\n%s", name, reason, wrap(hint))
	return f
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
