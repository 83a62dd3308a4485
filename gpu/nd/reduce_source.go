package nd

import (
	"fmt"
	"strconv"
)

// reduceSource writes the kernel that folds the expression.
func (p *plan) reduceSource(r reduction) source {
	w := writer{index: "int"}
	if r.wide {
		w.index = "long long"
	}
	in := w.index
	keeps, folds, per, segments := w.word(), w.word(), w.word(), w.word()
	total := folds // of values, for means
	if r.second {
		total = w.word()
	}
	offsets := make([]string, len(p.leaves))
	for i := range offsets {
		offsets[i] = w.word()
	}
	keptLens, reducedLens := make([]string, r.kept), make([]string, r.reduced)
	for d := range keptLens {
		keptLens[d] = w.word()
	}
	for d := range reducedLens {
		reducedLens[d] = w.word()
	}
	keptStrides, reducedStrides := make([][]string, len(offsets)), make([][]string, len(offsets))
	for i := range offsets {
		for range r.kept {
			keptStrides[i] = append(keptStrides[i], w.word())
		}
		for range r.reduced {
			reducedStrides[i] = append(reducedStrides[i], w.word())
		}
	}
	name := fmt.Sprintf("join_%s_%s", r.fold.name(), r.acc)
	var f string
	var need sections
	params := ", const nd_acc *p"
	if !r.second {
		name = p.name("reduce_" + r.fold.name())
		f, need = p.element(w.words)
		params = p.pointers()
	}
	for _, c := range p.consts {
		w.words += constWords(c.dt)
	}
	joins, more := r.fold.source(r.acc)
	need |= more | r.dt.needs()
	if r.width > 1 {
		need |= needVector
	}
	fmt.Fprintf(&w, "struct nd_args { long long v[%d]; };\n%s%s", w.words, joins, f)
	result, none := r.dt.info().stored, r.fold.none(r.acc)
	if r.first {
		result = "nd_acc"
	}
	bounds := strconv.Itoa(reduceBlock)
	if r.width > 1 && len(p.steps) <= 3 && r.fold.accBytes(r.acc) <= 8 {
		bounds += ", 8" // blocks at once: simple sums need no more registers than that leaves
	}
	fmt.Fprintf(&w, "extern \"C\" __global__ void __launch_bounds__(%s) %s(%s *out%s, const nd_args a) {\n", bounds, name, result, params)
	held := 1 // results of a thread
	along, across := "x", "y"
	fmt.Fprintf(&w, "    const %s segments = %s;\n", in, segments)
	if r.down {
		// Blocks that run together read neighbours.
		held = r.width
		along, across = across, along
		fmt.Fprintf(&w, "    const %[1]s groups = gridDim.x / segments, segment = blockIdx.x / groups, group = blockIdx.x %% groups;\n", in)
	} else {
		fmt.Fprintf(&w, "    const %[1]s segment = blockIdx.x %% segments, group = blockIdx.x / segments;\n", in)
	}
	fmt.Fprintf(&w, "    __shared__ nd_acc shared[%d];\n", reduceBlock*held)
	fmt.Fprintf(&w, "    const %[1]s row = (group * blockDim.%[2]s + threadIdx.%[2]s) * %[3]d, begin = segment * %[4]s, end = min(%[5]s, begin + %[4]s);\n", in, across, held, per, folds)
	acc, lanes := "acc", ""
	if held > 1 {
		acc, lanes = "acc[lane]", fmt.Sprintf("#pragma unroll\n    for (int lane = 0; lane < %d; lane++)\n    ", held)
		fmt.Fprintf(&w, "    nd_acc acc[%d];\n%s    acc[lane] = %s;\n", held, lanes, none)
	} else {
		fmt.Fprintf(&w, "    nd_acc acc = %s;\n", none)
	}
	fmt.Fprintf(&w, "    if (row < %s) {\n", keeps)
	if len(offsets) > 0 {
		fmt.Fprintf(&w, "    %s k = row", in)
		for i, o := range offsets {
			fmt.Fprintf(&w, ", o%d = %s", i, o)
		}
		w.WriteString(";\n")
		w.decompose("k", keptLens, p.offsetNames(), keptStrides)
	}
	step := "blockDim." + along
	switch {
	case r.full && r.down:
		step = strconv.Itoa(reduceBlock / 32)
	case r.full:
		step = strconv.Itoa(reduceBlock)
	}
	p.foldLoop(&w, r, along, step, keeps, reducedLens, reducedStrides, keptStrides)
	w.WriteString("    }\n")
	w.foldBlock(along, acc, lanes)
	fmt.Fprintf(&w, "    if (threadIdx.%s != 0 || row >= %s)\n        return;\n%s", along, keeps, lanes)
	to := "row"
	if held > 1 {
		to = "row + lane"
	}
	switch {
	case r.first && r.columns:
		fmt.Fprintf(&w, "        out[segment * %s + %s] = %s;\n}\n", keeps, to, acc)
	case r.first:
		fmt.Fprintf(&w, "        out[(%s) * segments + segment] = %s;\n}\n", to, acc)
	case r.fold.arg():
		fmt.Fprintf(&w, "        out[%s] = %s.at;\n}\n", to, acc)
	default:
		x := acc + ".value"
		end := "}\n"
		if r.fold == foldMean {
			x = "nd_mean"
			scale := acc + ".value / (double)(" + total + ")"
			if r.acc == C128 {
				scale = fmt.Sprintf("complex<double>(%[1]s.value.re / (double)(%[2]s), %[1]s.value.im / (double)(%[2]s))", acc, total)
			}
			fmt.Fprintf(&w, "    {\n        const %s nd_mean = %s;\n", r.acc.info().held, scale)
			end = "    }\n}\n"
		}
		x, more = castExpr(r.dt, r.acc, x)
		need |= more
		fmt.Fprintf(&w, "        out[%s] = %s;\n%s", to, r.dt.store(x), end)
	}
	return source{name, need, w.String()}
}

