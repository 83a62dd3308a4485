package driver

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

var (
	_ backend.Capturer = (*device)(nil)
	_ backend.Lender   = (*device)(nil)
	_ backend.Marker   = (*device)(nil)
	_ backend.Signaler = (*device)(nil)
)

// tooOldForGraphs returns the error of drivers before CUDA 12.
func tooOldForGraphs() error {
	return &backend.Error{Code: int(errNotSupported), Name: "CUDA_ERROR_NOT_SUPPORTED", Message: "graphs need a driver of CUDA 12 or newer"}
}

func (d *device) Capture(stream uint32) error {
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	a := d.api
	if a.BeginCapture == nil || a.EndCapture == nil || a.GraphInstantiate == nil || a.GraphLaunch == 0 || a.GraphDestroy == nil || a.GraphExecDestroy == nil {
		return tooOldForGraphs()
	}
	return a.check(a.BeginCapture(s, captureRelaxed), "beginning to capture a stream")
}

// EndCapture updates an earlier graph of that handle if it has the same structure, which is faster than instantiating another
// one.
func (d *device) EndCapture(stream, graph uint32) error {
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	a := d.api
	var captured uintptr
	if err := a.check(a.EndCapture(s, &captured), "capturing a stream"); err != nil {
		return err
	}
	defer a.GraphDestroy(captured)
	old, replaces := d.graphs[graph]
	if replaces && a.GraphUpdate != nil && a.GraphUpdate(old, captured, &graphUpdateInfo{}) == success {
		return nil
	}
	var exec uintptr
	if err := a.check(a.GraphInstantiate(&exec, captured, 0), "instantiating a graph"); err != nil {
		return err
	}
	if replaces {
		a.GraphExecDestroy(old)
	}
	d.graphs[graph] = exec
	return nil
}

func (d *device) GraphLaunch(graph, stream uint32) error {
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	g, ok := d.graphs[graph]
	if !ok {
		return unknownHandle("graph", graph)
	}
	return d.api.check(result(d.api.GraphLaunch.call(g, s)), "launching a graph")
}

func (d *device) GraphDestroy(graph uint32) error {
	g, ok := d.graphs[graph]
	if !ok {
		return unknownHandle("graph", graph)
	}
	delete(d.graphs, graph)
	return d.api.check(d.api.GraphExecDestroy(g), "destroying a graph")
}

// Mark works only if the host's address is also the device's, as on all but old systems.
func (d *device) Mark(stream uint32, word *uint32, value uint32) error {
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	if d.api.WriteValue32 == 0 || d.props.CanUseHostPointerForRegisteredMem == 0 {
		return &backend.Error{Code: int(errNotSupported), Name: "CUDA_ERROR_NOT_SUPPORTED", Message: "this driver cannot write a mark to a stream"}
	}
	r := d.api.WriteValue32.call(s, uintptr(unsafe.Pointer(word)), uintptr(value), 0)
	return d.api.check(result(r), "writing a mark to a stream")
}
