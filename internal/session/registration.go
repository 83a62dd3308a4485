package session

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// registrations are panics of packages that accept a name only once, and the remedies. The second group, if there is one, is
// the name. Cells that are run again replace their own flags and patterns: see package registered.
var registrations = []struct {
	message *regexp.Regexp
	anew    string
}{
	{regexp.MustCompile(`^(?:.*[: ])?(flag redefined: (.+))$`), `flag.CommandLine = flag.NewFlagSet("cell", flag.ContinueOnError)`},
	{regexp.MustCompile(`(?s)^(pattern .* conflicts with pattern "(.*?)" .*)$`), "http.DefaultServeMux = http.NewServeMux()"},
	{regexp.MustCompile(`(?i)^(reuse of exported var name: (.+)|sql: Register called twice .+)$`), "%reset"},
	{regexp.MustCompile(`(?s)^(.*duplicate metrics collector registration attempted.*)$`), "%reset"},
}

var registeredDriver = regexp.MustCompile(`^sql: Register called twice for driver (.+)$`)

// explainRegistration adds to the error of a name that is already registered which cell has registered it, and the remedy.
func (s *Session) explainRegistration(err error, src Source) error {
	var run *RunError
	if !errors.As(err, &run) {
		return err
	}
	for _, r := range registrations {
		m := r.message.FindStringSubmatch(strings.TrimSpace(run.Message))
		if m == nil {
			continue
		}
		name := ""
		if len(m) > 2 {
			name = m[2]
		}
		if d := registeredDriver.FindStringSubmatch(m[1]); d != nil {
			name = d[1]
		}
		run.Message = fmt.Sprintf("%s\n%s has registered it. To begin anew: %s", m[1], s.registrant(name, run, src), r.anew)
		break
	}
	return err
}

// registrant returns the name of the earlier cell that contains the name in quotes, or else the line in which the run failed.
func (s *Session) registrant(name string, run *RunError, src Source) string {
	wanted := []string{}
	if name != "" {
		wanted = []string{strconv.Quote(name), "`" + name + "`"}
	} else if i := slices.IndexFunc(run.Frames, func(f Frame) bool { return f.File == src.Name }); i >= 0 {
		lines := strings.Split(src.Text, "\n")
		if at := run.Frames[i].Line - 1; at >= 0 && at < len(lines) {
			wanted = []string{strings.TrimSpace(lines[at])}
		}
	}
	for i := len(s.begun) - 2; i >= 0; i-- { // the last one is this run
		earlier := s.begun[i]
		if !slices.ContainsFunc(wanted, func(text string) bool { return strings.Contains(earlier.Text, text) }) {
			continue
		}
		if earlier.identity() == src.identity() {
			return "An earlier run of this cell, " + earlier.Name + ","
		}
		return earlier.Name
	}
	return "An earlier cell"
}
