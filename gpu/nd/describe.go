package nd

import (
	"os"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// describe returns the description of the plan's kernel, or nil if it calls a translated Go function, which only the kernel's text has.
func (p *plan) describe(form expression.Form, result DType, loops int) *expression.Kernel {
	k := &expression.Kernel{Form: form, Result: expression.Type(result), Loops: loops}
	for i := range p.leaves {
		k.Leaves = append(k.Leaves, expression.Leaf{Type: expression.Type(p.leaves[i].dt), Index: p.leaves[i].buf == nil})
	}
	if len(p.outs) > 1 {
		for _, o := range p.outs {
			k.Outputs = append(k.Outputs, expression.Output{Value: o.value, Result: expression.Type(o.dt)})
		}
	}
	k.Steps = describeSteps(p.steps)
	if k.Steps == nil && len(p.steps) > 0 {
		return nil
	}
	return k
}

// described reports whether the step has a description: not if it calls a translated Go function, or takes elements by index.
func (s *step) described() bool { return s.op < opcodes && s.op != opGather && s.op != opScan }

// described reports whether all steps have a description.
func (p *plan) described() bool {
	return !slices.ContainsFunc(p.steps, func(s step) bool { return !s.described() })
}

// describeSteps returns the description of steps, or nil.
func describeSteps(list []step) (steps []expression.Step) {
	for i := range list {
		s := &list[i]
		step := expression.Step{Type: expression.Type(s.dt), Args: s.args[:s.n]}
		if !s.described() {
			return nil
		}
		switch s.op {
		case opLeaf, opIndex:
			step.Op, step.Args = expression.Operand, s.args[:1]
		case opConst:
			step.Op = expression.Constant
		case opFold:
			step.Op, step.Args = expression.Result, s.args[:1]
		default:
			step.Op = opTable[s.op].name
		}
		steps = append(steps, step)
	}
	return steps
}

// describe returns the description of a kernel for rows, or nil.
func (k *rowPlan) describe(p *plan) *expression.Kernel {
	words := []uint8{0} // where the constants begin
	for _, c := range p.consts {
		words = append(words, words[len(words)-1]+uint8(constWords(c.dt)))
	}
	phase := func(list []step) []expression.Step {
		steps := describeSteps(list)
		for i := range steps {
			if steps[i].Op == expression.Constant {
				steps[i].Args = []uint8{words[list[i].args[0]]}
			}
		}
		return steps
	}
	all := *p
	all.steps = nil
	d := all.describe(expression.Rows, 0, len(k.space.kept.lens))
	for _, r := range k.results {
		ph := &k.phases[r.phase]
		f := ph.folds[r.at]
		steps := phase(ph.steps[:f.value+1])
		if steps == nil || r.fold >= foldGo {
			return nil
		}
		d.Folds = append(d.Folds, expression.RowFold{Steps: steps, Folding: expression.Folding(r.fold), Acc: expression.Type(f.acc), Result: expression.Type(r.dt)})
	}
	if k.last != nil {
		d.Result = expression.Type(k.last.dt)
		if d.Steps = phase(k.phases[len(k.phases)-1].steps); d.Steps == nil {
			return nil
		}
	}
	return d
}

// describe returns the description of a reducing kernel, or nil.
func (r *reduction) describe(p *plan) *expression.Kernel {
	if r.fold >= foldGo {
		return nil
	}
	form := expression.Fold
	if r.second {
		form, p = expression.Join, new(plan)
	}
	k := p.describe(form, r.dt, r.kept)
	if k != nil {
		k.Reduced, k.Folding, k.Acc, k.Parts, k.Columns = r.reduced, expression.Folding(r.fold), expression.Type(r.acc), r.first, r.columns
	}
	return k
}

// describedAs adds the description of a kernel that is no expression: its operands' types and the numbers on which its code depends.
func (s source) describedAs(types []DType, numbers ...int) source {
	k := &expression.Kernel{Form: expression.Routine, Name: s.name, Numbers: numbers}
	for _, t := range types {
		k.Types = append(k.Types, expression.Type(t))
	}
	return s.describedBy(k)
}

// describedBy adds a description to a kernel's source.
func (s source) describedBy(k *expression.Kernel) source {
	if k != nil {
		s.description = k.Encode()
	}
	return s
}

// arraysEnv is the environment variable that decides how the simulator executes kernels: "cuda" by compiling them, as others are.
const arraysEnv = "GOPHERWARP_ARRAYS"

// describes reports whether the device computes descriptions.
func (e *engine) describes() bool {
	if e.simulated.Load() == 0 {
		v := int32(-1)
		if e.dev.Properties().Simulated {
			v = 1
		}
		e.simulated.Store(v)
	}
	return e.simulated.Load() == 1 && os.Getenv(arraysEnv) != "cuda"
}

// options are those that the kernels of sources are compiled with.
func (e *engine) options(list map[string]source) []gpu.CompileOption {
	options := []gpu.CompileOption{gpu.WithFlags(kernelFlags...)}
	if len(list) == 1 && e.describes() {
		for _, s := range list {
			options = append(options, hook.WithExpression(s.description).(gpu.CompileOption))
		}
	}
	return options
}
