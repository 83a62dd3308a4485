package cell

import "sync"

// passed has the values passed from the session process to cells.
var passed sync.Map // string → any

// Put stores v for Get.
func Put(key string, v any) { passed.Store(key, v) }

// Get returns the value stored under key, or T's zero value.
func Get[T any](key string) T {
	v, _ := passed.Load(key)
	t, _ := v.(T)
	return t
}
