package arrays

import "github.com/gopherwarp/gopherwarp/gpu/internal/expression"

// share adds passes that keep values which a pass and later ones need, and which take longer to compute than to store. The value of the pass
// itself is kept by it.
func (c *rowCompiler) share(steps []rowStep, later [][]rowStep) error {
	last := len(steps) - 1
	for i, need := range c.needed(steps) {
		s := &steps[i]
		if !need || i == last || s.single || named(s.Step) || !worthKeeping(c.below(steps, i)) || !c.neededBy(later, s.id, steps[last].id) {
			continue
		}
		part := rowPart{stored: true, size: s.Type.Size()}
		if err := c.compile(steps, i, part, expression.Kernel{Form: expression.Map, Result: s.Type, Loops: 1}); err != nil {
			return err
		}
		c.kept[s.id] = len(c.r.parts) - 1
	}
	return nil
}

// needed tells which steps are computed for the value of the last one, and which are read for it. Steps below those of the other ids, and below
// values that are kept, are not.
func (c *rowCompiler) needed(steps []rowStep, other ...int) []bool {
	need := make([]bool, len(steps))
	need[len(steps)-1] = true
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		_, kept := c.kept[s.id]
		for _, id := range other {
			kept = kept || s.id == id
		}
		if !need[i] || kept || named(s.Step) {
			continue
		}
		for _, a := range s.Args {
			need[a] = true
		}
	}
	return need
}

// below returns the steps that are computed, for each element, for the value of step i.
func (c *rowCompiler) below(steps []rowStep, i int) (list []expression.Step) {
	for k, need := range c.needed(steps[:i+1]) {
		if s := &steps[k]; need && !s.single && s.Op != expression.Result {
			list = append(list, steps[k].Step)
		}
	}
	return list
}

// neededBy reports whether one of the passes needs a value, unless it has it from another.
func (c *rowCompiler) neededBy(passes [][]rowStep, id int, other ...int) bool {
	for _, steps := range passes {
		for i, need := range c.needed(steps, other...) {
			if need && steps[i].id == id {
				return true
			}
		}
	}
	return false
}
