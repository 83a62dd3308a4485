package nd

// Rehearse runs f without launching kernels and compiles those that it wants to launch, many at a
// time. What f computes is undefined.
func Rehearse(f func()) {
	e := current("Rehearse")
	e.mu.Lock()
	e.rehearsal = map[string]source{}
	e.mu.Unlock()
	f()
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.rehearsal
	e.rehearsal = nil
	e.compileAll(list)
}
