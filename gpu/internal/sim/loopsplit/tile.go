package loopsplit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A tile is a variable that is a tile of cooperative groups, or the lanes that came together. It is not declared: what is done with
// it is written by functions of CUDA and of the simulator's header.
type tile struct {
	size []cxx.Token // of a tile
	mask []cxx.Token // the mask of its lanes
}

func (t *tile) coalesced() bool { return t.size == nil }

// tile takes out the declaration of a tile. It reports whether it was one.
func (r *rewriter) tile(n *node) bool {
	if len(n.vars) != 1 || n.vars[0].value == nil || len(n.vars[0].dims) > 0 || cxx.Has(n.vars[0].pointer, "*") {
		return false
	}
	v, at := n.vars[0], r.toks[n.lo]
	call := v.value
	if call.kind == listExpr && len(call.list) == 1 {
		call = call.list[0]
	}
	if call.kind != callExpr || call.op != "(" || call.list[0].kind != nameExpr || !r.ofGroups(call.list[0]) {
		return false
	}
	callee := call.list[0]
	switch {
	case callee.name == "coalesced_threads" && len(call.list) == 1:
		mask := r.name("gw_m")
		r.keepTile(n, &tile{mask: text(at, mask)})
		r.edit(n.lo, n.hi, text(at, "unsigned "+mask+" = __activemask();"))
	case callee.name == "tiled_partition" && callee.templated && len(call.list) == 2 && r.isDivided(call.list[1]):
		size := r.arguments(callee)
		if size == nil {
			return false
		}
		t := &tile{size: size, mask: text(at, "gw_tile_mask($, threadIdx, blockDim)", size)}
		if cxx.Join(size) == "32" {
			t.mask = text(at, "0xffffffff")
		}
		r.keepTile(n, t)
		r.edit(n.lo, n.hi, text(at, "static_assert(($) <= 32);", size))
	default:
		return false
	}
	return true
}

func (r *rewriter) keepTile(n *node, t *tile) {
	name := n.vars[0].name
	if r.tiles[name] != nil || r.types[name] == nil {
		r.err = fmt.Errorf("line %d: two variables are called %s", r.toks[n.lo].Line, name)
	}
	r.tiles[name] = t
}

// ofGroups reports whether a name is one of namespace cooperative_groups.
func (r *rewriter) ofGroups(e *expr) bool {
	ns := strings.TrimSuffix(e.qualifier, "::")
	return r.code.groups[ns] || ns == "cooperative_groups" || r.local[ns]
}

// isDivided reports whether a group is one that tiles are made of: the block, or a tile.
func (r *rewriter) isDivided(e *expr) bool {
	if e.kind == nameExpr && e.qualifier == "" {
		t := r.tiles[e.name]
		return r.parser.groups[e.name] || t != nil && !t.coalesced()
	}
	return isThisBlock(e)
}

// arguments returns the single template argument of a name, or nil.
func (r *rewriter) arguments(e *expr) []cxx.Token {
	open := slices.IndexFunc(r.toks[e.lo:e.hi], func(t cxx.Token) bool { return t.Is("<") })
	if open < 0 {
		return nil
	}
	args := cxx.Split(r.toks[e.lo+open+1 : e.hi-1])
	if len(args) != 1 || len(args[0]) == 0 {
		return nil
	}
	return slices.Clone(args[0])
}

// tileCall replaces the first use of a tile in an expression. It reports whether there was one.
func (r *rewriter) tileCall(e *expr) bool {
	if e == nil {
		return false
	}
	if slices.ContainsFunc(e.list, r.tileCall) {
		return true
	}
	if e.kind != callExpr || e.op != "(" {
		return false
	}
	callee, args := e.list[0], e.list[1:]
	var t *tile
	var method string
	switch {
	case callee.kind == memberExpr && callee.op == "." && callee.list[0].kind == nameExpr && callee.list[0].qualifier == "":
		t, method = r.tiles[callee.list[0].name], callee.name
	case callee.kind == nameExpr && len(args) > 0 && args[0].kind == nameExpr && args[0].qualifier == "" && r.ofGroups(callee):
		t, method = r.tiles[args[0].name], callee.name
		args = args[1:]
	}
	if t == nil {
		return false
	}
	with := r.tileText(t, method, r.toks[e.lo], args)
	if with == nil {
		return false
	}
	r.edit(e.lo, e.hi, with)
	return true
}

