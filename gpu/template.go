package gpu

import (
	"slices"
	"strings"
	"sync"
)

// Template is a kernel template of a program. Its instances are compiled when they are asked for.
type Template struct {
	mod  *Module
	name string
}

// Template returns a kernel template by its name in the source. Whether there is one shows when
// an instance is asked for.
func (m *Module) Template(name string) *Template { return &Template{mod: m, name: name} }

// Of is the instance of the template for these arguments, as they stand in CUDA C++:
//
//	k, err := scale.Of("float", "4") // scale<float, 4>
//
// It is compiled the first time. Each instance is a program of its own: what it finds in __device__
// and __constant__ variables is set through its own Module.
func (t *Template) Of(args ...string) (*Kernel, error) {
	return t.mod.Kernel(t.name + "<" + strings.Join(args, ", ") + ">")
}

func (t *Template) String() string { return "gpu.Template " + t.name + " of " + t.mod.program.Name }

// instances are those that were asked for after a module was compiled.
type instances struct {
	mu   sync.Mutex
	made map[string]*Kernel
}

// instance compiles the module's program again, for an instance of a template.
func (m *Module) instance(name string) (*Kernel, error) {
	s := &m.instances
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.made[name]; k != nil {
		return k, nil
	}
	program := m.program
	program.Kernels = []string{name}
	other, err := m.dev.compile(program)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(other.kernels, func(k *Kernel) bool { return k.name == name })
	if i < 0 {
		return nil, m.unknown(name) // the source can't be read, but compiles
	}
	if s.made == nil {
		s.made = map[string]*Kernel{}
	}
	s.made[name] = other.kernels[i]
	return other.kernels[i], nil
}
