// Command gopherwarp is a Jupyter kernel for Go with GPU programming, and the tools around it:
// installing the kernel, running notebooks without Jupyter, checking the machine.
//
// Each subcommand has a file and calls other packages.
package main
