// Package modproxy makes a module proxy out of files, so that tests fetch modules without a
// network.
package modproxy
