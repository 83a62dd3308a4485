package findings

import (
	"encoding/xml"
	"fmt"
)

// The elements of JUnit's reports, as Maven's Surefire writes them: https://maven.apache.org/surefire/maven-surefire-plugin/xsd/.
type (
	junitSuites struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit returns the findings as a suite of tests: each defect is a test that fails, each warning one that passes with the warning as
// its output. Without any there is one test, which passes.
func JUnit(r Run) ([]byte, error) {
	suite := junitSuite{Name: "gopherwarp program --check " + r.File}
	for _, f := range r.Report.Findings {
		c := junitCase{Class: r.File, Name: f.Kind + " at " + r.place(f), File: r.file(f), Line: f.Line}
		if f.Warning {
			c.Output = message(f)
		} else {
			suite.Failures++
			c.Failure = &junitFailure{Message: message(f), Type: id(f.Kind), Text: r.place(f) + ": " + message(f)}
		}
		suite.Cases = append(suite.Cases, c)
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []junitCase{{Class: r.File, Name: fmt.Sprintf("no defects in %d launches", r.Report.Launches)}}
	}
	suite.Tests = len(suite.Cases)
	text, err := xml.MarshalIndent(junitSuites{Suite: suite}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing findings as JUnit's XML: %w", err)
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}
