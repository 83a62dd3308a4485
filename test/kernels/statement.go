package kernels

// statement writes one. together reports whether all threads of a block come here, so that barriers may.
func (w *writer) statement(together bool) {
	w.budget--
	if together && w.chance(2) {
		w.togetherStatement()
		return
	}
	switch w.r.IntN(13) {
	case 0, 1:
		w.declare()
	case 2, 3:
		w.change()
	case 4, 5:
		w.update()
	case 6:
		w.line("if (%s & 1u) {", w.expr(u32, 2))
		w.block(false)
		if w.chance(2) {
			w.line("} else {")
			w.block(false)
		}
		w.line("}")
	case 7:
		i := w.name("j")
		w.line("for (unsigned %s = 0; %s < (%s & 3u); %s++) {", i, i, w.expr(u32, 1), i)
		w.loop(variable{i, u32, false})
		w.line("}")
	case 8:
		i := w.name("j")
		w.line("unsigned %s = %s & 7u;", i, w.expr(u32, 1))
		head, tail := "while ("+i+" > 0u) {", "}"
		if w.chance(2) {
			head, tail = "do {", "} while ("+i+" > 0u);"
		}
		w.line("%s", head)
		w.line("%s = %s / 2u;", i, i)
		w.loop(variable{i, u32, false})
		w.line("%s", tail)
	case 9:
		w.choose()
	case 10:
		w.total()
	case 11:
		w.vector()
	case 12:
		if w.inLoop {
			w.line("if (%s %% 5u == 2u) %s;", w.expr(u32, 1), w.pick("break", "continue"))
		} else {
			w.lambda()
		}
	}
}

// block writes the statements between two braces. What they declare is not visible behind them. If all threads come together, a
// barrier is the first.
func (w *writer) block(together bool) {
	saved := scope{append([]variable(nil), w.scope.vars...), append([]string(nil), w.scope.same...), append([]string(nil), w.scope.local...)}
	if together {
		w.join()
	}
	for range 1 + w.r.IntN(3) {
		if w.budget <= 0 {
			break
		}
		w.statement(together)
	}
	// What the block has declared counts in the result, too.
	for _, v := range w.scope.vars[len(saved.vars):] {
		w.line("seen = MIX(seen, %s);", v.t.number(v.name))
	}
	w.scope = saved
}

// loop writes the body of a loop that threads leave at different times.
func (w *writer) loop(counter variable) {
	was, inLoop := w.scope.vars, w.inLoop
	w.scope.vars, w.inLoop = append(append([]variable(nil), was...), counter), true
	w.block(false)
	w.scope.vars, w.inLoop = was, inLoop
}

func (w *writer) declare() {
	if w.chance(5) {
		v := w.name("a")
		w.line("unsigned %s[4] = {%s, %s};", v, w.expr(u32, 1), w.expr(u32, 1))
		w.scope.local = append(w.scope.local, v)
		return
	}
	t := kind(w.r.IntN(int(kinds)))
	v := variable{w.name("v"), t, !w.chance(4)}
	qualifier := ""
	if !v.set {
		qualifier = "const "
	}
	w.line("%s%v %s = %s;", qualifier, t, v.name, w.expr(t, 3))
	w.scope.vars = append(w.scope.vars, v)
}

// change assigns to a variable or to an element of a local array.
func (w *writer) change() {
	if n := len(w.scope.local); n > 0 && w.chance(3) {
		w.assign(w.scope.local[w.r.IntN(n)]+"["+w.small(3)+"]", u32)
		return
	}
	for _, i := range w.r.Perm(len(w.scope.vars)) {
		if v := w.scope.vars[i]; v.set {
			w.assign(v.name, v.t)
			return
		}
	}
	w.declare()
}

