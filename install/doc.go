// Package install installs the kernelspec for Jupyter and checks whether a machine has what the kernel needs. It changes
// only the kernelspec's directory, and never installs other programs: it prints the commands that do.
//
// The scripts in the same directory set up whole machines.
package install
