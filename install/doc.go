// Package install makes the kernel known to Jupyter and examines a machine for what the kernel
// needs. It changes nothing but the kernelspec's directory, and never installs other programs: it
// says which commands do.
//
// The scripts beside it set up whole machines.
package install
