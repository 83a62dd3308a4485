package wire

import "github.com/gopherwarp/gopherwarp/gpu/internal/backend"

// MarshalViews gives the data of an OpViews.
func MarshalViews(views []backend.View) []byte {
	e := &encoder{}
	e.int(len(views))
	for i := range views {
		v := &views[i]
		e.uint(v.Addr)
		e.uint(v.Size)
		e.int(v.Elem)
		e.string(v.Name)
		e.int(v.Arg)
		e.bool(v.Host)
	}
	return e.b
}

// UnmarshalViews is the inverse of MarshalViews.
func UnmarshalViews(b []byte) ([]backend.View, error) {
	d := &decoder{b: b}
	var views []backend.View
	for range d.count(32) {
		views = append(views, backend.View{Addr: d.uint(), Size: d.uint(), Elem: d.int(), Name: d.string(), Arg: d.int(), Host: d.bool()})
	}
	return views, d.end()
}

func (e *encoder) report(r *backend.Report) {
	e.string(r.Note)
	e.int(r.Launches)
	e.int(len(r.Findings))
	for i := range r.Findings {
		f := &r.Findings[i]
		for _, s := range findingStrings(f) {
			e.string(*s)
		}
		for _, n := range findingInts(f) {
			e.int(*n)
		}
		e.bool(f.Warning)
	}
	e.int(len(r.Accesses))
	for i := range r.Accesses {
		a := &r.Accesses[i]
		for _, s := range accessStrings(a) {
			e.string(*s)
		}
		e.int(a.Line)
		e.int(a.Size)
		for _, n := range accessCounts(a) {
			e.uint(*n)
		}
	}
	e.int(len(r.Operations))
	for i := range r.Operations {
		o := &r.Operations[i]
		e.string(o.Program)
		e.string(o.Kernel)
		e.int(o.Line)
		e.uint(o.FP32)
		e.uint(o.FP64)
	}
	e.int(len(r.Efforts))
	for i := range r.Efforts {
		w := &r.Efforts[i]
		e.string(w.Program)
		e.string(w.Kernel)
		e.string(w.Space)
		for _, n := range effortCounts(w) {
			e.uint(*n)
		}
		for _, n := range effortPlaces(w) {
			e.int(*n)
		}
	}
}

func (d *decoder) report() *backend.Report {
	r := &backend.Report{Note: d.string()}
	r.Launches = d.int()
	for range d.count(100) {
		var f backend.Finding
		for _, s := range findingStrings(&f) {
			*s = d.string()
		}
		for _, n := range findingInts(&f) {
			*n = d.int()
		}
		f.Warning = d.bool()
		r.Findings = append(r.Findings, f)
	}
	for range d.count(100) {
		var a backend.Access
		for _, s := range accessStrings(&a) {
			*s = d.string()
		}
		a.Line, a.Size = d.int(), d.int()
		for _, n := range accessCounts(&a) {
			*n = d.uint()
		}
		r.Accesses = append(r.Accesses, a)
	}
	for range d.count(40) {
		r.Operations = append(r.Operations, backend.Operations{
			Program: d.string(), Kernel: d.string(), Line: d.int(), FP32: d.uint(), FP64: d.uint(),
		})
	}
	for range d.count(96) {
		w := backend.Effort{Program: d.string(), Kernel: d.string(), Space: d.string()}
		for _, n := range effortCounts(&w) {
			*n = d.uint()
		}
		for _, n := range effortPlaces(&w) {
			*n = d.int()
		}
		r.Efforts = append(r.Efforts, w)
	}
	return r
}

// These list the fields of one type, so that both directions agree on their order.

func findingStrings(f *backend.Finding) []*string {
	return []*string{&f.Kind, &f.Program, &f.Kernel, &f.Message, &f.Tool, &f.Space}
}

func findingInts(f *backend.Finding) []*int {
	return []*int{&f.Line, &f.Block[0], &f.Block[1], &f.Block[2], &f.Thread[0], &f.Thread[1], &f.Thread[2], &f.Count}
}

func accessStrings(a *backend.Access) []*string {
	return []*string{&a.Program, &a.Kernel, &a.Space, &a.Op}
}

func accessCounts(a *backend.Access) []*uint64 {
	return []*uint64{&a.Lanes, &a.Bytes, &a.Requests, &a.Active, &a.Sectors, &a.Wavefronts, &a.BestWavefronts, &a.Addresses}
}

func effortCounts(w *backend.Effort) []*uint64 {
	return []*uint64{&w.Threads, &w.Accesses, &w.Most}
}

func effortPlaces(w *backend.Effort) []*int {
	return []*int{&w.Block[0], &w.Block[1], &w.Block[2], &w.Thread[0], &w.Thread[1], &w.Thread[2]}
}
