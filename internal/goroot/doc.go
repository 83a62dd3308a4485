// Package goroot finds the Go toolchain that cells are compiled with. A release whose internals are unknown
// (package internal/gorelease) is never used: instead, the newest known one on the machine is used, and if there is none, one is
// fetched as the go command fetches toolchains, from a module proxy.
//
// find.go     selects a toolchain
// places.go   finds toolchains on the machine
// wanted.go   reads the version that the notebook's module asks for
// fetch.go    fetches a toolchain
package goroot
