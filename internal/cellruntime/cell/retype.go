package cell

import "sync"

// A Retyped is a type that was compiled again.
type Retyped struct {
	Name string // empty for a composite type, such as a map
	// Was and Is are nil pointers to the earlier type and to the new one. They are nil if values of the earlier type cannot
	// be used as values of the new one.
	Was, Is any
	Why     string // why they cannot
}

// retyped are the types compiled again with the cell that is being loaded.
var retyped struct {
	sync.Mutex
	list []Retyped
}

// Retype records that a type was compiled again. The package of the cell that it was compiled with calls it from
// init.
func Retype(name string, was, is any) { note(Retyped{Name: name, Was: was, Is: is}) }

// Replace records that a type was compiled again and that its values keep the earlier type.
func Replace(name, why string) { note(Retyped{Name: name, Why: why}) }

func note(t Retyped) {
	retyped.Lock()
	defer retyped.Unlock()
	retyped.list = append(retyped.list, t)
}

// TakeRetyped returns the recorded types and clears the record.
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
