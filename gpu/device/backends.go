package device

import "github.com/gopherwarp/gopherwarp/gpu/internal/driver"

// backends are tried by "auto" in this order.
var backends = []Named{
	{"cuda", driver.New},
}
