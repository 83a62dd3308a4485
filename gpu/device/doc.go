// Package device is the device process: the program that a session starts for each device it uses. Only the gopherwarp program links it,
// since it includes every backend; cells link package gpu, which communicates with it.
package device
