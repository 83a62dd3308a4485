package arrays

import "github.com/gopherwarp/gopherwarp/gpu/internal/expression"

// output is a value that an element-wise kernel with several destinations stores in one of them.
type output struct {
	value int
	size  int // of an element in memory
	store fn  // from the held type to a 16-bit one, or nil
}

// newOutputs returns the outputs of a description.
func newOutputs(k *expression.Kernel) (list []output) {
	for _, o := range k.Outputs {
		list = append(list, output{int(o.Value), o.Result.Size(), storing(o.Result)})
	}
	return list
}

// destinations returns the number of destinations of an element-wise kernel.
func destinations(k *expression.Kernel) int { return max(1, len(k.Outputs)) }

// mapOutputs computes the n elements from index i on and stores those of each destination.
func (p *Program) mapOutputs(w *worker, m *mapped, i, n int) {
	if w.direct == nil {
		w.direct = make([]pointer, len(p.values))
	}
	to := m.dst
	for k, o := range p.outputs {
		if o.store == nil && w.direct[o.value] == nil {
			to.base, to.size = m.bases[k], o.size
			w.direct[o.value] = to.direct(i, n)
		}
	}
	w.compute(m.leaves, i, n, nil)
	for k, o := range p.outputs {
		to.base, to.size = m.bases[k], o.size
		w.put(&to, o.store, w.at[o.value], i, n)
	}
	clear(w.direct)
}

// put stores n values as the elements of an operand from index i on, unless they have been computed there.
func (w *worker) put(to *operand, store fn, values pointer, i, n int) {
	at := to.direct(i, n)
	if store != nil {
		out := at
		if out == nil {
			out = w.out
		}
		store(out, values, nil, nil, n)
		values = out
	}
	switch at {
	case values:
	case nil:
		scatterBytes(to.size, values, to.base, to.off, &to.path, i, n)
	default:
		copy(elements[byte](at, n*to.size), elements[byte](values, n*to.size))
	}
}
