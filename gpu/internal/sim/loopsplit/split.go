package loopsplit

import (
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A Split is the result for a kernel with barriers: a function that runs a whole block, with a
// loop over the block's threads for each part of the code between barriers. If that could change
// what the kernel does, there is a reason instead.
//
// The text uses macros that its includer defines: GW_EACH_THREAD begins a loop over the threads of
// the block, and keep(to, from) of namespace gwsim copies a value.
type Split struct {
	Kernel *cudac.Kernel
	Name   string // of the function; it has the kernel's parameters
	Text   string // of the function; "" if there is a Reason
	End    int    // the offset in the source at which to insert it, in bytes: after the kernel
	Reason string // why the kernel cannot be split
}

// Splits tries to split every kernel that the source defines, or at a path a file that it includes. program is the file's name for line
// markers. others is nil if the file uses no device functions of other files.
func Splits(f *cudac.File, path, program string, others *Others) []Split {
	var out []Split
	var c *code
	for _, k := range f.Kernels {
		if !k.Defined || k.Path != path || len(k.Definition().Body) == 0 {
			continue
		}
		if c == nil {
			c = survey(f, others)
		}
		sp := Split{Kernel: k, Name: "gwsim_split_" + k.Name, End: k.Definition().End}
		text, err := split(c, k, f.IsSpecialised(k.Name), sp.Name, program)
		if err != nil {
			sp.Reason = err.Error()
		} else {
			sp.Text = text
		}
		out = append(out, sp)
	}
	return out
}

// A splitter splits one kernel, in the steps of split: it parses the statements, resolves names to
// variables and records writes to them (names.go, effects.go), classifies variables (classify.go),
// and converts the statements to steps (plan.go), which it prints (write.go).
type splitter struct {
	code    *code
	kernel  *cudac.Kernel
	toks    []cxx.Token
	names   map[string]bool // template parameters
	groups  map[string]bool // variables that are the thread block's group object
	readers map[string]bool // functions that read the thread's index
	// allRead reports whether unnamed code, and so any code, may read it.
	allRead bool
	vars    []*variable
	ended   bool    // threads may exit before others reach a barrier
	around  []*node // the branches and loops with barriers around the statement that collect is at
	masks   int
	aliases int
}

// unclear returns the reason why the compiler may read a kernel's tokens in another way where the split form stands.
func (c *code) unclear(k *cudac.Kernel, def cudac.Definition) error {
	for _, toks := range [][]cxx.Token{def.Body, def.Params, def.Template} {
		for _, t := range toks {
			if t.Unsure {
				return errors.New("a part of it depends on a condition of the preprocessor that is not understood")
			}
			for _, used := range append(c.expansion(t.Text), t) {
				if used.Kind == cxx.Ident && c.file.ChangesMacro(k, used.Text) {
					return fmt.Errorf("it uses macro %s, which is defined or undefined in it", used.Text)
				}
			}
		}
	}
	return nil
}

func split(c *code, k *cudac.Kernel, specialised bool, name, program string) (string, error) {
	if specialised {
		return "", errors.New("the template has specialisations")
	}
	def := k.Definition()
	if cxx.Has(def.Params, ".") { // one of the dots of ...
		return "", errors.New("it has a pack of parameters")
	}
	if err := c.unclear(k, def); err != nil {
		return "", err
	}
	text, err := splitBody(c, k, def.Body, name, program)
	for body, instead := def.Body, err; errors.Is(instead, errDiffer); {
		var ok bool
		if body, ok = c.returning(body); !ok {
			break
		}
		var other string
		if other, instead = splitBody(c, k, body, name, program); instead == nil {
			return other, nil
		}
	}
	return text, err
}

// splitBody splits a kernel whose body is given.
func splitBody(c *code, k *cudac.Kernel, body []cxx.Token, name, program string) (string, error) {
	s := &splitter{code: c, kernel: k, names: map[string]bool{}, groups: map[string]bool{}}
	top := &env{names: map[string]*variable{}}
	values := map[string]bool{}
	for _, tp := range k.Template {
		s.names[tp.Name] = true
		values[tp.Name] = tp.Kind != "typename" && tp.Kind != "class"
	}
	for _, param := range k.Declared() {
		if param.Name == "" {
			continue
		}
		v := &variable{name: param.Name, param: true, points: param.Kind == cudac.Pointer, regions: map[*region]bool{}}
		s.add(v)
		top.names[v.name] = v
	}
	list, p, err := s.parse(body, values)
	if err == nil && p.lambda > 0 {
		err = fmt.Errorf("line %d: it has a lambda", p.lambda)
	}
	if err == nil {
		err = s.checkWaits(list)
	}
	if err != nil {
		return "", err
	}
	s.readers, s.allRead = c.reaching(c.readsThread)
	s.allRead = s.allRead || c.others != nil && c.others.allRead
	if err := s.collect(list, &env{names: map[string]*variable{}, up: top}); err != nil {
		return "", err
	}
	s.classify()
	steps, err := s.plan(list, "", 0)
	if err != nil {
		return "", err
	}
	separate(steps)
	if err := s.place(); err != nil {
		return "", err
	}
	return s.write(name, program, steps), nil
}

// parse rewrites and parses a body of the kernel.
func (s *splitter) parse(body []cxx.Token, values map[string]bool) ([]*node, *parser, error) {
	def := s.kernel.Definition()
	waiters, _ := s.code.reaching(s.code.waits)
	r := &rewriter{code: s.code, names: values, waiters: waiters, toks: joinOperators(body), params: s.declared(def.Params)}
	var err error
	if s.toks, err = r.rewrite(); err != nil {
		return nil, nil, err
	}
	p := &parser{toks: s.toks, code: s.code, names: map[string]bool{}, groups: s.groups}
	for name, value := range values {
		p.names[name] = value
	}
	for _, v := range s.vars {
		p.names[v.name] = true
	}
	list, err := p.statements()
	if err == nil && p.pos < len(p.toks) {
		err = p.fail("a { is missing")
	}
	return list, p, err
}

// declared returns the kernel's parameters with their types.
func (s *splitter) declared(params []cxx.Token) []*variable {
	var list []*variable
	for _, toks := range cxx.Split(params[1 : len(params)-1]) {
		p := &parser{toks: joinOperators(toks), code: s.code, names: map[string]bool{}, groups: map[string]bool{}}
		list = append(list, p.declaration(span{0, len(p.toks)})...)
	}
	return list
}

func (s *splitter) add(v *variable) {
	v.id = len(s.vars)
	s.vars = append(s.vars, v)
}

// line returns the line of a statement.
func (s *splitter) line(n *node) int { return s.toks[n.lo].Line }

// checkWaits returns an error if threads wait for each other elsewhere than at the barriers.
func (s *splitter) checkWaits(list []*node) error {
	waiters, always := s.code.reaching(s.code.waits)
	if always || s.code.others != nil && s.code.others.allWait {
		return errors.New("an operator or a method, or a lambda or a function that is passed on, has a barrier")
	}
	known := make([]bool, len(s.toks))
	markBarriers(list, known)
	for i, t := range s.toks {
		if !known[i] && (s.code.waits(s.toks, i) || t.Kind == cxx.Ident && waiters[t.Text]) {
			return fmt.Errorf("line %d: %s stands where not all threads need to come, or is more than a barrier", t.Line, t.Text)
		}
	}
	return nil
}

// markBarriers sets known for the tokens of barriers.
func markBarriers(list []*node, known []bool) {
	for _, n := range list {
		if n == nil || !n.barrier {
			continue
		}
		if n.kind == barrierNode || n.kind == warpNode {
			for i := n.lo; i < n.hi; i++ {
				known[i] = true
			}
		}
		markBarriers(n.list, known)
		markBarriers([]*node{n.body, n.other}, known)
	}
}
