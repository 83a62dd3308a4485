package findings

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

func sample(t *testing.T) Run {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return Run{File: "src/a b.cu", Report: backend.Report{Launches: 3, Findings: []backend.Finding{
		{Kind: backend.KindOutOfBounds, Program: "a b.cu", Kernel: "k", Line: 2, Message: "writes <4> bytes", Count: 54},
		{Kind: backend.KindRace, Program: "inc/k.h", Kernel: "sum<int>", Line: 4, Message: "may be meant", Warning: true, Count: 1},
		{Kind: backend.KindOutOfBounds, Program: filepath.Join(dir, "own.h"), Kernel: "k", Message: "again", Count: 1},
		{Kind: backend.KindFault, Program: "/usr/include/x.h", Kernel: "k", Line: 7, Thread: [3]int{-1}, Message: "ends the kernel"},
		{Kind: backend.KindLeak, Message: "40 bytes were not freed"},
	}}}
}

func TestFormat(t *testing.T) {
	for file, want := range map[string]string{"a.sarif": "{", "A.SARIF": "{", "b/a.sarif.json": "{", "a.xml": "<?xml", "a.json": "", "a": "", "sarif": ""} {
		write := Format(file)
		if (write == nil) != (want == "") {
			t.Errorf("%s: has a format: %v", file, write != nil)
		}
		if write == nil {
			continue
		}
		if text, err := write(sample(t)); err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%s: %.20q, %v", file, text, err)
		}
	}
}

func TestSARIF(t *testing.T) {
	text, err := SARIF(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range log.Runs[0].Results {
		if rule := log.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID; rule != r.RuleID {
			t.Errorf("the rule with index %d is %s, not %s", r.RuleIndex, rule, r.RuleID)
		}
		line := r.Level + " " + r.RuleID
		for _, l := range r.Locations {
			line += " " + l.PhysicalLocation.ArtifactLocation.URIBaseID + " " + l.PhysicalLocation.ArtifactLocation.URI
			if region := l.PhysicalLocation.Region; region != nil {
				line += ":" + string(rune('0'+region.StartLine))
			}
		}
		got = append(got, line)
	}
	want := []string{
		"error out-of-bounds %SRCROOT% src/a%20b.cu:2",
		"warning race %SRCROOT% inc/k.h:4",
		"error out-of-bounds %SRCROOT% own.h",
		"error fault  file:///usr/include/x.h:7",
		"error leaked-buffer",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("results\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	const message = "out of bounds in k: thread (0,0,0) of block (0,0,0) writes <4> bytes (54 times)"
	if got := log.Runs[0].Results[0].Message.Text; got != message {
		t.Errorf("message %q, want %q", got, message)
	}
	if n := len(log.Runs[0].Tool.Driver.Rules); n != 4 {
		t.Errorf("%d rules for 4 kinds", n)
	}
}

func TestJUnit(t *testing.T) {
	r := sample(t)
	text, err := JUnit(r)
	if err != nil {
		t.Fatal(err)
	}
	var suites junitSuites
	if err := xml.Unmarshal(text, &suites); err != nil {
		t.Fatal(err)
	}
	s := suites.Suite
	if s.Tests != 5 || s.Failures != 4 || len(s.Cases) != 5 {
		t.Errorf("%d tests, %d failures, %d cases", s.Tests, s.Failures, len(s.Cases))
	}
	if c := s.Cases[0]; c.Name != "out of bounds at src/a b.cu:2" || c.File != "src/a b.cu" || c.Line != 2 || c.Failure == nil || !strings.Contains(c.Failure.Message, "writes <4> bytes") {
		t.Errorf("the defect is %+v, %+v", c, c.Failure)
	}
	if c := s.Cases[1]; c.Failure != nil || !strings.Contains(c.Output, "may be meant") {
		t.Errorf("the warning is %+v", c)
	}
	r.Report.Findings = nil
	if text, err = JUnit(r); err != nil || !strings.Contains(string(text), `tests="1" failures="0"`) || !strings.Contains(string(text), "no defects in 3 launches") {
		t.Errorf("without findings: %s, %v", text, err)
	}
}
