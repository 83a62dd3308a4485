package cell

import "sync"

// A Retyped is a type that was compiled again.
type Retyped struct {
	Name string // empty for one that is made of others, such as a map
	// Was and Is are nil pointers to the type from before and to what it is now. They are nil if values of the one can't
	// be used as those of the other.
	Was, Is any
	Why     string // they can't
}

// retyped holds what was compiled again with the cell that is being loaded.
var retyped struct {
	sync.Mutex
	list []Retyped
}

// Retype notes that a type was compiled again. The package of the cell that it was compiled with calls it from
// init.
func Retype(name string, was, is any) { note(Retyped{Name: name, Was: was, Is: is}) }

// Replace notes that a type was compiled again and that its values stay what they are.
func Replace(name, why string) { note(Retyped{Name: name, Why: why}) }

func note(t Retyped) {
	retyped.Lock()
	defer retyped.Unlock()
	retyped.list = append(retyped.list, t)
}

// TakeRetyped returns what was noted and forgets it.
func TakeRetyped() []Retyped {
	retyped.Lock()
	defer retyped.Unlock()
	list := retyped.list
	retyped.list = nil
	return list
}

// EachPointer calls f with the pointer to each variable that cells have declared.
func EachPointer(f func(p any)) {
	variables.Range(func(_, p any) bool {
		f(p)
		return true
	})
}
