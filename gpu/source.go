package gpu

import "sync"

// A Source is the text of a CUDA program, which is compiled for a device when a kernel of it is first needed there. Its methods are safe for
// concurrent use. The files that gopherwarp kernels writes have one.
type Source struct {
	name, text string

	mu      sync.Mutex
	modules map[*Device]*Module
}

// NewSource returns a Source. The name is that of the program in messages.
func NewSource(name, text string) *Source {
	return &Source{name: name, text: text, modules: map[*Device]*Module{}}
}

// Text returns the CUDA program.
func (s *Source) Text() string { return s.text }

// Kernel returns a kernel of the program for the current device.
func (s *Source) Kernel(name string) (*Kernel, error) {
	d, err := Current()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.modules[d]
	if m == nil {
		if m, err = Compile(s.text, WithName(s.name)); err != nil {
			return nil, err
		}
		s.modules[d] = m
	}
	return m.Kernel(name)
}
