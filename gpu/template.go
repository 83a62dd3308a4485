package gpu

import (
	"slices"
	"strings"
	"sync"
)

// A Template is a kernel template of a program. Its instances are compiled at first use.
type Template struct {
	mod  *Module
	name string
}

// Template returns the kernel template with that name in the source. If there is none, Of returns an error.
func (m *Module) Template(name string) *Template { return &Template{mod: m, name: name} }

// Of returns the instance of the template for these arguments, written as in CUDA C++:
//
//	k, err := scale.Of("float", "4") // scale<float, 4>
//
// It is compiled at first use. Each instance is a separate program: its __device__ and __constant__ variables are set through its own
// Module.
func (t *Template) Of(args ...string) (*Kernel, error) {
	return t.mod.Kernel(t.name + "<" + strings.Join(args, ", ") + ">")
}

func (t *Template) String() string { return "gpu.Template " + t.name + " of " + t.mod.program.Name }

// instances are the instances of templates that were compiled after their module.
type instances struct {
	mu   sync.Mutex
	made map[string]*Kernel
}

// instance returns an instance of a template; it compiles the module's program again if necessary.
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
