// Package nbformat reads, runs and writes Jupyter notebooks (nbformat 4). It runs cells through
// a kernel's client and turns the kernel's messages into the outputs that a notebook stores.
//
// How a kernel is started and how progress is shown belong to the command that runs it.
package nbformat
