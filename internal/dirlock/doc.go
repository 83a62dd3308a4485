// Package dirlock keeps processes that build into the same directory of a cache out of each other's way, and keeps a
// directory from being removed while a process uses it.
package dirlock