// tileText returns what stands for a function of a tile.
func (r *rewriter) tileText(t *tile, method string, at cxx.Token, args []*expr) []cxx.Token {
	arg := func(i int) []cxx.Token { return r.toks[args[i].lo:args[i].hi] }
	size, width := t.size, t.size
	if t.coalesced() {
		size, width = text(at, "__popc($)", t.mask), text(at, "32")
	}
	rank := text(at, "gw_tile_rank($, threadIdx, blockDim)", t.size)
	if t.coalesced() {
		rank = text(at, "gw_lane_rank($, threadIdx, blockDim)", t.mask)
	}
	switch n := len(args); {
	case n == 0:
		switch method {
		case "sync":
			return text(at, "__syncwarp($)", t.mask)
		case "thread_rank":
			return rank
		case "size", "num_threads", "group_size":
			return text(at, "unsigned($)", size)
		case "meta_group_rank":
			if !t.coalesced() {
				return text(at, "gw_tile_index($, threadIdx, blockDim)", t.size)
			}
		case "meta_group_size":
			if !t.coalesced() {
				return text(at, "gw_tile_count($, blockDim)", t.size)
			}
		}
	case n == 1 && (method == "any" || method == "all"):
		return text(at, "__"+method+"_sync($, $)", t.mask, arg(0))
	case n == 1 && (method == "ballot" || method == "match_any"):
		bits := text(at, "__"+method+"_sync($, $)", t.mask, arg(0))
		switch {
		case t.coalesced():
			return text(at, "gw_lane_bits($, $)", bits, t.mask)
		case cxx.Join(t.size) == "32":
			return bits
		}
		return text(at, "gw_tile_bits($, $, threadIdx, blockDim)", bits, t.size)
	case n == 2 && method == "shfl" && t.coalesced():
		return text(at, "__shfl_sync($, $, gw_lane_of($, $))", t.mask, arg(0), t.mask, arg(1))
	case n == 2 && !t.coalesced() && (method == "shfl" || method == "shfl_up" || method == "shfl_down" || method == "shfl_xor"):
		return text(at, "__"+method+"_sync($, $, $, $)", t.mask, arg(0), arg(1), width)
	case n == 2 && method == "reduce" && !t.coalesced():
		return text(at, "gw_fold($, $, $)", t.size, arg(0), arg(1))
	}
	return nil
}

// leftover returns an error if a tile is used in a way that tileText does not know.
func (r *rewriter) leftover() error {
	for i, t := range r.toks {
		if t.Kind == cxx.Ident && r.tiles[t.Text] != nil && !(i > 0 && (r.toks[i-1].Is(".") || r.toks[i-1].Is("->"))) {
			return fmt.Errorf("line %d: this use of the group %s is not supported", t.Line, t.Text)
		}
	}
	return nil
}

// deduceTile records the template parameters in the type of a parameter that is a tile.
func (in *inlining) deduceTile(v *variable, t *tile, generic []string) error {
	for i, word := range v.spec {
		if !slices.Contains(generic, word.Text) || in.with[word.Text] != nil {
			continue
		}
		switch {
		case t.coalesced():
			in.with[word.Text] = text(in.at, "cooperative_groups::coalesced_group")
		case i > 0 && v.spec[i-1].Is("<"):
			in.with[word.Text] = t.size
		case i > 0 && v.spec[i-1].Is(","):
			in.with[word.Text] = text(in.at, "cooperative_groups::thread_block")
		default:
			in.with[word.Text] = text(in.at, "cooperative_groups::thread_block_tile<$>", t.size)
		}
	}
	return nil
}
