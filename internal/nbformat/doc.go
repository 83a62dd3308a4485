// Package nbformat reads, runs and writes Jupyter notebooks (nbformat 4). It runs cells
// through a kernel's client and converts the kernel's messages to the outputs that a
// notebook stores.
//
// The command that runs the notebook starts the kernel and displays the progress.
package nbformat
