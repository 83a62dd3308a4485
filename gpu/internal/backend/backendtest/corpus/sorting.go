package corpus

import "slices"

// sorting are kernels that only move elements.
var sorting = map[string]func(Memory){
	"sort": func(m Memory) {
		shared := ints(m, "shared")
		slices.Sort(shared[:512])
		slices.Sort(shared[512:])
		slices.Sort(uints(m, "global"))
		slices.Sort(floats(m, "odd"))
		copy(ints(m, "sorted"), ints(m, "ranks"))
		slices.Sort(ints(m, "sorted"))
	},
	"transpose": func(m Memory) {
		in := floats(m, "in")
		for _, name := range []string{"naive", "tiled", "padded", "rows"} {
			fill(floats(m, name), func(i int) float32 { return in[i%128*128+i/128] })
		}
	},
}
