// Package modproxy writes the files of a module proxy, so that tests can fetch modules without a
// network.
package modproxy
