// Package inside reaches into the Go runtime and package testing of the program that it is part of. Only the session
// program can be linked with it, since Go's linker gives away what is taken here only with -checklinkname=0.
//
//	module.go            the runtime's description of a program or plugin
//	go126.go, go127.go   where a release keeps it, and the types in it
//	exit.go              what os.Exit runs
//	fmt.go               when package fmt needs memory
//	testing.go           how package testing runs seeds of fuzz tests, and subtests
//
// The session program is always built by the release that runs it, so a file of a release has a build constraint.
package inside
