package device

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim"
)

// backends are tried by "auto" in this order.
var backends = []Named{
	{"cuda", driver.New},
	{"sim", sim.New},
}

// Backends returns the backends that this program has, in the order in which "auto" tries them.
func Backends() []Named { return append([]Named(nil), backends...) }
