package debugger

import (
	"fmt"
	"strings"

	"github.com/google/go-dap"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

// A program is device code whose launches are recorded for breakpoints.
type program struct {
	cell string
	// kernels is what is known of kernels in Go; nil for CUDA C++. The cell of these has other Go code, too.
	kernels *gokernel.Debug
}

// Program records that a cell has the device code of a program, in which breakpoints stop recordings and not Go.
func (d *Debugger) Program(cell, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.programs[name] = program{cell: cell}
}

// Kernels records that the program of a cell's name has kernels in Go. Breakpoints in these stop recordings of launches, and runs as plain Go.
func (d *Debugger) Kernels(cell string, kernels gokernel.Debug) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.programs[cell] = program{cell: cell, kernels: &kernels}
}

// Stops returns the breakpoints in device code.
func (d *Debugger) Stops() gpuhooks.Stops {
	d.mu.Lock()
	defer d.mu.Unlock()
	stops := gpuhooks.Stops{}
	for name, p := range d.programs {
		if p.kernels == nil {
			for _, b := range d.breakpoints[d.paths[p.cell]] {
				stops[name] = append(stops[name], gpuhooks.Stop{Line: b.Line})
			}
			continue
		}
		for file, lines := range p.kernels.Lines {
			for _, b := range d.breakpoints[d.paths[file]] {
				if lines[b.Line] {
					stops[name] = append(stops[name], gpuhooks.Stop{File: strings.TrimPrefix(file, name), Line: b.Line})
				}
			}
		}
	}
	return stops
}

// device reports whether a source is device code only. d.mu is held.
func (d *Debugger) device(path string) bool {
	for _, p := range d.programs {
		if p.kernels == nil && d.paths[p.cell] == path {
			return true
		}
	}
	return false
}

// function returns the name of the function of a step.
func (p *program) function(recording *gpuhooks.Recording, step *gpuhooks.RecordedStep) string {
	if step.Function == "" {
		return recording.Kernel
	}
	if p.kernels != nil {
		if f, ok := p.kernels.Functions[step.Function]; ok {
			return f.Name
		}
	}
	return step.Function
}

// Words are what users write for the place of a thread.
type words struct {
	thread, block, blockDim, gridDim string
	components                       [3]string
}

func (p *program) words() words {
	if p.kernels != nil {
		return words{"gpu.ThreadIdx()", "gpu.BlockIdx()", "gpu.BlockDim()", "gpu.GridDim()", [3]string{".X", ".Y", ".Z"}}
	}
	return words{"threadIdx", "blockIdx", "blockDim", "gridDim", [3]string{".x", ".y", ".z"}}
}

// variables returns variables of a function as the user wrote them.
func (p *program) variables(function string, list []gpuhooks.Variable) []gpuhooks.Variable {
	if p.kernels == nil {
		return list
	}
	shown, ok := p.kernels.Functions[function]
	if !ok {
		return list
	}
	var made []gpuhooks.Variable
	for _, v := range list {
		of, ok := shown.Variables[v.Name]
		if !ok {
			continue // made by the translation
		}
		made = append(made, gpuhooks.Variable{Name: of.Name, Type: of.Type, Value: goValue(of.Type, v.Value)})
	}
	return made
}

// arguments returns a launch's arguments as the user wrote the parameters.
func (p *program) arguments(recording *gpuhooks.Recording) []gpuhooks.Variable {
	if p.kernels == nil {
		return recording.Params
	}
	passed := p.kernels.Functions[recording.Kernel].Passed
	var made []gpuhooks.Variable
	for _, v := range recording.Params {
		if of, ok := passed[v.Name]; ok {
			made = append(made, gpuhooks.Variable{Name: of.Name, Type: of.Type, Value: v.Value})
		}
	}
	return made
}

// goValue returns a value of C++ as Go shows it.
func goValue(typ, value string) string {
	var address string
	var length int
	if strings.HasPrefix(typ, "[]") {
		if n, _ := fmt.Sscanf(value, "{p: %s n: %d}", &address, &length); n == 2 {
			return fmt.Sprintf("%s, len %d", strings.TrimSuffix(address, ","), length)
		}
	}
	return value
}

// programSource returns the source of a file of a program: the program itself if the name is "". d.mu is held.
func (d *Debugger) programSource(name, file string) dap.Source {
	if file == "" {
		return dap.Source{Name: name, Path: d.paths[d.programs[name].cell]}
	}
	if path := d.paths[file]; path != "" {
		return dap.Source{Name: file, Path: path}
	}
	return dap.Source{Name: file, Path: file}
}
