// Package e2e tests the program as a front end uses it: the real binary, built for the
// tests, through the wire protocol, with the simulator as the device unless
// GOPHERWARP_DEVICE selects another.
package e2e