// assign writes a change of what stands on the left.
func (w *writer) assign(left string, t kind) {
	switch {
	case t == u32 && w.chance(4):
		w.line("%s", w.pick("twist("+left+");", left+"++;", "--"+left+";", "{ unsigned &r = "+left+"; r += "+w.expr(u32, 1)+"; }"))
	case t == u32 || t == u64:
		w.line("%s %s %s;", left, w.pick("=", "+=", "^=", "*=", "-=", "|="), w.expr(t, 2))
	case t == i32:
		w.line("%s = (%s) %% 65536;", left, w.expr(t, 2))
	default:
		w.line("%s = bound(%s);", left, w.expr(t, 2))
	}
}

func (w *writer) choose() {
	w.line("switch (%s & 3u) {", w.expr(u32, 1))
	inLoop := w.inLoop
	w.inLoop = false // break would leave the switch
	for _, label := range []string{"case 0u:", "case 2u:", "default:"} {
		if w.chance(4) {
			continue
		}
		w.line("%s {", label)
		w.block(false)
		w.line("%s", w.pick("} break;", "}"))
	}
	w.inLoop = inLoop
	w.line("}")
}

// vector writes the use of a type with several members.
func (w *writer) vector() {
	v := w.name("p")
	switch w.r.IntN(3) {
	case 0:
		w.line("uint2 %s = make_uint2(%s, %s);", v, w.expr(u32, 1), w.expr(u32, 1))
		w.line("%s.x ^= %s.y;", v, v)
		w.scope.vars = append(w.scope.vars, variable{v + ".x", u32, true}, variable{v + ".y", u32, true})
	case 1:
		w.line("float4 %s = make_float4(bound(%s), 1.5f, bound(%s), -2.0f);", v, w.expr(f32, 1), w.expr(f32, 1))
		w.line("%s.w = bound(%s.x * %s.y);", v, v, v)
		w.scope.vars = append(w.scope.vars, variable{v + ".w", f32, true}, variable{v + ".z", f32, true})
	case 2:
		w.line("pair %s{%s};", v, w.expr(u32, 1))
		w.line("%s.add(%s);", v, w.expr(u32, 1))
		w.scope.vars = append(w.scope.vars, variable{v + ".a", u32, true}, variable{v + ".sum()", u32, false})
	}
}

func (w *writer) lambda() {
	f, v := w.name("f"), w.name("v")
	w.line("auto %s = [&](unsigned q) { return q * 3u + %s; };", f, w.expr(u32, 1))
	w.line("unsigned %s = %s(%s);", v, f, w.expr(u32, 1))
	w.scope.vars = append(w.scope.vars, variable{v, u32, true})
}

// togetherStatement writes what must be reached by all threads of a warp or block.
func (w *writer) togetherStatement() {
	switch w.r.IntN(10) {
	case 0, 1:
		w.barrier()
	case 2:
		v := w.name("u")
		w.line("const unsigned %s = %s;", v, w.sameExpr(2))
		w.scope.same = append(w.scope.same, v)
	case 3:
		w.warpBarrier()
	case 4, 5, 6:
		w.exchange()
	case 7, 8:
		if w.uniform < 2 {
			w.togetherLoop()
		}
	case 9:
		w.line("if (%s & 1u) {", w.sameExpr(2))
		w.block(true)
		if w.chance(2) {
			w.line("} else {")
			w.block(true)
		}
		w.line("}")
		w.join()
	}
}

// togetherLoop writes a loop with barriers in it, which all threads leave at the same time.
func (w *writer) togetherLoop() {
	i := w.name("i")
	same := w.scope.same
	w.line("for (unsigned %s = 0; %s < %s %% 3u + 1u; %s++) {", i, i, w.sameExpr(1), i)
	w.uniform++
	w.scope.same = append(append([]string(nil), same...), i)
	if w.chance(3) {
		w.line("if (%s %% 7u == 5u) %s;", w.sameExpr(1), w.pick("break", "continue"))
	}
	w.block(true)
	w.line("__syncthreads();")
	w.uniform--
	w.scope.same = same
	w.line("}")
	w.join()
}