func (f fold) name() string {
	return [...]string{"sum", "prod", "min", "max", "any", "all", "argmin", "argmax", "mean"}[f]
}

// foldLoop writes the loop in which a thread folds its values into acc.
func (p *plan) foldLoop(w *writer, r reduction, along, step, keeps string, lens []string, strides, keptStrides [][]string) {
	in := w.index
	if r.second {
		at := "row * end + j"
		if r.columns {
			at = "j * (" + keeps + ") + row"
		}
		fmt.Fprintf(w, "#pragma unroll 8\n        for (%s j = begin + threadIdx.%s; j < end; j += %s)\n            acc = nd_join(acc, p[%s]);\n", in, along, step, at)
		return
	}
	call := func(value func(i int) string) string {
		text := "nd_f("
		for i, l := range p.leaves {
			x := value(i)
			if l.class == classIndex {
				text += "(long long)(" + x + "), "
			} else {
				text += l.dt.load(x) + ", "
			}
		}
		return text + "a)"
	}
	if r.down && r.width > 1 {
		p.foldDown(w, r, step, call, lens, strides, keptStrides)
		return
	}
	join := func(x, at string) string { return "acc = nd_join(acc, " + r.fold.lift(r.acc, p.last(), x, at) + ");" }
	if r.width == 1 {
		if r.reduced == 1 {
			w.WriteString("#pragma unroll 8\n")
		}
		fmt.Fprintf(w, "        for (%s j = begin + threadIdx.%s; j < end; j += %s) {\n", in, along, step)
		at := p.foldedAt(w, lens, strides)
		x := call(func(i int) string {
			at := at(i)
			if p.leaves[i].class == classIndex {
				return at
			}
			return fmt.Sprintf("p%d[%s]", i, at)
		})
		fmt.Fprintf(w, "            const %s x = %s;\n            %s\n        }\n", p.last().info().held, x, join("x", "j"))
		return
	}
	for i, l := range p.leaves {
		if l.class == classSame {
			fmt.Fprintf(w, "        const %s s%d = p%d[o%d];\n", l.dt.info().stored, i, i, i)
		}
	}
	// Whole vectors, four under way at a time, then the rest. Each place of a vector has its own
	// accumulator, so that additions need not wait for each other.
	fmt.Fprintf(w, "        nd_acc part[%d];\n#pragma unroll\n        for (int k = 0; k < %d; k++)\n            part[k] = acc;\n", r.width, r.width)
	fmt.Fprintf(w, "        const %s whole = begin + (end - begin) / %d * %d;\n#pragma unroll 4\n", in, r.width, r.width)
	fmt.Fprintf(w, "        for (%s j = begin + threadIdx.x * %d; j < whole; j += %d) {\n", in, r.width, reduceBlock*r.width)
	for i, l := range p.leaves {
		if l.class == classVector {
			t := fmt.Sprintf("nd_vector<%s, %d>", l.dt.info().stored, r.width)
			fmt.Fprintf(w, "            const %s q%d = *(const %s *)(p%d + o%d + j);\n", t, i, t, i, i)
		}
	}
	at := func(element string, loaded bool) string {
		return call(func(i int) string {
			switch p.leaves[i].class {
			case classSame:
				return fmt.Sprintf("s%d", i)
			case classIndex:
				return fmt.Sprintf("o%d + (%s) * %s", i, element, strides[i][0])
			case classVector:
				if loaded {
					return fmt.Sprintf("q%d.at[k]", i)
				}
			}
			return fmt.Sprintf("p%d[o%d + (%s) * %s]", i, i, element, strides[i][0])
		})
	}
	fmt.Fprintf(w, "#pragma unroll\n            for (int k = 0; k < %d; k++) {\n                const %s x = %s;\n                part[k] = nd_join(part[k], %s);\n            }\n        }\n",
		r.width, p.last().info().held, at("j + k", true), r.fold.lift(r.acc, p.last(), "x", "j + k"))
	fmt.Fprintf(w, "#pragma unroll\n        for (int k = 0; k < %d; k++)\n            acc = nd_join(acc, part[k]);\n", r.width)
	fmt.Fprintf(w, "        for (%s j = whole + threadIdx.x; j < end; j += %d) {\n            const %s x = %s;\n            %s\n        }\n",
		in, reduceBlock, p.last().info().held, at("j", false), join("x", "j"))
}

