// Package top finds the gopherwarp kernels of a machine and what they hold: memory, devices, and for how long they have been idle. It reads
// /proc and the status files of package statusfile; it has no code for the command's flags.
package top