// exchange writes a function of warps whose lanes are all there.
func (w *writer) exchange() {
	v := w.name("v")
	const full = "0xffffffffu"
	t := kind(w.r.IntN(int(kinds)))
	switch w.r.IntN(12) {
	case 0:
		w.line("%v %s = __shfl_sync(%s, %s, (int)(%s & 31u));", t, v, full, w.expr(t, 1), w.expr(u32, 1))
	case 1:
		w.line("%v %s = __shfl_%s_sync(%s, %s, %d);", t, v, w.pick("up", "down", "xor"), full, w.expr(t, 1), 1+w.r.IntN(31))
	case 2:
		w.line("%v %s = __shfl_xor_sync(%s, %s, %d, %s);", t, v, full, w.expr(t, 1), 1+w.r.IntN(7), w.pick("8", "16", "32"))
	case 3:
		t = u32
		w.line("unsigned %s = __ballot_sync(%s, (int)(%s & 1u));", v, full, w.expr(u32, 1))
	case 4:
		t = u32
		w.line("unsigned %s = (unsigned)%s(%s, (int)(%s & 3u));", v, w.pick("__any_sync", "__all_sync"), full, w.expr(u32, 1))
	case 5:
		t = u32
		w.line("unsigned %s = __match_any_sync(%s, %s & 3u);", v, full, w.expr(u32, 1))
	case 6:
		t = u32
		w.line("unsigned %s = __reduce_%s_sync(%s, %s);", v, w.pick("add", "min", "max", "xor", "or", "and"), full, w.expr(u32, 1))
	case 7: // of those lanes for which a condition holds
		t = u32
		c, m := w.name("c"), w.name("m")
		w.line("const bool %s = (%s & 1u) != 0u;", c, w.expr(u32, 1))
		w.line("const unsigned %s = __ballot_sync(%s, %s);", m, full, c)
		w.line("unsigned %s = 0u;", v)
		w.line("if (%s) {", c)
		w.line("%s = __shfl_sync(%s, %s, __ffs((int)%s) - 1);", v, m, w.expr(u32, 1), m)
		if w.chance(2) {
			w.line("%s += __reduce_add_sync(%s, %s);", v, m, w.expr(u32, 1))
		}
		w.line("}")
	case 8: // the sum of a warp, as it is written everywhere
		t = u32
		o := w.name("o")
		w.line("unsigned %s = %s;", v, w.expr(u32, 1))
		w.line("for (int %s = 16; %s > 0; %s /= 2) %s += __shfl_down_sync(%s, %s, %s);", o, o, o, v, full, v, o)
	case 9: // the same in functions
		t = u32
		w.line("unsigned %s = %s;", v, w.pick("total("+w.expr(u32, 1)+")", "running("+w.expr(u32, 1)+", tid & 31u)", "running<unsigned>("+w.expr(u32, 1)+", tid % 32u) + total(3u)"))
	case 10: // of one warp
		t = u32
		w.line("unsigned %s = %s;", v, w.expr(u32, 1))
		w.line("if (tid / 32u == %s) {", w.pick("0u", "1u", "blockIdx.x"))
		w.line("%s = total(%s) + (unsigned)__any_sync(%s, (int)(%s & 1u));", v, v, full, w.expr(u32, 1))
		w.line("}")
	case 11: // each thread takes elements of an array that are far apart
		t = u32
		i, n := w.name("i"), w.name("n")
		w.line("const int %s = (int)(%s & 255u);", n, w.sameExpr(1))
		w.line("unsigned %s = 0u;", v)
		w.line("for (int %s = (int)(blockIdx.x * blockDim.x + threadIdx.x); %s < %s; %s += (int)blockDim.x) %s += in[%s] ^ %s;", i, i, n, i, v, i, w.expr(u32, 1))
	}
	w.scope.vars = append(w.scope.vars, variable{v, t, true})
}
