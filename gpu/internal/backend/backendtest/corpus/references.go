package corpus

import "maps"

// references compute the expected memory of each file, by its name.
var references = merge(elementwise, sums, sorting, linear, pictures, simulations, warps, halves, groups, language, algorithms, hardware, sampled, details)

// makers fill the memory for which a header says "made".
var makers = map[string]func(Memory){
	"spmv":    makeSparse,
	"graph":   makeGraph,
	"solvers": makeSystems,
}

func merge(tables ...map[string]func(Memory)) map[string]func(Memory) {
	all := map[string]func(Memory){}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// fill sets every element to f of its index.
func fill[T any](s []T, f func(i int) T) {
	for i := range s {
		s[i] = f(i)
	}
}
