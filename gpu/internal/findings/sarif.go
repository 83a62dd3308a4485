package findings

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// The objects of SARIF 2.1.0 that are used here: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string       `json:"id"`
		ShortDescription sarifMessage `json:"shortDescription"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID          string          `json:"ruleId"`
		RuleIndex       int             `json:"ruleIndex"`
		Level           string          `json:"level"`
		Message         sarifMessage    `json:"message"`
		OccurrenceCount int             `json:"occurrenceCount,omitempty"`
		Locations       []sarifLocation `json:"locations,omitempty"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
		LogicalLocations []sarifName   `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifName struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
	}
)

// SARIF returns the findings as a log of SARIF 2.1.0. Defects have the level "error", and what may be intended "warning". Relative
// paths are relative to the root of the sources, %SRCROOT%.
func SARIF(r Run) ([]byte, error) {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "gopherwarp", InformationURI: "https://github.com/gopherwarp/gopherwarp", Rules: []sarifRule{}}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	rules := &run.Tool.Driver.Rules
	for _, f := range r.Report.Findings {
		index := slices.IndexFunc(*rules, func(rule sarifRule) bool { return rule.ID == id(f.Kind) })
		if index < 0 {
			index = len(*rules)
			*rules = append(*rules, sarifRule{ID: id(f.Kind), ShortDescription: sarifMessage{f.Kind}})
		}
		run.Results = append(run.Results, r.result(f, index))
	}
	text, err := json.MarshalIndent(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing findings as SARIF: %w", err)
	}
	return append(text, '\n'), nil
}

func (r Run) result(f backend.Finding, rule int) sarifResult {
	result := sarifResult{RuleID: id(f.Kind), RuleIndex: rule, Level: "error", Message: sarifMessage{message(f)}, OccurrenceCount: f.Count}
	if f.Warning {
		result.Level = "warning"
	}
	file := r.file(f)
	if file == "" {
		return result
	}
	location := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: sarifArtifact{URI: uri(file)}}}
	if !path.IsAbs(file) {
		location.PhysicalLocation.ArtifactLocation.URIBaseID = "%SRCROOT%"
	}
	if f.Line > 0 {
		location.PhysicalLocation.Region = &sarifRegion{f.Line}
	}
	if f.Kernel != "" {
		location.LogicalLocations = []sarifName{{f.Kernel, "function"}}
	}
	result.Locations = []sarifLocation{location}
	return result
}

// uri returns a path as a reference of RFC 3986.
func uri(file string) string {
	u := url.URL{Path: file}
	if path.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}
