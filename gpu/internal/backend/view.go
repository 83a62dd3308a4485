package backend

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// OutOfBounds returns a message about an access at an address outside the view: "reads x[63], but x has 63 elements (0 to 62):
// check the index before using it".
func (v View) OutOfBounds(verb string, address uint64) string {
	index := FloorDiv(int64(address)-int64(v.Addr), int64(v.Elem))
	n := int64(v.Size) / int64(v.Elem)
	return fmt.Sprintf("%s %s[%d], but %s has %s (%s): check the index before using it",
		verb, v.Name, index, v.Name, render.Count(int(n), "element", "elements"), Indices(n))
}

// Indices returns the valid indices of an array of n elements as text: "0 to 62", or "none".
func Indices(n int64) string {
	if n <= 0 {
		return "none"
	}
	return fmt.Sprintf("0 to %d", n-1)
}

// FloorDiv returns a/b, rounded down. b must be positive.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}
