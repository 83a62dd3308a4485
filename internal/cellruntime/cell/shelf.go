package cell

import "sync"

// shelf passes values from the session process to cells.
var shelf sync.Map // string → any

// Put stores v for Get.
func Put(key string, v any) { shelf.Store(key, v) }

// Get returns the value stored under key, or T's zero value.
func Get[T any](key string) T {
	v, _ := shelf.Load(key)
	t, _ := v.(T)
	return t
}
