// Package goroot finds the Go toolchain that cells are compiled with. A release whose insides are not known
// (package internal/gorelease) is never used: then the newest known one on the machine is, and where there is none, it is
// fetched as the go command fetches toolchains, from a module proxy.
//
//	find.go     which toolchain
//	places.go   where toolchains are on a machine
//	wanted.go   what the notebook's module asks for
//	fetch.go    fetching one
package goroot
