package cell

import "sync"

// A Retyped is a type that was compiled again: nil pointers to the type from before and to what it is now, and
// likewise slices.
type Retyped struct{ Was, Is any }

// retyped holds what was compiled again with the cell that is being loaded.
var retyped struct {
	sync.Mutex
	list []Retyped
}

// Retype notes that a type was compiled again. The package of the cell that it was compiled with calls it from
// init.
func Retype(was, is any) {
	retyped.Lock()
	defer retyped.Unlock()
	retyped.list = append(retyped.list, Retyped{was, is})
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
