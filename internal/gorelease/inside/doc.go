// Package inside accesses internals of the Go runtime and package testing of the program that links it. Only the session
// program can link it, since Go's linker allows these accesses only with -checklinkname=0.
//
// module.go            the runtime's description of a program or plugin
// go126.go, go127.go   its layout in a release, and its list of types
// exit.go              hooks of os.Exit
// fmt.go               a hook of package fmt's memory allocation
// addmodule.go         the function that plugins call when they are opened
// testing.go           package testing's execution of seeds of fuzz tests, and of subtests
//
// The session program is always built by the release that runs it, so the files of a release have build constraints.
package inside
