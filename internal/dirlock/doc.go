// Package dirlock prevents processes from building in the same directory of a cache at the same time, and prevents the removal of a
// directory that a process uses.
package dirlock
