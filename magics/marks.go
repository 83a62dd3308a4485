package magics

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// A mark is a message about a line of a cell, which JupyterLab's extension shows beside the line.
type mark struct {
	Line     int    `json:"line"`     // from 1
	Severity string `json:"severity"` // severityError or severityWarning
	Message  string `json:"message"`
}

const (
	severityError   = "error"
	severityWarning = "warning"
)

// markedCell has the marks of a cell, and the text that they are about: the front end's may have changed since.
type markedCell struct {
	Text  string `json:"text"`
	Marks []mark `json:"marks"`
}

// execution is what the extension is told of each cell that ran.
type execution struct {
	Cell  string                 `json:"cell"` // the front end's id
	Cells map[string]*markedCell `json:"cells"`
}

// annotation is the key of an execution in the metadata of a cell's reply.
const annotation = "gopherwarp"

// marks collects the marks that an execution makes, by the name of a cell.
type marks map[string][]mark

// mark adds a mark. program is the name of a cell, or of the CUDA program in it.
func (e *Engine) mark(program string, line int, severity, message string) {
	cell := strings.TrimSuffix(program, programSuffix)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ids[cell] != "" && line > 0 {
		e.marks[cell] = append(e.marks[cell], mark{line, severity, message})
	}
}

// annotate tells the front end the marks that the running cell has made.
func (e *Engine) annotate(cell kernel.Cell, out kernel.Output) {
	to, ok := out.(kernel.Annotator)
	if !ok || cell.ID == "" {
		return
	}
	run := execution{Cell: cell.ID, Cells: map[string]*markedCell{}}
	e.mu.Lock()
	for name, list := range e.marks {
		// An earlier run of the same cell may have had another text.
		if id := e.ids[name]; e.latest[id] == name {
			run.Cells[id] = &markedCell{e.sources[name], list}
		}
	}
	delete(e.marked, cell.ID)
	if len(run.Cells) > 0 {
		e.marked[cell.ID] = run
	}
	e.mu.Unlock()
	to.Annotate(annotation, run)
}

// executions returns the last executions of cells that have made marks, for a page that was loaded again.
func (e *Engine) executions() []execution {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Collect(maps.Values(e.marked))
}

// A marking is an output that takes the findings of check mode out of the reports that pass.
type marking struct {
	kernel.Output
	engine *Engine
}

// Display implements kernel.Output.
func (m marking) Display(data kernel.MIMEBundle, metadata map[string]any, id string) {
	if found, ok := metadata[gpuhost.FindingsKey]; ok {
		var list []check.Finding
		if raw, err := json.Marshal(found); err == nil && json.Unmarshal(raw, &list) == nil {
			m.engine.markFindings(list)
		}
		delete(metadata, gpuhost.FindingsKey)
	}
	m.Output.Display(data, metadata, id)
}

func (e *Engine) markFindings(list []check.Finding) {
	for i := range list {
		f := &list[i]
		severity := severityError
		if f.Warning {
			severity = severityWarning
		}
		e.mark(f.Program, f.Line, severity, f.Kind+": "+f.Message)
	}
}
