// Package e2e tests the program as a front end meets it: the real binary, built for the
// tests, driven over the wire protocol, with the simulator as the device unless
// GOPHERWARP_DEVICE says otherwise.
package e2e