// foldedAt writes what it takes to know where the operands have the values of turn j, and returns that.
func (p *plan) foldedAt(w *writer, lens []string, strides [][]string) func(i int) string {
	if len(lens) == 1 {
		return func(i int) string { return fmt.Sprintf("o%d + j * %s", i, strides[i][0]) }
	}
	names := make([]string, len(p.leaves))
	fmt.Fprintf(w, "            %s left = j;\n", w.index)
	for i := range p.leaves {
		fmt.Fprintf(w, "            %s q%d = o%d;\n", w.index, i, i)
		names[i] = fmt.Sprintf("q%d", i)
	}
	w.decompose("left", lens, names, strides)
	return func(i int) string { return names[i] }
}

// foldDown writes the loop in which a thread folds what it keeps several neighbours of.
func (p *plan) foldDown(w *writer, r reduction, step string, call func(func(i int) string) string, lens []string, strides, keptStrides [][]string) {
	if r.reduced == 1 {
		w.WriteString("#pragma unroll 8\n")
	}
	fmt.Fprintf(w, "        for (%s j = begin + threadIdx.y; j < end; j += %s) {\n", w.index, step)
	at := p.foldedAt(w, lens, strides)
	for i, l := range p.leaves {
		stored := l.dt.info().stored
		switch l.class {
		case classVector:
			fmt.Fprintf(w, "            const nd_vector<%[1]s, %[2]d> t%[3]d = *(const nd_vector<%[1]s, %[2]d> *)(p%[3]d + %[4]s);\n", stored, r.width, i, at(i))
		case classSame:
			fmt.Fprintf(w, "            const %s t%d = p%d[%s];\n", stored, i, i, at(i))
		}
	}
	x := call(func(i int) string {
		switch p.leaves[i].class {
		case classVector:
			return fmt.Sprintf("t%d.at[lane]", i)
		case classSame:
			return fmt.Sprintf("t%d", i)
		case classIndex:
			return fmt.Sprintf("%s + lane * %s", at(i), keptStrides[i][0])
		}
		return fmt.Sprintf("p%d[%s + lane * %s]", i, at(i), keptStrides[i][0])
	})
	fmt.Fprintf(w, "#pragma unroll\n            for (int lane = 0; lane < %d; lane++) {\n                const %s x = %s;\n                acc[lane] = nd_join(acc[lane], %s);\n            }\n        }\n",
		r.width, p.last().info().held, x, r.fold.lift(r.acc, p.last(), "x", "j"))
}

// last is the type of the expression's value.
func (p *plan) last() DType { return p.steps[len(p.steps)-1].dt }

// foldBlock writes how the accumulators of a block's threads become one along one side, those of each lane.
func (w *writer) foldBlock(along, acc, lanes string) {
	step, place := "", "me"
	if along == "y" {
		step = " * blockDim.x"
	}
	if lanes != "" {
		place = fmt.Sprintf("lane * %d + me", reduceBlock)
	}
	fmt.Fprintf(w, `    const int me = threadIdx.y * blockDim.x + threadIdx.x;
%[5]s    shared[%[3]s] = %[4]s;
    __syncthreads();
    for (int half = blockDim.%[1]s / 2; half > 0; half /= 2) {
        if (threadIdx.%[1]s < half) {
%[5]s            shared[%[3]s] = nd_join(shared[%[3]s], shared[%[3]s + half%[2]s]);
        }
        __syncthreads();
    }
%[5]s    %[4]s = shared[%[3]s];
`, along, step, place, acc, lanes)
}
