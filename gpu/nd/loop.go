package nd

import (
	"reflect"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
)

// Loop calls step n times, or only a few times: when it has seen two steps that did the same work, it repeats that work as a graph
// (see gpu.Graph) for the other steps, so that all kernels of a step cost one launch. The results are the same.
//
// Variables that a step sets for the next one are given as pointers to them, or as a slice of arrays; their arrays are computed at the end of
// each step. Arrays that a step writes in place, as Assign does, need not be given.
//
//	nd.Loop(200, func() {
//	    q := matrix.Dot(p)
//	    alpha := norm.Div(nd.Dot(p, q))
//	    x, r = x.Add(alpha.Mul(p)), r.Sub(alpha.Mul(q))
//	    next := nd.Dot(r, r)
//	    p, norm = r.Add(next.Div(norm).Mul(p)), next
//	}, &x, &r, &p, &norm)
//
// Steps of which two successive ones are different, because they use a number that changes, such as that of the step, or random numbers, or a
// variable that is not given, are all called, as are steps that need values on the host (Item, ToHost, printing), copy from the host, use
// several devices or routines of libraries other than MatMul, Dot and CSR.Dot, and all steps while work is profiled or checked, or inside a
// function that is differentiated. But what a step does in Go alone, such as counting or appending to a slice, happens only when it is called,
// and a step that does something else than before only later, say in each tenth call, must not be used. Meanwhile other goroutines must not
// use arrays of the device.
func Loop(n int, step func(), variables ...any) {
	const op = "Loop"
	if n < 0 {
		fail(op, "the number of steps is %d", n)
	}
	if step == nil {
		fail(op, "the step is nil: give a function")
	}
	l := &loop{step: step, vars: variablesOf(op, variables)}
	done := 0
	if e := l.replayer(n); e != nil {
		done = l.replay(e, n)
	}
	for range n - done {
		l.once()
	}
}

const (
	// Loops of fewer steps are not worth a graph.
	fewestSteps = 8
	// So many steps are noted at most until two are equal. The first ones may do what later ones need not.
	mostNoted = 4
)

// loop is a step and the variables that it hands to the next one.
type loop struct {
	step func()
	vars []**node
}

// variablesOf returns the variables that pointers point to and that slices have.
func variablesOf(op string, list []any) (vars []**node) {
	for i, v := range list {
		r := reflect.ValueOf(v)
		switch {
		case r.Kind() == reflect.Pointer && !r.IsNil() && isArray(r.Type().Elem()):
			vars = append(vars, (**node)(r.UnsafePointer()))
		case r.Kind() == reflect.Slice && isArray(r.Type().Elem()):
			for k := range r.Len() {
				vars = append(vars, (**node)(r.Index(k).Addr().UnsafePointer()))
			}
		default:
			fail(op, "variable %d is a %T: give a pointer to a variable that has an array, as in &x, or a slice of arrays", i+1, v)
		}
	}
	return vars
}

// isArray reports whether the type is that of pointers to arrays.
func isArray(t reflect.Type) bool {
	operand, array := reflect.TypeFor[Operand](), reflect.TypeFor[Array[float32]]()
	return t.Kind() == reflect.Pointer && t.Implements(operand) && t.Elem().PkgPath() == array.PkgPath() && t.Elem().Size() == array.Size()
}

// once executes one step.
func (l *loop) once() {
	l.step()
	var list []Operand
	for _, v := range l.vars {
		if *v != nil {
			list = append(list, as[float32](*v))
		}
	}
	Eval(list...)
}

// replayer returns the engine that can repeat the steps as a graph, or nil.
func (l *loop) replayer(n int) *engine {
	if n < fewestSteps {
		return nil
	}
	var e *engine
	for _, v := range l.vars {
		switch n := *v; {
		case n == nil || n.lay == nil || n.eng == nil:
		case n.shards != nil || n.past != nil || e != nil && n.eng != e:
			return nil
		default:
			e = n.eng
		}
	}
	if e == nil {
		e = current("Loop")
	}
	if pointer.Load[tape](&e.tape) != nil {
		return nil
	}
	return e
}

// replay executes steps until two were equal, and those after them as a graph. It returns how many steps are done.
func (l *loop) replay(e *engine, n int) int {
	var before *tape
	for done := 1; done <= mostNoted; done++ {
		now := l.noted(e, before)
		if now.repeats() {
			now.before = nil
			return done + l.launch(e, now, n-done)
		}
		now.before = nil
		before = now
	}
	return mostNoted
}

// noted executes one step and returns its tape. Before is that of the step before, or nil.
func (l *loop) noted(e *engine, before *tape) *tape {
	e.locked(func() {
		for _, v := range l.vars {
			if n := *v; n != nil && n.eng == e && n.shards == nil {
				e.evaluate(n)
			}
		}
		e.flush()
	})
	t := newTape(e, before, l.vars)
	stop, ok := hook.NoteWork(e.dev, t.note)
	if !ok {
		l.once()
		t.spoilt = true
		return t
	}
	pointer.Store(&e.tape, t)
	defer func() {
		pointer.Store[tape](&e.tape, nil)
		stop()
	}()
	submits, stats := hook.Submits(), e.counts()
	l.once()
	e.locked(e.flush)
	t.finish(e, l.vars, hook.Submits()-submits)
	t.work = e.counts()
	t.work.Launches -= stats.Launches
	t.work.Bytes -= stats.Bytes
	return t
}

func (e *engine) counts() Counts {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stats
}

// launch repeats a step up to n times as a graph and returns how often. A graph that cannot be made is no error: the steps can be called.
func (l *loop) launch(e *engine, t *tape, n int) int {
	r := &replay{e: e, tape: t}
	var g *gpu.Graph
	err := Try(func() {
		r.allocate()
		var err error
		if g, err = e.dev.Capture(r.record); err != nil {
			panic(err)
		}
	})
	if err != nil {
		r.free()
		return 0
	}
	times := n / r.steps()
	for range times {
		if err := g.Launch(nil); err != nil {
			panic(err)
		}
	}
	e.locked(func() {
		e.stats.Launches += times * r.steps() * t.work.Launches
		e.stats.Bytes += int64(times*r.steps()) * t.work.Bytes
	})
	if times > 0 {
		r.hand(l.vars)
	}
	_ = g.Destroy() // it is no longer needed, and with a failed device it is gone
	r.free()
	return times * r.steps()
}
