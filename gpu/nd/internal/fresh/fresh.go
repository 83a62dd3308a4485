// Package fresh has an unexported function of package nd for packages in its subdirectories.
package fresh

import "github.com/gopherwarp/gopherwarp/gpu"

// Memory returns the memory of an nd.Operand that was made with undefined elements, for work that sets them and is submitted before the
// array is used. Unlike nd.RawOf it does not count the memory as one that others may write to at any time. Package nd sets it.
var Memory func(array any) *gpu.Buffer[byte]
