// Package device is the entry of the device process: the program that a session starts for
// each device it uses. Only the gopherwarp program links it, because it brings every backend
// along; cells link package gpu, which talks to it.
package device
